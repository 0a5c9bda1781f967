//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading libcuda, and thin wrappers round its calls.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/CudaDriver.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

char NoCudaDeviceError::ID = 0;

/// Calls a function of the driver; an Error that names it.
#define TOP_CUDA_CALL(name, ...) check(#name, functions.name(__VA_ARGS__))

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Expected<const CudaFunctions *> top::loadCudaFunctions() {
  static CudaFunctions functions;
  static const std::string failure = [] {
    std::string error;
    llvm::sys::DynamicLibrary library =
        llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &error);
    if (!library.isValid())
      return "no CUDA driver: " + error;
#define TOP_CUDA_FIND(name, parameters)                                        \
  functions.name = reinterpret_cast<CudaResult(*) parameters>(                 \
      library.getAddressOfSymbol(#name));                                      \
  if (!functions.name)                                                         \
    return std::string("the CUDA driver has no '" #name "'; is it older than " \
                       "CUDA 11.4?");
    TOP_CUDA_FUNCTIONS(TOP_CUDA_FIND)
#undef TOP_CUDA_FIND
    return std::string();
  }();
  if (!failure.empty())
    return llvm::make_error<NoCudaDeviceError>(failure);
  return &functions;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string describe(const CudaFunctions &functions, StringRef call,
                            CudaResult result) {
  std::string text = (call + " failed: ").str();
  const char *name = nullptr, *meaning = nullptr;
  if (functions.cuGetErrorName(result, &name) != cuda::kSuccess || !name)
    return text + "error " + std::to_string(result);
  text += name;
  if (functions.cuGetErrorString(result, &meaning) == cuda::kSuccess && meaning)
    text += std::string(" (") + meaning + ")";
  return text;
}

Error CudaContext::check(StringRef call, CudaResult result) const {
  if (result == cuda::kSuccess)
    return Error::success();
  return createStringError(describe(functions, call, result));
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<CudaContext>>
CudaContext::create(const CudaFunctions &functions, int ordinal) {
  // A driver without a device, or one that does not fit the kernel module, says
  // so here.
  if (CudaResult result = functions.cuInit(0))
    return llvm::make_error<NoCudaDeviceError>(
        "no CUDA device: " + describe(functions, "cuInit", result));
  int count = 0;
  CudaResult result = functions.cuDeviceGetCount(&count);
  if (result != cuda::kSuccess && result != cuda::kErrorNoDevice)
    return createStringError(describe(functions, "cuDeviceGetCount", result));
  if (ordinal < 0 || ordinal >= count)
    return llvm::make_error<NoCudaDeviceError>(
        count == 0 ? std::string("no CUDA device")
                   : "no CUDA device " + std::to_string(ordinal) + " of " +
                         std::to_string(count));
  std::unique_ptr<CudaContext> context(new CudaContext(functions));
  if (Error error = context->open(ordinal))
    return std::move(error);
  return context;
}

Error CudaContext::open(int ordinal) {
  if (Error error = TOP_CUDA_CALL(cuDeviceGet, &device, ordinal))
    return error;
  char text[256] = {};
  if (Error error = TOP_CUDA_CALL(cuDeviceGetName, text, sizeof(text), device))
    return error;
  name = text;
  int64_t major = 0, minor = 0;
  const std::pair<int, int64_t *> attributes[] = {
      {cuda::kComputeCapabilityMajor, &major},
      {cuda::kComputeCapabilityMinor, &minor},
      {cuda::kMaxThreadsPerBlock, &limits.threadsPerBlock},
      {cuda::kMaxBlockDimX, &limits.block[0]},
      {cuda::kMaxBlockDimX + 1, &limits.block[1]},
      {cuda::kMaxBlockDimX + 2, &limits.block[2]},
      {cuda::kMaxGridDimX, &limits.grid[0]},
      {cuda::kMaxGridDimX + 1, &limits.grid[1]},
      {cuda::kMaxGridDimX + 2, &limits.grid[2]},
      {cuda::kMaxSharedMemoryPerBlockOptin, &limits.sharedBytesPerBlock},
      {cuda::kMaxPitch, &limits.pitch},
      {cuda::kL2CacheSize, &l2Bytes}};
  for (auto [attribute, value] : attributes) {
    int number = 0;
    if (Error error =
            TOP_CUDA_CALL(cuDeviceGetAttribute, &number, attribute, device))
      return error;
    *value = number;
  }
  capability = major * 10 + minor;
  if (Error error = TOP_CUDA_CALL(cuDevicePrimaryCtxRetain, &context, device)) {
    context = nullptr;
    return error;
  }
  return TOP_CUDA_CALL(cuCtxSetCurrent, context);
}

CudaContext::~CudaContext() {
  if (!context)
    return;
  // The last release ends the primary context, and with it the state of a
  // kernel that faulted: the next one to open the device finds it in order.
  (void)functions.cuCtxSetCurrent(nullptr);
  (void)functions.cuDevicePrimaryCtxRelease_v2(device);
}

Expected<int64_t> CudaContext::getFreeBytes() {
  size_t free = 0, total = 0;
  if (Error error = TOP_CUDA_CALL(cuMemGetInfo_v2, &free, &total))
    return std::move(error);
  return free;
}

Expected<std::string> CudaContext::getPciBusId() {
  char text[32] = {};
  if (Error error =
          TOP_CUDA_CALL(cuDeviceGetPCIBusId, text, sizeof(text) - 1, device))
    return std::move(error);
  return std::string(text);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void top::releaseMemory(CudaContext &context, CudaAddress address) {
  (void)context.getFunctions().cuMemFree_v2(address);
}

Expected<CudaMemory> CudaContext::allocate(int64_t bytes) {
  CudaAddress address = 0;
  if (Error error =
          TOP_CUDA_CALL(cuMemAlloc_v2, &address, std::max<int64_t>(bytes, 1)))
    return createStringError(llvm::toString(std::move(error)) + " for " +
                             std::to_string(bytes) + " bytes");
  return CudaMemory(*this, address);
}

Error CudaContext::copyToDevice(CudaAddress to, const void *from,
                                int64_t bytes) {
  if (bytes == 0)
    return Error::success();
  return TOP_CUDA_CALL(cuMemcpyHtoD_v2, to, from, bytes);
}

Error CudaContext::copyToHost(void *to, CudaAddress from, int64_t bytes) {
  if (bytes == 0)
    return Error::success();
  return TOP_CUDA_CALL(cuMemcpyDtoH_v2, to, from, bytes);
}

Error CudaContext::fill(CudaAddress address, uint8_t value, int64_t bytes) {
  if (bytes == 0)
    return Error::success();
  return TOP_CUDA_CALL(cuMemsetD8_v2, address, value, bytes);
}

Error CudaContext::copy(CudaAddress to, CudaAddress from, int64_t bytes,
                        const CudaStream &stream) {
  if (bytes == 0)
    return Error::success();
  return TOP_CUDA_CALL(cuMemcpyDtoDAsync_v2, to, from, bytes, stream.get());
}

Error CudaContext::copyRows(CudaAddress to, int64_t toPitch, CudaAddress from,
                            int64_t fromPitch, int64_t width, int64_t height,
                            const CudaStream &stream) {
  CudaCopy2D copy{};
  copy.sourceKind = copy.destinationKind = cuda::kMemoryTypeDevice;
  copy.sourceDevice = from;
  copy.sourcePitch = fromPitch;
  copy.destinationDevice = to;
  copy.destinationPitch = toPitch;
  copy.widthInBytes = width;
  copy.height = height;
  return TOP_CUDA_CALL(cuMemcpy2DAsync_v2, &copy, stream.get());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void top::releaseModule(CudaContext &context, CudaHandle module) {
  (void)context.getFunctions().cuModuleUnload(module);
}

Expected<CudaModule> CudaContext::load(StringRef ptx) {
  std::string text = ptx.str(); // ends in a zero byte
  char log[4096] = {};
  int options[] = {cuda::kJitErrorLog, cuda::kJitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  CudaHandle module = nullptr;
  Error error = TOP_CUDA_CALL(cuModuleLoadDataEx, &module, text.c_str(), 2,
                              options, values);
  if (!error)
    return CudaModule(*this, module);
  SmallVector<StringRef> lines;
  StringRef(log).split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty())
    return std::move(error);
  return createStringError(llvm::toString(std::move(error)) + ": " +
                           llvm::join(lines, "; "));
}

Expected<CudaKernel> CudaContext::getKernel(const CudaModule &module,
                                            StringRef name) {
  CudaKernel kernel;
  kernel.name = name.str();
  if (Error error = TOP_CUDA_CALL(cuModuleGetFunction, &kernel.function,
                                  module.get(), kernel.name.c_str()))
    return createStringError(llvm::toString(std::move(error)) +
                             " for kernel '" + name + "'");
  const std::pair<int, int64_t *> attributes[] = {
      {cuda::kFuncMaxThreadsPerBlock, &kernel.threadsPerBlock},
      {cuda::kFuncSharedSizeBytes, &kernel.staticSharedBytes},
      {cuda::kFuncNumRegs, &kernel.registers},
      {cuda::kFuncLocalSizeBytes, &kernel.localBytes}};
  for (auto [attribute, value] : attributes) {
    int number = 0;
    if (Error error = TOP_CUDA_CALL(cuFuncGetAttribute, &number, attribute,
                                    kernel.function))
      return std::move(error);
    *value = number;
  }
  return kernel;
}

Error CudaContext::checkLaunch(const CudaKernel &kernel,
                               const CudaLaunch &launch) {
  std::string limit;
  llvm::raw_string_ostream os(limit);
  auto checkExtents = [&](StringRef what, const std::array<int64_t, 3> &extents,
                          const std::array<int64_t, 3> &allowed) {
    for (auto [axis, extent, most] :
         llvm::zip(StringRef("xyz"), extents, allowed))
      if (limit.empty() && (extent < 1 || extent > most))
        os << "needs a " << what << " of " << extent << " along " << axis
           << ", but '" << name << "' allows 1 to " << most;
  };
  checkExtents("grid", launch.grid, limits.grid);
  checkExtents("block", launch.block, limits.block);
  const int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const int64_t shared = kernel.staticSharedBytes + launch.sharedBytes;
  if (!limit.empty())
    ; // the extents may overflow a product
  else if (threads > limits.threadsPerBlock)
    os << "needs " << threads << " threads a block, but '" << name
       << "' allows " << limits.threadsPerBlock;
  else if (threads > kernel.threadsPerBlock) {
    os << "needs " << threads << " threads a block, but ";
    if (kernel.registers != 0) // of a simulated GPU they are not known
      os << "with " << kernel.registers << " registers a thread ";
    os << "it can have " << kernel.threadsPerBlock;
  } else if (launch.sharedBytes < 0 || shared > limits.sharedBytesPerBlock)
    os << "needs " << shared << " bytes of shared memory, but '" << name
       << "' allows " << limits.sharedBytesPerBlock;
  if (limit.empty())
    return Error::success();
  return createStringError("cannot launch kernel '" + kernel.name + "': it " +
                           limit);
}

Error CudaContext::launch(const CudaKernel &kernel, const CudaLaunch &launch,
                          llvm::MutableArrayRef<void *> parameters,
                          const CudaStream &stream) {
  if (Error error = checkLaunch(kernel, launch))
    return error;
  // What a kernel may use unasked is 48 KiB.
  if (Error error = TOP_CUDA_CALL(cuFuncSetAttribute, kernel.function,
                                  cuda::kFuncMaxDynamicSharedSizeBytes,
                                  launch.sharedBytes))
    return error;
  Error error = TOP_CUDA_CALL(
      cuLaunchKernel, kernel.function, launch.grid[0], launch.grid[1],
      launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
      launch.sharedBytes, stream.get(), parameters.data(), nullptr);
  if (!error)
    return error;
  return createStringError(llvm::toString(std::move(error)) + " for kernel '" +
                           kernel.name + "'");
}

//===----------------------------------------------------------------------===//
// Streams, graphs, events
//===----------------------------------------------------------------------===//

void top::releaseStream(CudaContext &context, CudaHandle stream) {
  (void)context.getFunctions().cuStreamDestroy_v2(stream);
}
void top::releaseEvent(CudaContext &context, CudaHandle event) {
  (void)context.getFunctions().cuEventDestroy_v2(event);
}
void top::releaseGraph(CudaContext &context, CudaHandle graph) {
  (void)context.getFunctions().cuGraphExecDestroy(graph);
}

Expected<CudaStream> CudaContext::createStream() {
  CudaHandle stream = nullptr;
  // Not a non-blocking one: it is to wait for the copies and fills that go
  // without a stream, which may still be under way when their calls return.
  if (Error error =
          TOP_CUDA_CALL(cuStreamCreate, &stream, cuda::kStreamDefault))
    return std::move(error);
  return CudaStream(*this, stream);
}

Error CudaContext::synchronize(const CudaStream &stream) {
  return TOP_CUDA_CALL(cuStreamSynchronize, stream.get());
}

Expected<CudaGraph> CudaContext::capture(const CudaStream &stream,
                                         llvm::function_ref<Error()> enqueue) {
  if (Error error = TOP_CUDA_CALL(cuStreamBeginCapture_v2, stream.get(),
                                  cuda::kCaptureThreadLocal))
    return std::move(error);
  Error error = enqueue();
  // Ended in any case: else the stream could not be used again.
  CudaHandle graph = nullptr, executable = nullptr;
  Error end = TOP_CUDA_CALL(cuStreamEndCapture, stream.get(), &graph);
  if (error) {
    llvm::consumeError(std::move(end));
  } else if (end) {
    error = std::move(end);
  } else {
    error = TOP_CUDA_CALL(cuGraphInstantiateWithFlags, &executable, graph, 0);
  }
  if (graph)
    (void)functions.cuGraphDestroy(graph);
  if (error)
    return std::move(error);
  return CudaGraph(*this, executable);
}

Error CudaContext::launch(const CudaGraph &graph, const CudaStream &stream) {
  return TOP_CUDA_CALL(cuGraphLaunch, graph.get(), stream.get());
}

Expected<CudaEvent> CudaContext::createEvent() {
  CudaHandle event = nullptr;
  if (Error error = TOP_CUDA_CALL(cuEventCreate, &event, 0))
    return std::move(error);
  return CudaEvent(*this, event);
}

Error CudaContext::record(const CudaEvent &event, const CudaStream &stream) {
  return TOP_CUDA_CALL(cuEventRecord, event.get(), stream.get());
}

Error CudaContext::wait(const CudaEvent &event, const CudaStream &stream) {
  return TOP_CUDA_CALL(cuStreamWaitEvent, stream.get(), event.get(), 0);
}

Error CudaContext::synchronize(const CudaEvent &event) {
  return TOP_CUDA_CALL(cuEventSynchronize, event.get());
}

Expected<double> CudaContext::getSeconds(const CudaEvent &start,
                                         const CudaEvent &end) {
  float milliseconds = 0;
  if (Error error = TOP_CUDA_CALL(cuEventElapsedTime, &milliseconds,
                                  start.get(), end.get()))
    return std::move(error);
  return milliseconds * 1e-3;
}
