//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor constants of a function under test: their data as host tensors, and
// the step that turns large ones into arguments.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_CONSTANTS_H
#define TOP_EXECUTION_CONSTANTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "top/Execution/ConstantPlan.h"
#include "top/Execution/Tensor.h"

namespace mlir::top {

struct ConstantOptions {
  /// Constants of more bytes than this become arguments: as LLVM constants
  /// they would be copied through every stage of the compiler.
  int64_t maxBytes = 1 << 20;
  /// Replace weights by random values, as below.
  bool randomize = false;
  uint64_t seed = 0;
  /// Which constants are weights, of the program that this one is compared
  /// with; null = decided for this one.
  const ConstantPlan *plan = nullptr;
};

/// The data of a tensor constant. Fails, with one error through `emitError`,
/// where the element type is not supported or the data is missing (a
/// `dense_resource` without its blob, such as `__elided__`).
FailureOr<Tensor> readConstant(function_ref<InFlightDiagnostic()> emitError,
                               ElementsAttr attr);

/// Turns the large tensor constants of `func` into arguments behind the
/// existing ones and returns their data in that order. Callees are left alone.
/// Fails, with one error, where a constant's data is missing.
///
/// With `randomize` every constant that the plan calls a weight becomes an
/// argument with seeded random values, since weights in published files are
/// often splats or elided. The values depend on the seed, the type, the old
/// contents and the plan only, so that a constant has the same values in the
/// tested and in the reference file, wherever it stands and however often it
/// occurs. Independent of `--fill`.
FailureOr<SmallVector<Tensor>>
hoistLargeConstants(func::FuncOp func, const ConstantOptions &options);

} // namespace mlir::top

#endif // TOP_EXECUTION_CONSTANTS_H
