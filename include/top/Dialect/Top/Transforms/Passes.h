//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factories and options of the passes on the layer ops.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_TRANSFORMS_PASSES_H
#define TOP_DIALECT_TOP_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "top/Dialect/Top/Transforms/Transforms.h"

namespace mlir::top {

#define GEN_PASS_DECL
#include "top/Dialect/Top/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "top/Dialect/Top/Transforms/Passes.h.inc"

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_TRANSFORMS_PASSES_H
