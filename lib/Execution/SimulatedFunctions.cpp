//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's functions as a table, on the device of the calling thread; see
// SimulatedDriver.h.
//
//===----------------------------------------------------------------------===//

#include "SimulatedDevice.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;
using llvm::Expected;
using llvm::StringRef;

static SimulatedDriver::Impl &driver() {
  SimulatedDriver::Impl *current = SimulatedDriver::Impl::current();
  assert(current && "there is no simulated driver in this thread");
  return *current;
}

static CudaResult cuGetErrorName(CudaResult result, const char **name) {
  for (const ErrorCode &code : cuda::kErrors)
    if (code.number == result) {
      *name = code.name;
      return cuda::kSuccess;
    }
  return driver().fail(cuda::kInvalidValue, "no error of this number");
}
static CudaResult cuGetErrorString(CudaResult result, const char **text) {
  if (result != driver().lastResult)
    return driver().fail(cuda::kInvalidValue,
                         "not the error of the last failure");
  *text = driver().lastText.c_str();
  return cuda::kSuccess;
}

static CudaResult cuInit(unsigned) { return cuda::kSuccess; }
static CudaResult cuDriverGetVersion(int *version) {
  *version = 12000; // 12.0
  return cuda::kSuccess;
}
static CudaResult cuDeviceGetCount(int *count) {
  *count = 1;
  return cuda::kSuccess;
}
static CudaResult cuDeviceGet(CudaDevice *device, int ordinal) {
  *device = 0;
  return ordinal == 0
             ? cuda::kSuccess
             : driver().fail(cuda::kInvalidDevice, "there is one device");
}
static CudaResult putText(StringRef text, char *to, int length) {
  if (length <= 0)
    return driver().fail(cuda::kInvalidValue, "no room for a name");
  text = text.take_front(length - 1);
  *llvm::copy(text, to) = '\0';
  return cuda::kSuccess;
}
static CudaResult cuDeviceGetName(char *name, int length, CudaDevice) {
  return putText(driver().name, name, length);
}
static CudaResult cuDeviceGetPCIBusId(char *id, int length, CudaDevice) {
  return putText("simulated", id, length);
}

static CudaResult cuDeviceGetAttribute(int *value, int attribute, CudaDevice) {
  const GPUTarget &target = driver().target;
  // Blocks and grids: CUDA C++ Programming Guide, "Technical Specifications per
  // Compute Capability", the same for all since 3.0.
  switch (attribute) {
  case cuda::kMaxThreadsPerBlock:
  case cuda::kMaxBlockDimX:
  case cuda::kMaxBlockDimX + 1:
    *value = target.arch.threadsPerBlock;
    return cuda::kSuccess;
  case cuda::kMaxBlockDimX + 2:
    *value = 64;
    return cuda::kSuccess;
  case cuda::kMaxGridDimX:
    *value = kMaxGridX;
    return cuda::kSuccess;
  case cuda::kMaxGridDimX + 1:
  case cuda::kMaxGridDimX + 2:
    *value = 65535;
    return cuda::kSuccess;
  case cuda::kMaxPitch:
    *value = 2147483647;
    return cuda::kSuccess;
  case cuda::kL2CacheSize:
    *value = target.card.l2Bytes;
    return cuda::kSuccess;
  case cuda::kComputeCapabilityMajor:
    *value = target.arch.capability / 10;
    return cuda::kSuccess;
  case cuda::kComputeCapabilityMinor:
    *value = target.arch.capability % 10;
    return cuda::kSuccess;
  case cuda::kMaxSharedMemoryPerBlockOptin:
    *value = target.arch.sharedBytesPerBlock;
    return cuda::kSuccess;
  default:
    return driver().fail(cuda::kNotSupported,
                         "the simulated GPU does not know device attribute " +
                             llvm::Twine(attribute));
  }
}

static CudaResult cuDevicePrimaryCtxRetain(CudaHandle *context, CudaDevice) {
  *context = &driver();
  return cuda::kSuccess;
}
static CudaResult cuDevicePrimaryCtxRelease_v2(CudaDevice) {
  return cuda::kSuccess;
}
/// The one context of the driver stays current.
static CudaResult cuCtxSetCurrent(CudaHandle) { return cuda::kSuccess; }

