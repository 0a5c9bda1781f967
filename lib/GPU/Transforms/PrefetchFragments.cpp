//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-prefetch-fragments: products of warps' tiles in steps of one instruction,
// whose operands are read into registers one step ahead.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "top/Target/GPUTarget.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPPREFETCHFRAGMENTSPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

namespace {

/// A product cut into steps.
struct StepProducts {
  SmallVector<TileMmaOp> products;
  TileFragmentOp firstLhs, firstRhs;
};

} // namespace

/// The fragment of `step` elements of K, from `start` on, of an operand.
static TileFragmentOp createFragment(RewriterBase &b, Location loc, Value tile,
                                     int64_t start, int64_t step, bool isRhs,
                                     bool transposed) {
  auto type = cast<TileType>(tile.getType());
  const bool isKRows = isRhs != transposed;
  auto part = TileType::get(
      b.getContext(), type.getLevel(), isKRows ? step : type.getRows(),
      isKRows ? type.getCols() : step, type.getElementType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value offset = arith::ConstantIndexOp::create(b, loc, start);
  Value slice = TileSliceOp::create(b, loc, part, tile, isKRows ? offset : zero,
                                    isKRows ? zero : offset,
                                    b.getDenseI64ArrayAttr({1, 1}));
  return TileFragmentOp::create(b, loc, part, slice, isRhs, transposed);
}

/// Fragments of a step in front of the product of the step before.
static FailureOr<StepProducts> cutIntoSteps(RewriterBase &b, TileMmaOp mma) {
  Location loc = mma.getLoc();
  TileType lhs = mma.getLhs().getType();
  const int64_t depth = mma.getTransposeA() ? lhs.getRows() : lhs.getCols();
  const int64_t step = kMmaStepBytes / getElementBytes(lhs.getElementType());
  if (step == 0 || depth % step != 0)
    return mma.emitOpError("cannot be cut into steps: expected K of the tiles "
                           "to be a multiple of ")
           << kMmaStepBytes << " bytes, got " << lhs;
  b.setInsertionPoint(mma);
  StepProducts result;
  auto read = [&](int64_t start) {
    TileFragmentOp left = createFragment(b, loc, mma.getLhs(), start, step,
                                         /*isRhs=*/false, mma.getTransposeA());
    TileFragmentOp right = createFragment(b, loc, mma.getRhs(), start, step,
                                          /*isRhs=*/true, mma.getTransposeB());
    return std::pair(left, right);
  };
  auto next = read(0);
  std::tie(result.firstLhs, result.firstRhs) = next;
  Value sums = mma.getAcc();
  for (int64_t start = 0; start < depth; start += step) {
    auto [left, right] = next;
    if (start + step < depth)
      next = read(start + step);
    result.products.push_back(TileMmaOp::create(
        b, loc, mma.getType(), left, right, sums, mma.getTransposeA(),
        mma.getTransposeB(), mma.getAllowTf32()));
    sums = result.products.back().getResult();
  }
  b.replaceOp(mma, sums);
  return result;
}

/// Copies `op`, and what it is computed from inside its block up to the block's
/// arguments, to where `b` stands, and collects the copies in order.
static Operation *cloneChain(RewriterBase &b, Operation *op, IRMapping &mapping,
                             llvm::SetVector<Operation *> &clones) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (Operation *def = value.getDefiningOp();
        def && def->getBlock() == op->getBlock() && !mapping.contains(value))
      (void)cloneChain(b, def, mapping, clones);
  Operation *clone = b.clone(*op, mapping);
  clones.insert(clone);
  return clone;
}

namespace {

/// An op of a loop, a copy or a branch round copies, and the accesses of a
/// thread that it can be divided into: 1 unless it is one copy of a whole tile.
struct StepCopy {
  Operation *op;
  int64_t accesses;
};

} // namespace

static SmallVector<TileCopyOp> getCopies(Operation *op) {
  SmallVector<TileCopyOp> copies;
  op->walk([&](TileCopyOp copy) { copies.push_back(copy); });
  return copies;
}

