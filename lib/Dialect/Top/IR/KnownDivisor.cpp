//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KnownDivisor.h.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/KnownDivisor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;

/// The divisor of an induction variable between constant bounds.
static int64_t getDivisorOfSteps(OpFoldResult lower, OpFoldResult step) {
  std::optional<int64_t> l = getConstantIntValue(lower);
  std::optional<int64_t> s = getConstantIntValue(step);
  return l && s ? std::gcd(*l, *s) : 1;
}

/// `expr` over `operands`, dimensions first.
static int64_t getDivisorOfExpr(AffineExpr expr, unsigned numDims,
                                ValueRange operands) {
  auto recurse = [&](AffineExpr inner) {
    return getDivisorOfExpr(inner, numDims, operands);
  };
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return std::abs(cast<AffineConstantExpr>(expr).getValue());
  case AffineExprKind::DimId:
    return top::getKnownDivisor(
        operands[cast<AffineDimExpr>(expr).getPosition()]);
  case AffineExprKind::SymbolId:
    return top::getKnownDivisor(
        operands[numDims + cast<AffineSymbolExpr>(expr).getPosition()]);
  case AffineExprKind::Add: {
    auto sum = cast<AffineBinaryOpExpr>(expr);
    return std::gcd(recurse(sum.getLHS()), recurse(sum.getRHS()));
  }
  case AffineExprKind::Mul: {
    auto factors = cast<AffineBinaryOpExpr>(expr);
    int64_t product;
    if (llvm::MulOverflow(recurse(factors.getLHS()), recurse(factors.getRHS()),
                          product))
      return 1;
    return product;
  }
  case AffineExprKind::Mod:
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return 1;
  }
  llvm_unreachable("an affine expression of no kind");
}

int64_t top::getKnownDivisor(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::abs(*constant);
  auto v = cast<Value>(value);
  // What else a loop's body has as arguments is carried by the loop.
  if (auto loop = scf::getForInductionVarOwner(v);
      loop && loop.getInductionVar() == v)
    return getDivisorOfSteps(OpFoldResult(loop.getLowerBound()),
                             OpFoldResult(loop.getStep()));
  if (auto loop = scf::getForallOpThreadIndexOwner(v)) {
    // The first arguments of the body are the induction variables.
    const unsigned index = cast<BlockArgument>(v).getArgNumber();
    return getDivisorOfSteps(loop.getMixedLowerBound()[index],
                             loop.getMixedStep()[index]);
  }
  AffineMap map;
  ValueRange operands;
  if (auto apply = v.getDefiningOp<affine::AffineApplyOp>()) {
    map = apply.getAffineMap();
    operands = apply.getMapOperands();
  } else if (auto min = v.getDefiningOp<affine::AffineMinOp>()) {
    map = min.getAffineMap();
    operands = min.getOperands();
  } else if (auto max = v.getDefiningOp<affine::AffineMaxOp>()) {
    map = max.getAffineMap();
    operands = max.getOperands();
  } else {
    return 1;
  }
  int64_t divisor = 0; // of whichever result it is
  for (AffineExpr expr : map.getResults())
    divisor =
        std::gcd(divisor, getDivisorOfExpr(expr, map.getNumDims(), operands));
  return divisor;
}
