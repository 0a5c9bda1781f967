//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lowering to the LLVM dialect from upstream's passes alone. A reference file
// takes this path, so that an error in a pass of ours cannot hide in it.
// Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_UPSTREAMPIPELINE_H
#define TOP_LIB_EXECUTION_UPSTREAMPIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace mlir::top {

/// From tosa, linalg, tensor, arith, math, scf, affine, vector and cf ops to
/// LLVM, slow and simple. Buffers are not freed: the caller's heap does it.
void buildUpstreamPipeline(OpPassManager &pm);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_UPSTREAMPIPELINE_H
