//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A simulated device: modules, launches, copies; see SimulatedDriver.h.
//
//===----------------------------------------------------------------------===//

#include "SimulatedDevice.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;
using namespace mlir::top;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

SimulatedDriver::Impl *&SimulatedDriver::Impl::current() {
  static thread_local Impl *driver = nullptr;
  return driver;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

CudaResult SimulatedDriver::Impl::load(CudaHandle *module, StringRef text,
                                       char *log, size_t logBytes) {
  Expected<std::unique_ptr<SimulatedModule>> code = SimulatedModule::load(text);
  if (!code) {
    std::string reason = llvm::toString(code.takeError());
    if (log && logBytes != 0)
      *llvm::copy(StringRef(reason).take_front(logBytes - 1), log) = '\0';
    return fail(cuda::kInvalidImage, "the simulated GPU cannot load it");
  }
  *module = createHandle();
  modules[*module].code = std::move(*code);
  return cuda::kSuccess;
}

LoadedModule *SimulatedDriver::Impl::findModule(const SimulatedKernel *kernel) {
  for (auto &[handle, module] : modules)
    if (kernel && module.code->lookup(kernel->kernel->name) == kernel)
      return &module;
  return nullptr;
}

/// Only what a kernel may write is writable while it runs.
Error SimulatedDriver::Impl::setWritableBuffers(const SimulatedKernel &kernel,
                                                void **parameters) {
  llvm::DenseMap<CudaAddress, bool> writable;
  for (unsigned index : kernel.writable) {
    CudaAddress address;
    std::memcpy(&address, parameters[index], sizeof(address));
    auto after = buffers.upper_bound(address);
    if (after != buffers.begin())
      writable[std::prev(after)->first] = true;
  }
  for (auto &[address, buffer] : buffers) {
    const bool isWritable = writable.lookup(address);
    if (buffer.isWritable == isWritable)
      continue;
    if (Error error = machine->setWritable(address, isWritable))
      return error;
    buffer.isWritable = isWritable;
  }
  return Error::success();
}

CudaResult SimulatedDriver::Impl::failLaunch(Error error) {
  faults.clear();
  numFaults = 0;
  Error rest =
      llvm::handleErrors(std::move(error), [&](const sim::FaultError &fault) {
        faults = fault.getFaults().vec();
        numFaults = fault.getTotal();
      });
  if (rest)
    return fail(cuda::kInvalidValue, std::move(rest));
  return fail(
      cuda::kLaunchFailed,
      llvm::formatv("{0}: {1}", sim::getName(faults.front().kind),
                    StringRef(faults.front().message).split('\n').first));
}

CudaResult SimulatedDriver::Impl::launch(const SimulatedKernel *kernel,
                                         const sim::LaunchShape &shape,
                                         void **parameters) {
  LoadedModule *module = findModule(kernel);
  if (!module)
    return fail(cuda::kInvalidHandle, "no kernel of a loaded module");
  const int64_t fixed = module->code->getStaticSharedBytes();
  auto asked = module->dynamicSharedBytes.find(kernel);
  const int64_t allowed = asked != module->dynamicSharedBytes.end()
                              ? asked->second
                              : target.arch.staticSharedBytes - fixed;
  if (shape.sharedBytes > allowed)
    return fail(cuda::kInvalidValue,
                llvm::formatv("{0} bytes of dynamic shared memory, {1} have "
                              "been asked for by cuFuncSetAttribute",
                              shape.sharedBytes, allowed));
  if (Error error = setWritableBuffers(*kernel, parameters))
    return fail(cuda::kInvalidValue, std::move(error));
  program = kernel->program;
  if (Error error = machine->launch(
          *kernel->program, *kernel->kernel, shape,
          llvm::ArrayRef(parameters, kernel->kernel->numParameters)))
    return failLaunch(std::move(error));
  return cuda::kSuccess;
}

CudaResult SimulatedDriver::Impl::copy(CudaAddress to, CudaAddress from,
                                       int64_t bytes) {
  std::vector<char> data(bytes);
  if (Error error = machine->read(data.data(), from, bytes))
    return fail(cuda::kInvalidValue, std::move(error));
  return finish(machine->write(to, data.data(), bytes));
}

CudaResult SimulatedDriver::Impl::copy(const CudaCopy2D &rows) {
  if (rows.sourceKind != cuda::kMemoryTypeDevice ||
      rows.destinationKind != cuda::kMemoryTypeDevice)
    return fail(cuda::kNotSupported,
                "2-D copies between buffers of the device only");
  if (rows.sourcePitch < rows.widthInBytes ||
      rows.destinationPitch < rows.widthInBytes)
    return fail(cuda::kInvalidValue, "the pitch is less than the width");
  for (size_t row = 0; row < rows.height; ++row)
    if (CudaResult result =
            copy(rows.destinationDevice + rows.destinationX +
                     (rows.destinationY + row) * rows.destinationPitch,
                 rows.sourceDevice + rows.sourceX +
                     (rows.sourceY + row) * rows.sourcePitch,
                 rows.widthInBytes))
      return result;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// SimulatedDriver
//===----------------------------------------------------------------------===//

static sim::MachineOptions limit(sim::MachineOptions options,
                                 const GPUTarget &target) {
  options.sharedBytesPerBlock = target.arch.sharedBytesPerBlock;
  return options;
}

SimulatedDriver::SimulatedDriver(const GPUTarget &target,
                                 const sim::MachineOptions &options)
    : impl(std::make_unique<Impl>(target, limit(options, target))) {
  impl->previous = Impl::current();
  Impl::current() = impl.get();
}

void SimulatedDriver::restart(const sim::MachineOptions &options) {
  assert(impl->buffers.empty() && "buffers live in the machine");
  impl->machine.emplace(limit(options, impl->target));
  impl->faults.clear();
  impl->numFaults = 0;
}

SimulatedDriver::~SimulatedDriver() {
  // Drivers need not end in the order in which they were made.
  Impl **link = &Impl::current();
  while (*link && *link != impl.get())
    link = &(*link)->previous;
  if (*link)
    *link = impl->previous;
}

llvm::ArrayRef<sim::Fault> SimulatedDriver::getFaults() const {
  return impl->faults;
}
uint64_t SimulatedDriver::getNumFaults() const { return impl->numFaults; }
const sim::Statistics &SimulatedDriver::getStatistics() const {
  return impl->machine->getStatistics();
}
const sim::Program *SimulatedDriver::getProgram() const {
  return impl->program;
}
