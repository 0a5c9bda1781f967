//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA device as C++ objects: what is acquired is released, and every failure
// is an llvm::Error that names the call and CUDA's name of the error. Knows no
// IR and no launch plan.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_CUDADRIVER_H
#define TOP_EXECUTION_CUDADRIVER_H

#include "top/Execution/CudaFunctions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <string>

namespace mlir::top {

/// There is no driver or no device: not a fault of the program.
class NoCudaDeviceError : public llvm::ErrorInfo<NoCudaDeviceError> {
public:
  static char ID;
  explicit NoCudaDeviceError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::no_such_device);
  }

private:
  std::string text;
};

/// The functions of libcuda.so.1, which stays loaded. Fails with
/// NoCudaDeviceError where there is none, or it is too old.
llvm::Expected<const CudaFunctions *> loadCudaFunctions();

/// What a device allows a launch.
struct CudaLimits {
  int64_t threadsPerBlock;
  std::array<int64_t, 3> block, grid;
  int64_t sharedBytesPerBlock; ///< static and dynamic, opted in for
  int64_t pitch;               ///< bytes between rows of a 2-D copy
};

struct CudaLaunch {
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes; ///< dynamic
};

/// A kernel of a loaded module.
struct CudaKernel {
  std::string name;
  CudaHandle function = nullptr;
  int64_t threadsPerBlock; ///< less than the device's for want of registers
  int64_t staticSharedBytes, registers;
  int64_t localBytes; ///< of a thread: spilled registers, mostly
};

class CudaContext;

/// Something that a context gave; given back at the end of its life, before
/// which the context must not end. A failure to give it back is not reported: a
/// kernel that faulted makes every later call of its context fail, and has
/// been reported itself.
template <typename Handle, void (*release)(CudaContext &, Handle)>
class CudaOwned {
public:
  CudaOwned() = default;
  CudaOwned(CudaContext &context, Handle handle)
      : context(&context), handle(handle) {}
  CudaOwned(CudaOwned &&other) noexcept { *this = std::move(other); }
  CudaOwned &operator=(CudaOwned &&other) noexcept {
    std::swap(context, other.context);
    std::swap(handle, other.handle);
    return *this;
  }
  ~CudaOwned() {
    if (context)
      release(*context, handle);
  }
  Handle get() const { return handle; }

private:
  CudaContext *context = nullptr;
  Handle handle = Handle();
};

void releaseMemory(CudaContext &context, CudaAddress address);
void releaseModule(CudaContext &context, CudaHandle module);
void releaseStream(CudaContext &context, CudaHandle stream);
void releaseEvent(CudaContext &context, CudaHandle event);
void releaseGraph(CudaContext &context, CudaHandle graph);
using CudaMemory = CudaOwned<CudaAddress, releaseMemory>;
using CudaModule = CudaOwned<CudaHandle, releaseModule>;
using CudaStream = CudaOwned<CudaHandle, releaseStream>;
using CudaEvent = CudaOwned<CudaHandle, releaseEvent>;
/// A graph that can be launched.
using CudaGraph = CudaOwned<CudaHandle, releaseGraph>;

/// A device and its primary context, current in the thread that made it. Of one
/// thread.
class CudaContext {
public:
  /// Opens the device number `ordinal` of those that CUDA_VISIBLE_DEVICES
  /// leaves. Fails with NoCudaDeviceError where there is no such device.
  static llvm::Expected<std::unique_ptr<CudaContext>>
  create(const CudaFunctions &functions, int ordinal = 0);
  CudaContext(const CudaContext &) = delete;
  ~CudaContext();

  llvm::StringRef getName() const { return name; }
  /// 90 for compute capability 9.0.
  unsigned getCapability() const { return capability; }
  const CudaLimits &getLimits() const { return limits; }
  int64_t getL2Bytes() const { return l2Bytes; }
  llvm::Expected<int64_t> getFreeBytes();
  /// "0000:19:00.0": how other libraries know the device.
  llvm::Expected<std::string> getPciBusId();

  /// At least one byte; aligned to 256 bytes or more.
  llvm::Expected<CudaMemory> allocate(int64_t bytes);
  llvm::Error copyToDevice(CudaAddress to, const void *from, int64_t bytes);
  llvm::Error copyToHost(void *to, CudaAddress from, int64_t bytes);
  llvm::Error fill(CudaAddress address, uint8_t value, int64_t bytes);
  /// In the order of the stream, as all that takes one.
  llvm::Error copy(CudaAddress to, CudaAddress from, int64_t bytes,
                   const CudaStream &stream);
  /// `height` rows of `width` bytes; pitches are at least `width` and at most
  /// getLimits().pitch.
  llvm::Error copyRows(CudaAddress to, int64_t toPitch, CudaAddress from,
                       int64_t fromPitch, int64_t width, int64_t height,
                       const CudaStream &stream);

  /// Loads PTX. Fails with what the driver's compiler says of it.
  llvm::Expected<CudaModule> load(llvm::StringRef ptx);
  llvm::Expected<CudaKernel> getKernel(const CudaModule &module,
                                       llvm::StringRef name);
  /// Whether a launch is within the limits of the kernel and of the device;
  /// the error names the first that it breaks, what it needs and what there is.
  llvm::Error checkLaunch(const CudaKernel &kernel, const CudaLaunch &launch);
  /// Checks, then launches. `parameters` point at the values.
  llvm::Error launch(const CudaKernel &kernel, const CudaLaunch &launch,
                     llvm::MutableArrayRef<void *> parameters,
                     const CudaStream &stream);

  llvm::Expected<CudaStream> createStream();
  /// Waits; fails where anything in the stream has failed.
  llvm::Error synchronize(const CudaStream &stream);
  /// What `enqueue` puts into the stream, as a graph; nothing is run.
  llvm::Expected<CudaGraph> capture(const CudaStream &stream,
                                    llvm::function_ref<llvm::Error()> enqueue);
  llvm::Error launch(const CudaGraph &graph, const CudaStream &stream);
  llvm::Expected<CudaEvent> createEvent();
  llvm::Error record(const CudaEvent &event, const CudaStream &stream);
  /// What comes into the stream afterwards is behind the recorded event.
  llvm::Error wait(const CudaEvent &event, const CudaStream &stream);
  /// Waits for a recorded event; fails as the other does.
  llvm::Error synchronize(const CudaEvent &event);
  /// Between two recorded events that have happened.
  llvm::Expected<double> getSeconds(const CudaEvent &start,
                                    const CudaEvent &end);

  const CudaFunctions &getFunctions() const { return functions; }

private:
  explicit CudaContext(const CudaFunctions &functions) : functions(functions) {}
  llvm::Error open(int ordinal);
  llvm::Error check(llvm::StringRef call, CudaResult result) const;
  llvm::Expected<int64_t> getAttribute(int attribute);

  const CudaFunctions &functions;
  CudaDevice device = 0;
  CudaHandle context = nullptr;
  std::string name;
  unsigned capability = 0;
  CudaLimits limits{};
  int64_t l2Bytes = 0;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_CUDADRIVER_H