static CudaResult cuModuleLoadDataEx(CudaHandle *module, const void *image,
                                     unsigned numOptions, int *options,
                                     void **values) {
  char *log = nullptr;
  size_t logBytes = 0;
  for (unsigned i = 0; i < numOptions; ++i) {
    if (options[i] == cuda::kJitErrorLog)
      log = static_cast<char *>(values[i]);
    else if (options[i] == cuda::kJitErrorLogBytes)
      logBytes = reinterpret_cast<size_t>(values[i]);
  }
  return driver().load(module, static_cast<const char *>(image), log, logBytes);
}
static CudaResult cuModuleUnload(CudaHandle module) {
  auto found = driver().modules.find(module);
  if (found == driver().modules.end())
    return driver().fail(cuda::kInvalidHandle, "no loaded module");
  if (driver().program == &found->second.code->getProgram())
    driver().program = nullptr;
  driver().modules.erase(found);
  return cuda::kSuccess;
}
static CudaResult cuModuleGetFunction(CudaHandle *function, CudaHandle module,
                                      const char *name) {
  auto found = driver().modules.find(module);
  if (found == driver().modules.end())
    return driver().fail(cuda::kInvalidHandle, "no loaded module");
  const SimulatedKernel *kernel = found->second.code->lookup(name);
  if (!kernel)
    return driver().fail(cuda::kNotFound, "no kernel of this name");
  *function = const_cast<SimulatedKernel *>(kernel);
  return cuda::kSuccess;
}

static CudaResult cuFuncGetAttribute(int *value, int attribute,
                                     CudaHandle function) {
  auto *kernel = static_cast<const SimulatedKernel *>(function);
  LoadedModule *module = driver().findModule(kernel);
  if (!module)
    return driver().fail(cuda::kInvalidHandle, "no kernel of a loaded module");
  switch (attribute) {
  case cuda::kFuncMaxThreadsPerBlock:
    *value = kernel->kernel->requiredThreads
                 ? kernel->kernel->requiredThreads
                 : driver().target.arch.threadsPerBlock;
    return cuda::kSuccess;
  case cuda::kFuncSharedSizeBytes:
    *value = module->code->getStaticSharedBytes();
    return cuda::kSuccess;
  case cuda::kFuncLocalSizeBytes:
  case cuda::kFuncNumRegs:
    *value = 0;
    return cuda::kSuccess;
  default:
    return driver().fail(cuda::kNotSupported,
                         "the simulated GPU does not know function attribute " +
                             llvm::Twine(attribute));
  }
}
static CudaResult cuFuncSetAttribute(CudaHandle function, int attribute,
                                     int value) {
  auto *kernel = static_cast<const SimulatedKernel *>(function);
  LoadedModule *module = driver().findModule(kernel);
  if (!module)
    return driver().fail(cuda::kInvalidHandle, "no kernel of a loaded module");
  if (attribute != cuda::kFuncMaxDynamicSharedSizeBytes)
    return driver().fail(cuda::kNotSupported,
                         "the simulated GPU cannot set function attribute " +
                             llvm::Twine(attribute));
  const int64_t most = driver().target.arch.sharedBytesPerBlock -
                       module->code->getStaticSharedBytes();
  if (value < 0 || value > most)
    return driver().fail(cuda::kInvalidValue,
                         llvm::formatv("{0} bytes of dynamic shared memory, "
                                       "there are {1}",
                                       value, most));
  module->dynamicSharedBytes[kernel] = value;
  return cuda::kSuccess;
}

static CudaResult cuLaunchKernel(CudaHandle function, unsigned gridX,
                                 unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY,
                                 unsigned blockZ, unsigned sharedBytes,
                                 CudaHandle, void **parameters, void **extra) {
  if (extra)
    return driver().fail(cuda::kNotSupported,
                         "parameters of the simulated GPU come one by one");
  sim::LaunchShape shape;
  shape.grid = {gridX, gridY, gridZ};
  shape.block = {blockX, blockY, blockZ};
  shape.sharedBytes = sharedBytes;
  return driver().launch(static_cast<const SimulatedKernel *>(function), shape,
                         parameters);
}

