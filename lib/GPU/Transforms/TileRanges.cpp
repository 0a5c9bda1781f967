//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TileRanges.h.
//
//===----------------------------------------------------------------------===//

#include "TileRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

TileRange top::getTileRange(OpBuilder &b, Location loc, Value iv,
                            int64_t extent, int64_t tile) {
  // That it is 0 says more of where it lies than the step of the loop. A slice
  // of no elements has no valid constant offset.
  if (extent <= tile)
    return {extent == 0 ? OpFoldResult(iv) : b.getIndexAttr(0),
            b.getIndexAttr(extent)};
  if (extent % tile == 0)
    return {iv, b.getIndexAttr(tile)};
  AffineMap map = AffineMap::get(
      1, 0, {b.getAffineConstantExpr(tile), extent - b.getAffineDimExpr(0)},
      b.getContext());
  return {iv,
          affine::makeComposedFoldedAffineMin(b, loc, map, {OpFoldResult(iv)})};
}

TileRange top::getDepthRange(OpBuilder &b, Location loc, Value part, Value iv,
                             int64_t k, int64_t bk, const KParts &parts) {
  if (!part) {
    TileRange range = getTileRange(b, loc, iv, k, bk);
    range.offset = iv; // of a loop that passes take apart
    return range;
  }
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult operands[] = {part, iv};
  TileRange range{
      affine::makeComposedFoldedAffineApply(b, loc, d0 + d1, operands),
      b.getIndexAttr(bk)};
  const int64_t missing = parts.count * parts.depth - k;
  if (missing == 0)
    return range;
  range.size = affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(2, 0, {b.getAffineConstantExpr(bk), k - d0 - d1},
                     b.getContext()),
      operands);
  if (missing >= bk)
    range.size = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(1, 0, {b.getAffineConstantExpr(0), d0}, b.getContext()),
        {range.size});
  return range;
}

/// Offsets, sizes and unit strides of a slice.
static void fillSlice(OpBuilder &b, ArrayRef<TileRange> ranges,
                      SmallVectorImpl<OpFoldResult> &offsets,
                      SmallVectorImpl<OpFoldResult> &sizes,
                      SmallVectorImpl<OpFoldResult> &strides) {
  for (const TileRange &range : ranges) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    strides.push_back(b.getIndexAttr(1));
  }
}

Value top::sliceRanges(OpBuilder &b, Location loc, Value tensor,
                       ArrayRef<TileRange> ranges, ArrayRef<bool> dropped) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  fillSlice(b, ranges, offsets, sizes, strides);
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (dropped.empty() || !dropped[dim])
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  Type element = cast<ShapedType>(tensor.getType()).getElementType();
  return tensor::ExtractSliceOp::create(b, loc,
                                        RankedTensorType::get(shape, element),
                                        tensor, offsets, sizes, strides);
}

void top::closeKernel(OpBuilder &b, scf::ForallOp kernel, Value stored,
                      ArrayRef<TileRange> ranges) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  fillSlice(b, ranges, offsets, sizes, strides);
  b.setInsertionPointToStart(kernel.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, kernel.getLoc(), stored,
                                        kernel.getRegionIterArgs()[0], offsets,
                                        sizes, strides);
  b.setInsertionPointAfter(kernel);
}
