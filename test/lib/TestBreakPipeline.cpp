//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that breaks the pipelines of kernels on purpose, each time in one way.
// It shows that top-verify-pipeline finds every such fault.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "top/Dialect/Top/IR/TopTiles.h"

using namespace mlir;
using namespace mlir::top;

namespace {

enum class Fault {
  DropWait,
  WaitOneFewer,
  DropCommit,
  CommitOnlyCopies,
  DropBarrierBeforeRead,
  DropBarrierBeforeWrite,
  CopyBeforeBarrier,
  WrongViewSlot,
  WrongCopySlot,
  SlotBeyondRing,
  SyncToAsync,
  AsyncToSync,
  ReadBeforeBarrier,
  DropFirstParts,
  DropLastParts,
  FinerParts,
};

struct TestBreakPipelinePass
    : PassWrapper<TestBreakPipelinePass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBreakPipelinePass)

  TestBreakPipelinePass() = default;
  TestBreakPipelinePass(const TestBreakPipelinePass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-top-break-pipeline"; }
  StringRef getDescription() const final {
    return "break the pipelines of kernels (planted faults)";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect>();
  }

  void runOnOperation() override {
    changes = 0;
    apply(fault);
    if (changes == 0) {
      getOperation().emitOpError("has nothing to break in this way");
      signalPassFailure();
    }
  }

  void apply(Fault fault);

  /// All ops of a kind; they may be erased.
  template <typename OpTy>
  SmallVector<OpTy> collect() {
    SmallVector<OpTy> ops;
    getOperation().walk([&](OpTy op) { ops.push_back(op); });
    changes += ops.size();
    return ops;
  }

  /// Adds `amount` to the slot of `op`, modulo the stages if `wrap`.
  template <typename OpTy>
  static void shiftSlot(OpTy op, int64_t amount, bool wrap) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value shift = arith::ConstantIndexOp::create(b, loc, amount);
    Value slot = arith::AddIOp::create(b, loc, op.getSlot(), shift);
    if (wrap) {
      Value stages = arith::ConstantIndexOp::create(
          b, loc, op.getRing().getType().getStages());
      slot = arith::RemUIOp::create(b, loc, slot, stages);
    }
    op.getSlotMutable().assign(slot);
  }

  int64_t changes = 0;
  Option<Fault> fault{
      *this, "fault", llvm::cl::desc("what to break"),
      llvm::cl::values(
          clEnumValN(Fault::DropWait, "drop-wait", "no waits"),
          clEnumValN(Fault::WaitOneFewer, "wait-one-fewer",
                     "each wait leaves one more group pending"),
          clEnumValN(Fault::DropCommit, "drop-commit", "no commits"),
          clEnumValN(Fault::CommitOnlyCopies, "commit-only-copies",
                     "steps that copy nothing commit nothing"),
          clEnumValN(Fault::DropBarrierBeforeRead, "drop-barrier-before-read",
                     "no barrier in front of a product"),
          clEnumValN(Fault::DropBarrierBeforeWrite, "drop-barrier-before-write",
                     "no barrier behind a product"),
          clEnumValN(Fault::CopyBeforeBarrier, "copy-before-barrier",
                     "the barrier of a step stands behind its copies"),
          clEnumValN(Fault::WrongViewSlot, "wrong-view-slot",
                     "products read the next slot"),
          clEnumValN(Fault::WrongCopySlot, "wrong-copy-slot",
                     "copies of loops go to the next slot"),
          clEnumValN(Fault::SlotBeyondRing, "slot-beyond-ring",
                     "a slot past the end of the ring"),
          clEnumValN(Fault::SyncToAsync, "sync-to-async",
                     "copies become asynchronous"),
          clEnumValN(Fault::AsyncToSync, "async-to-sync",
                     "copies become synchronous (slower, and right)"),
          clEnumValN(Fault::ReadBeforeBarrier, "read-before-barrier",
                     "the barrier of a step stands behind its fragments"),
          clEnumValN(Fault::DropFirstParts, "drop-first-parts",
                     "copies in parts begin with the second one"),
          clEnumValN(Fault::DropLastParts, "drop-last-parts",
                     "copies in parts end with the one before the last"),
          clEnumValN(Fault::FinerParts, "finer-parts",
                     "one part of each copy is counted in shares half as "
                     "large"))};
};

} // namespace

