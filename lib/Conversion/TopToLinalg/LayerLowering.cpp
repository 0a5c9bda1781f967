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

Value top::createZeros(OpBuilder &builder, Location loc,
                       ArrayRef<OpFoldResult> shape, Type type) {
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
