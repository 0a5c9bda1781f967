//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowerings of the two layer ops share: the accumulator and the
// epilogue. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTOLINALG_LAYERLOWERING_H
#define TOP_LIB_CONVERSION_TOPTOLINALG_LAYERLOWERING_H

#include "mlir/IR/PatternMatch.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

/// What both lowerings need to know of a layer op.
struct LayerInfo {
  Operation *op;
  RankedTensorType resultType;
  /// One entry per result dimension: an attribute exactly where `resultType`
  /// is static, so that tensors made from it have the result's shape.
  SmallVector<OpFoldResult> resultShape;
  Type accumulatorType;
  Value bias; ///< or null
  SmallVector<StepAttr> steps;
  ValueRange epilogueOperands;
  int64_t channelDim; ///< result dimension of bias and affine vectors
};

/// Reads `op`; creates the ops that compute dynamic sizes.
template <typename OpTy>
FailureOr<LayerInfo> getLayerInfo(OpBuilder &builder, OpTy op,
                                  int64_t channelDim);

/// A tensor of `shape` filled with zeros of `type`.
Value createZeros(OpBuilder &builder, Location loc,
                  ArrayRef<OpFoldResult> shape, Type type);

/// The result from its accumulators; null stands for zeros.
Value createResult(OpBuilder &builder, const LayerInfo &layer,
                   Value accumulator);

/// Moves what later passes read (a schedule, say) from the layer op to the
/// linalg op that multiplies.
void forwardAttributes(Operation *layer, bool allowTf32, Operation *product);

/// The type of the convolution's input after padding; failure if its size in
/// bytes overflows 64 bits.
FailureOr<RankedTensorType> getPaddedInputType(Conv2DOp op);

void populateConv2DToLinalgPatterns(RewritePatternSet &patterns);
void populateMatMulToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTOLINALG_LAYERLOWERING_H
