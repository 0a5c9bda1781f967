//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factories of the passes that make the levels of a GPU kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_TRANSFORMS_PASSES_H
#define TOP_GPU_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::top {

#define GEN_PASS_DECL
#include "top/GPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "top/GPU/Transforms/Passes.h.inc"

} // namespace mlir::top

#endif // TOP_GPU_TRANSFORMS_PASSES_H
