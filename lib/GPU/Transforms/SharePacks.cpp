//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SharePacks.h. Loop-invariant code motion and common subexpression
// elimination leave packs where they are: the space that a pack is written to
// is allocated, which is an effect, and no two are equal. So these two look at
// packs together with their space, and at nothing else: a fill or an
// elementwise op in front of a loop that writes over it would have to be
// copied.
//
//===----------------------------------------------------------------------===//

#include "SharePacks.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/IR/TopTiles.h"

using namespace mlir;
using namespace mlir::top;

/// What `pack` alone writes to; null where it is anything else.
static bufferization::AllocTensorOp getSpace(linalg::PackOp pack) {
  auto space = pack.getDest().getDefiningOp<bufferization::AllocTensorOp>();
  return space && space->hasOneUse() && space->getNumOperands() == 0
             ? space
             : bufferization::AllocTensorOp();
}

static bool isSpace(Value value) {
  if (!value.hasOneUse())
    return false;
  auto pack = dyn_cast<linalg::PackOp>(*value.getUsers().begin());
  return pack && getSpace(pack) && pack.getDest() == value;
}

/// Whether `op` says only which elements of a tensor are meant, or is a number
/// that says so.
static bool isView(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 || !isPure(op))
    return false;
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         op->getResult(0).getType().isIndex();
}

/// The packs, the views that they read, and reshapes of their results.
static llvm::DenseSet<Operation *> collectPacks(FunctionOpInterface func,
                                                SharedPacks &result) {
  llvm::DenseSet<Operation *> ops;
  func->walk([&](linalg::PackOp pack) {
    if (!ScheduleAttr::getFrom(pack))
      return;
    result.packs.insert(pack);
    if (!getSpace(pack))
      return;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *op) { return op == pack || isView(op); };
    SetVector<Operation *> views;
    (void)getBackwardSlice(pack.getOperation(), &views, options);
    ops.insert(views.begin(), views.end());
    for (Operation *user : pack->getUsers())
      if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
        ops.insert(user);
  });
  return ops;
}

static bool isEqual(Operation *lhs, Operation *rhs) {
  // Spaces hold nothing, and are of the type of the result.
  auto isEqualValue = [](Value lhs, Value rhs) {
    return success(lhs == rhs || (isSpace(lhs) && isSpace(rhs)));
  };
  return OperationEquivalence::isEquivalentTo(
      lhs, rhs, isEqualValue, /*markEquivalent=*/nullptr,
      OperationEquivalence::IgnoreLocations);
}

static int64_t countBytes(linalg::PackOp pack) {
  auto type = cast<ShapedType>(pack.getDest().getType());
  return type.getNumElements() * getElementBytes(type.getElementType());
}

SharedPacks top::sharePacks(RewriterBase &rewriter, FunctionOpInterface func) {
  SharedPacks result;
  const llvm::DenseSet<Operation *> ops = collectPacks(func, result);
  if (ops.empty())
    return result;

  // Inner loops first: what leaves one may leave the next.
  llvm::DenseSet<Operation *> moved;
  func->walk([&](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value) || isSpace(value);
        },
        [&](Operation *op, Region *) { return ops.contains(op); },
        [&](Operation *op, Region *) {
          if (auto pack = dyn_cast<linalg::PackOp>(op)) {
            rewriter.moveOpBefore(getSpace(pack), loop);
            moved.insert(op);
          }
          rewriter.moveOpBefore(op, loop);
        });
  });
  result.moved = moved.size();

  // Operands come before their users: where views are one, packs of them are
  // equal.
  SmallVector<Operation *> inOrder;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (ops.contains(op))
      inOrder.push_back(op);
  });
  DominanceInfo dominance(func);
  DenseMap<std::pair<OperationName, Value>, SmallVector<Operation *>> seen;
  for (Operation *op : inOrder) {
    SmallVector<Operation *> &others =
        seen[{op->getName(),
              op->getNumOperands() == 0 ? Value() : op->getOperand(0)}];
    auto *other = llvm::find_if(others, [&](Operation *other) {
      return isEqual(other, op) && dominance.properlyDominates(other, op);
    });
    if (other == others.end()) {
      others.push_back(op);
      continue;
    }
    auto pack = dyn_cast<linalg::PackOp>(op);
    Operation *space = nullptr;
    if (pack) {
      space = getSpace(pack);
      result.packs.erase(op);
      ++result.merged;
      result.mergedBytes += countBytes(pack);
    }
    rewriter.replaceOp(op, (*other)->getResults());
    if (space)
      rewriter.eraseOp(space);
  }
  return result;
}
