//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asking NVML.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/DeviceMonitor.h"

#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace mlir::top;

const NvmlFunctions *top::loadNvmlFunctions() {
  static NvmlFunctions functions;
  static const bool isLoaded = [] {
    std::string error;
    llvm::sys::DynamicLibrary library =
        llvm::sys::DynamicLibrary::getPermanentLibrary("libnvidia-ml.so.1",
                                                       &error);
    if (!library.isValid())
      return false;
#define TOP_NVML_FIND(name, parameters)                                        \
  functions.name = reinterpret_cast<NvmlReturn(*) parameters>(                 \
      library.getAddressOfSymbol(#name));                                      \
  if (!functions.name)                                                         \
    return false;
    TOP_NVML_FUNCTIONS(TOP_NVML_FIND)
#undef TOP_NVML_FIND
    return true;
  }();
  return isLoaded ? &functions : nullptr;
}

std::unique_ptr<DeviceMonitor>
DeviceMonitor::create(const NvmlFunctions *functions, CudaContext &context) {
  if (!functions || functions->nvmlInit_v2() != nvml::kSuccess)
    return nullptr;
  std::unique_ptr<DeviceMonitor> monitor(new DeviceMonitor(*functions));
  // Not by number: NVML counts devices that CUDA_VISIBLE_DEVICES hides.
  llvm::Expected<std::string> busId = context.getPciBusId();
  if (!busId) {
    llvm::consumeError(busId.takeError());
    return nullptr;
  }
  if (functions->nvmlDeviceGetHandleByPciBusId_v2(
          busId->c_str(), &monitor->device) != nvml::kSuccess)
    return nullptr;
  return monitor;
}

DeviceMonitor::~DeviceMonitor() { (void)functions.nvmlShutdown(); }

DeviceState DeviceMonitor::read() const {
  DeviceState state;
  unsigned value = 0;
  if (functions.nvmlDeviceGetClockInfo(device, nvml::kClockSM, &value) ==
      nvml::kSuccess)
    state.smMHz = value;
  if (functions.nvmlDeviceGetClockInfo(device, nvml::kClockMemory, &value) ==
      nvml::kSuccess)
    state.memoryMHz = value;
  if (functions.nvmlDeviceGetTemperature(device, nvml::kTemperatureGPU,
                                         &value) == nvml::kSuccess)
    state.celsius = value;
  if (functions.nvmlDeviceGetPowerUsage(device, &value) == nvml::kSuccess)
    state.watts = value / 1e3;
  return state;
}
