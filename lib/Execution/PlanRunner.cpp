//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers, launches and copies of a launch plan.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/PlanRunner.h"

#include "mlir/IR/Diagnostics.h"
#include "top/Execution/Constants.h"

#include <cstring>

using namespace mlir;
using namespace mlir::top;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// Bytes of poison on either side of a guarded buffer; keeps its alignment.
static constexpr int64_t kBandBytes = Tensor::kGuardBytes;
static_assert(kBandBytes % PlanBuffer::alignment == 0);
/// NaN in every float type.
static uint8_t getPoison(const PlanBuffer &buffer) {
  return getPoisonByte(
      getElementKind(buffer.elementType).value_or(ElementKind::F32));
}

static std::string describe(const LaunchPlan &plan, unsigned index) {
  const PlanBuffer &buffer = plan.buffers[index];
  switch (buffer.kind) {
  case PlanBuffer::Argument:
    return "argument #" + std::to_string(buffer.index);
  case PlanBuffer::Result:
    return "result #" + std::to_string(buffer.index);
  case PlanBuffer::Constant:
    return "a constant";
  case PlanBuffer::Workspace:
    return "a buffer of its own";
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Expected<PlanBuffers>
PlanBuffers::create(CudaContext &context, const LaunchPlan &plan,
                    ArrayRef<std::optional<Tensor>> constants, bool guarded) {
  PlanBuffers buffers;
  buffers.context = &context;
  buffers.plan = &plan;
  buffers.constants = constants;
  buffers.guarded = guarded;
  for (auto [index, buffer] : llvm::enumerate(plan.buffers)) {
    const int64_t bytes = buffer.bytes + (guarded ? 2 * kBandBytes : 0);
    Expected<CudaMemory> memory = context.allocate(bytes);
    if (!memory)
      return memory.takeError();
    buffers.memory.push_back(std::move(*memory));
    if (guarded)
      if (Error error = context.fill(buffers.memory.back().get(),
                                     getPoison(buffer), bytes))
        return std::move(error);
    if (const std::optional<Tensor> &values = constants[index])
      if (Error error = context.copyToDevice(buffers.getAddress(index),
                                             values->getData(), buffer.bytes))
        return std::move(error);
  }
  return buffers;
}

CudaAddress PlanBuffers::getAddress(unsigned index) const {
  return memory[index].get() + (guarded ? kBandBytes : 0);
}

Error PlanBuffers::upload(ArrayRef<const Tensor *> arguments) {
  for (auto [number, index] : llvm::enumerate(plan->arguments))
    if (Error error = context->copyToDevice(getAddress(index),
                                            arguments[number]->getData(),
                                            arguments[number]->getNumBytes()))
      return error;
  if (!guarded)
    return Error::success();
  for (auto [index, buffer] : llvm::enumerate(plan->buffers))
    if (buffer.kind == PlanBuffer::Result ||
        buffer.kind == PlanBuffer::Workspace)
      if (Error error =
              context->fill(getAddress(index), getPoison(buffer), buffer.bytes))
        return error;
  return Error::success();
}

Error PlanBuffers::download(unsigned index, Tensor &into) {
  return context->copyToHost(into.getData(), getAddress(index),
                             into.getNumBytes());
}

Error PlanBuffers::checkBand(unsigned index, CudaAddress band) {
  std::array<uint8_t, kBandBytes> bytes;
  if (Error error = context->copyToHost(bytes.data(), band, kBandBytes))
    return error;
  const uint8_t poison = getPoison(plan->buffers[index]);
  if (llvm::all_of(bytes, [&](uint8_t byte) { return byte == poison; }))
    return Error::success();
  return createStringError("wrote outside of " + describe(*plan, index));
}

Error PlanBuffers::checkUnchanged(unsigned index, const Tensor &original) {
  Tensor now(original.getKind(), original.getShape());
  if (Error error = download(index, now))
    return error;
  if (std::memcmp(now.getData(), original.getData(), now.getNumBytes()) == 0)
    return Error::success();
  return createStringError("wrote into " + describe(*plan, index));
}

Error PlanBuffers::check(ArrayRef<const Tensor *> arguments) {
  if (!guarded)
    return Error::success();
  for (auto [index, buffer] : llvm::enumerate(plan->buffers)) {
    if (Error error = checkBand(index, getAddress(index) - kBandBytes))
      return error;
    if (Error error = checkBand(index, getAddress(index) + buffer.bytes))
      return error;
    if (constants[index])
      if (Error error = checkUnchanged(index, *constants[index]))
        return error;
  }
  for (auto [number, index] : llvm::enumerate(plan->arguments))
    if (Error error = checkUnchanged(index, *arguments[number]))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Calls `body` with the offsets of each place of `loops`.
static Error forEachPlace(ArrayRef<BoxCopy::Loop> loops, int64_t source,
                          int64_t destination,
                          llvm::function_ref<Error(int64_t, int64_t)> body) {
  if (loops.empty())
    return body(source, destination);
  const BoxCopy::Loop &loop = loops.front();
  for (int64_t i = 0; i < loop.extent; ++i)
    if (Error error =
            forEachPlace(loops.drop_front(), source + i * loop.sourceStride,
                         destination + i * loop.destinationStride, body))
      return error;
  return Error::success();
}

Error PlanRunner::enqueue(const PlanCopy &copy, const PlanBuffers &buffers,
                          const CudaStream &stream) {
  const BoxCopy box = planBoxCopy(copy, context->getLimits().pitch);
  if (box.rows == 0)
    return Error::success();
  const CudaAddress from = buffers.getAddress(copy.source);
  const CudaAddress to = buffers.getAddress(copy.destination);
  return forEachPlace(box.loops, copy.sourceOffset, copy.destinationOffset,
                      [&](int64_t source, int64_t destination) {
                        if (box.rows == 1)
                          return context->copy(to + destination, from + source,
                                               box.width, stream);
                        return context->copyRows(to + destination,
                                                 box.destinationPitch,
                                                 from + source, box.sourcePitch,
                                                 box.width, box.rows, stream);
                      });
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Error PlanRunner::enqueue(const PlanLaunch &launch, const PlanBuffers &buffers,
                          const CudaStream &stream) {
  SmallVector<uint64_t> values;
  for (const PlanArgument &argument : launch.arguments)
    values.push_back(argument.scalar ? *argument.scalar
                                     : buffers.getAddress(argument.buffer) +
                                           argument.byteOffset);
  SmallVector<void *> parameters;
  for (uint64_t &value : values)
    parameters.push_back(&value);
  return context->launch(kernels.find(launch.kernel)->second,
                         {launch.grid, launch.block, launch.sharedBytes},
                         parameters, stream);
}

Error PlanRunner::enqueue(const PlanBuffers &buffers, StepStreams &streams,
                          const CudaStream &stream) {
  return streams.run(stream, [&](unsigned step, const CudaStream &own) {
    return std::visit([&](const auto &s) { return enqueue(s, buffers, own); },
                      plan->steps[step]);
  });
}

SmallVector<std::pair<const PlanLaunch *, const CudaKernel *>>
PlanRunner::getLaunches() const {
  SmallVector<std::pair<const PlanLaunch *, const CudaKernel *>> launches;
  for (const auto &step : plan->steps)
    if (auto *launch = std::get_if<PlanLaunch>(&step))
      launches.push_back({launch, &kernels.find(launch->kernel)->second});
  return launches;
}

Expected<PlanRunner> PlanRunner::create(CudaContext &context,
                                        const LaunchPlan &plan, StringRef ptx) {
  PlanRunner runner;
  runner.context = &context;
  runner.plan = &plan;
  for (const auto &step : plan.steps) {
    auto *launch = std::get_if<PlanLaunch>(&step);
    if (!launch)
      continue;
    // A plan without kernels has no PTX, which the driver would refuse.
    if (runner.kernels.empty()) {
      Expected<CudaModule> module = context.load(ptx);
      if (!module)
        return module.takeError();
      runner.module = std::move(*module);
    }
    auto [entry, isNew] = runner.kernels.try_emplace(launch->kernel);
    if (isNew) {
      Expected<CudaKernel> kernel =
          context.getKernel(runner.module, launch->kernel);
      if (!kernel)
        return kernel.takeError();
      entry->second = std::move(*kernel);
    }
    if (Error error = context.checkLaunch(
            entry->second, {launch->grid, launch->block, launch->sharedBytes}))
      return std::move(error);
  }
  for (auto [index, buffer] : llvm::enumerate(plan.buffers)) {
    runner.constants.emplace_back();
    if (!buffer.values)
      continue;
    Location loc = UnknownLoc::get(buffer.values.getContext());
    FailureOr<Tensor> values =
        readConstant([&] { return emitError(loc); }, buffer.values);
    if (failed(values))
      return createStringError("cannot read a constant of the plan");
    runner.constants.back() = std::move(*values);
  }
  return runner;
}

Expected<std::vector<Tensor>>
PlanRunner::run(ArrayRef<const Tensor *> arguments, bool guarded) {
  Expected<CudaStream> stream = context->createStream();
  if (!stream)
    return stream.takeError();
  Expected<PlanBuffers> buffers =
      PlanBuffers::create(*context, *plan, constants, guarded);
  if (!buffers)
    return buffers.takeError();
  if (Error error = buffers->upload(arguments))
    return std::move(error);
  Expected<StepStreams> streams = StepStreams::create(*context, *plan);
  if (!streams)
    return streams.takeError();
  if (Error error = enqueue(*buffers, *streams, *stream))
    return std::move(error);
  if (Error error = context->synchronize(*stream))
    return std::move(error);
  if (Error error = buffers->check(arguments))
    return std::move(error);
  std::vector<Tensor> results;
  for (unsigned index : plan->results) {
    const PlanBuffer &buffer = plan->buffers[index];
    std::optional<ElementKind> kind = getElementKind(buffer.elementType);
    if (!kind)
      return createStringError("cannot read a result of this element type");
    results.emplace_back(*kind, buffer.shape);
    if (Error error = buffers->download(index, results.back()))
      return std::move(error);
  }
  return results;
}
