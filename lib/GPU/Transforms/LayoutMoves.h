//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that move the elements of images between the layouts, as kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_LAYOUTMOVES_H
#define TOP_LIB_GPU_TRANSFORMS_LAYOUTMOVES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::top {

/// Erases the ops of `func` that have no effect and whose results nobody reads.
void eraseDeadOps(RewriterBase &rewriter, FunctionOpInterface func);

/// Lets elementwise ops of `func` read transposed inputs where they are, and
/// makes each op that is left, and moves a tensor of static shape between
/// N x C x H x W and N x H x W x C, a linalg.pack with a schedule.
void lowerLayoutMoves(RewriterBase &rewriter, FunctionOpInterface func);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_LAYOUTMOVES_H
