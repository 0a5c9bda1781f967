//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the CUDA driver's C interface that running a launch plan needs,
// declared here so that neither building nor testing needs CUDA's headers. The
// functions are found in libcuda at run time, or come from a test.
//
// Types, signatures and numbers are those of the CUDA Driver API reference
// manual (docs.nvidia.com/cuda/cuda-driver-api); all are part of its stable
// binary interface.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_CUDAFUNCTIONS_H
#define TOP_EXECUTION_CUDAFUNCTIONS_H

#include <cstddef>
#include <cstdint>

namespace mlir::top {

/// CUresult; 0 is success.
using CudaResult = int;
/// CUdeviceptr.
using CudaAddress = uint64_t;
/// CUdevice: an ordinal.
using CudaDevice = int;
/// CUcontext, CUmodule, CUfunction, CUstream, CUevent, CUgraph, CUgraphExec.
using CudaHandle = void *;

/// CUDA_MEMCPY2D.
struct CudaCopy2D {
  size_t sourceX, sourceY;
  int sourceKind; ///< CUmemorytype
  const void *sourceHost;
  CudaAddress sourceDevice;
  CudaHandle sourceArray;
  size_t sourcePitch;
  size_t destinationX, destinationY;
  int destinationKind;
  void *destinationHost;
  CudaAddress destinationDevice;
  CudaHandle destinationArray;
  size_t destinationPitch;
  size_t widthInBytes, height;
};

/// Values of enumerations, by the names that the manual gives them.
namespace cuda {
inline constexpr int kSuccess = 0;            // CUDA_SUCCESS
inline constexpr int kErrorNoDevice = 100;    // CUDA_ERROR_NO_DEVICE
inline constexpr int kMemoryTypeDevice = 2;   // CU_MEMORYTYPE_DEVICE
inline constexpr int kStreamDefault = 0;      // CU_STREAM_DEFAULT
inline constexpr int kCaptureThreadLocal = 1; // CU_STREAM_CAPTURE_MODE_...

// CUjit_option: CU_JIT_ERROR_LOG_BUFFER and its size in bytes.
inline constexpr int kJitErrorLog = 5;
inline constexpr int kJitErrorLogBytes = 6;

// CUdevice_attribute: CU_DEVICE_ATTRIBUTE_...
inline constexpr int kMaxThreadsPerBlock = 1;
inline constexpr int kMaxBlockDimX = 2; // then Y, Z
inline constexpr int kMaxGridDimX = 5;  // then Y, Z
inline constexpr int kMaxPitch = 11;
inline constexpr int kL2CacheSize = 38;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxSharedMemoryPerBlockOptin = 97;

// CUfunction_attribute: CU_FUNC_ATTRIBUTE_...
inline constexpr int kFuncMaxThreadsPerBlock = 0;
inline constexpr int kFuncSharedSizeBytes = 1; // static
inline constexpr int kFuncLocalSizeBytes = 3;
inline constexpr int kFuncNumRegs = 4;
inline constexpr int kFuncMaxDynamicSharedSizeBytes = 8;
} // namespace cuda

// clang-format off
/// The functions, by the names under which libcuda exports them: X(name,
/// parameters). All return CudaResult.
#define TOP_CUDA_FUNCTIONS(X)                                                  \
  X(cuGetErrorName, (CudaResult, const char **))                               \
  X(cuGetErrorString, (CudaResult, const char **))                             \
  X(cuInit, (unsigned flags))                                                  \
  X(cuDriverGetVersion, (int *))                                               \
  X(cuDeviceGetCount, (int *))                                                 \
  X(cuDeviceGet, (CudaDevice *, int ordinal))                                  \
  X(cuDeviceGetName, (char *, int length, CudaDevice))                         \
  X(cuDeviceGetAttribute, (int *, int attribute, CudaDevice))                  \
  X(cuDeviceGetPCIBusId, (char *, int length, CudaDevice))                     \
  X(cuDevicePrimaryCtxRetain, (CudaHandle *context, CudaDevice))               \
  X(cuDevicePrimaryCtxRelease_v2, (CudaDevice))                                \
  X(cuCtxSetCurrent, (CudaHandle context))                                     \
  X(cuModuleLoadDataEx, (CudaHandle *module, const void *image,                \
                         unsigned numOptions, int *options, void **values))    \
  X(cuModuleUnload, (CudaHandle module))                                       \
  X(cuModuleGetFunction, (CudaHandle *function, CudaHandle module,             \
                          const char *name))                                   \
  X(cuFuncGetAttribute, (int *, int attribute, CudaHandle function))           \
  X(cuFuncSetAttribute, (CudaHandle function, int attribute, int value))       \
  X(cuLaunchKernel, (CudaHandle function, unsigned gridX, unsigned gridY,      \
                     unsigned gridZ, unsigned blockX, unsigned blockY,         \
                     unsigned blockZ, unsigned sharedBytes, CudaHandle stream, \
                     void **parameters, void **extra))                         \
  X(cuMemAlloc_v2, (CudaAddress *, size_t bytes))                              \
  X(cuMemFree_v2, (CudaAddress))                                               \
  X(cuMemGetInfo_v2, (size_t *free, size_t *total))                            \
  X(cuMemcpyHtoD_v2, (CudaAddress to, const void *from, size_t bytes))         \
  X(cuMemcpyDtoH_v2, (void *to, CudaAddress from, size_t bytes))               \
  X(cuMemcpyDtoDAsync_v2, (CudaAddress to, CudaAddress from, size_t bytes,     \
                           CudaHandle stream))                                 \
  X(cuMemcpy2DAsync_v2, (const CudaCopy2D *, CudaHandle stream))               \
  X(cuMemsetD8_v2, (CudaAddress, unsigned char value, size_t bytes))           \
  X(cuStreamCreate, (CudaHandle *stream, unsigned flags))                      \
  X(cuStreamDestroy_v2, (CudaHandle stream))                                   \
  X(cuStreamSynchronize, (CudaHandle stream))                                  \
  X(cuStreamWaitEvent, (CudaHandle stream, CudaHandle event, unsigned flags))  \
  X(cuStreamBeginCapture_v2, (CudaHandle stream, int mode))                    \
  X(cuStreamEndCapture, (CudaHandle stream, CudaHandle *graph))                \
  X(cuGraphInstantiateWithFlags, (CudaHandle *executable, CudaHandle graph,    \
                                  unsigned long long flags))                   \
  X(cuGraphLaunch, (CudaHandle executable, CudaHandle stream))                 \
  X(cuGraphExecDestroy, (CudaHandle executable))                               \
  X(cuGraphDestroy, (CudaHandle graph))                                        \
  X(cuEventCreate, (CudaHandle *event, unsigned flags))                        \
  X(cuEventRecord, (CudaHandle event, CudaHandle stream))                      \
  X(cuEventSynchronize, (CudaHandle event))                                    \
  X(cuEventElapsedTime, (float *milliseconds, CudaHandle start,                \
                         CudaHandle end))                                      \
  X(cuEventDestroy_v2, (CudaHandle event))
// clang-format on

struct CudaFunctions {
#define TOP_CUDA_DECLARE(name, parameters) CudaResult(*name) parameters;
  TOP_CUDA_FUNCTIONS(TOP_CUDA_DECLARE)
#undef TOP_CUDA_DECLARE
};

} // namespace mlir::top

#endif // TOP_EXECUTION_CUDAFUNCTIONS_H
