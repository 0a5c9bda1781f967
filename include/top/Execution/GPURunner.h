//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a function for a CUDA device and runs it there; the counterpart of
// Runner.h, which does so on this machine's processor.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_GPURUNNER_H
#define TOP_EXECUTION_GPURUNNER_H

#include "top/Execution/PlanRunner.h"
#include "top/Execution/Runner.h"
#include "top/GPU/Compile/Compile.h"

namespace mlir::top {

/// What to compile for on a device: `chip`, or the architecture of the table
/// that is the device's own, or else the latest one whose code it can run; with
/// the numbers of the device's card where that is known. Fails where `chip` is
/// not in the table, and with NoCudaDeviceError where the device cannot run
/// code for it.
llvm::Expected<GPUTarget> chooseTarget(const CudaContext &context,
                                       StringRef chip);

/// The card of the table that `device`, as "NVIDIA A100-SXM4-40GB", names by
/// one of its words; nullopt where it names none, and there are no peaks to
/// hold a time against.
std::optional<GPUCard> findCard(StringRef device);

/// What the driver of a device loads: text of either kind.
enum class KernelImage {
  PTX,
  Simulation, ///< see SimulatedDriver.h
};

/// A function as kernels on a device. Errors are reported as diagnostics at the
/// function's location. The module that it was compiled from may be gone, its
/// context may not.
class GPUFunction {
public:
  GPUFunction(GPUFunction &&);
  GPUFunction &operator=(GPUFunction &&);
  ~GPUFunction();

  /// Time that compiling took: passes and PTX, then the driver's assembler.
  double getCompileSeconds() const;
  const LaunchPlan &getPlan() const;
  /// The layer ops in order, each with the schedule that it was compiled by.
  ArrayRef<ScheduledProblem> getProblems() const;
  /// The launches of the plan, with what the driver says of their kernels.
  SmallVector<std::pair<const PlanLaunch *, const CudaKernel *>>
  getLaunches() const;

  /// As CompiledFunction::run. Fails, too, where a kernel fails.
  FailureOr<std::vector<Tensor>> run(ArrayRef<const Tensor *> args,
                                     const RunOptions &options) const;
  FailureOr<PlanTiming> benchmark(ArrayRef<const Tensor *> args,
                                  const PlanTimingOptions &options) const;

private:
  friend FailureOr<GPUFunction>
  compileForGPU(ModuleOp module, StringRef function, CudaContext &context,
                const CompileOptions &options, const ConstantOptions &constants,
                KernelImage image);
  struct Impl;
  explicit GPUFunction(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Compiles `function` of `module`, which is not changed, and loads its
/// kernels. Its arguments and results must be ranked tensors of static shape.
/// Fails with one or more errors where a pass or the driver refuses it. The
/// context of `module` must have what registerCompileDialects registers.
/// `image` is what the driver of `context` takes.
FailureOr<GPUFunction> compileForGPU(ModuleOp module, StringRef function,
                                     CudaContext &context,
                                     const CompileOptions &options,
                                     const ConstantOptions &constants,
                                     KernelImage image = KernelImage::PTX);

} // namespace mlir::top

#endif // TOP_EXECUTION_GPURUNNER_H
