//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that index arithmetic has at one point of an execution, for
// passes that follow a kernel step by step.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_INDEXVALUES_H
#define TOP_LIB_GPU_TRANSFORMS_INDEXVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace mlir::top {

/// What is known of the integers and indices of a function while it is followed
/// op by op. Numbers are 64 bits wide, i1 is 0 or 1.
class IndexValues {
public:
  /// The number that `value` has now; nullopt where that is not known.
  std::optional<int64_t> get(Value value) const;

  /// What `value`, an argument of a block or a result of a loop, is from now
  /// on.
  void set(Value value, std::optional<int64_t> number);

  /// Computes the results of `op`: constants, the integer arithmetic of arith,
  /// affine.apply, affine.min and affine.max. Results of other ops, and those
  /// that depend on something unknown, divide by 0 or overflow, are unknown.
  void evaluate(Operation *op);

private:
  llvm::DenseMap<Value, int64_t> numbers;
};

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_INDEXVALUES_H
