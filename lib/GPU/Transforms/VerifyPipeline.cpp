//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-verify-pipeline: follows each kernel as one of its blocks executes it and
// checks every read and write of a slot of shared memory.
//
// Loops and branches are executed with the numbers that they have, step by step
// to the end: what goes wrong in the last steps only, where a pipeline runs
// empty, is found as well. All blocks take the same way, since what depends on
// a block's or a thread's position is unknown here, and refused where a slot or
// a branch round a tile op depends on it.
//
//===----------------------------------------------------------------------===//

#include "IndexValues.h"
#include "SharedSlots.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPVERIFYPIPELINEPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// Steps of loops that are followed in one kernel, at most. It takes about a
/// second.
static constexpr int64_t maxFollowedSteps = int64_t(1) << 20;

namespace {

/// A slot that a tile was viewed in. What it holds counts when the tile is
/// read.
struct ViewedSlot {
  SlotKey key; ///< of share 0
  int64_t numShares;
  TileViewOp view;
};

/// Follows one kernel.
class PipelineChecker {
public:
  LogicalResult check(scf::ForallOp kernel);
  PipelineCounts counts;

private:
  LogicalResult follow(Block &block);
  LogicalResult follow(Operation *op);
  LogicalResult follow(scf::ForOp loop);
  LogicalResult follow(scf::IfOp branch);
  LogicalResult copy(TileCopyOp op);
  LogicalResult view(TileViewOp op);
  LogicalResult read(Operation *op);

  FailureOr<SlotKey> getSlot(Operation *op, Value ring, Value slot);
  /// The shares that copies divide the slots of `ring` into. Fails with an
  /// error where they do not agree.
  FailureOr<int64_t> getNumShares(Value ring);
  /// Whether something is to be checked in `op`.
  static bool hasTileOps(Operation *op);
  /// Makes `to` what `from` is now.
  void forward(ValueRange from, ValueRange to);
  /// An error at `op` that says in which step it was found.
  InFlightDiagnostic error(Operation *op, const Twine &text) const;

  IndexValues numbers;
  llvm::DenseMap<Value, ViewedSlot> viewedSlots;
  SharedSlots slots;
  llvm::DenseMap<Value, int64_t> numShares; ///< by ring
  SmallVector<int64_t> steps; ///< of the loops round the current op
};

} // namespace

InFlightDiagnostic PipelineChecker::error(Operation *op,
                                          const Twine &text) const {
  InFlightDiagnostic diagnostic = op->emitOpError(text);
  if (!steps.empty()) {
    diagnostic << ", in step ";
    llvm::interleave(
        steps, [&](int64_t step) { diagnostic << step; },
        [&] { diagnostic << "/"; });
    diagnostic << " of the loop";
  }
  return diagnostic;
}

