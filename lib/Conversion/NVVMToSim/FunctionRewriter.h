//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function of a kernel module as code of this machine. Internal to this
// library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_NVVMTOSIM_FUNCTIONREWRITER_H
#define TOP_LIB_CONVERSION_NVVMTOSIM_FUNCTIONREWRITER_H

#include "SimulationTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mlir::top {

/// The functions of the simulator, as include/top/Simulation/Program.h declares
/// them.
struct SimulatorFunctions {
  LLVM::LLVMFuncOp execute, access, specialRegister, sharedVariable;

  /// Declares them in `module`.
  explicit SimulatorFunctions(ModuleOp module);
};

/// What an op of a kernel becomes.
enum class OpRole {
  Plain,       ///< stays as it is
  Instruction, ///< topSimExecute
  Register,    ///< topSimRegister
  Shared,      ///< topSimShared
  Access,      ///< topSimAccess in front
  Call,        ///< of a function of the module: hands the thread on
  Drop,        ///< a promise to the compiler
};

/// The role of an op of a kernel, or an error at it: the kernel cannot be
/// simulated.
FailureOr<OpRole> classify(Operation *op);

/// Rewrites the body of `function`, whose first argument is the thread.
class FunctionRewriter {
public:
  FunctionRewriter(LLVM::LLVMFuncOp function, SimulatorFunctions &simulator,
                   SimulationTable &table);
  LogicalResult run();

private:
  LogicalResult rewrite(Operation *op, OpRole role);
  LogicalResult rewriteInstruction(Operation *op);
  LogicalResult rewriteAccess(Operation *op);
  void rewriteRegister(Operation *op);
  void rewriteShared(LLVM::AddressOfOp op);
  void rewriteCall(LLVM::CallOp op);
  void callAccess(OpBuilder &builder, Location loc, int32_t site, Value address,
                  int64_t bytes, int32_t kind);
  Value constant(Location loc, int32_t value);
  Value getSlot(Location loc, Value base, int64_t offset);
  Value getBuffer(Value &buffer, int64_t bytes);

  LLVM::LLVMFuncOp function;
  SimulatorFunctions &simulator;
  SimulationTable &table;
  DataLayout layout;
  OpBuilder b;
  Value thread;
  /// Slots of operands, and of results; of all instructions of the function.
  Value operands, result;
};

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_NVVMTOSIM_FUNCTIONREWRITER_H
