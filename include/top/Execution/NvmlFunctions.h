//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of NVML's C interface that tells clocks, temperature and power,
// declared here as CudaFunctions.h does for the driver.
//
// Signatures and numbers are those of the NVML API reference manual
// (docs.nvidia.com/deploy/nvml-api).
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_NVMLFUNCTIONS_H
#define TOP_EXECUTION_NVMLFUNCTIONS_H

namespace mlir::top {

/// nvmlReturn_t; 0 is success.
using NvmlReturn = int;
/// nvmlDevice_t.
using NvmlDevice = void *;

/// Values of enumerations, by the names that the manual gives them.
namespace nvml {
inline constexpr int kSuccess = 0;        // NVML_SUCCESS
inline constexpr int kClockSM = 1;        // NVML_CLOCK_SM
inline constexpr int kClockMemory = 2;    // NVML_CLOCK_MEM
inline constexpr int kTemperatureGPU = 0; // NVML_TEMPERATURE_GPU
} // namespace nvml

// clang-format off
/// The functions, by the names under which libnvidia-ml exports them. All
/// return NvmlReturn.
#define TOP_NVML_FUNCTIONS(X)                                                  \
  X(nvmlInit_v2, ())                                                           \
  X(nvmlShutdown, ())                                                          \
  X(nvmlDeviceGetHandleByPciBusId_v2, (const char *busId, NvmlDevice *))       \
  X(nvmlDeviceGetClockInfo, (NvmlDevice, int clock, unsigned *megahertz))      \
  X(nvmlDeviceGetTemperature, (NvmlDevice, int sensor, unsigned *celsius))     \
  X(nvmlDeviceGetPowerUsage, (NvmlDevice, unsigned *milliwatts))
// clang-format on

struct NvmlFunctions {
#define TOP_NVML_DECLARE(name, parameters) NvmlReturn(*name) parameters;
  TOP_NVML_FUNCTIONS(TOP_NVML_DECLARE)
#undef TOP_NVML_DECLARE
};

} // namespace mlir::top

#endif // TOP_EXECUTION_NVMLFUNCTIONS_H
