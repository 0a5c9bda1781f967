//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace mlir::top;

static FakeCuda *current = nullptr;

static constexpr CudaResult kInvalidValue = 1, kOutOfMemory = 2,
                            kInvalidHandle = 400, kNotFound = 500;

CudaResult FakeCuda::enter(const char *call) {
  calls.push_back(call);
  auto failure = failures.find(call);
  return failure == failures.end() ? cuda::kSuccess : failure->second;
}

bool FakeCuda::isInside(CudaAddress address, size_t bytes) const {
  for (const auto &[start, contents] : allocations)
    if (address >= start && address + bytes <= start + contents.size())
      return true;
  return false;
}

void FakeCuda::enqueue(std::function<void()> work) {
  if (capturing)
    capturing->nodes.push_back(std::move(work));
  else
    work();
}

int FakeCuda::numCalls(const std::string &call) const {
  return std::count(calls.begin(), calls.end(), call);
}

static void *toHost(CudaAddress address) {
  return reinterpret_cast<void *>(address);
}

/// The function named `name`, with whether it fails as asked for decided.
#define FAKE(name, parameters, ...)                                            \
  static CudaResult name parameters {                                          \
    FakeCuda &fake = *current;                                                 \
    if (CudaResult failure = fake.enter(#name))                                \
      return failure;                                                          \
    __VA_ARGS__                                                                \
    return cuda::kSuccess;                                                     \
  }

struct FakeCuda::Functions {
  static CudaHandle makeHandle() {
    ++current->live;
    return new char;
  }
  static CudaResult dropHandle(CudaHandle handle) {
    if (!handle)
      return kInvalidHandle;
    --current->live;
    delete static_cast<char *>(handle);
    return cuda::kSuccess;
  }

  // Not counted as calls: they are made to tell of failures.
  static CudaResult cuGetErrorName(CudaResult result, const char **text) {
    switch (result) {
    case kOutOfMemory:
      *text = "CUDA_ERROR_OUT_OF_MEMORY";
      return cuda::kSuccess;
    case cuda::kErrorNoDevice:
      *text = "CUDA_ERROR_NO_DEVICE";
      return cuda::kSuccess;
    case 218:
      *text = "CUDA_ERROR_INVALID_PTX";
      return cuda::kSuccess;
    case 700:
      *text = "CUDA_ERROR_ILLEGAL_ADDRESS";
      return cuda::kSuccess;
    default:
      return kInvalidValue;
    }
  }
  static CudaResult cuGetErrorString(CudaResult, const char **) {
    return kInvalidValue;
  }

  // clang-format off
  FAKE(cuInit, (unsigned), (void)fake;)
  FAKE(cuDriverGetVersion, (int *version), (void)fake; *version = 13000;)
  FAKE(cuDeviceGetCount, (int *count), *count = fake.numDevices;)
  FAKE(cuDeviceGet, (CudaDevice *device, int ordinal),
       if (ordinal >= fake.numDevices) return kInvalidValue;
       *device = ordinal;)
  FAKE(cuDeviceGetName, (char *text, int length, CudaDevice),
       std::strncpy(text, fake.name.c_str(), length);)
  FAKE(cuDeviceGetPCIBusId, (char *text, int length, CudaDevice), (void)fake;
       std::strncpy(text, "0000:19:00.0", length);)
  FAKE(cuDeviceGetAttribute, (int *value, int attribute, CudaDevice),
       if (!fake.attributes.count(attribute)) return kInvalidValue;
       *value = fake.attributes[attribute];)
  FAKE(cuDevicePrimaryCtxRetain, (CudaHandle *context, CudaDevice),
       ++fake.live; *context = &fake;)
  FAKE(cuDevicePrimaryCtxRelease_v2, (CudaDevice), --fake.live;)
  FAKE(cuCtxSetCurrent, (CudaHandle), (void)fake;)
  static CudaResult cuModuleLoadDataEx(CudaHandle *module, const void *,
                                       unsigned numOptions, int *options,
                                       void **values) {
    CudaResult failure = current->enter("cuModuleLoadDataEx");
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == cuda::kJitErrorLog)
        std::strcpy(static_cast<char *>(values[i]), current->jitLog.c_str());
    if (failure)
      return failure;
    *module = makeHandle();
    return cuda::kSuccess;
  }
  FAKE(cuModuleUnload, (CudaHandle module), (void)fake;
       return dropHandle(module);)
  FAKE(cuModuleGetFunction,
       (CudaHandle *function, CudaHandle, const char *name),
       auto kernel = fake.kernels.find(name);
       if (kernel == fake.kernels.end()) return kNotFound;
       *function = &*kernel;)
  FAKE(cuFuncGetAttribute, (int *value, int attribute, CudaHandle function),
       (void)fake;
       const Kernel &kernel = static_cast<NamedKernel *>(function)->second;
       switch (attribute) {
       case cuda::kFuncMaxThreadsPerBlock: *value = kernel.maxThreads; break;
       case cuda::kFuncSharedSizeBytes: *value = kernel.staticSharedBytes; break;
       case cuda::kFuncNumRegs: *value = kernel.registers; break;
       case cuda::kFuncLocalSizeBytes: *value = kernel.localBytes; break;
       default: return kInvalidValue;
       })
  FAKE(cuFuncSetAttribute, (CudaHandle function, int attribute, int value),
       if (attribute != cuda::kFuncMaxDynamicSharedSizeBytes)
         return kInvalidValue;
       fake.optedInBytes[function] = value;)
  FAKE(cuLaunchKernel,
       (CudaHandle function, unsigned gridX, unsigned gridY, unsigned gridZ,
        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
        CudaHandle stream, void **parameters, void **),
       if (shared > std::max<size_t>(fake.optedInBytes[function], 48 * 1024))
         return kInvalidValue;
       auto &[name, kernel] = *static_cast<NamedKernel *>(function);
       Launch launch{name, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                     shared, {}, fake.numLaunchCalls++, fake.behind[stream]};
       if (fake.tracksOrder) fake.behind[stream].insert(launch.number);
       for (size_t i = 0; i < kernel.numParameters; ++i)
         launch.parameters.push_back(*static_cast<uint64_t *>(parameters[i]));
       Kernel *body = &kernel;
       fake.enqueue([launch, body, &fake] {
         fake.launches.push_back(launch);
         body->body(launch.parameters);
       });)
  FAKE(cuMemAlloc_v2, (CudaAddress *address, size_t bytes),
       if (bytes == 0) return kInvalidValue;
       std::vector<uint8_t> contents(bytes);
       *address = reinterpret_cast<CudaAddress>(contents.data());
       fake.allocations[*address] = std::move(contents);)
  FAKE(cuMemFree_v2, (CudaAddress address),
       if (!fake.allocations.erase(address)) return kInvalidValue;)
  FAKE(cuMemGetInfo_v2, (size_t *free, size_t *total), (void)fake;
       *free = *total = 1 << 20;)
  FAKE(cuMemcpyHtoD_v2, (CudaAddress to, const void *from, size_t bytes),
       if (!fake.isInside(to, bytes)) return kInvalidValue;
       std::memcpy(toHost(to), from, bytes);)
  FAKE(cuMemcpyDtoH_v2, (void *to, CudaAddress from, size_t bytes),
       if (!fake.isInside(from, bytes)) return kInvalidValue;
       std::memcpy(to, toHost(from), bytes);)
  FAKE(cuMemcpyDtoDAsync_v2,
       (CudaAddress to, CudaAddress from, size_t bytes, CudaHandle),
       if (!fake.isInside(to, bytes) || !fake.isInside(from, bytes))
         return kInvalidValue;
       fake.enqueue([=] { std::memmove(toHost(to), toHost(from), bytes); });)
  FAKE(cuMemcpy2DAsync_v2, (const CudaCopy2D *copy, CudaHandle),
       if (copy->sourceKind != cuda::kMemoryTypeDevice ||
           copy->destinationKind != cuda::kMemoryTypeDevice ||
           copy->sourcePitch < copy->widthInBytes ||
           copy->destinationPitch < copy->widthInBytes)
         return kInvalidValue;
       for (size_t row = 0; row < copy->height; ++row) {
         CudaAddress from = copy->sourceDevice + row * copy->sourcePitch;
         CudaAddress to = copy->destinationDevice + row * copy->destinationPitch;
         size_t bytes = copy->widthInBytes;
         if (!fake.isInside(to, bytes) || !fake.isInside(from, bytes))
           return kInvalidValue;
         fake.enqueue([=] { std::memmove(toHost(to), toHost(from), bytes); });
       })
  FAKE(cuMemsetD8_v2, (CudaAddress address, unsigned char value, size_t bytes),
       if (!fake.isInside(address, bytes)) return kInvalidValue;
       std::memset(toHost(address), value, bytes);)
  FAKE(cuStreamCreate, (CudaHandle *stream, unsigned), (void)fake;
       *stream = makeHandle();)
  FAKE(cuStreamDestroy_v2, (CudaHandle stream), fake.behind.erase(stream);
       return dropHandle(stream);)
  FAKE(cuStreamSynchronize, (CudaHandle), (void)fake;)
  FAKE(cuStreamWaitEvent, (CudaHandle stream, CudaHandle event, unsigned),
       if (!fake.behind.count(event)) return kInvalidValue; // not recorded
       fake.behind[stream].insert(fake.behind[event].begin(),
                                  fake.behind[event].end());)
  FAKE(cuStreamBeginCapture_v2, (CudaHandle, int),
       ++fake.live; fake.capturing = new Graph;)
  static CudaResult cuStreamEndCapture(CudaHandle, CudaHandle *graph) {
    FakeCuda &fake = *current;
    Graph *captured = std::exchange(fake.capturing, nullptr);
    *graph = captured;
    CudaResult failure = fake.enter("cuStreamEndCapture");
    if (failure) { // it ends the capture in any case
      --fake.live;
      delete captured;
      *graph = nullptr;
    }
    return failure;
  }
  FAKE(cuGraphInstantiateWithFlags,
       (CudaHandle *executable, CudaHandle graph, unsigned long long),
       ++fake.live; *executable = new Graph(*static_cast<Graph *>(graph));)
  FAKE(cuGraphLaunch, (CudaHandle executable, CudaHandle),
       (void)fake;
       for (auto &node : static_cast<Graph *>(executable)->nodes) node();)
  FAKE(cuGraphExecDestroy, (CudaHandle executable),
       --fake.live; delete static_cast<Graph *>(executable);)
  FAKE(cuGraphDestroy, (CudaHandle graph),
       --fake.live; delete static_cast<Graph *>(graph);)
  FAKE(cuEventCreate, (CudaHandle *event, unsigned), (void)fake;
       *event = makeHandle();)
  FAKE(cuEventRecord, (CudaHandle event, CudaHandle stream),
       fake.behind[event] = fake.behind[stream];)
  FAKE(cuEventSynchronize, (CudaHandle), (void)fake;)
  FAKE(cuEventElapsedTime, (float *milliseconds, CudaHandle, CudaHandle),
       (void)fake; *milliseconds = 80;)
  FAKE(cuEventDestroy_v2, (CudaHandle event), fake.behind.erase(event);
       return dropHandle(event);)
  // clang-format on

  using NamedKernel = std::pair<const std::string, Kernel>;
};

FakeCuda::FakeCuda() {
#define FAKE_SET(name, parameters) functions.name = Functions::name;
  TOP_CUDA_FUNCTIONS(FAKE_SET)
#undef FAKE_SET
  // CUDA C++ Programming Guide, compute capability 8.0; an L2 of 40 MB would
  // make a test allocate twice as much.
  attributes = {{cuda::kMaxThreadsPerBlock, 1024},
                {cuda::kMaxBlockDimX, 1024},
                {cuda::kMaxBlockDimX + 1, 1024},
                {cuda::kMaxBlockDimX + 2, 64},
                {cuda::kMaxGridDimX, 2147483647},
                {cuda::kMaxGridDimX + 1, 65535},
                {cuda::kMaxGridDimX + 2, 65535},
                {cuda::kMaxPitch, 2147483647},
                {cuda::kL2CacheSize, 1000},
                {cuda::kComputeCapabilityMajor, 8},
                {cuda::kComputeCapabilityMinor, 0},
                {cuda::kMaxSharedMemoryPerBlockOptin, 166912}};
  current = this;
}

FakeCuda::~FakeCuda() { current = nullptr; }
