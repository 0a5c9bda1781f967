//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of each epilogue step, once, as scalar arithmetic in the body of
// an elementwise linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::top;

/// `v` must be a whole number of `type` where that is an integer type.
static Value constant(OpBuilder &b, Location loc, Type type, double v) {
  if (isa<IntegerType>(type))
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(type, static_cast<int64_t>(v)));
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, v));
}

static Value add(OpBuilder &b, Location loc, Value x, Value y) {
  if (isa<IntegerType>(x.getType()))
    return arith::AddIOp::create(b, loc, x, y);
  return arith::AddFOp::create(b, loc, x, y);
}

static Value extendTo(OpBuilder &b, Location loc, Type type, Value v) {
  if (v.getType() == type)
    return v;
  return arith::ExtFOp::create(b, loc, type, v);
}

/// maximumf and minimumf propagate NaN, which is what the steps promise.
static Value clampTo(OpBuilder &b, Location loc, Value x, double lo,
                     double hi) {
  auto type = cast<FloatType>(x.getType());
  x = arith::MaximumFOp::create(b, loc, x, constant(b, loc, type, lo));
  return arith::MinimumFOp::create(b, loc, x, constant(b, loc, type, hi));
}

/// 1 / (1 + exp(-x)).
static Value sigmoid(OpBuilder &b, Location loc, Value x) {
  auto type = cast<FloatType>(x.getType());
  Value one = constant(b, loc, type, 1.0);
  Value exp = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
  return arith::DivFOp::create(b, loc, one,
                               arith::AddFOp::create(b, loc, one, exp));
}

/// One step on an integer. Products and sums wrap, as those of the layer do.
static Value applyIntegerStep(OpBuilder &b, Location loc, StepAttr step,
                              Value x, ValueRange operands) {
  Type type = x.getType();
  switch (step.getKind()) {
  case StepKind::affine: {
    Value scaled = arith::MulIOp::create(b, loc, x, operands[0]);
    return arith::AddIOp::create(b, loc, scaled, operands[1]);
  }
  case StepKind::add:
    return arith::AddIOp::create(b, loc, x, operands[0]);
  case StepKind::mul:
    return arith::MulIOp::create(b, loc, x, operands[0]);
  case StepKind::relu:
    return arith::MaxSIOp::create(b, loc, x, constant(b, loc, type, 0));
  case StepKind::clamp:
    x = arith::MaxSIOp::create(
        b, loc, x, constant(b, loc, type, step.getMin().getValueAsDouble()));
    return arith::MinSIOp::create(
        b, loc, x, constant(b, loc, type, step.getMax().getValueAsDouble()));
  case StepKind::silu:
  case StepKind::hardswish:
  case StepKind::sigmoid:
  case StepKind::gelu:
    break;
  }
  llvm_unreachable("refused by the verifier of the layer op");
}

