//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-nvvm-to-sim: kernels in the llvm and nvvm dialects to functions of this
// machine that call the simulated GPU, see include/top/Simulation/Program.h.
//
//===----------------------------------------------------------------------===//

#include "FunctionRewriter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "top/Conversion/NVVMToSim/NVVMToSim.h"
#include "top/Conversion/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPNVVMTOSIMPASS
#include "top/Conversion/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// CUDA's shared memory in the LLVM dialect (NVPTX, "Address spaces").
static constexpr unsigned kSharedSpace = 3;

/// In front of the name of a kernel: what the simulator calls.
static constexpr StringLiteral entryPrefix = "top_sim_entry_";

namespace {

class KernelModuleRewriter {
public:
  KernelModuleRewriter(ModuleOp module, SimulatorFunctions &simulator,
                       SimulationTable &table)
      : module(module), simulator(simulator), table(table),
        b(module.getContext()) {}

  LogicalResult run(gpu::GPUModuleOp kernels);

private:
  LogicalResult addShared(LLVM::GlobalOp variable);
  LogicalResult move(LLVM::LLVMFuncOp from);
  void createEntry(LLVM::LLVMFuncOp function, LLVM::LLVMFuncOp kernel,
                   StringRef name);
  LogicalResult checkFree(Operation *op, StringRef name);

  ModuleOp module;
  SimulatorFunctions &simulator;
  SimulationTable &table;
  OpBuilder b;
};

} // namespace

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

LogicalResult KernelModuleRewriter::addShared(LLVM::GlobalOp variable) {
  if (variable.getAddrSpace() != kSharedSpace)
    return variable.emitOpError("cannot be simulated: expected variables in "
                                "shared memory (address space 3), got ")
           << variable.getAddrSpace();
  if (table.lookupShared(variable.getSymName()) >= 0)
    return variable.emitOpError("cannot be simulated: there are two shared "
                                "variables of this name");
  DataLayout layout(module);
  Type type = variable.getGlobalType();
  table.addShared(variable, layout.getTypeSize(type).getFixedValue(),
                  variable.getAlignment()
                      ? static_cast<int64_t>(*variable.getAlignment())
                      : layout.getTypeABIAlignment(type));
  return success();
}

/// Whether a symbol can be put into the module.
LogicalResult KernelModuleRewriter::checkFree(Operation *op, StringRef name) {
  if (!module.lookupSymbol(name))
    return success();
  return op->emitOpError("cannot be simulated: there is another '")
         << name << "' in the module";
}

/// Moves a function out of its gpu.module. What it promises (noalias, readonly,
/// the number of threads) is for the GPU's compiler and stays behind: LLVM must
/// not take calls of the simulator for less than they are.
LogicalResult KernelModuleRewriter::move(LLVM::LLVMFuncOp from) {
  if (from.isVarArg())
    return from.emitOpError("cannot be simulated: expected a fixed number of "
                            "arguments");
  const std::string entry = (entryPrefix + from.getName()).str();
  if (failed(checkFree(from, from.getName())) ||
      (isKernel(from) && failed(checkFree(from, entry))))
    return failure();
  SmallVector<Type> types = {LLVM::LLVMPointerType::get(b.getContext())};
  llvm::append_range(types, from.getFunctionType().getParams());
  b.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, from.getLoc(), from.getName(),
      LLVM::LLVMFunctionType::get(from.getFunctionType().getReturnType(),
                                  types),
      LLVM::Linkage::Internal);
  function.getBody().takeBody(from.getBody());
  function.getBody().front().insertArgument(0u, types.front(), from.getLoc());
  if (!isKernel(from))
    return success();
  table.addKernel(from, entry);
  createEntry(function, from, entry);
  return success();
}

/// void entry(thread, parameters): loads the arguments and calls the kernel.
void KernelModuleRewriter::createEntry(LLVM::LLVMFuncOp function,
                                       LLVM::LLVMFuncOp kernel,
                                       StringRef name) {
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto entry = LLVM::LLVMFuncOp::create(
      b, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, pointer}));
  OpBuilder::InsertionGuard guard(b);
  Block *block = entry.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments = {block->getArgument(0)};
  for (auto [index, type] :
       llvm::enumerate(kernel.getFunctionType().getParams())) {
    Value place = LLVM::GEPOp::create(
        b, loc, pointer, pointer, block->getArgument(1),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    Value value = LLVM::LoadOp::create(b, loc, pointer, place);
    // A parameter that is itself in memory is passed by its address.
    if (!kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName()))
      value = LLVM::LoadOp::create(b, loc, type, value);
    arguments.push_back(value);
  }
  LLVM::CallOp::create(b, loc, function, arguments);
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

LogicalResult KernelModuleRewriter::run(gpu::GPUModuleOp kernels) {
  for (Operation &op : kernels.getBody()->getOperations()) {
    if (auto variable = dyn_cast<LLVM::GlobalOp>(op)) {
      if (failed(addShared(variable)))
        return failure();
    } else if (!isa<LLVM::LLVMFuncOp>(op)) {
      return op.emitOpError("cannot be simulated: expected llvm.func and "
                            "llvm.mlir.global in a gpu.module");
    }
  }
  SmallVector<LLVM::LLVMFuncOp> moved;
  for (auto function :
       llvm::make_early_inc_range(kernels.getOps<LLVM::LLVMFuncOp>()))
    if (!function.isExternal()) {
      if (failed(move(function)))
        return failure();
      moved.push_back(
          module.lookupSymbol<LLVM::LLVMFuncOp>(function.getSymNameAttr()));
    }
  for (LLVM::LLVMFuncOp function : moved)
    if (failed(FunctionRewriter(function, simulator, table).run()))
      return failure();
  kernels.erase();
  return success();
}

namespace {

struct TopNVVMToSim : mlir::top::impl::TopNVVMToSimPassBase<TopNVVMToSim> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<gpu::GPUModuleOp> kernels;
    for (Operation &op : *module.getBody()) {
      auto kernelModule = dyn_cast<gpu::GPUModuleOp>(op);
      if (!kernelModule) {
        op.emitOpError("expected nothing but gpu.modules in a module whose "
                       "kernels are simulated");
        return signalPassFailure();
      }
      kernels.push_back(kernelModule);
    }
    SimulatorFunctions simulator(module);
    SimulationTable table(&getContext());
    for (gpu::GPUModuleOp kernelModule : kernels)
      if (failed(
              KernelModuleRewriter(module, simulator, table).run(kernelModule)))
        return signalPassFailure();
    module->setAttr(simulationName, table.getAttribute());
  }
};

} // namespace
