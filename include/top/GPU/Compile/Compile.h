//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module of layer ops to kernels: what top-compile, and top-run on a GPU, do
// between reading a file and using PTX.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_COMPILE_COMPILE_H
#define TOP_GPU_COMPILE_COMPILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "top/GPU/Launch/LaunchPlan.h"
#include "top/Pipelines/GPUPipeline.h"
#include "top/Target/GPUTarget.h"
#include "top/Tuning/Report.h"

namespace mlir::top {

/// How a module is compiled.
struct CompileOptions {
  GPUTarget target;
  unsigned ptxVersion = 0;   ///< 80 for 8.0; see selectPtxVersion
  bool allowTF32 = false;    ///< set the attribute on all f32 layer ops
  bool assignLayouts = true; ///< run top-assign-layouts first
  std::string tile; ///< then top-tile with these options; empty = do not
  bool promote = true, multiBuffer = true, swizzle = true, warps = true,
       prefetch = true;
};

/// A layer op as it was when it had got its schedule.
struct ScheduledProblem {
  ProductProblem problem;
  ScheduleAttr schedule;
};

/// Dialects, extensions and translations that compiling needs.
void registerCompileDialects(DialectRegistry &registry);

/// top-tile with options as on the command line, "m=32 n=64"; null, with the
/// reason in `error`, where they are not its options.
std::unique_ptr<Pass> createTilePass(StringRef options, std::string &error);

/// Arguments of the passes in order, as `--stop-after` takes them.
SmallVector<StringRef> getCompilePasses(const CompileOptions &options);

/// Lowers `module` in place: up to and with the pass `stopAfter` if that is not
/// empty, else as far as `level`. `problems`, if not null, gets the layer ops
/// in order. Fails after an error at the op that cannot be compiled.
LogicalResult
compileToLevel(ModuleOp module, const CompileOptions &options, GPULevel level,
               StringRef stopAfter = "",
               SmallVectorImpl<ScheduledProblem> *problems = nullptr);

/// The kernels of a module at GPULevel::NVVM, alone, in the LLVM and nvvm
/// dialects: where the ways to PTX and to the simulated GPU part.
FailureOr<OwningOpRef<ModuleOp>> lowerKernelsToLLVMAndNVVM(ModuleOp module);

/// The same a step further to PTX: what LLVM has no intrinsic for is inline
/// assembly.
FailureOr<OwningOpRef<ModuleOp>> lowerKernelsToLLVM(ModuleOp module);

/// PTX of the kernels of a module at GPULevel::NVVM; empty where there are
/// none.
FailureOr<std::string> translateKernelsToPTX(ModuleOp module);

/// The same kernels for the simulated GPU: the text of the module that
/// top-nvvm-to-sim leaves. Empty where there are none.
FailureOr<std::string> translateKernelsToSimulation(ModuleOp module);

/// Plans of the public functions of a module at GPULevel::NVVM.
FailureOr<std::vector<LaunchPlan>> buildLaunchPlans(ModuleOp module);

/// Reports of the kernels of a module at GPULevel::NVVM; `actual` is what ptxas
/// says of them, or null.
std::vector<KernelReport> reportKernels(ModuleOp module,
                                        const CompileOptions &options,
                                        ArrayRef<ScheduledProblem> problems,
                                        const PtxasReport *actual);

} // namespace mlir::top

#endif // TOP_GPU_COMPILE_COMPILE_H
