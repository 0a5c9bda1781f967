//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StepOperands.h.
//
//===----------------------------------------------------------------------===//

#include "StepOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "top/Dialect/Top/IR/Top.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

/// The element type that an operand has: as the expression where a layer op
/// takes that, else the one that it computes in.
Type StepOperands::getElementType(const Expr *expr) const {
  Type result = layerType.getElementType();
  if (expr->type == result || expr->type.isF32())
    return expr->type;
  return result.isF64() ? result : Float32Type::get(result.getContext());
}

/// `expr` without an extension that the layer op does itself.
static const Expr *skipExtension(const Expr *expr, Type result) {
  if (expr->is<arith::ExtFOp>() && expr->operands[0]->type == result)
    return expr->operands[0];
  return expr;
}

/// Whether the tensor of a Tensor node can be used as it stands: read along
/// loops in order and whole.
static bool isReadInOrder(const Expr *expr) {
  if (expr->kind != Expr::Tensor)
    return false;
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(expr->source.getType()).getShape();
  int64_t last = -1;
  for (auto [size, loop] : llvm::zip_equal(shape, expr->index)) {
    if (loop < 0 ? size != 1 : loop <= last)
      return false;
    last = std::max(last, loop);
  }
  return true;
}

/// One linalg.generic that computes `expr` along `loops`; a loop of -1 has one
/// iteration.
Value StepOperands::generic(const Expr *expr, ArrayRef<int64_t> loops,
                            Type element) {
  SmallVector<int64_t> position(pool.getExtents().size(), -1);
  for (auto [p, loop] : llvm::enumerate(loops))
    if (loop >= 0)
      position[loop] = p;

  SmallVector<const Expr *> tensors = getTensors(expr);
  MLIRContext *context = builder.getContext();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> sizes(loops.size());
  SmallVector<int64_t> shape(loops.size(), 1);
  for (const Expr *tensor : tensors) {
    inputs.push_back(tensor->source);
    SmallVector<AffineExpr> exprs;
    for (auto [d, loop] : llvm::enumerate(tensor->index)) {
      if (loop < 0) {
        exprs.push_back(getAffineConstantExpr(0, context));
        continue;
      }
      const int64_t p = position[loop];
      exprs.push_back(getAffineDimExpr(p, context));
      OpFoldResult size = tensor::getMixedSize(builder, loc, tensor->source, d);
      if (!sizes[p] || isa<Attribute>(size)) {
        sizes[p] = size;
        shape[p] = getConstantIntValue(size).value_or(ShapedType::kDynamic);
      }
    }
    maps.push_back(AffineMap::get(loops.size(), 0, exprs, context));
  }
  // A loop along which nothing varies is as long as the result.
  for (auto [p, loop] : llvm::enumerate(loops))
    if (!sizes[p]) {
      shape[p] = loop < 0 ? 1 : pool.getExtents()[loop];
      sizes[p] = builder.getIndexAttr(shape[p]);
    }
  maps.push_back(builder.getMultiDimIdentityMap(loops.size()));
  Value init = tensor::EmptyOp::create(builder, loc, sizes, element);
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  expr = pool.cast(expr, cast<FloatType>(element));
  return linalg::GenericOp::create(
             builder, loc, TypeRange{init.getType()}, inputs, ValueRange{init},
             maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value result = emitScalar(b, loc, expr, [&](const Expr *tensor) {
                 return args[llvm::find(tensors, tensor) - tensors.begin()];
               });
               linalg::YieldOp::create(b, loc, result);
             })
      .getResult(0);
}

bool StepOperands::canBeVector(const Expr *expr) const {
  const int64_t channels = layerType.getDimSize(channelDim);
  return expr->loops.any() || channels == 1 ||
         (pool.getChannelLoop() >= 0 && !ShapedType::isDynamic(channels));
}

Value StepOperands::vector(const Expr *expr) {
  const int64_t channels = layerType.getDimSize(channelDim);
  expr = skipExtension(expr, layerType.getElementType());
  Type element = getElementType(expr);
  if (isReadInOrder(expr) && expr->type == element &&
      (expr->loops.any() || channels == 1))
    return reshapeUnits(builder, loc, expr->source, {channels});
  if (channels == 1)
    return reshapeUnits(builder, loc, generic(expr, {}, element), {channels});
  return generic(expr, {pool.getChannelLoop()}, element);
}

bool StepOperands::canBeTensor(const Expr *expr) const {
  llvm::SmallBitVector dims = expr->loops;
  for (const ResultView &view : llvm::reverse(views)) {
    auto inner = view.getInnerDims(dims);
    if (!inner)
      return false;
    dims = *inner;
  }
  return true;
}

/// `loops` with the unit dimensions of a layer op's result that varies along
/// them all. In its shape the computation can still become its epilogue, when
/// it was fused into ops without the batch of 1, say.
static SmallVector<int64_t> getLoopsOfLayer(const Expr *expr,
                                            ArrayRef<int64_t> loops) {
  for (const Expr *tensor : getTensors(expr)) {
    SmallVector<int64_t> varying;
    llvm::copy_if(tensor->index, std::back_inserter(varying),
                  [](int64_t loop) { return loop >= 0; });
    if (isa_and_nonnull<Conv2DOp, MatMulOp>(tensor->source.getDefiningOp()) &&
        loops == ArrayRef(varying))
      return tensor->index;
  }
  return llvm::to_vector(loops);
}

Value StepOperands::tensor(const Expr *expr) {
  expr = skipExtension(expr, layerType.getElementType());
  Type element = getElementType(expr);
  SmallVector<int64_t> loops;
  for (int loop : expr->loops.set_bits())
    loops.push_back(loop);
  Value value;
  if (loops.empty() && expr->kind == Expr::Constant) {
    SmallVector<int64_t> ones(layerType.getRank(), 1);
    auto type = RankedTensorType::get(ones, element);
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type,
                               builder.getFloatAttr(element, expr->number)));
  }
  if (isReadInOrder(expr) && expr->type == element)
    value = expr->source;
  else
    value = generic(expr, getLoopsOfLayer(expr, loops), element);
  // 1 where it does not vary.
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<int64_t> extents = getNonUnitShape(shape);
  SmallVector<int64_t> full(pool.getExtents().size(), 1);
  for (auto [loop, extent] : llvm::zip(loops, extents))
    full[loop] = extent;
  value = reshapeUnits(builder, loc, value, full);
  for (const ResultView &view : llvm::reverse(views))
    value = view.invert(builder, loc, value);
  return value;
}
