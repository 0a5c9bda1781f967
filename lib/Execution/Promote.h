//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's twin in double precision, which says how far the program's own
// roundings carry it: all f32, f16 and bf16 become f64, constants keep their
// values, and casts between float types are gone.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_PROMOTE_H
#define TOP_EXECUTION_PROMOTE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::top {

/// Whether the function, or one that it calls, holds 16-bit floats anywhere.
bool hasNarrowFloats(func::FuncOp func);

/// Rewrites the module in place. With `roundTensors` every 16-bit tensor that
/// an op computes is still rounded to its type, so that the roundings left are
/// those of values in memory, and none of sums. Fails with an error where an op
/// does not exist in f64, or nothing is narrower.
LogicalResult promoteToDouble(ModuleOp module, bool roundTensors);

} // namespace mlir::top

#endif // TOP_EXECUTION_PROMOTE_H
