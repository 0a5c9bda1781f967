//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check that an attribute of a layer op is one that the op has. MLIR takes
// any other name as a discardable attribute, so that `stride = ...` would leave
// the strides at 1 without a word.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_DIALECT_TOP_IR_ATTRIBUTENAMES_H
#define TOP_LIB_DIALECT_TOP_IR_ATTRIBUTENAMES_H

#include "mlir/IR/Operation.h"

namespace mlir::top {

/// Refuses discardable attributes of `op` without a dialect's name in front,
/// with one error that names the attribute and those that the op has. Names
/// that start with an underscore are marks that passes leave for themselves,
/// and stay legal.
LogicalResult verifyAttributeNames(Operation *op);

} // namespace mlir::top

#endif // TOP_LIB_DIALECT_TOP_IR_ATTRIBUTENAMES_H
