//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-multi-buffer: loops over K become software pipelines. Which op belongs to
// which stage is ours; the rewrite is scf::pipelineForLoop.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPMULTIBUFFERPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// cp.async moves 4, 8 or 16 bytes (PTX ISA, cp.async).
static constexpr int64_t minAsyncBytes = 4;

namespace {

/// A loop over K as promoteToShared leaves it: copies, barrier, product,
/// barrier.
struct CopyLoop {
  scf::ForOp loop;
  SmallVector<TileCopyOp> copies;
  SmallVector<gpu::BarrierOp> barriers;
  int64_t numSteps;
};

} // namespace

static std::optional<int64_t> getNumSteps(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *lower != 0 || *step < 1)
    return std::nullopt;
  return llvm::divideCeil(*upper, *step);
}

/// Reads a loop that copies into rings of one slot. nullopt if `loop` does not;
/// failure, with an error, if it does in a way that cannot be pipelined.
static FailureOr<std::optional<CopyLoop>> readLoop(scf::ForOp loop) {
  CopyLoop found{loop, {}, {}, 0};
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto copy = dyn_cast<TileCopyOp>(op))
      found.copies.push_back(copy);
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op))
      found.barriers.push_back(barrier);
  }
  if (found.copies.empty())
    return std::optional<CopyLoop>();
  std::optional<int64_t> numSteps = getNumSteps(loop);
  if (!numSteps)
    return loop.emitOpError("cannot be multi-buffered: expected constant "
                            "bounds that begin at 0");
  found.numSteps = *numSteps;
  for (TileCopyOp copy : found.copies) {
    if (copy.getRing().getType().getStages() != 1 || copy.getAsync())
      return copy.emitOpError("cannot be multi-buffered: expected a ring of "
                              "one slot as top-promote-shared makes it, got ")
             << copy.getRing().getType();
    for (Operation *user : copy.getRing().getUsers())
      if (user->getBlock() != loop.getBody())
        return copy.emitOpError("cannot be multi-buffered: its ring is used "
                                "outside the loop");
  }
  if (found.barriers.size() != 2)
    return loop.emitOpError("cannot be multi-buffered: expected a barrier "
                            "behind the copies and one behind the product, "
                            "got ")
           << found.barriers.size();
  return std::optional<CopyLoop>(std::move(found));
}

/// The slot of the step at `iv`: (iv / step) mod stages.
static Value createSlot(RewriterBase &rewriter, scf::ForOp loop,
                        int64_t stages) {
  AffineExpr iv = rewriter.getAffineDimExpr(0);
  const int64_t step = *getConstantIntValue(loop.getStep());
  return affine::AffineApplyOp::create(
      rewriter, loop.getLoc(), AffineMap::get(1, 0, iv.floorDiv(step) % stages),
      ValueRange{loop.getInductionVar()});
}

/// Gives rings `stages` slots, makes copies asynchronous, and puts slot
/// numbers, commit and wait into the loop. One barrier a step is left: it
/// stands behind the wait, so that when the next copy is issued every thread
/// has finished the product that read that slot.
static void rewriteBody(RewriterBase &rewriter, CopyLoop &found, int64_t stages,
                        llvm::SetVector<Operation *> &early) {
  Location loc = found.loop.getLoc();
  llvm::SmallPtrSet<Operation *, 4> seen;
  rewriter.setInsertionPoint(found.copies.front());
  Value copySlot = createSlot(rewriter, found.loop, stages);
  early.insert(copySlot.getDefiningOp());
  for (TileCopyOp copy : found.copies) {
    auto ring = cast<TypedValue<RingType>>(copy.getRing());
    if (seen.insert(ring.getDefiningOp()).second)
      ring.setType(ring.getType().withStages(stages));
    copy.getSlotMutable().assign(copySlot);
    copy.setAsync(copy.getVectorBytes() >=
                  static_cast<uint64_t>(minAsyncBytes));
  }
  rewriter.setInsertionPointAfter(found.copies.back());
  early.insert(TileCommitOp::create(rewriter, loc));
  TileWaitOp::create(rewriter, loc, stages - 2);

  rewriter.setInsertionPointAfter(found.barriers.front());
  Value viewSlot = createSlot(rewriter, found.loop, stages);
  for (Operation &op : *found.loop.getBody())
    if (auto view = dyn_cast<TileViewOp>(op))
      if (seen.contains(view.getRing().getDefiningOp()))
        view.getSlotMutable().assign(viewSlot);
  rewriter.eraseOp(found.barriers.back());
}