bool PipelineChecker::hasTileOps(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<TileRingOp, TileCopyOp, TileCommitOp, TileWaitOp, TileViewOp,
                   TileSliceOp, TileFragmentOp, TileMmaOp, TileConvOp,
                   TileMapOp, TilePackOp, TileStoreOp, gpu::BarrierOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void PipelineChecker::forward(ValueRange from, ValueRange to) {
  // All are read before one is written: a loop may exchange two of its values.
  SmallVector<std::optional<int64_t>> newNumbers;
  SmallVector<std::optional<ViewedSlot>> newSlots;
  for (Value value : from) {
    newNumbers.push_back(numbers.get(value));
    auto found = viewedSlots.find(value);
    newSlots.push_back(found == viewedSlots.end()
                           ? std::nullopt
                           : std::optional(found->second));
  }
  for (auto [value, number, viewed] : llvm::zip(to, newNumbers, newSlots)) {
    numbers.set(value, number);
    viewedSlots.erase(value);
    if (viewed)
      viewedSlots.insert({value, *viewed});
  }
}

FailureOr<SlotKey> PipelineChecker::getSlot(Operation *op, Value ring,
                                            Value slot) {
  if (!ring.getDefiningOp<TileRingOp>())
    return error(op, "cannot be checked: expected the ring of a "
                     "top.tile_ring of this kernel");
  std::optional<int64_t> number = numbers.get(slot);
  if (!number)
    return error(op, "cannot be checked: its slot is no number that follows "
                     "from constants and the steps of loops");
  const int64_t stages = cast<RingType>(ring.getType()).getStages();
  if (*number < 0 || *number >= stages)
    return error(op, "expected a slot from 0 to " + Twine(stages - 1) +
                         ", got " + Twine(*number));
  return SlotKey{ring, *number, /*share=*/0};
}

FailureOr<int64_t> PipelineChecker::getNumShares(Value ring) {
  auto [entry, isNew] = numShares.try_emplace(ring, 1);
  if (!isNew)
    return entry->second;
  TileCopyOp first;
  for (Operation *user : ring.getUsers()) {
    auto copyOp = dyn_cast<TileCopyOp>(user);
    if (!copyOp || copyOp.getPart()[2] == 1) // whole
      continue;
    if (first && copyOp.getPart()[2] != first.getPart()[2]) {
      error(copyOp,
            "cannot be checked: expected 'part' to count as many shares "
            "as in other copies into the ring")
              .attachNote(first.getLoc())
          << "copied here";
      return failure();
    }
    first = copyOp;
  }
  if (first)
    entry->second = first.getPart()[2];
  return entry->second;
}

LogicalResult PipelineChecker::copy(TileCopyOp op) {
  FailureOr<SlotKey> key = getSlot(op, op.getRing(), op.getSlot());
  if (failed(key))
    return failure();
  FailureOr<int64_t> shares = getNumShares(op.getRing());
  if (failed(shares))
    return failure();
  int64_t begin = op.getPart()[0], end = op.getPart()[1];
  if (op.getPart()[2] == 1)
    end = *shares;
  ++counts.copies;
  if (op.getAsync())
    ++counts.asyncCopies;
  for (key->share = begin; key->share < end; ++key->share)
    if (failed(slots.copy(op, *key, [&](Operation *at, const Twine &text) {
          return error(at, text);
        })))
      return failure();
  return success();
}

LogicalResult PipelineChecker::view(TileViewOp op) {
  FailureOr<SlotKey> key = getSlot(op, op.getRing(), op.getSlot());
  FailureOr<int64_t> shares = getNumShares(op.getRing());
  if (failed(key) || failed(shares))
    return failure();
  viewedSlots.insert_or_assign(op.getResult(), ViewedSlot{*key, *shares, op});
  return success();
}

LogicalResult PipelineChecker::read(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto found = viewedSlots.find(operand);
    if (found == viewedSlots.end())
      continue;
    ++counts.reads;
    const ViewedSlot &viewed = found->second;
    SlotKey key = viewed.key;
    for (key.share = 0; key.share < viewed.numShares; ++key.share)
      if (failed(slots.read(op, viewed.view, key,
                            [&](Operation *at, const Twine &text) {
                              return error(at, text);
                            })))
        return failure();
  }
  return success();
}

LogicalResult PipelineChecker::follow(scf::ForOp loop) {
  std::optional<int64_t> lower = numbers.get(loop.getLowerBound());
  std::optional<int64_t> upper = numbers.get(loop.getUpperBound());
  std::optional<int64_t> width = numbers.get(loop.getStep());
  if (!lower || !upper || !width || *width < 1)
    return error(loop, "cannot be checked: expected bounds that follow from "
                       "constants, and a positive step");
  forward(loop.getInitArgs(), loop.getRegionIterArgs());
  steps.push_back(0);
  for (int64_t iv = *lower; iv < *upper; ++steps.back()) {
    if (++counts.steps > maxFollowedSteps)
      return error(loop, "cannot be checked: loops are followed for " +
                             Twine(maxFollowedSteps) + " steps at most");
    numbers.set(loop.getInductionVar(), iv);
    if (failed(follow(*loop.getBody())))
      return failure();
    forward(loop.getBody()->getTerminator()->getOperands(),
            loop.getRegionIterArgs());
    if (llvm::AddOverflow(iv, *width, iv))
      break;
  }
  steps.pop_back();
  forward(loop.getRegionIterArgs(), loop.getResults());
  return success();
}

