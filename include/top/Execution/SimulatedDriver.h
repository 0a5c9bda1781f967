//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA driver whose device is simulated: the functions of CudaFunctions.h, so
// that what loads, launches and copies is the same code for it and for a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_SIMULATEDDRIVER_H
#define TOP_EXECUTION_SIMULATEDDRIVER_H

#include "top/Execution/CudaFunctions.h"
#include "top/Simulation/Machine.h"
#include "top/Target/GPUTarget.h"

namespace mlir::top {

/// A driver with one device. The functions act on the driver that the calling
/// thread made last and that still lives; there must be one.
///
/// What differs from a real driver:
/// * cuModuleLoadDataEx takes the text of a module that top-nvvm-to-sim left.
/// * Calls are done when they return, streams or not. A kernel that did what it
///   must not makes its launch fail with CUDA_ERROR_LAUNCH_FAILED, and what
///   cuGetErrorString says of it is the first fault; later calls work.
/// * A kernel may write only to the buffers that are arguments of it and not
///   marked as read by the compiler.
/// * cuFuncGetAttribute knows no registers and says 0.
/// * Graphs and times of events are refused with CUDA_ERROR_NOT_SUPPORTED: a
///   simulator's time says nothing of a GPU.
class SimulatedDriver {
public:
  /// A device of the limits of `target`. Of `options` its shared memory of a
  /// block is that of the target.
  SimulatedDriver(const GPUTarget &target, const sim::MachineOptions &options);
  SimulatedDriver(const SimulatedDriver &) = delete;
  ~SimulatedDriver();

  static const CudaFunctions &getFunctions();

  /// Goes on with other options, as a device that was just made, but with the
  /// modules that are loaded. There must be no buffers.
  void restart(const sim::MachineOptions &options);

  /// Of the last launch that had some; at most MachineOptions::maxFaults of
  /// getNumFaults().
  llvm::ArrayRef<sim::Fault> getFaults() const;
  uint64_t getNumFaults() const;
  /// Of all launches so far.
  const sim::Statistics &getStatistics() const;
  /// That of the last launch; null before the first, and once its module is
  /// unloaded.
  const sim::Program *getProgram() const;

  struct Impl;

private:
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_SIMULATEDDRIVER_H
