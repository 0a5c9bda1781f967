//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-expand-float8: arith.extf of 8-bit floats as integer arithmetic. Upstream
// expands only the scale type f8E8M0FNU; for others it has calls of an APFloat
// library, which neither a GPU nor the inner loop of a product can do with.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/Dialect/Top/Transforms/Transforms.h"
#include <cmath>

namespace mlir::top {
#define GEN_PASS_DEF_TOPEXPANDFLOAT8PASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// Of f32 (IEEE 754 binary32).
static constexpr int kF32MantissaBits = 23;
static constexpr int kF32Bias = 127;

namespace {

/// A layout of 8 bits: sign, exponent, mantissa (arXiv 2209.05433, table 1).
struct Layout {
  int mantissaBits, bias;
  int firstSpecial; ///< the smallest bits without the sign that are no number
  uint32_t specialInF32; ///< bits that make such a one infinite or NaN
};

} // namespace

static Layout getLayout(Type type) {
  // No infinity; NaN is all ones, and stays so in the bits of f32.
  if (isa<Float8E4M3FNType>(type))
    return {3, 7, 0x7f, 0x7fc00000};
  // As IEEE 754: infinity where the mantissa is 0, else NaN.
  return {2, 15, 0x7c, 0x7f800000};
}

namespace {

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &b) const override {
    Type narrow = op.getIn().getType(), wide = op.getType();
    if (!isFloat8(getElementTypeOrSelf(narrow)))
      return b.notifyMatchFailure(op, "not from f8E4M3FN or f8E5M2");
    if (isa<TensorType>(narrow))
      return b.notifyMatchFailure(op, "of tensors, not of scalars or vectors");
    const Layout layout = getLayout(getElementTypeOrSelf(narrow));
    Location loc = op.getLoc();
    auto withElement = [&](Type element) -> Type {
      if (auto vector = dyn_cast<VectorType>(narrow))
        return vector.clone(element);
      return element;
    };
    Type i32 = withElement(b.getI32Type()), f32 = withElement(b.getF32Type());
    auto constant = [&](Type type, TypedAttr value) -> Value {
      if (auto vector = dyn_cast<VectorType>(type))
        return arith::ConstantOp::create(
            b, loc, DenseElementsAttr::get(vector, Attribute(value)));
      return arith::ConstantOp::create(b, loc, value);
    };
    auto integer = [&](uint32_t value) {
      return constant(i32, b.getI32IntegerAttr(static_cast<int32_t>(value)));
    };
    auto less = [&](Value x, Value y) {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, y);
    };

    // The mantissa moves to the top of f32's, the exponent right above.
    Value bits = arith::ExtUIOp::create(
        b, loc, i32,
        arith::BitcastOp::create(b, loc, withElement(b.getI8Type()),
                                 op.getIn()));
    const int shift = kF32MantissaBits - layout.mantissaBits;
    Value magnitude = arith::AndIOp::create(b, loc, bits, integer(0x7f));
    Value moved = arith::ShLIOp::create(b, loc, magnitude, integer(shift));
    auto rebias = [&](int exponents) -> Value {
      return arith::AddIOp::create(
          b, loc, moved,
          integer(static_cast<uint32_t>(exponents) << kF32MantissaBits));
    };
    Value number = rebias(kF32Bias - layout.bias);
    // Exponent 0 stands for 2^(1 - bias) without the hidden bit. Read with
    // exponent 1 it has that bit, which a subtraction takes away exactly;
    // nothing is subnormal in f32, which a processor may flush or be slow on.
    Value hidden = arith::BitcastOp::create(b, loc, f32,
                                            rebias(kF32Bias - layout.bias + 1));
    Value hiddenBit =
        constant(f32, b.getF32FloatAttr(std::ldexp(1.0f, 1 - layout.bias)));
    Value small = arith::BitcastOp::create(
        b, loc, i32, arith::SubFOp::create(b, loc, hidden, hiddenBit));
    number = arith::SelectOp::create(
        b, loc, less(magnitude, integer(1u << layout.mantissaBits)), small,
        number);
    Value special =
        arith::OrIOp::create(b, loc, moved, integer(layout.specialInF32));
    number = arith::SelectOp::create(
        b, loc, less(magnitude, integer(layout.firstSpecial)), number, special);

    Value sign = arith::ShLIOp::create(
        b, loc, arith::AndIOp::create(b, loc, bits, integer(0x80)),
        integer(24));
    Value value = arith::BitcastOp::create(
        b, loc, f32, arith::OrIOp::create(b, loc, number, sign));
    // Every number of 8 bits is one of f16 and of bf16.
    Type target = getElementTypeOrSelf(wide);
    if (target.getIntOrFloatBitWidth() > 32)
      value = arith::ExtFOp::create(b, loc, wide, value);
    else if (!target.isF32())
      value = arith::TruncFOp::create(b, loc, wide, value);
    b.replaceOp(op, value);
    return success();
  }
};

struct TopExpandFloat8
    : mlir::top::impl::TopExpandFloat8PassBase<TopExpandFloat8> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandFloat8Patterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void top::populateExpandFloat8Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtF>(patterns.getContext());
}
