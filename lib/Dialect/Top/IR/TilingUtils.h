//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tilings of both layer ops share: index arithmetic as IR, slices of
// operands, tiles without products, and the bookkeeping of fusion.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_DIALECT_TOP_IR_TILINGUTILS_H
#define TOP_LIB_DIALECT_TOP_IR_TILINGUTILS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Dialect/Top/IR/Epilogue.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

/// The window formulas as affine ops. Sums and products stay expressions until
/// a minimum, a maximum or the end needs a value, so that no op is left over;
/// constants fold.
struct IRArithmetic {
  struct Value {
    AffineExpr expr; ///< over one dimension per operand
    SmallVector<OpFoldResult> operands;
  };
  OpBuilder &b;
  Location loc;

  Value constant(int64_t c) { return {b.getAffineConstantExpr(c), {}}; }
  Value wrap(OpFoldResult v) { return {b.getAffineDimExpr(0), {v}}; }
  Value add(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return {lhs + rhs, operands};
  }
  Value sub(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return {lhs - rhs, operands};
  }
  Value mul(const Value &x, int64_t c) { return {x.expr * c, x.operands}; }
  Value min(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return wrap(affine::makeComposedFoldedAffineMin(
        b, loc, mapOf({lhs, rhs}, operands), operands));
  }
  Value max(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return wrap(affine::makeComposedFoldedAffineMax(
        b, loc, mapOf({lhs, rhs}, operands), operands));
  }

  OpFoldResult materialize(const Value &x) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, mapOf({x.expr}, x.operands), x.operands);
  }

private:
  AffineMap mapOf(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> operands) {
    return AffineMap::get(operands.size(), 0, exprs, b.getContext());
  }
  /// Both expressions over the operands of both.
  std::tuple<AffineExpr, AffineExpr, SmallVector<OpFoldResult>>
  unite(const Value &x, const Value &y) {
    SmallVector<OpFoldResult> operands = x.operands;
    llvm::append_range(operands, y.operands);
    return {x.expr, y.expr.shiftDims(y.operands.size(), x.operands.size()),
            operands};
  }
};

/// One slice of an operand.
struct OperandTile {
  SmallVector<OpFoldResult> offsets, sizes;
};

/// A slice of `source`, or `source` itself where the tile is known to be all
/// of it. Slices are added to `result`, as fusion drivers expect.
Value createSlice(OpBuilder &b, Location loc, Value source,
                  const OperandTile &tile, TilingResult &result);

/// The tile of a bias, a per-channel vector or a tensor of the result's shape
/// that belongs to a tile of the result.
OperandTile getResultLikeTile(OpBuilder &b, RankedTensorType type,
                              ArrayRef<OpFoldResult> offsets,
                              ArrayRef<OpFoldResult> sizes, int64_t channelDim);

/// Slices of bias (null stays null) and epilogue operands.
template <typename OpTy>
std::pair<Value, SmallVector<Value>>
sliceEpilogue(OpBuilder &b, OpTy op, ArrayRef<OpFoldResult> offsets,
              ArrayRef<OpFoldResult> sizes, int64_t channelDim,
              TilingResult &result) {
  auto slice = [&](Value operand) {
    OperandTile tile =
        getResultLikeTile(b, cast<RankedTensorType>(operand.getType()), offsets,
                          sizes, channelDim);
    return createSlice(b, op.getLoc(), operand, tile, result);
  };
  Value bias = op.getBias() ? slice(op.getBias()) : Value();
  return {bias, llvm::map_to_vector(op.getEpilogueOperands(), slice)};
}

/// A tile without outputs, as tile size 0 or an empty result make it. A dynamic
/// result is known to be empty where bias or an epilogue operand is. Slices of
/// operands would be refused there, since MLIR wants their offsets in bounds.
template <typename OpTy>
bool isEmptyTile(OpTy op, ArrayRef<OpFoldResult> sizes) {
  auto isZero = [](OpFoldResult size) { return isConstantIntValue(size, 0); };
  auto isEmpty = [](Value operand) {
    return llvm::is_contained(
        cast<RankedTensorType>(operand.getType()).getShape(), 0);
  };
  // Operands 0 and 1 have dimensions that the result has not.
  return llvm::any_of(sizes, isZero) ||
         llvm::any_of(op->getOperands().drop_front(2), isEmpty);
}

/// An uninitialised tensor of `sizes` with the element type and the layout of
/// `type`, as the tile of a result that has no elements.
void createEmptyTile(OpBuilder &b, Location loc, RankedTensorType type,
                     ArrayRef<OpFoldResult> sizes, TilingResult &result);

/// A tile that multiplies nothing, and is bias and epilogue alone.
template <typename OpTy>
void createFillTile(OpBuilder &b, OpTy op, ArrayRef<OpFoldResult> sizes,
                    int64_t channelDim, Value bias,
                    ArrayRef<Value> epilogueOperands, TilingResult &result) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  EpilogueSpec spec{bias,
                    op.getSteps(),
                    llvm::to_vector(epilogueOperands),
                    op.getAccumulatorType(),
                    op.getResultType().clone(shape),
                    llvm::to_vector(sizes),
                    channelDim};
  Value fill = createEpilogue(b, op.getLoc(), /*accumulator=*/Value(), spec);
  result.tiledOps = {fill.getDefiningOp()};
  result.tiledValues = {fill};
}

/// The iteration domain of both ops: the result's shape, step 1.
template <typename OpTy>
SmallVector<Range> getResultDomain(OpTy op, OpBuilder &b) {
  ReifiedRankedShapedTypeDims shapes;
  if (failed(op.reifyResultShapes(b, shapes)))
    return {};
  return llvm::map_to_vector(shapes.front(), [&](OpFoldResult size) {
    return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
  });
}

/// Collects what operand tiles say of the domain's dimensions: each dimension
/// is named by at most one range, and one that no operand names is whole.
class DomainTile {
public:
  DomainTile(ArrayRef<Range> domain) : domain(domain), tile(domain.size()) {}

  LogicalResult set(int64_t d, OpFoldResult offset, OpFoldResult size) {
    if (tile[d] && !(isEqualConstantIntOrValue(tile[d]->first, offset) &&
                     isEqualConstantIntOrValue(tile[d]->second, size)))
      return failure(); // two operands ask for different tiles
    tile[d] = {offset, size};
    return success();
  }

  void get(SmallVectorImpl<OpFoldResult> &offsets,
           SmallVectorImpl<OpFoldResult> &sizes) const {
    for (auto [range, part] : llvm::zip_equal(domain, tile)) {
      offsets.push_back(part ? part->first : range.offset);
      sizes.push_back(part ? part->second : range.size);
    }
  }

private:
  ArrayRef<Range> domain;
  SmallVector<std::optional<std::pair<OpFoldResult, OpFoldResult>>> tile;
};

/// Dimensions of `type` that a bias or epilogue operand shares with the result.
LogicalResult addResultLikeTile(DomainTile &domain, RankedTensorType type,
                                int64_t channelDim,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes);

/// Whether the tile is known to hold all of dimension `d` of `operand`.
bool isWholeOperandDim(Value operand, int64_t d, OpFoldResult offset,
                       OpFoldResult size);

} // namespace mlir::top

#endif // TOP_LIB_DIALECT_TOP_IR_TILINGUTILS_H
