//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What engine `direct` has read of a convolution before it writes the kernel.
// Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_DIRECTPLAN_H
#define TOP_LIB_GPU_TRANSFORMS_DIRECTPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/IR/TopTiles.h"

namespace mlir::top {

/// A convolution, what is fused with it, and how it is cut.
struct DirectPlan {
  linalg::LinalgOp conv;
  tensor::PadOp pad;         ///< in front of it; null if there is none
  Value input;               ///< N x C x H x W, not padded
  SmallVector<int64_t> lows; ///< zeros in front of it along each dimension
  /// F x C/group x KH x KW, F x KH x KW, or group x F/group x C/group x KH x
  /// KW.
  Value filter;
  Value sums;                ///< N x F x OH x OW
  linalg::LinalgOp epilogue; ///< null if the sums are the result
  ConvShape shape;
  WindowAttr window;
  DirectTiles tiles;
  TileDimsAttr loaded;

  Value getResult() { return epilogue ? epilogue->getResult(0) : sums; }
};

/// Reads `op`, the padding in front of it and the epilogue behind it, and cuts
/// it by `schedule`. Fails with one error at `op`; the IR is then unchanged but
/// for ops without uses.
FailureOr<DirectPlan> planDirect(RewriterBase &rewriter, linalg::LinalgOp op,
                                 ScheduleAttr schedule);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_DIRECTPLAN_H
