//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors to memrefs, as the CPU and the GPU pipeline both do it. Internal to
// this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_PIPELINES_BUFFERIZATION_H
#define TOP_LIB_PIPELINES_BUFFERIZATION_H

#include "mlir/Pass/PassManager.h"

namespace mlir::top {

/// Bufferizes a module and the boundaries of its functions, with the identity
/// layout. No argument is written, and nothing is freed.
void addBufferization(OpPassManager &pm);

} // namespace mlir::top

#endif // TOP_LIB_PIPELINES_BUFFERIZATION_H
