//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function is timed against: a library that computes the same. Which
// functions can be, and what such a library must do.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_BASELINE_H
#define TOP_EXECUTION_BASELINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "top/Execution/CudaDriver.h"
#include "top/Execution/Tensor.h"
#include "top/Tuning/Problem.h"

namespace mlir::top {

/// A function that is one product of two of its arguments.
struct BaselineProduct {
  unsigned lhs, rhs; ///< numbers of the arguments
  ProductProblem problem;
  ElementKind result;
};

/// Reads the product from `func` as it was written, before it is tiled or
/// lowered. Fails, saying what else there is, for a function that is not one
/// top.MatMul of arguments, without bias and epilogue, whose result is the
/// function's only one: a library's product would not do the same work.
llvm::Expected<BaselineProduct> findBaselineProduct(func::FuncOp func);

/// A library's way to compute the results of a function of one result.
class Baseline {
public:
  virtual ~Baseline() = default;
  virtual StringRef getName() const = 0;
  virtual std::string getVersion() const = 0;
  /// All calls from here on go into `stream`, until `end`.
  virtual llvm::Error begin(const CudaStream &stream) = 0;
  /// The stream may cease to be.
  virtual void end() = 0;
  /// Puts one run into the stream; may be captured into a graph. Addresses are
  /// those of the function's arguments and of its result, dense and row-major.
  virtual llvm::Error enqueue(ArrayRef<CudaAddress> arguments,
                              CudaAddress result) = 0;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_BASELINE_H
