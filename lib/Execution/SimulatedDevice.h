//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulated device behind the functions of SimulatedFunctions.cpp. Private
// to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_SIMULATEDDEVICE_H
#define TOP_LIB_EXECUTION_SIMULATEDDEVICE_H

#include "SimulatedModule.h"
#include "top/Execution/SimulatedDriver.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <optional>

namespace mlir::top {

/// What a call fails with: CUDA's number and name, and a text of ours.
struct ErrorCode {
  CudaResult number;
  const char *name;
};
/// By the names that the CUDA Driver API reference manual gives them.
namespace cuda {
inline constexpr ErrorCode kInvalidValue = {1, "CUDA_ERROR_INVALID_VALUE"};
inline constexpr ErrorCode kOutOfMemory = {2, "CUDA_ERROR_OUT_OF_MEMORY"};
inline constexpr ErrorCode kInvalidDevice = {101, "CUDA_ERROR_INVALID_DEVICE"};
inline constexpr ErrorCode kInvalidImage = {200, "CUDA_ERROR_INVALID_IMAGE"};
inline constexpr ErrorCode kInvalidHandle = {400, "CUDA_ERROR_INVALID_HANDLE"};
inline constexpr ErrorCode kNotFound = {500, "CUDA_ERROR_NOT_FOUND"};
inline constexpr ErrorCode kLaunchFailed = {719, "CUDA_ERROR_LAUNCH_FAILED"};
inline constexpr ErrorCode kNotSupported = {801, "CUDA_ERROR_NOT_SUPPORTED"};
inline constexpr ErrorCode kErrors[] = {
    kInvalidValue,  kOutOfMemory, kInvalidDevice, kInvalidImage,
    kInvalidHandle, kNotFound,    kLaunchFailed,  kNotSupported};
} // namespace cuda

/// A loaded module and the dynamic shared memory that launches of its kernels
/// have asked for.
struct LoadedModule {
  std::unique_ptr<SimulatedModule> code;
  llvm::DenseMap<const SimulatedKernel *, int64_t> dynamicSharedBytes;
};

struct SimulatedDriver::Impl {
  GPUTarget target;
  std::optional<sim::Machine> machine; ///< always there
  std::string name;
  /// Buffers by their addresses.
  struct Buffer {
    int64_t bytes;
    bool isWritable = true;
  };
  std::map<CudaAddress, Buffer> buffers;
  std::map<CudaHandle, LoadedModule> modules;
  llvm::SmallPtrSet<CudaHandle, 4> streams, events;
  uint64_t numHandles = 0;
  const sim::Program *program = nullptr;
  std::vector<sim::Fault> faults;
  uint64_t numFaults = 0;
  /// Of the last call that failed.
  CudaResult lastResult = cuda::kSuccess;
  std::string lastText;
  Impl *previous = nullptr; ///< that was current in the thread

  /// CUDA's functions act on the current context of the calling thread; these
  /// on the driver that it made last.
  static Impl *&current();

  Impl(const GPUTarget &target, const sim::MachineOptions &options)
      : target(target), name(("simulated " + target.arch.chip).str()) {
    machine.emplace(options);
  }

  CudaResult fail(ErrorCode code, const llvm::Twine &text) {
    lastText = text.str();
    return lastResult = code.number;
  }
  CudaResult fail(ErrorCode code, llvm::Error error) {
    return fail(code, llvm::toString(std::move(error)));
  }
  /// Success, or `error` as `code`.
  CudaResult finish(llvm::Error error, ErrorCode code = cuda::kInvalidValue) {
    return error ? fail(code, std::move(error)) : cuda::kSuccess;
  }
  CudaHandle createHandle() {
    return reinterpret_cast<CudaHandle>(++numHandles);
  }

  LoadedModule *findModule(const SimulatedKernel *kernel);
  CudaResult load(CudaHandle *module, llvm::StringRef text, char *log,
                  size_t logBytes);
  CudaResult launch(const SimulatedKernel *kernel,
                    const sim::LaunchShape &shape, void **parameters);
  llvm::Error setWritableBuffers(const SimulatedKernel &kernel,
                                 void **parameters);
  CudaResult failLaunch(llvm::Error error);
  CudaResult copy(CudaAddress to, CudaAddress from, int64_t bytes);
  CudaResult copy(const CudaCopy2D &copy);
};

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_SIMULATEDDEVICE_H