LogicalResult PipelineChecker::follow(scf::IfOp branch) {
  std::optional<int64_t> condition = numbers.get(branch.getCondition());
  if (!condition)
    return error(branch, "cannot be checked: its condition does not follow "
                         "from constants and the steps of loops");
  Block *block = *condition ? branch.thenBlock() : branch.elseBlock();
  if (!block)
    return success();
  if (failed(follow(*block)))
    return failure();
  forward(block->getTerminator()->getOperands(), branch.getResults());
  return success();
}

LogicalResult PipelineChecker::follow(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TileCopyOp copyOp) { return copy(copyOp); })
      .Case([&](TileCommitOp) {
        slots.commit();
        return success();
      })
      .Case([&](TileWaitOp waitOp) {
        slots.wait(waitOp);
        return success();
      })
      .Case([&](gpu::BarrierOp) {
        slots.barrier();
        ++counts.barriers;
        return success();
      })
      .Case([&](TileViewOp viewOp) { return view(viewOp); })
      .Case([&](TileSliceOp slice) {
        forward(slice.getSource(), slice.getResult());
        return success();
      })
      .Case<TileFragmentOp, TileMmaOp, TileConvOp, TileStoreOp>(
          [&](auto) { return read(op); })
      // Nothing of rings; what a pack does with shared memory is its own.
      .Case<TileRingOp, TileLoadOp, TileMapOp, TilePackOp, TileZeroOp>(
          [](auto) { return success(); })
      .Default([&](Operation *) -> LogicalResult {
        if (op->getNumRegions() > 0 && hasTileOps(op)) {
          if (auto loop = dyn_cast<scf::ForOp>(op))
            return follow(loop);
          if (auto branch = dyn_cast<scf::IfOp>(op))
            return follow(branch);
          return error(op, "cannot be checked: expected tile ops in scf.for "
                           "and scf.if only");
        }
        if (llvm::any_of(op->getResultTypes(),
                         llvm::IsaPred<TileType, RingType>))
          return error(op, "cannot be checked: expected tiles and rings that "
                           "tile ops make");
        numbers.evaluate(op);
        return success();
      });
}

LogicalResult PipelineChecker::follow(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(follow(&op)))
      return failure();
  return success();
}

LogicalResult PipelineChecker::check(scf::ForallOp kernel) {
  // Constants may stand in front of the kernel.
  auto enterConstant = [&](OpOperand *operand) {
    if (Operation *def = operand->get().getDefiningOp();
        def && def->hasTrait<OpTrait::ConstantLike>())
      numbers.evaluate(def);
  };
  visitUsedValuesDefinedAbove(kernel->getRegions(), enterConstant);
  if (failed(follow(*kernel.getBody())))
    return failure();
  return slots.finish();
}

FailureOr<PipelineCounts> top::verifyPipeline(scf::ForallOp kernel) {
  PipelineChecker checker;
  if (failed(checker.check(kernel)))
    return failure();
  return checker.counts;
}

namespace {

struct TopVerifyPipeline
    : mlir::top::impl::TopVerifyPipelinePassBase<TopVerifyPipeline> {
  void runOnOperation() override {
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    markAllAnalysesPreserved();
    SmallVector<scf::ForallOp> kernels = getKernels(getOperation());
    if (kernels.empty())
      remark::missed(getOperation().getLoc(), remarkOpts("NoKernel"))
          << remark::reason("no scf.forall carries {0}",
                            ScheduleAttr::name.str());
    bool isRight = true;
    for (scf::ForallOp kernel : kernels) {
      FailureOr<PipelineCounts> counts = verifyPipeline(kernel);
      if (failed(counts)) {
        isRight = false;
        continue;
      }
      remark::passed(kernel.getLoc(), remarkOpts("Verified")) << remark::add(
          "{0} copies, {1} of them asynchronous, {2} reads and {3} barriers in "
          "{4} steps",
          counts->copies, counts->asyncCopies, counts->reads, counts->barriers,
          counts->steps);
    }
    if (!isRight)
      signalPassFailure();
  }
};

} // namespace
