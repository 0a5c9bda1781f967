//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the divisors of an index.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_KNOWNDIVISOR_H
#define TOP_DIALECT_TOP_IR_KNOWNDIVISOR_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::top {

/// A number that divides `value` in whatever step of the loops round it: 1
/// where nothing is known, 0 for the constant 0, which everything divides.
/// Follows constants, the induction variables of scf.for and scf.forall, and
/// affine.apply and affine.min.
int64_t getKnownDivisor(OpFoldResult value);

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_IR_KNOWNDIVISOR_H