/// One step on the scalar `x`; `operands` are its own, already in x's type.
static Value applyStep(OpBuilder &b, Location loc, StepAttr step, Value x,
                       ValueRange operands) {
  if (isa<IntegerType>(x.getType()))
    return applyIntegerStep(b, loc, step, x, operands);
  auto type = cast<FloatType>(x.getType());
  switch (step.getKind()) {
  case StepKind::affine: {
    Value scaled = arith::MulFOp::create(b, loc, x, operands[0]);
    return arith::AddFOp::create(b, loc, scaled, operands[1]);
  }
  case StepKind::add:
    return arith::AddFOp::create(b, loc, x, operands[0]);
  case StepKind::mul:
    return arith::MulFOp::create(b, loc, x, operands[0]);
  case StepKind::relu:
    return arith::MaximumFOp::create(b, loc, x, constant(b, loc, type, 0.0));
  case StepKind::clamp: {
    Value clamped = clampTo(b, loc, x, step.getMin().getValueAsDouble(),
                            step.getMax().getValueAsDouble());
    if (!step.getNan())
      return clamped;
    Value isNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
    Value number = constant(b, loc, type, step.getNan().getValueAsDouble());
    return arith::SelectOp::create(b, loc, isNaN, number, clamped);
  }
  case StepKind::silu:
    return arith::MulFOp::create(b, loc, x, sigmoid(b, loc, x));
  case StepKind::hardswish: {
    Value three = constant(b, loc, type, 3.0);
    Value gate = clampTo(b, loc, arith::AddFOp::create(b, loc, x, three), 0, 6);
    Value product = arith::MulFOp::create(b, loc, x, gate);
    return arith::DivFOp::create(b, loc, product, constant(b, loc, type, 6.0));
  }
  case StepKind::sigmoid:
    return sigmoid(b, loc, x);
  case StepKind::gelu: {
    Value root = constant(b, loc, type, 0.70710678118654752440); // sqrt(1/2)
    Value erf =
        math::ErfOp::create(b, loc, arith::MulFOp::create(b, loc, x, root));
    Value sum = arith::AddFOp::create(b, loc, erf, constant(b, loc, type, 1.0));
    Value half = arith::MulFOp::create(b, loc, x, constant(b, loc, type, 0.5));
    return arith::MulFOp::create(b, loc, half, sum);
  }
  }
  llvm_unreachable("all step kinds are handled");
}

/// How an operand of `type` is read at a point of the result: along the
/// channel dimension for a vector, else position by position, with 0 where a
/// dimension of size 1 is broadcast.
static AffineMap operandMap(RankedTensorType type, RankedTensorType result,
                            int64_t channelDim) {
  MLIRContext *context = type.getContext();
  SmallVector<AffineExpr> exprs;
  if (type.getRank() == 1)
    exprs.push_back(getAffineDimExpr(channelDim, context));
  else
    for (int64_t d = 0; d < type.getRank(); ++d)
      exprs.push_back(type.getDimSize(d) == 1 && result.getDimSize(d) != 1
                          ? getAffineConstantExpr(0, context)
                          : getAffineDimExpr(d, context));
  return AffineMap::get(result.getRank(), 0, exprs, context);
}

Value top::createEpilogue(OpBuilder &builder, Location loc, Value accumulator,
                          const EpilogueSpec &spec) {
  const bool nothingToAdd = !spec.bias && spec.steps.empty();
  Type element = spec.resultType.getElementType();
  if (accumulator && nothingToAdd && element == spec.accumulatorType)
    return accumulator;

  Value init = tensor::EmptyOp::create(builder, loc, spec.resultShape, element,
                                       spec.resultType.getEncoding());
  if (!accumulator && nothingToAdd) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    return linalg::FillOp::create(builder, loc, zero, init).getResult(0);
  }

  SmallVector<Value> inputs;
  if (accumulator)
    inputs.push_back(accumulator);
  if (spec.bias)
    inputs.push_back(spec.bias);
  llvm::append_range(inputs, spec.operands);

  const int64_t rank = spec.resultType.getRank();
  SmallVector<AffineMap> maps;
  for (Value input : inputs)
    maps.push_back(operandMap(cast<RankedTensorType>(input.getType()),
                              spec.resultType, spec.channelDim));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    unsigned next = 0;
    auto take = [&] {
      return extendTo(b, loc, spec.accumulatorType, args[next++]);
    };
    Value x = accumulator ? take() : Value();
    if (spec.bias) {
      Value bias = take();
      x = x ? add(b, loc, x, bias) : bias;
    }
    if (!x)
      x = constant(b, loc, spec.accumulatorType, 0.0);
    for (StepAttr step : spec.steps) {
      SmallVector<Value> operands;
      for (unsigned i = 0; i < step.getNumOperands(); ++i)
        operands.push_back(take());
      x = applyStep(b, loc, step, x, operands);
    }
    if (x.getType() != element)
      x = arith::TruncFOp::create(b, loc, element, x);
    linalg::YieldOp::create(b, loc, x);
  };
  return linalg::GenericOp::create(builder, loc, TypeRange{init.getType()},
                                   inputs, ValueRange{init}, maps, iterators,
                                   body)
      .getResult(0);
}
