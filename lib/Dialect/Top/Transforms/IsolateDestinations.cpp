//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-isolate-destinations: makes it safe to compute a tensor where it is going
// to be, if that is part of a memref.
//
// Empty tensor elimination lets the computation of a value that is written to a
// memref start there. Bufferization, which then decides what may overwrite
// what, does not know that this tensor and that memref are one (22.1.8; between
// tensors it does know). So it must hold beforehand that
//
//  * nothing but the write sees any of the values that the result is computed
//    in. Canonicalization breaks this: it merges equal fills, and the second of
//    two products would start from the result of the first;
//  * nothing else is written between the start and the write, since it may be
//    written to the same place.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPISOLATEDESTINATIONSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using bufferization::MaterializeInDestinationOp;

/// Gives each op that computes in the result of `fill` a fill of its own, right
/// in front of it.
static void splitFill(linalg::FillOp fill) {
  if (!fill.hasPureTensorSemantics() ||
      !fill.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>())
    return;
  for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
    auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (!user || !user.isDpsInit(&use))
      continue;
    OpBuilder builder(user);
    use.set(builder.clone(*fill)->getResult(0));
  }
  if (fill->use_empty())
    fill.erase();
}

/// Whether the computation of `write`'s source may start in its destination,
/// where `previous` is the last op before it that may write or read memory.
static bool canStartInDestination(MaterializeInDestinationOp write,
                                  Operation *previous) {
  Value value = write.getSource();
  while (value.hasOneUse()) {
    auto result = dyn_cast<OpResult>(value);
    auto op = value.getDefiningOp<DestinationStyleOpInterface>();
    if (!op)
      // There is nothing to be computed in place but, perhaps, in regions,
      // which we do not look into.
      return !result || result.getOwner()->getNumRegions() == 0;
    if (op->getBlock() != write->getBlock() ||
        (previous && !previous->isBeforeInBlock(op)))
      return false;
    value = op.getTiedOpOperand(result)->get();
    if (value.getDefiningOp<tensor::EmptyOp>())
      return true;
  }
  return false;
}

static void checkWrites(Block &block) {
  Operation *previous = nullptr;
  for (Operation &op : block) {
    auto write = dyn_cast<MaterializeInDestinationOp>(op);
    if (write && isa<MemRefType>(write.getDest().getType()) &&
        !canStartInDestination(write, previous))
      write.setRestrict(false);
    if (!isMemoryEffectFree(&op))
      previous = &op;
  }
}

namespace {

struct TopIsolateDestinationsPass
    : top::impl::TopIsolateDestinationsPassBase<TopIsolateDestinationsPass> {
  void runOnOperation() override {
    getOperation().walk([](linalg::FillOp fill) { splitFill(fill); });
    getOperation().walk([](Block *block) { checkWrites(*block); });
  }
};

} // namespace
