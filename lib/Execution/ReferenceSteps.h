//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One value of the reference on its way through an epilogue, and how far it may
// be off: the table in Reference.h. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_REFERENCESTEPS_H
#define TOP_LIB_EXECUTION_REFERENCESTEPS_H

#include "top/Dialect/Top/IR/Top.h"
#include "top/Execution/Reference.h"

#include <cmath>

namespace mlir::top {

/// A value on its way through the epilogue. `pending` is the rounding of the
/// last operation, which is the rounding of the result if nothing follows.
struct Running {
  double u, smallest; ///< of the accumulator's type
  double x = 0, e = 0, pending = 0;

  /// Before an operation: the value so far has been rounded.
  void settle() {
    e += pending;
    pending = 0;
  }
  void rounds() { pending = u * (std::fabs(x) + e); }
  void add(const ReferenceElement &t) {
    settle();
    e += t.bound;
    x += t.value;
    rounds();
  }
  void mul(const ReferenceElement &t) {
    settle();
    e = std::fabs(x) * t.bound + std::fabs(t.value) * e + e * t.bound;
    x *= t.value;
    rounds();
  }
  /// x becomes y, through a function of the given slope that itself errs by
  /// `error`. exp may flush where the true value is below all normal numbers.
  void apply(double y, double slope, double error) {
    settle();
    e = slope * e + error + smallest * (1 + std::fabs(x));
    x = y;
    pending = 0;
  }
};

/// Takes `r` through `step`, whose operands are `operands`. Numbers of the step
/// are rounded to the type of the accumulator, as the program does.
void applyStep(Running &r, StepAttr step, ElementKind accumulator,
               ArrayRef<ReferenceElement> operands);

/// The low 32 bits of `value`, in two's complement.
inline int32_t wrapToInt32(int64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}

/// `x` after a step that the verifier allows for i32; wraps.
int32_t applyIntegerStep(int32_t x, StepAttr step, ArrayRef<int32_t> operands);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_REFERENCESTEPS_H
