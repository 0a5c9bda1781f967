//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemRefAlignment.h.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Utils/MemRefAlignment.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;

static int64_t getKnownDivisor(OpFoldResult value);

/// The same of an affine expression of `operands`.
static int64_t getKnownDivisor(AffineExpr expr, ValueRange operands,
                               unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getKnownDivisor(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getKnownDivisor(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const int64_t lhs = getKnownDivisor(binary.getLHS(), operands, numDims);
  const int64_t rhs = getKnownDivisor(binary.getRHS(), operands, numDims);
  if (expr.getKind() == AffineExprKind::Add)
    return std::gcd(lhs, rhs);
  int64_t product;
  if (expr.getKind() == AffineExprKind::Mul &&
      !llvm::MulOverflow(lhs, rhs, product))
    return product;
  return 1;
}

/// A number that divides `value` whatever the loops' position; 0 for 0.
static int64_t getKnownDivisor(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  auto v = cast<Value>(value);
  if (auto loop = scf::getForInductionVarOwner(v)) {
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
    return step && lower ? std::gcd(*step, *lower) : 1;
  }
  if (auto loop = scf::getForallOpThreadIndexOwner(v)) {
    // The first arguments of the body are the induction variables.
    const unsigned index = cast<BlockArgument>(v).getArgNumber();
    std::optional<int64_t> step =
        getConstantIntValue(loop.getMixedStep()[index]);
    std::optional<int64_t> lower =
        getConstantIntValue(loop.getMixedLowerBound()[index]);
    return step && lower ? std::gcd(*step, *lower) : 1;
  }
  if (auto apply = v.getDefiningOp<affine::AffineApplyOp>()) {
    AffineMap map = apply.getAffineMap();
    return getKnownDivisor(map.getResult(0), apply.getMapOperands(),
                           map.getNumDims());
  }
  return 1;
}

int64_t top::getRowAlignment(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  const int64_t element = getElementBytes(type.getElementType());
  int64_t divisor = 0; // of the offset of any row, in elements
  while (true) {
    auto view = cast<MemRefType>(memref.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(view.getStridesAndOffset(strides, offset)))
      return element;
    // Rows of a view differ by the pitch. Its own offset comes with the
    // subview that made it.
    if (!strides.empty())
      for (int64_t stride : ArrayRef(strides).drop_back())
        divisor = std::gcd(divisor, ShapedType::isDynamic(stride) ? 1 : stride);
    auto subview = memref.getDefiningOp<memref::SubViewOp>();
    if (!subview) {
      divisor = std::gcd(divisor, ShapedType::isDynamic(offset) ? 1 : offset);
      break;
    }
    SmallVector<int64_t> parent;
    if (failed(subview.getSourceType().getStridesAndOffset(parent, offset)))
      return element;
    for (auto [position, stride] : llvm::zip(subview.getMixedOffsets(), parent))
      if (ShapedType::isDynamic(stride))
        divisor = 1;
      else
        divisor = std::gcd(divisor, getKnownDivisor(position) * stride);
    memref = subview.getSource();
  }
  const int64_t bytes = divisor * element;
  int64_t alignment = kWidestAccessBytes;
  while (alignment > element && bytes % alignment != 0)
    alignment /= 2;
  return alignment;
}
