//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transform-dialect extension of the project.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_TRANSFORMOPS_TOPTRANSFORMOPS_H
#define TOP_DIALECT_TOP_TRANSFORMOPS_TOPTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "top/Dialect/Top/TransformOps/TopTransformOps.h.inc"

namespace mlir {
class DialectRegistry;

namespace top {
/// Makes `transform.top.tile` known when the transform dialect loads.
void registerTransformDialectExtension(DialectRegistry &registry);
} // namespace top
} // namespace mlir

#endif // TOP_DIALECT_TOP_TRANSFORMOPS_TOPTRANSFORMOPS_H
