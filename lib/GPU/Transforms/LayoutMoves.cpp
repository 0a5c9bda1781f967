//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LayoutMoves.h. A kernel of linalg.pack puts the first of the last three
// dimensions behind the other two. So it moves N x C x H x W to N x H x W x C
// as it is, and the other way images whose pixels are seen as channels, and
// whose channels as pixels.
//
//===----------------------------------------------------------------------===//

#include "LayoutMoves.h"

#include "LayoutFolding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/IR/Schedule.h"

using namespace mlir;
using namespace mlir::top;

/// `source`, N x C x H x W, as N x H x W x 1 x C.
static Value pack(OpBuilder &b, Location loc, Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  ArrayRef<int64_t> shape = type.getShape();
  // Not tensor.empty: those of two packs may be equal and become one.
  Value space = bufferization::AllocTensorOp::create(
      b, loc,
      RankedTensorType::get({shape[0], shape[2], shape[3], 1, shape[1]},
                            type.getElementType()),
      ValueRange());
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  auto op = linalg::PackOp::create(b, loc, source, space, /*innerDimsPos=*/{1},
                                   {b.getIndexAttr(shape[1])}, zero,
                                   ArrayRef<int64_t>(kChannelsLastOrder));
  ScheduleAttr::get(b.getContext()).setOn(op);
  return op.getResult();
}

static Value collapse(OpBuilder &b, Location loc, Value value,
                      ArrayRef<ReassociationIndices> dims) {
  return tensor::CollapseShapeOp::create(b, loc, value, dims);
}

static Value expand(OpBuilder &b, Location loc, Value value,
                    ArrayRef<int64_t> shape,
                    ArrayRef<ReassociationIndices> dims) {
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value, dims);
}

/// `source`, N x C x H x W, as N x H x W x C.
static Value moveChannelsLast(OpBuilder &b, Location loc, Value source) {
  return collapse(b, loc, pack(b, loc, source), {{0}, {1}, {2}, {3, 4}});
}

/// `source`, N x H x W x C, as N x C x H x W.
static Value moveChannelsFirst(OpBuilder &b, Location loc, Value source) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(source.getType()).getShape();
  const int64_t n = shape[0], h = shape[1], w = shape[2], c = shape[3];
  Value images = collapse(b, loc, source, {{0}, {1, 2}, {3}});
  images = expand(b, loc, images, {n, h * w, 1, c}, {{0}, {1}, {2, 3}});
  Value moved = collapse(b, loc, pack(b, loc, images), {{0}, {1, 2}, {3, 4}});
  return expand(b, loc, moved, {n, c, h, w}, {{0}, {1}, {2, 3}});
}

void top::eraseDeadOps(RewriterBase &rewriter, FunctionOpInterface func) {
  SmallVector<Operation *> ops;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

void top::lowerLayoutMoves(RewriterBase &rewriter, FunctionOpInterface func) {
  // What nobody reads would count as a reader.
  eraseDeadOps(rewriter, func);
  SmallVector<linalg::LinalgOp> moves;
  SmallVector<linalg::GenericOp> elementwise;
  func->walk([&](linalg::LinalgOp op) {
    auto type = op->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
    if (!type || !type.hasStaticShape() || ScheduleAttr::getFrom(op))
      return;
    Value result = op->getResult(0);
    if (getPermutedSource(result, kChannelsLastOrder) ||
        getPermutedSource(result, kChannelsLastPositions))
      moves.push_back(op);
    else if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
             generic && generic.getNumParallelLoops() == generic.getNumLoops())
      elementwise.push_back(generic);
  });
  for (linalg::GenericOp op : elementwise)
    foldPermutedInputs(rewriter, op);
  // The last first: one that only another reads is gone before its turn.
  for (linalg::LinalgOp op : llvm::reverse(moves)) {
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      continue;
    }
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    Value result = op->getResult(0), moved;
    if (Value source = getPermutedSource(result, kChannelsLastOrder))
      moved = moveChannelsLast(rewriter, loc, source);
    else
      moved = moveChannelsFirst(
          rewriter, loc, getPermutedSource(result, kChannelsLastPositions));
    rewriter.replaceOp(op, moved);
  }
}
