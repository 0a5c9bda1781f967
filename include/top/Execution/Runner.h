//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiling a function for this machine and calling it with host tensors. To
// be used from any program, as often as wanted:
//
//   DialectRegistry registry;
//   registerExecutionDialects(registry);          // once a context
//   FailureOr<CompiledFunction> f = compileForCPU(module, "conv", {});
//   FailureOr<std::vector<Tensor>> results = f->run({&x, &w}, {});
//
// Errors are reported as diagnostics at the function's location.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_RUNNER_H
#define TOP_EXECUTION_RUNNER_H

#include "mlir/IR/BuiltinOps.h"
#include "top/Execution/Constants.h"
#include "top/Execution/Tensor.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
}

namespace mlir::top {

/// All dialects, upstream's and ours, with what compiling and running needs.
void registerExecutionDialects(DialectRegistry &registry);

struct CPUCompileOptions {
  enum Lowering {
    Top,      ///< buildTopCPUPipeline
    Upstream, ///< passes of MLIR only, for references
  };
  Lowering lowering = Top;
  enum Arithmetic {
    AsWritten,
    Double,        ///< narrower floats become f64, in the signature too
    RoundedDouble, ///< but 16-bit tensors are still rounded to their type
  };
  Arithmetic arithmetic = AsWritten;
  /// Of LLVM, 0 to 3.
  unsigned optLevel = 2;
  /// Processor to generate code for, as `llc -mcpu` names it; empty = this one.
  std::string cpu;
  ConstantOptions constants;
};

struct RunOptions {
  /// Arguments are copied between bands of NaN (of 0x80 bytes where they are
  /// integers), and every buffer that the program allocates, results included,
  /// starts as NaN between such bands (all ones, whatever its type). An element
  /// that is never written is then NaN, or -1 of an integer type; a write
  /// outside of a buffer or into an argument is an error.
  bool guard = false;
};

struct BenchOptions {
  int warmUps = 3;
  int minCalls = 10;
  double minSeconds = 0.5;
  int maxCalls = 10000;
};

/// What an argument or result must look like.
struct TensorSignature {
  ElementKind kind;
  SmallVector<int64_t> shape; ///< ShapedType::kDynamic where not known
  /// Whether the compiled function has it in memory as N x H x W x C. Tensors
  /// of a run are N x C x H x W all the same.
  bool channelsLast = false;
};

class CompiledFunction {
public:
  CompiledFunction(CompiledFunction &&);
  CompiledFunction &operator=(CompiledFunction &&);
  ~CompiledFunction();

  StringRef getName() const;
  ArrayRef<TensorSignature> getArguments() const;
  ArrayRef<TensorSignature> getResults() const;
  /// Time that compiling took: passes, then LLVM.
  double getLoweringSeconds() const;
  double getCodegenSeconds() const;

  /// Calls the function. Fails, with one error, where the arguments do not fit
  /// the signature, an assertion of the program fails, or a guard was hit.
  FailureOr<std::vector<Tensor>> run(ArrayRef<const Tensor *> args,
                                     const RunOptions &options) const;

  /// Seconds of each call after the warm-up. Freeing the results is not
  /// counted; allocating them is.
  FailureOr<std::vector<double>> benchmark(ArrayRef<const Tensor *> args,
                                           const BenchOptions &options) const;

private:
  friend FailureOr<CompiledFunction>
  compileForCPU(ModuleOp module, StringRef function,
                const CPUCompileOptions &options);
  struct Impl;
  explicit CompiledFunction(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Compiles `function` of `module` and what it calls; the module is not
/// changed. Its arguments and results must be ranked tensors. Fails with one
/// or more errors where a pass refuses the IR.
FailureOr<CompiledFunction> compileForCPU(ModuleOp module, StringRef function,
                                          const CPUCompileOptions &options);

/// Leaves only `func` of `module`, made public, and what it calls.
LogicalResult isolateFunction(ModuleOp module, func::FuncOp func);

/// Fails, with one error at `loc`, where `args` do not fit `signature`, the
/// arguments of `function`.
LogicalResult checkArguments(Location loc, StringRef function,
                             ArrayRef<TensorSignature> signature,
                             ArrayRef<const Tensor *> args);

/// The tensors, which fit `signature`, in the order in which a compiled
/// function has them in memory. `storage` keeps the copies that this takes.
SmallVector<const Tensor *> toMemoryOrder(ArrayRef<const Tensor *> tensors,
                                          ArrayRef<TensorSignature> signature,
                                          std::deque<Tensor> &storage);
/// The inverse, of one result.
Tensor fromMemoryOrder(Tensor tensor, const TensorSignature &signature);

/// What `func` takes and gives. Fails, with one error that names the argument
/// or result, where it is not a ranked tensor of a supported element type.
FailureOr<SmallVector<TensorSignature>> getArgumentSignature(func::FuncOp func);
FailureOr<SmallVector<TensorSignature>> getResultSignature(func::FuncOp func);

} // namespace mlir::top

#endif // TOP_EXECUTION_RUNNER_H
