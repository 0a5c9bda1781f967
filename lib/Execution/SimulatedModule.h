//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text that top-nvvm-to-sim leaves as a program that the simulated GPU
// runs. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_SIMULATEDMODULE_H
#define TOP_LIB_EXECUTION_SIMULATEDMODULE_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "top/Simulation/Program.h"

namespace mlir::top {

/// A kernel of the program, with what its launch has to know.
struct SimulatedKernel {
  const sim::Program *program;
  const sim::Kernel *kernel;
  /// Numbers of parameters that are pointers: to memory that the kernel only
  /// reads, and to other memory.
  llvm::SmallVector<unsigned> readOnly, writable;
};

class SimulatedModule {
public:
  /// Parses and compiles. Fails where `text` is not what the pass leaves, and
  /// where this machine cannot compile it.
  static llvm::Expected<std::unique_ptr<SimulatedModule>>
  load(llvm::StringRef text);
  SimulatedModule(const SimulatedModule &) = delete;

  const sim::Program &getProgram() const { return program; }
  /// Null where there is none of that name. Lives as long as the module.
  const SimulatedKernel *lookup(llvm::StringRef name) const;
  /// Of all variables of fixed size together.
  int64_t getStaticSharedBytes() const;

private:
  SimulatedModule() = default;
  llvm::Error read(ModuleOp module);

  std::unique_ptr<ExecutionEngine> engine;
  sim::Program program;
  std::vector<SimulatedKernel> kernels;
};

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_SIMULATEDMODULE_H
