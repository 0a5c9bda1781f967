//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers of the lowerings, see LayerLowering.h.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::top;

template <typename OpTy>
FailureOr<LayerInfo> top::getLayerInfo(OpBuilder &builder, OpTy op,
                                       int64_t channelDim) {
  ReifiedRankedShapedTypeDims shapes;
  if (failed(op.reifyResultShapes(builder, shapes)))
    return failure();
  RankedTensorType type = op.getResultType();
  SmallVector<OpFoldResult> shape = shapes.front();
  for (auto [d, size] : llvm::enumerate(shape)) {
    // A size may fold to a constant although the type says '?'.
    if (type.isDynamicDim(d))
      size = getValueOrCreateConstantIndexOp(builder, op.getLoc(), size);
    else
      size = builder.getIndexAttr(type.getDimSize(d));
  }
  return LayerInfo{op,
                   type,
                   shape,
                   op.getAccumulatorType(),
                   op.getBias(),
                   op.getSteps(),
                   op.getEpilogueOperands(),
                   channelDim};
}

template FailureOr<LayerInfo> top::getLayerInfo(OpBuilder &, Conv2DOp, int64_t);
template FailureOr<LayerInfo> top::getLayerInfo(OpBuilder &, MatMulOp, int64_t);

static void createAssert(OpBuilder &b, Operation *op,
                         arith::CmpIPredicate predicate, OpFoldResult lhs,
                         OpFoldResult rhs, const Twine &message) {
  Location loc = op->getLoc();
  Value left = getValueOrCreateConstantIndexOp(b, loc, lhs);
  Value right = getValueOrCreateConstantIndexOp(b, loc, rhs);
  Value condition = arith::CmpIOp::create(b, loc, predicate, left, right);
  cf::AssertOp::create(b, loc, condition,
                       (op->getName().getStringRef() + ": " + message).str());
}

void top::assertEqualSizes(OpBuilder &builder, Operation *op, OpFoldResult a,
                           OpFoldResult b, const Twine &message) {
  if (!isEqualConstantIntOrValue(a, b))
    createAssert(builder, op, arith::CmpIPredicate::eq, a, b, message);
}

void top::assertPositiveSize(OpBuilder &builder, Operation *op,
                             OpFoldResult size, const Twine &message) {
  std::optional<int64_t> constant = getConstantIntValue(size);
  if (!constant || *constant < 1)
    createAssert(builder, op, arith::CmpIPredicate::sge, size,
                 builder.getIndexAttr(1), message);
}

void top::assertEpilogueSizes(OpBuilder &builder, const LayerInfo &layer) {
  Location loc = layer.op->getLoc();
  auto check = [&](const Twine &name, Value operand) {
    auto type = cast<RankedTensorType>(operand.getType());
    const bool isVector = type.getRank() == 1;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      const int64_t resultDim = isVector ? layer.channelDim : d;
      // A static 1 is broadcast; two static sizes are the verifier's.
      if ((!isVector && type.getDimSize(d) == 1) ||
          (!type.isDynamicDim(d) && !layer.resultType.isDynamicDim(resultDim)))
        continue;
      assertEqualSizes(
          builder, layer.op, tensor::getMixedSize(builder, loc, operand, d),
          layer.resultShape[resultDim],
          "dimension " + Twine(d) + " of " + name + " differs from dimension " +
              Twine(resultDim) + " of the result");
    }
  };
  if (layer.bias)
    check("'bias'", layer.bias);
  for (auto [index, operand] : llvm::enumerate(layer.epilogueOperands))
    check("epilogue operand #" + Twine(index), operand);
}

Value top::createZeros(OpBuilder &builder, Location loc,
                       ArrayRef<OpFoldResult> shape, FloatType type) {
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

Value top::createResult(OpBuilder &builder, const LayerInfo &layer,
                        Value accumulator) {
  EpilogueSpec spec;
  spec.bias = layer.bias;
  spec.steps = layer.steps;
  spec.operands = llvm::to_vector(layer.epilogueOperands);
  spec.accumulatorType = layer.accumulatorType;
  spec.resultType = layer.resultType;
  spec.resultShape = layer.resultShape;
  spec.channelDim = layer.channelDim;
  return createEpilogue(builder, layer.op->getLoc(), accumulator, spec);
}

void top::forwardAttributes(Operation *layer, bool allowTf32,
                            Operation *product) {
  for (NamedAttribute attr : layer->getDiscardableAttrs())
    product->setDiscardableAttr(attr.getName(), attr.getValue());
  if (allowTf32)
    product->setDiscardableAttr("top.allow_tf32",
                                UnitAttr::get(layer->getContext()));
}