static SmallVector<StepCopy> findCopies(scf::ForOp loop, int64_t threads) {
  SmallVector<StepCopy> result;
  for (Operation &op : *loop.getBody()) {
    SmallVector<TileCopyOp> copies = getCopies(&op);
    if (copies.empty())
      continue;
    int64_t accesses = 1;
    if (copies.size() == 1 && copies[0].getPart()[2] == 1) {
      const int64_t bytes =
          static_cast<int64_t>(copies[0].getVectorBytes()) * threads;
      accesses = llvm::divideCeil(
          static_cast<uint64_t>(copies[0].getRing().getType().getSlotBytes()),
          static_cast<uint64_t>(bytes));
    }
    result.push_back({&op, accesses});
  }
  return result;
}

/// Calls `place` with each copy and the accesses of it, of those that it has,
/// that are among [begin, end) of all copies'.
static void
forEachAccess(ArrayRef<StepCopy> copies, int64_t begin, int64_t end,
              function_ref<void(const StepCopy &, int64_t, int64_t)> place) {
  int64_t first = 0;
  for (const StepCopy &copy : copies) {
    const int64_t from = std::max(begin, first) - first;
    const int64_t to = std::min(end, first + copy.accesses) - first;
    if (from < to)
      place(copy, from, to);
    first += copy.accesses;
  }
}

/// The wait of a pipeline of multiBuffer, which stands first in the loop but
/// for arithmetic, and its barrier; null where `loop` is none.
static std::pair<TileWaitOp, gpu::BarrierOp> findWait(scf::ForOp loop) {
  auto waits = loop.getBody()->getOps<TileWaitOp>();
  auto barriers = loop.getBody()->getOps<gpu::BarrierOp>();
  if (!llvm::hasSingleElement(waits) || !llvm::hasSingleElement(barriers))
    return {};
  TileWaitOp wait = *waits.begin();
  gpu::BarrierOp barrier = *barriers.begin();
  if (wait->getNextNode() != barrier)
    return {};
  for (Operation &op : *loop.getBody()) {
    if (&op == wait)
      return {wait, barrier};
    if (!isMemoryEffectFree(&op))
      break;
  }
  return {};
}

/// Makes the first fragments of a step of the loop part of the step before.
///
/// Instructions that access memory stay in order, and issue in order: a warp
/// whose copies queue up does not multiply. So reads come before copies, and
/// the copies are spread over the products of a step: some behind the barrier
/// of the step before, which is the first place where their slot is free, the
/// others in front of all products but the last. (On an H200, 4096^3 f16,
/// 128x256x32 and two products a step: 375 TFLOP/s with the copies in front of
/// the reads, 396 behind them, 416 with a third of them behind the barrier, 406
/// with half, 386 with all.)
static LogicalResult pipelineFirstFragments(RewriterBase &b, scf::ForOp loop,
                                            StepProducts &steps,
                                            int64_t threads) {
  auto [wait, barrier] = findWait(loop);
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> width = getConstantIntValue(loop.getStep());
  // The pipeline needs a second step.
  if (!wait || !lower || !upper || !width || *upper - *lower <= *width)
    return success();
  Block *block = loop.getBody();

  // What is done in the step before has its operands computed for it alone: no
  // view is carried by the loop.
  llvm::SetVector<Operation *> early;
  early.insert(wait);
  early.insert(barrier);
  IRMapping mapping;
  ArrayRef<TileMmaOp> products = steps.products;
  b.setInsertionPoint(products.front());
  for (TileFragmentOp fragment : {steps.firstLhs, steps.firstRhs})
    b.replaceOp(fragment,
                cloneChain(b, fragment, mapping, early)->getResults());

  SmallVector<StepCopy> copies = findCopies(loop, threads);
  int64_t total = 0;
  for (const StepCopy &copy : copies)
    total += copy.accesses;
  const auto places = std::max<int64_t>(products.size() - 1, 1);
  const int64_t behindBarrier = total / (places + 2);
  auto setPart = [&](Operation *clone, const StepCopy &copy, int64_t from,
                     int64_t to) {
    if (copy.accesses > 1)
      getCopies(clone).front().setPart(
          ArrayRef<int64_t>{from, to, copy.accesses});
  };
  forEachAccess(copies, 0, behindBarrier,
                [&](const StepCopy &copy, int64_t from, int64_t to) {
                  setPart(cloneChain(b, copy.op, mapping, early), copy, from,
                          to);
                });
  for (int64_t i = 0; i < places; ++i) {
    b.setInsertionPoint(products[i]);
    auto share = [&](int64_t place) {
      return behindBarrier + (total - behindBarrier) * place / places;
    };
    forEachAccess(copies, share(i), share(i + 1),
                  [&](const StepCopy &copy, int64_t from, int64_t to) {
                    setPart(b.clone(*copy.op), copy, from, to);
                  });
  }
  for (const StepCopy &copy : copies)
    b.eraseOp(copy.op);
  for (TileCommitOp commit : llvm::to_vector(block->getOps<TileCommitOp>()))
    commit->moveBefore(products[places - 1]);
  // What is left without a use.
  auto ops =
      llvm::to_vector(llvm::make_pointer_range(block->without_terminator()));
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      b.eraseOp(op);

  scf::PipeliningOption options;
  options.peelEpilogue = false;
  // The reads behind the last step do no harm.
  options.predicateFn = [](RewriterBase &, Operation *op, Value) { return op; };
  Operation *last = steps.products.back();
  options.getScheduleFn =
      [&](scf::ForOp loop,
          std::vector<std::pair<Operation *, unsigned>> &order) {
        for (Operation &op : loop.getBody()->without_terminator())
          if (!early.contains(&op) && &op != last)
            order.push_back({&op, 1});
        for (Operation &op : loop.getBody()->without_terminator())
          if (early.contains(&op))
            order.push_back({&op, 0});
        order.push_back({last, 1});
      };
  b.setInsertionPoint(loop); // it writes where the rewriter stands
  if (failed(scf::pipelineForLoop(b, loop, options)))
    return loop.emitOpError("could not have its fragments read ahead");
  return success();
}