/// A copy of a step that does not exist must not run; anything else may.
static Operation *predicate(RewriterBase &rewriter, Operation *op,
                            Value condition) {
  if (!isa<TileCopyOp>(op))
    return op;
  auto branch = scf::IfOp::create(rewriter, op->getLoc(), condition);
  rewriter.moveOpBefore(op, branch.thenBlock()->getTerminator());
  return branch;
}

static LogicalResult pipeline(RewriterBase &rewriter, CopyLoop &found,
                              int64_t stages) {
  llvm::SetVector<Operation *> early;
  rewriteBody(rewriter, found, stages, early);
  // Early are the copies and what they are computed from.
  for (TileCopyOp copy : found.copies)
    early.insert(copy);
  for (unsigned i = 0; i < early.size(); ++i)
    for (Value operand : early[i]->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (def->getBlock() == found.loop.getBody())
          early.insert(def);

  scf::PipeliningOption options;
  options.peelEpilogue = false;
  options.predicateFn = predicate;
  options.getScheduleFn =
      [&](scf::ForOp loop,
          std::vector<std::pair<Operation *, unsigned>> &order) {
        // In a step: wait, barrier, the copies of a later step, the product.
        SmallVector<Operation *> head, tail;
        for (Operation &op : loop.getBody()->without_terminator()) {
          if (early.contains(&op))
            continue;
          (isa<TileWaitOp, gpu::BarrierOp>(op) ? head : tail).push_back(&op);
        }
        const unsigned last = stages - 1;
        for (Operation *op : head)
          order.push_back({op, last});
        for (Operation &op : loop.getBody()->without_terminator())
          if (early.contains(&op))
            order.push_back({&op, 0});
        for (Operation *op : tail)
          order.push_back({op, last});
      };
  // It writes where the rewriter stands.
  rewriter.setInsertionPoint(found.loop);
  return scf::pipelineForLoop(rewriter, found.loop, options);
}

FailureOr<unsigned> top::multiBuffer(RewriterBase &rewriter,
                                     scf::ForallOp kernel, int64_t stages) {
  SmallVector<CopyLoop> loops;
  WalkResult result = kernel.walk([&](scf::ForOp loop) {
    FailureOr<std::optional<CopyLoop>> found = readLoop(loop);
    if (failed(found))
      return WalkResult::interrupt();
    if (*found)
      loops.push_back(std::move(**found));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  unsigned count = 0;
  for (CopyLoop &found : loops) {
    const int64_t slots = std::min(stages, found.numSteps);
    if (slots < 2)
      continue;
    Operation *loop = found.loop;
    if (failed(pipeline(rewriter, found, slots)))
      return loop->emitOpError("could not be pipelined with ")
             << slots << " stages";
    ++count;
  }
  return count;
}

namespace {

struct TopMultiBuffer
    : mlir::top::impl::TopMultiBufferPassBase<TopMultiBuffer> {
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
      const int64_t stages = ScheduleAttr::getFrom(kernel).getStages();
      FailureOr<unsigned> loops = multiBuffer(rewriter, kernel, stages);
      if (failed(loops))
        return signalPassFailure();
      if (*loops > 0) {
        // The pipeliner writes 0 * step + 0. No patterns, only folding: the
        // canonical form of a kernel of one block is no kernel.
        (void)applyPatternsGreedily(kernel, RewritePatternSet(&getContext()));
        remark::passed(kernel.getLoc(), remarkOpts("MultiBuffered"))
            << remark::add("{0} stages", stages);
      } else {
        remark::missed(kernel.getLoc(), remarkOpts("NotMultiBuffered"))
            << remark::reason(stages == 1
                                  ? "the schedule has one stage"
                                  : "no loop copies into shared memory in more "
                                    "than one step");
      }
    }
  }
};

} // namespace
