//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What values of kernels lie between, from the sizes of blocks and grids. It
// tells mutants that are mistakes from those that are the same kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_MUTATE_RANGES_H
#define TOP_TEST_MUTATE_RANGES_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace mlir::top::mutate {

class Ranges {
public:
  /// Analyses all kernels of a module at GPULevel::NVVM, which is not changed.
  explicit Ranges(ModuleOp module);

  struct Range {
    int64_t min, max; ///< both included, signed
  };
  /// nullopt where nothing is known.
  std::optional<Range> get(Value value) const;
  /// Whether an i1 is known to be `value`.
  bool isKnown(Value condition, bool value) const;

private:
  DataFlowSolver solver;
};

} // namespace mlir::top::mutate

#endif // TOP_TEST_MUTATE_RANGES_H