FailureOr<unsigned> top::prefetchFragments(RewriterBase &rewriter,
                                           scf::ForallOp kernel,
                                           ScheduleAttr schedule) {
  SmallVector<TileMmaOp> products;
  llvm::DenseMap<Operation *, unsigned> productsOfLoop;
  kernel.walk([&](TileMmaOp mma) {
    if (mma.getType().getLevel() == TileLevel::warp &&
        !mma.getLhs().getDefiningOp<TileFragmentOp>()) {
      products.push_back(mma);
      ++productsOfLoop[mma->getParentOp()];
    }
  });
  OpBuilder::InsertionGuard guard(rewriter);
  for (TileMmaOp mma : products) {
    // In front of which of several products to wait is not decided; one that
    // nobody uses is dead, and no place to wait.
    auto loop = dyn_cast<scf::ForOp>(mma->getParentOp());
    if (productsOfLoop[mma->getParentOp()] > 1 || mma->use_empty())
      loop = nullptr;
    FailureOr<StepProducts> steps = cutIntoSteps(rewriter, mma);
    if (failed(steps))
      return failure();
    if (loop && failed(pipelineFirstFragments(rewriter, loop, *steps,
                                              schedule.getNumThreads())))
      return failure();
  }
  return products.size();
}

namespace {

struct TopPrefetchFragments
    : mlir::top::impl::TopPrefetchFragmentsPassBase<TopPrefetchFragments> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    SmallVector<scf::ForallOp> kernels = getKernels(getOperation());
    if (kernels.empty())
      remark::missed(getOperation().getLoc(), remarkOpts("NoKernel"))
          << remark::reason("no scf.forall carries {0}",
                            ScheduleAttr::name.str());
    for (scf::ForallOp kernel : kernels) {
      FailureOr<unsigned> count =
          prefetchFragments(rewriter, kernel, ScheduleAttr::getFrom(kernel));
      if (failed(count))
        return signalPassFailure();
      if (*count == 0) {
        remark::missed(kernel.getLoc(), remarkOpts("NoFragments"))
            << remark::reason("no tiles of warps are multiplied");
        continue;
      }
      // The pipeliner writes 0 * step + 0. No patterns, only folding: the
      // canonical form of a kernel of one block is no kernel.
      (void)applyPatternsGreedily(kernel, RewritePatternSet(&getContext()));
      remark::passed(kernel.getLoc(), remarkOpts("Prefetched")) << remark::add(
          "{0} products in steps of {1} bytes along K", *count, kMmaStepBytes);
    }
  }
};

} // namespace
