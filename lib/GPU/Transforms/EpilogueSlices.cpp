//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EpilogueSlices.h.
//
//===----------------------------------------------------------------------===//

#include "EpilogueSlices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "top/Dialect/Top/IR/TopTiles.h"

using namespace mlir;
using namespace mlir::top;

/// The part of `tensor` at `ranges`; `map` goes from the result's dimensions to
/// its own, `partMap` to those of the part.
static Value sliceInput(OpBuilder &b, Location loc, Value tensor, AffineMap map,
                        ArrayRef<TileRange> ranges, unsigned firstKept,
                        AffineMap &partMap) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<AffineExpr> exprs;
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) { // a constant 0: broadcast
      offsets.push_back(b.getIndexAttr(0));
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    const TileRange &range = ranges[dim.getPosition()];
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    if (dim.getPosition() < firstKept)
      continue;
    exprs.push_back(b.getAffineDimExpr(dim.getPosition() - firstKept));
    shape.push_back(
        getConstantIntValue(range.size).value_or(ShapedType::kDynamic));
  }
  partMap = AffineMap::get(ranges.size() - firstKept, 0, exprs, b.getContext());
  if (type.getRank() == 0)
    return tensor;
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      offsets, sizes, strides);
}

EpilogueSlices top::sliceEpilogue(OpBuilder &b, Location loc,
                                  linalg::LinalgOp epilogue, Value sums,
                                  ArrayRef<TileRange> ranges,
                                  unsigned firstKept) {
  EpilogueSlices result;
  if (sums)
    result.argTypes.push_back(getElementTypeOrSelf(sums));
  if (!epilogue)
    return result;
  for (OpOperand *operand : epilogue.getDpsInputOperands()) {
    result.scalars.push_back(Value());
    result.positions.push_back(0);
    if (sums && operand->get() == sums)
      continue;
    if (!isa<RankedTensorType>(operand->get().getType())) {
      result.scalars.back() = operand->get();
      continue;
    }
    AffineMap map;
    result.inputs.push_back(sliceInput(b, loc, operand->get(),
                                       epilogue.getMatchingIndexingMap(operand),
                                       ranges, firstKept, map));
    result.maps.push_back(AffineMapAttr::get(map));
    result.positions.back() = result.argTypes.size();
    result.argTypes.push_back(getElementTypeOrSelf(operand->get()));
  }
  return result;
}

void top::fillEpilogue(OpBuilder &b, Location loc, linalg::LinalgOp epilogue,
                       const EpilogueSlices &slices, Region &region) {
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&region);
  for (Type type : slices.argTypes)
    body->addArgument(type, loc);
  if (!epilogue) {
    YieldOp::create(b, loc, body->getArgument(0));
    return;
  }
  IRMapping mapping;
  for (auto [index, arg] : llvm::enumerate(epilogue.getRegionInputArgs()))
    mapping.map(arg, slices.scalars[index]
                         ? slices.scalars[index]
                         : body->getArgument(slices.positions[index]));
  for (Operation &inner : epilogue.getBlock()->without_terminator())
    b.clone(inner, mapping);
  Value yielded = epilogue.getBlock()->getTerminator()->getOperand(0);
  YieldOp::create(b, loc, mapping.lookupOrDefault(yielded));
}
