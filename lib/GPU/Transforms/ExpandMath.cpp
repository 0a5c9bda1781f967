//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-expand-math: functions that a GPU has no instruction for, as arithmetic.
// f32 is upstream's; f64 is here, from the series and fractions in Abramowitz
// and Stegun, Handbook of Mathematical Functions: 4.2.1 for exp, 7.1.6 for erf
// and 7.1.14 for erfc.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "top/GPU/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

namespace mlir::top {
#define GEN_PASS_DEF_TOPEXPANDMATHPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

namespace {

/// f64 arithmetic in short.
struct Double {
  Double(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value constant(double value) const {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
  }
  Value integer(int64_t value) const {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value mul(Value x, Value y) const {
    return arith::MulFOp::create(b, loc, x, y);
  }
  Value add(Value x, Value y) const {
    return arith::AddFOp::create(b, loc, x, y);
  }
  Value sub(Value x, Value y) const {
    return arith::SubFOp::create(b, loc, x, y);
  }
  Value div(Value x, Value y) const {
    return arith::DivFOp::create(b, loc, x, y);
  }
  Value fma(Value x, Value y, Value z) const {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value select(arith::CmpFPredicate predicate, Value x, Value y, Value yes,
               Value no) const {
    Value holds = arith::CmpFOp::create(b, loc, predicate, x, y);
    return arith::SelectOp::create(b, loc, holds, yes, no);
  }

  /// value after `steps` of `step(k, value)`, k = first, first + 1, ... as f64.
  Value iterate(int64_t first, int64_t steps, ValueRange init,
                function_ref<SmallVector<Value>(Value, ValueRange)> step,
                unsigned result) const {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value end = arith::ConstantIndexOp::create(b, loc, steps);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto loop = scf::ForOp::create(b, loc, zero, end, one, init);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                         loop.getInductionVar());
    Value number = arith::SIToFPOp::create(b, loc, b.getF64Type(), k);
    number = add(number, constant(static_cast<double>(first)));
    scf::YieldOp::create(b, loc, step(number, loop.getRegionIterArgs()));
    return loop.getResult(result);
  }

  Value exp(Value x) const;
  Value erf(Value x) const;

  OpBuilder &b;
  Location loc;
};

} // namespace

/// exp(x) = 2^n * exp(r), n = round(x / ln 2), |r| <= ln(2)/2 = 0.347. Taylor's
/// remainder after the 13th power is below r^14/14! = 5e-18.
Value Double::exp(Value x) const {
  // Beyond these, exp is infinite or 0 (half of the smallest subnormal).
  Value largest = constant(709.782712893384), smallest = constant(-745.2);
  Value bounded = arith::MinNumFOp::create(b, loc, x, largest);
  bounded = arith::MaxNumFOp::create(b, loc, bounded, smallest);
  Value n = math::RoundEvenOp::create(
      b, loc, mul(bounded, constant(1.4426950408889634)));
  // ln 2 in two parts: the first has 32 significant bits, so that n times it
  // is exact; the second is the rest.
  Value minus = arith::NegFOp::create(b, loc, n);
  Value r = fma(minus, constant(0x1.62e42feep-1), bounded);
  r = fma(minus, constant(0x1.a39ef35793c76p-33), r);
  double factorial = 1;
  SmallVector<double> coefficients = {1};
  for (int i = 1; i <= 13; ++i)
    coefficients.push_back(1 / (factorial *= i));
  Value sum = constant(coefficients.back());
  for (double coefficient : llvm::reverse(ArrayRef(coefficients).drop_back()))
    sum = fma(sum, r, constant(coefficient));
  // 2^n in two factors: n reaches 1024 and -1075, which have no exponent.
  Value exponent = arith::FPToSIOp::create(b, loc, b.getI64Type(), n);
  Value half = arith::ShRSIOp::create(b, loc, exponent, integer(1));
  for (Value part :
       {half, Value(arith::SubIOp::create(b, loc, exponent, half))}) {
    Value biased = arith::AddIOp::create(b, loc, part, integer(1023));
    Value bits = arith::ShLIOp::create(b, loc, biased, integer(52));
    sum = mul(sum, arith::BitcastOp::create(b, loc, b.getF64Type(), bits));
  }
  Value infinity = constant(std::numeric_limits<double>::infinity());
  sum = select(arith::CmpFPredicate::OGT, x, largest, infinity, sum);
  sum = select(arith::CmpFPredicate::OLT, x, smallest, constant(0), sum);
  return select(arith::CmpFPredicate::UNO, x, x, x, sum);
}

Value Double::erf(Value x) const {
  Value a = math::AbsFOp::create(b, loc, x);
  // Beyond 6, 1 - erf(a) is below half an ulp of 1.
  Value bounded = arith::MinNumFOp::create(b, loc, a, constant(6));
  Value square = mul(bounded, bounded);
  // The square is rounded, and so are its uses in the series: what that takes
  // from the one it gives to the other.
  Value gauss = exp(arith::NegFOp::create(b, loc, square));

  // erf(a) = 2/sqrt(pi) exp(-a^2) a sum (2 a^2)^n / (1 3 5 ... (2n + 1)). All
  // terms are positive; at a = 2 the 64th is far below 1e-17 of the sum. Not
  // further: the more terms count, the more roundings do, while beyond 2 those
  // of erfc, which is below 0.005 there, hardly reach 1 - erfc.
  Value twice = add(square, square);
  Value one = constant(1), two = constant(2);
  Value series = iterate(
      1, 64, {one, one},
      [&](Value n, ValueRange state) -> SmallVector<Value> {
        Value term = mul(state[0], div(twice, fma(two, n, one)));
        return {term, add(state[1], term)};
      },
      1);
  Value small = mul(mul(constant(2 / std::sqrt(llvm::numbers::pi)), gauss),
                    mul(bounded, series));

  // erfc(a) = exp(-a^2) / sqrt(pi) / (a + (1/2)/(a + 1/(a + (3/2)/(a + ...)))),
  // from the 40th level up.
  Value fraction = iterate(
      0, 40, {bounded},
      [&](Value k, ValueRange state) -> SmallVector<Value> {
        Value level = mul(sub(constant(40), k), constant(0.5));
        return {add(bounded, div(level, state[0]))};
      },
      0);
  Value large =
      sub(one, div(mul(gauss, constant(1 / std::sqrt(llvm::numbers::pi))),
                   fraction));
  Value result =
      select(arith::CmpFPredicate::OLE, a, constant(2), small, large);
  result = math::CopySignOp::create(b, loc, result, x);
  return select(arith::CmpFPredicate::UNO, x, x, x, result);
}

/// Ops that upstream has f32 polynomials for.
static bool isApproximated(StringRef op) {
  static constexpr StringLiteral names[] = {
      "math.atan", "math.atan2", "math.cos", "math.erf",
      "math.exp",  "math.expm1", "math.log", "math.log1p",
      "math.log2", "math.sin",   "math.tanh"};
  return llvm::is_contained(names, op);
}

/// Ops that LLVM's NVPTX target selects instructions for.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
             math::FmaOp, math::RoundEvenOp, math::RsqrtOp, math::SqrtOp,
             math::TruncOp, math::AbsIOp>(op);
}

namespace {

struct TopExpandMath : mlir::top::impl::TopExpandMathPassBase<TopExpandMath> {
  void runOnOperation() override {
    SmallVector<Operation *> doubles;
    getOperation()->walk([&](Operation *op) {
      if (isa<math::ExpOp, math::ErfOp>(op) &&
          op->getResult(0).getType().isF64())
        doubles.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : doubles) {
      rewriter.setInsertionPoint(op);
      Double math(rewriter, op->getLoc());
      Value x = op->getOperand(0);
      rewriter.replaceOp(op, isa<math::ExpOp>(op) ? math.exp(x) : math.erf(x));
    }
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, isApproximated);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (op->getName().getDialectNamespace() != "math" || isInstruction(op))
        return WalkResult::advance();
      op->emitOpError("cannot be computed on a GPU: there is neither an "
                      "instruction nor an expansion for it in type ")
          << op->getResult(0).getType();
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
