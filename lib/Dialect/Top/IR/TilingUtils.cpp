//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TilingUtils.h.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"

using namespace mlir;
using namespace mlir::top;

Value top::createSlice(OpBuilder &b, Location loc, Value source,
                       const OperandTile &tile, TilingResult &result) {
  auto type = cast<RankedTensorType>(source.getType());
  bool isWhole = true;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (isConstantIntValue(tile.offsets[d], 0) && !type.isDynamicDim(d) &&
        isConstantIntValue(tile.sizes[d], type.getDimSize(d)))
      continue;
    isWhole = false;
  }
  if (isWhole)
    return source;
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(b, loc, source, tile.offsets,
                                              tile.sizes, strides);
  result.generatedSlices.push_back(slice);
  return slice;
}

OperandTile top::getResultLikeTile(OpBuilder &b, RankedTensorType type,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes,
                                   int64_t channelDim) {
  if (type.getRank() == 1)
    return {{offsets[channelDim]}, {sizes[channelDim]}};
  OperandTile tile;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    const bool isBroadcast = type.getDimSize(d) == 1;
    tile.offsets.push_back(isBroadcast ? b.getIndexAttr(0) : offsets[d]);
    tile.sizes.push_back(isBroadcast ? b.getIndexAttr(1) : sizes[d]);
  }
  return tile;
}

void top::createEmptyTile(OpBuilder &b, Location loc, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes, TilingResult &result) {
  auto empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType(),
                                       type.getEncoding());
  result.tiledOps = {empty};
  result.tiledValues = {empty.getResult()};
}

LogicalResult top::addResultLikeTile(DomainTile &domain, RankedTensorType type,
                                     int64_t channelDim,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  if (type.getRank() == 1)
    return domain.set(channelDim, offsets[0], sizes[0]);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.getDimSize(d) != 1 && failed(domain.set(d, offsets[d], sizes[d])))
      return failure();
  return success();
}

bool top::isWholeOperandDim(Value operand, int64_t d, OpFoldResult offset,
                            OpFoldResult size) {
  auto type = cast<RankedTensorType>(operand.getType());
  return isConstantIntValue(offset, 0) && !type.isDynamicDim(d) &&
         isConstantIntValue(size, type.getDimSize(d));
}
