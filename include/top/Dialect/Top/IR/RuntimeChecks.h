//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks, made at run time, of sizes that the types leave open. Used where a
// layer op is lowered, and where it is cut along a dynamic axis: the tiles are
// made for the sizes that the op needs, and a loop over none reaches no check.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_RUNTIMECHECKS_H
#define TOP_DIALECT_TOP_IR_RUNTIMECHECKS_H

#include "mlir/IR/Builders.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

/// Emits a cf.assert for each relation between the sizes of `op` that its types
/// do not settle: OH and OW at least 1, equal K and batch of both sides of a
/// product, bias and epilogue operands of the result's sizes. `resultShape` has
/// one entry per result dimension. Emits nothing for a static op. The message
/// begins with the op's name and says which sizes.
void emitRuntimeChecks(OpBuilder &builder, Conv2DOp op,
                       ArrayRef<OpFoldResult> resultShape);
void emitRuntimeChecks(OpBuilder &builder, MatMulOp op,
                       ArrayRef<OpFoldResult> resultShape);

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_IR_RUNTIMECHECKS_H