void TestBreakPipelinePass::apply(Fault fault) {
  // The barrier before (after) each product, in its block.
  auto dropBarriers = [&](bool before) {
    for (TileMmaOp mma : collect<TileMmaOp>()) {
      Operation *op = mma;
      while (op && !isa<gpu::BarrierOp>(op))
        op = before ? op->getPrevNode() : op->getNextNode();
      if (op)
        op->erase();
      else
        --changes;
    }
  };
  switch (fault) {
  case Fault::DropWait:
    for (TileWaitOp op : collect<TileWaitOp>())
      op.erase();
    return;
  case Fault::WaitOneFewer:
    for (TileWaitOp op : collect<TileWaitOp>())
      op.setPending(op.getPending() + 1);
    return;
  case Fault::DropCommit:
    for (TileCommitOp op : collect<TileCommitOp>())
      op.erase();
    return;
  case Fault::CommitOnlyCopies:
    // Into the branch of the copy in front of it.
    for (TileCommitOp op : collect<TileCommitOp>()) {
      if (auto branch = dyn_cast_or_null<scf::IfOp>(op->getPrevNode()))
        op->moveBefore(branch.thenBlock()->getTerminator());
      else
        --changes;
    }
    return;
  case Fault::DropBarrierBeforeRead:
    return dropBarriers(/*before=*/true);
  case Fault::DropBarrierBeforeWrite:
    return dropBarriers(/*before=*/false);
  case Fault::CopyBeforeBarrier:
    for (gpu::BarrierOp op : collect<gpu::BarrierOp>()) {
      Operation *commit = op;
      while (commit && !isa<TileCommitOp>(commit))
        commit = commit->getNextNode();
      if (commit)
        op->moveAfter(commit);
      else
        --changes;
    }
    return;
  case Fault::WrongViewSlot:
    for (TileViewOp op : collect<TileViewOp>())
      shiftSlot(op, 1, /*wrap=*/true);
    return;
  case Fault::WrongCopySlot:
    for (TileCopyOp op : collect<TileCopyOp>()) {
      if (op->getParentOfType<scf::ForOp>())
        shiftSlot(op, 1, /*wrap=*/true);
      else
        --changes;
    }
    return;
  case Fault::SlotBeyondRing:
    for (TileViewOp op : collect<TileViewOp>())
      shiftSlot(op, op.getRing().getType().getStages(), /*wrap=*/false);
    return;
  case Fault::SyncToAsync:
  case Fault::AsyncToSync:
    for (TileCopyOp op : collect<TileCopyOp>())
      op.setAsync(fault == Fault::SyncToAsync);
    return;
  case Fault::ReadBeforeBarrier:
    for (gpu::BarrierOp op : collect<gpu::BarrierOp>()) {
      Operation *last = nullptr;
      for (Operation *next = op->getNextNode();
           next && !isa<TileMmaOp, scf::ForOp>(next);
           next = next->getNextNode())
        if (isa<TileFragmentOp>(next))
          last = next;
      if (last)
        op->moveAfter(last);
      else
        --changes;
    }
    return;
  case Fault::DropFirstParts:
  case Fault::DropLastParts:
    for (TileCopyOp op : collect<TileCopyOp>()) {
      ArrayRef<int64_t> part = op.getPart();
      const bool isFirst = part[0] == 0, isLast = part[1] == part[2];
      if (isFirst != isLast &&
          (fault == Fault::DropFirstParts ? isFirst : isLast))
        op.erase();
      else
        --changes;
    }
    return;
  case Fault::FinerParts:
    for (TileCopyOp op : collect<TileCopyOp>()) {
      ArrayRef<int64_t> part = op.getPart();
      if (part[2] > 1 && part[0] == 0)
        op.setPart(ArrayRef<int64_t>{part[0] * 2, part[1] * 2, part[2] * 2});
      else
        --changes;
    }
    return;
  }
}

namespace mlir::top::test {
void registerTestBreakPipelinePass() {
  PassRegistration<TestBreakPipelinePass>();
}
} // namespace mlir::top::test
