//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduled convolution and what its kernels are made from. Internal to this
// library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_CONVPLAN_H
#define TOP_LIB_GPU_TRANSFORMS_CONVPLAN_H

#include "EpilogueSlices.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/Utils/ConvShape.h"

namespace mlir::top {

/// What a dimension of an operand or of the result is. `FG` are the output
/// channels of all groups, those of a group side by side.
enum class ConvDim { N, G, C, H, W, F, FG };

/// A convolution as a product of F x K by K x pixels in each group. K goes over
/// (kh, kw, c) where the channels of the images come last, and over (c, kh, kw)
/// where they come first.
struct ConvPlan {
  linalg::LinalgOp op;
  linalg::LinalgOp epilogue; ///< null if the sums are the result
  Value sums;                ///< what the epilogue reads, or the result
  Value result;              ///< what the kernels compute
  Value input;               ///< the images without their zeros
  Value filter;              ///< F of all groups x K
  SmallVector<ConvDim> inputDims, resultDims;
  /// Extents; `c` and `f` are of all groups. Pads are those in front of the
  /// first row and column; behind the last ones zeros follow from the extents.
  ConvShape shape;
  Type accumulatorType;
  bool isChannelsLast = false;

  int64_t getK() const { return shape.getGroupInputs() * shape.kh * shape.kw; }
};

/// Reads `op`, a convolution over images with a filter in the same order of
/// channels and taps, behind an optional tensor.pad with zeros. Fails with one
/// error at `op`; ops without uses may then have been made.
FailureOr<ConvPlan> planConvolution(RewriterBase &rewriter,
                                    linalg::LinalgOp op);

/// The reshape of `sums`, of rank 5, that makes one dimension of the groups and
/// their channels, dimensions `first` and the next. Nothing else reads `sums`
/// then: canonicalization lets a convolution of as many groups read them as
/// they are, which reads a reshape of the reshape now.
tensor::CollapseShapeOp collapseGroups(RewriterBase &rewriter, Value sums,
                                       int64_t first);

/// The box of the schedule, or one that fits its tile: the images, and rows and
/// columns of output pixels, that leave the least of all tiles empty.
SmallVector<int64_t, 3> getBox(ScheduleAttr schedule, const ConvShape &shape);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_CONVPLAN_H
