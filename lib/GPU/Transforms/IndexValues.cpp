//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer arithmetic on known numbers, see IndexValues.h. Folders are not used:
// they may change the op, and leave every number in the context.
//
//===----------------------------------------------------------------------===//

#include "IndexValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

using Number = std::optional<int64_t>;

static Number add(int64_t x, int64_t y) {
  int64_t result;
  return llvm::AddOverflow(x, y, result) ? Number() : Number(result);
}
static Number sub(int64_t x, int64_t y) {
  int64_t result;
  return llvm::SubOverflow(x, y, result) ? Number() : Number(result);
}
static Number mul(int64_t x, int64_t y) {
  int64_t result;
  return llvm::MulOverflow(x, y, result) ? Number() : Number(result);
}

/// Division of a number by a positive one, which is all that positions need.
static Number divideFloor(int64_t x, int64_t y) {
  return y > 0 ? Number(llvm::divideFloorSigned(x, y)) : Number();
}
static Number divideCeil(int64_t x, int64_t y) {
  return y > 0 ? Number(llvm::divideCeilSigned(x, y)) : Number();
}
static Number modulo(int64_t x, int64_t y) {
  return y > 0 ? Number(llvm::mod(x, y)) : Number();
}

/// The same of the ops whose rounding or reading of the sign differs for x < 0.
static Number divideNatural(int64_t x, int64_t y) {
  return x >= 0 ? divideFloor(x, y) : Number();
}
static Number moduloNatural(int64_t x, int64_t y) {
  return x >= 0 ? modulo(x, y) : Number();
}

static Number evaluateExpr(AffineExpr expr, ArrayRef<int64_t> operands,
                           unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Number lhs = evaluateExpr(binary.getLHS(), operands, numDims);
  Number rhs = evaluateExpr(binary.getRHS(), operands, numDims);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(*lhs, *rhs);
  case AffineExprKind::Mul:
    return mul(*lhs, *rhs);
  case AffineExprKind::Mod:
    return modulo(*lhs, *rhs);
  case AffineExprKind::FloorDiv:
    return divideFloor(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return divideCeil(*lhs, *rhs);
  default:
    return std::nullopt;
  }
}

/// The results of an affine map; empty where one is unknown.
static SmallVector<int64_t> evaluateMap(AffineMap map,
                                        ArrayRef<int64_t> operands) {
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults()) {
    Number number = evaluateExpr(expr, operands, map.getNumDims());
    if (!number)
      return {};
    results.push_back(*number);
  }
  return results;
}

static Number compare(arith::CmpIPredicate predicate, int64_t x, int64_t y) {
  const auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return x == y;
  case arith::CmpIPredicate::ne:
    return x != y;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return ux < uy;
  case arith::CmpIPredicate::ule:
    return ux <= uy;
  case arith::CmpIPredicate::ugt:
    return ux > uy;
  case arith::CmpIPredicate::uge:
    return ux >= uy;
  }
  return std::nullopt;
}

Number IndexValues::get(Value value) const {
  auto found = numbers.find(value);
  return found == numbers.end() ? Number() : Number(found->second);
}

void IndexValues::set(Value value, Number number) {
  if (number)
    numbers[value] = *number;
  else
    numbers.erase(value);
}

/// The result of an op of one result whose operands are `x`. i1 is 0 or 1 here,
/// where arith reads it as 0 or -1 in signed comparisons and has no carry; so
/// of i1, only logic is computed.
static Number compute(Operation *op, ArrayRef<int64_t> x) {
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp>(op) &&
      llvm::any_of(op->getOperandTypes(),
                   [](Type type) { return type.isInteger(1); }))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](arith::AddIOp) { return add(x[0], x[1]); })
      .Case([&](arith::SubIOp) { return sub(x[0], x[1]); })
      .Case([&](arith::MulIOp) { return mul(x[0], x[1]); })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](auto) { return divideNatural(x[0], x[1]); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return moduloNatural(x[0], x[1]); })
      .Case([&](arith::FloorDivSIOp) { return divideFloor(x[0], x[1]); })
      .Case([&](arith::CeilDivSIOp) { return divideCeil(x[0], x[1]); })
      .Case([&](arith::MinSIOp) { return Number(std::min(x[0], x[1])); })
      .Case([&](arith::MaxSIOp) { return Number(std::max(x[0], x[1])); })
      .Case([&](arith::AndIOp) { return Number(x[0] & x[1]); })
      .Case([&](arith::OrIOp) { return Number(x[0] | x[1]); })
      .Case([&](arith::XOrIOp) { return Number(x[0] ^ x[1]); })
      .Case([&](arith::SelectOp) { return Number(x[0] ? x[1] : x[2]); })
      .Case([&](arith::CmpIOp cmp) {
        return compare(cmp.getPredicate(), x[0], x[1]);
      })
      .Case([&](affine::AffineApplyOp apply) {
        SmallVector<int64_t> results = evaluateMap(apply.getAffineMap(), x);
        return results.empty() ? Number() : Number(results.front());
      })
      .Case([&](affine::AffineMinOp min) {
        SmallVector<int64_t> results = evaluateMap(min.getAffineMap(), x);
        return results.empty() ? Number() : Number(*llvm::min_element(results));
      })
      .Case([&](affine::AffineMaxOp max) {
        SmallVector<int64_t> results = evaluateMap(max.getAffineMap(), x);
        return results.empty() ? Number() : Number(*llvm::max_element(results));
      })
      .Default([](Operation *) { return Number(); });
}

/// Wide enough that what 64 bits hold does not wrap in the op itself.
static bool isWide(Type type) {
  return type.isIndex() || type.isInteger(64) || type.isInteger(1);
}

void IndexValues::evaluate(Operation *op) {
  for (Value result : op->getResults())
    numbers.erase(result);
  if (op->getNumResults() != 1 || !isWide(op->getResult(0).getType()))
    return;
  Value result = op->getResult(0);
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant))) {
    set(result, result.getType().isInteger(1) ? constant.getZExtValue()
                                              : constant.getSExtValue());
    return;
  }
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    Number number = isWide(operand.getType()) ? get(operand) : Number();
    if (!number)
      return;
    operands.push_back(*number);
  }
  set(result, compute(op, operands));
}
