//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How fast, how hot and how hungry a device is at the moment: what a time must
// be read with. Never needed: a machine without NVML has no such numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_DEVICEMONITOR_H
#define TOP_EXECUTION_DEVICEMONITOR_H

#include "top/Execution/CudaDriver.h"
#include "top/Execution/NvmlFunctions.h"
#include <memory>
#include <optional>

namespace mlir::top {

/// What the device told; a part of a card, for one, does not tell all.
struct DeviceState {
  std::optional<unsigned> smMHz, memoryMHz, celsius;
  /// Since Ampere (GA100 left out) the mean of the last second.
  std::optional<double> watts;
};

/// The functions of libnvidia-ml.so.1, which stays loaded; null where there is
/// none or it lacks one of them.
const NvmlFunctions *loadNvmlFunctions();

class DeviceMonitor {
public:
  /// Null where `functions` is null or NVML does not know the device. Both must
  /// outlive the monitor.
  static std::unique_ptr<DeviceMonitor> create(const NvmlFunctions *functions,
                                               CudaContext &context);
  DeviceMonitor(const DeviceMonitor &) = delete;
  ~DeviceMonitor();

  DeviceState read() const;

private:
  explicit DeviceMonitor(const NvmlFunctions &functions)
      : functions(functions) {}

  const NvmlFunctions &functions;
  NvmlDevice device = nullptr;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_DEVICEMONITOR_H