static CudaResult cuMemAlloc_v2(CudaAddress *address, size_t bytes) {
  Expected<uint64_t> place = driver().machine->allocate(bytes);
  if (!place)
    return driver().fail(cuda::kOutOfMemory, place.takeError());
  *address = *place;
  driver().buffers[*place] = {static_cast<int64_t>(bytes), true};
  return cuda::kSuccess;
}
static CudaResult cuMemFree_v2(CudaAddress address) {
  driver().buffers.erase(address);
  return driver().finish(driver().machine->release(address));
}
static CudaResult cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = *total = driver().target.card.memoryBytes;
  for (const auto &[address, buffer] : driver().buffers)
    *free -= std::min<size_t>(*free, buffer.bytes);
  return cuda::kSuccess;
}
static CudaResult cuMemcpyHtoD_v2(CudaAddress to, const void *from,
                                  size_t bytes) {
  return driver().finish(driver().machine->write(to, from, bytes));
}
static CudaResult cuMemcpyDtoH_v2(void *to, CudaAddress from, size_t bytes) {
  return driver().finish(driver().machine->read(to, from, bytes));
}
static CudaResult cuMemcpyDtoDAsync_v2(CudaAddress to, CudaAddress from,
                                       size_t bytes, CudaHandle) {
  return driver().copy(to, from, bytes);
}
static CudaResult cuMemcpy2DAsync_v2(const CudaCopy2D *rows, CudaHandle) {
  return driver().copy(*rows);
}
static CudaResult cuMemsetD8_v2(CudaAddress address, unsigned char value,
                                size_t bytes) {
  return driver().finish(driver().machine->fill(address, value, bytes));
}

static CudaResult cuStreamCreate(CudaHandle *stream, unsigned) {
  driver().streams.insert(*stream = driver().createHandle());
  return cuda::kSuccess;
}
static CudaResult cuStreamDestroy_v2(CudaHandle stream) {
  return driver().streams.erase(stream)
             ? cuda::kSuccess
             : driver().fail(cuda::kInvalidHandle, "no stream");
}
static CudaResult cuStreamSynchronize(CudaHandle) { return cuda::kSuccess; }
/// All work is done when its call returns.
static CudaResult cuStreamWaitEvent(CudaHandle, CudaHandle event, unsigned) {
  return driver().events.contains(event)
             ? cuda::kSuccess
             : driver().fail(cuda::kInvalidHandle, "no event");
}

static CudaResult refuseGraphs() {
  return driver().fail(cuda::kNotSupported, "the simulated GPU has no graphs");
}
static CudaResult cuStreamBeginCapture_v2(CudaHandle, int) {
  return refuseGraphs();
}
static CudaResult cuStreamEndCapture(CudaHandle, CudaHandle *) {
  return refuseGraphs();
}
static CudaResult cuGraphInstantiateWithFlags(CudaHandle *, CudaHandle,
                                              unsigned long long) {
  return refuseGraphs();
}
static CudaResult cuGraphLaunch(CudaHandle, CudaHandle) {
  return refuseGraphs();
}
static CudaResult cuGraphExecDestroy(CudaHandle) { return refuseGraphs(); }
static CudaResult cuGraphDestroy(CudaHandle) { return refuseGraphs(); }

static CudaResult cuEventCreate(CudaHandle *event, unsigned) {
  driver().events.insert(*event = driver().createHandle());
  return cuda::kSuccess;
}
static CudaResult cuEventRecord(CudaHandle, CudaHandle) {
  return cuda::kSuccess;
}
static CudaResult cuEventSynchronize(CudaHandle) { return cuda::kSuccess; }
static CudaResult cuEventElapsedTime(float *, CudaHandle, CudaHandle) {
  return driver().fail(cuda::kNotSupported, "the simulated GPU has no time");
}
static CudaResult cuEventDestroy_v2(CudaHandle event) {
  return driver().events.erase(event)
             ? cuda::kSuccess
             : driver().fail(cuda::kInvalidHandle, "no event");
}

const CudaFunctions &SimulatedDriver::getFunctions() {
  static const CudaFunctions functions = {
#define TOP_CUDA_TAKE(name, parameters) &::name,
      TOP_CUDA_FUNCTIONS(TOP_CUDA_TAKE)
#undef TOP_CUDA_TAKE
  };
  return functions;
}
