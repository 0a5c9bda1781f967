//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface of `top.MatMul`. The iteration domain is the result's
// dimensions, all parallel. K is in no tile: an op without a destination cannot
// accumulate.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"

using namespace mlir;
using namespace mlir::top;

SmallVector<utils::IteratorType> MatMulOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(getResultType().getRank(),
                                          utils::IteratorType::parallel);
}

SmallVector<Range> MatMulOp::getIterationDomain(OpBuilder &b) {
  return getResultDomain(*this, b);
}

FailureOr<TilingResult>
MatMulOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  const int64_t m = getResultType().getRank() - 2, n = m + 1;
  TilingResult result;
  if (isEmptyTile(*this, sizes)) {
    createEmptyTile(b, loc, getResultType(), sizes, result);
    return result;
  }
  auto [bias, epilogueOperands] =
      sliceEpilogue(b, *this, offsets, sizes, /*channelDim=*/n, result);
  if (getLhsType().getDimSize(getLhsDimK()) == 0 ||
      getRhsType().getDimSize(getRhsDimK()) == 0) {
    createFillTile(b, *this, sizes, /*channelDim=*/n, bias, epilogueOperands,
                   result);
    return result;
  }

  // Everything along K, the tile's rows and columns, and its part of the
  // batch.
  auto sliceOperand = [&](Value operand, unsigned dim, int64_t domainDim) {
    OperandTile tile;
    tile.sizes = tensor::getMixedSizes(b, loc, operand);
    tile.offsets.assign(tile.sizes.size(), b.getIndexAttr(0));
    tile.offsets[dim] = offsets[domainDim];
    tile.sizes[dim] = sizes[domainDim];
    if (tile.sizes.size() == 3) {
      tile.offsets[0] = offsets[0];
      tile.sizes[0] = sizes[0];
    }
    return createSlice(b, loc, operand, tile, result);
  };
  Value lhs = sliceOperand(getLhs(), getLhsDimM(), m);
  Value rhs = sliceOperand(getRhs(), getRhsDimN(), n);

  FailureOr<RankedTensorType> type = inferResultType(
      [&] { return emitOpError("has a tile that is not legal: "); },
      cast<RankedTensorType>(lhs.getType()),
      cast<RankedTensorType>(rhs.getType()), getTransposeA(), getTransposeB(),
      getResultType().getElementType());
  if (failed(type))
    return failure();
  auto tiled = MatMulOp::create(b, loc, *type, lhs, rhs, bias, epilogueOperands,
                                getTransposeA(), getTransposeB(),
                                getAllowTf32(), getEpilogueAttr());
  tiled->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  result.tiledOps = {tiled};
  result.tiledValues = {tiled.getResult()};
  return result;
}

/// A tile of lhs or rhs decides a tile of the result only if it holds all of K.
LogicalResult MatMulOp::getIterationDomainTileFromOperandTiles(
    OpBuilder &b, ArrayRef<unsigned> operandNumbers,
    ArrayRef<SmallVector<OpFoldResult>> allOffsets,
    ArrayRef<SmallVector<OpFoldResult>> allSizes,
    SmallVectorImpl<OpFoldResult> &domainOffsets,
    SmallVectorImpl<OpFoldResult> &domainSizes) {
  SmallVector<Range> domain = getIterationDomain(b);
  DomainTile tile(domain);
  const int64_t m = getResultType().getRank() - 2, n = m + 1;
  for (auto [number, offsets, sizes] :
       llvm::zip_equal(operandNumbers, allOffsets, allSizes)) {
    Value operand = getOperation()->getOperand(number);
    auto type = cast<RankedTensorType>(operand.getType());
    if (number > 1) {
      if (failed(
              addResultLikeTile(tile, type, /*channelDim=*/n, offsets, sizes)))
        return failure();
      continue;
    }
    const unsigned k = number == 0 ? getLhsDimK() : getRhsDimK();
    const unsigned own = number == 0 ? getLhsDimM() : getRhsDimN();
    if (!isWholeOperandDim(operand, k, offsets[k], sizes[k]) ||
        failed(tile.set(number == 0 ? m : n, offsets[own], sizes[own])) ||
        (type.getRank() == 3 && failed(tile.set(0, offsets[0], sizes[0]))))
      return failure();
  }
  tile.get(domainOffsets, domainSizes);
  return success();
}
