//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Timing launch plans and libraries, see PlanTiming.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/PlanTiming.h"

#include "top/Execution/PlanRunner.h"
#include "llvm/ADT/ScopeExit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

std::vector<double> CallTiming::getSortedSeconds() const {
  std::vector<double> all;
  for (const TimedBlock &block : blocks)
    llvm::append_range(all, block.seconds);
  llvm::sort(all);
  return all;
}

double top::getPercentile(ArrayRef<double> sorted, double p) {
  size_t rank = std::ceil(p / 100 * sorted.size());
  return sorted[std::max<size_t>(rank, 1) - 1];
}

double top::getMean(ArrayRef<double> numbers) {
  double sum = 0;
  for (double number : numbers)
    sum += number;
  return sum / numbers.size();
}

//===----------------------------------------------------------------------===//
// Replays
//===----------------------------------------------------------------------===//

namespace {

/// The plan or the library: how a call is made, and the graph of its calls.
struct Contender {
  StringRef name;
  std::function<Error(const PlanBuffers &)> enqueue;
  int64_t steps; ///< of a call
  CallTiming *timing;
  CudaGraph graph;
  int replays = 1; ///< of a block
};

class PlanTimer {
public:
  PlanTimer(CudaContext &context, const CudaStream &stream,
            const PlanTimingOptions &options,
            const std::vector<PlanBuffers> &sets)
      : context(context), stream(stream), options(options), sets(sets) {}

  /// Makes the graph and warms up.
  Error prepare(Contender &contender);
  Expected<TimedBlock> runBlock(const Contender &contender);

private:
  Error capture(Contender &contender, int64_t rounds);
  /// `count` replays. All are in the stream before the first has ended; another
  /// one in front of them keeps the device busy until they are.
  Expected<TimedBlock> replay(const Contender &contender, int count,
                              const DeviceMonitor *monitor = nullptr);

  CudaContext &context;
  const CudaStream &stream;
  const PlanTimingOptions &options;
  const std::vector<PlanBuffers> &sets;
};

} // namespace

Error PlanTimer::capture(Contender &contender, int64_t rounds) {
  Expected<CudaGraph> graph = context.capture(stream, [&]() -> Error {
    for (int64_t round = 0; round < rounds; ++round)
      for (const PlanBuffers &buffers : sets)
        if (Error error = contender.enqueue(buffers))
          return error;
    return Error::success();
  });
  if (!graph)
    return graph.takeError();
  contender.graph = std::move(*graph);
  contender.timing->calls = rounds * sets.size();
  return Error::success();
}

Expected<TimedBlock> PlanTimer::replay(const Contender &contender, int count,
                                       const DeviceMonitor *monitor) {
  std::vector<CudaEvent> events;
  for (int i = 0; i <= count; ++i) {
    Expected<CudaEvent> event = context.createEvent();
    if (!event)
      return event.takeError();
    events.push_back(std::move(*event));
  }
  for (const CudaEvent &event : events) {
    if (Error error = context.launch(contender.graph, stream))
      return std::move(error);
    if (Error error = context.record(event, stream))
      return std::move(error);
  }
  TimedBlock block;
  if (monitor) {
    if (Error error = context.synchronize(events[count / 2]))
      return std::move(error);
    block.state = monitor->read();
  }
  if (Error error = context.synchronize(stream))
    return std::move(error);
  for (int i = 0; i < count; ++i) {
    Expected<double> elapsed = context.getSeconds(events[i], events[i + 1]);
    if (!elapsed)
      return elapsed.takeError();
    block.seconds.push_back(*elapsed / contender.timing->calls);
  }
  return block;
}

/// How many of `each` seconds make up `wanted`.
static double countFor(double wanted, double each) {
  return std::ceil(wanted / std::max(each, 1e-9));
}

Error PlanTimer::prepare(Contender &contender) {
  if (Error error = capture(contender, /*rounds=*/1))
    return error;
  Expected<TimedBlock> first = replay(contender, 3);
  if (!first)
    return first.takeError();
  const double roundSeconds =
      *llvm::min_element(first->seconds) * contender.timing->calls;
  const int64_t mostRounds = std::max<int64_t>(
      kMaxGraphNodes / (contender.steps * static_cast<int64_t>(sets.size())),
      1);
  const double rounds = std::clamp<double>(
      countFor(options.replaySeconds, roundSeconds), 1, mostRounds);
  if (rounds > 1)
    if (Error error = capture(contender, rounds))
      return error;
  auto countReplays = [&](double seconds, double replaySeconds) -> int {
    return std::clamp<double>(countFor(seconds, replaySeconds), 1,
                              options.maxReplays);
  };
  Expected<TimedBlock> warm = replay(
      contender, countReplays(options.warmUpSeconds, roundSeconds * rounds));
  if (!warm)
    return warm.takeError();
  contender.replays =
      std::max(countReplays(options.blockSeconds,
                            warm->seconds.back() * contender.timing->calls),
               options.minReplays);
  return Error::success();
}

Expected<TimedBlock> PlanTimer::runBlock(const Contender &contender) {
  return replay(contender, contender.replays, options.monitor);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

namespace {

/// Bytes of a set of buffers.
struct SetBytes {
  int64_t used = 0; ///< by whoever computes the function
  int64_t all = 0;  ///< with what only the plan needs
};

} // namespace

static SetBytes countBytes(const LaunchPlan &plan) {
  SetBytes bytes;
  for (const PlanBuffer &buffer : plan.buffers) {
    bytes.all += buffer.bytes;
    if (buffer.kind != PlanBuffer::Workspace)
      bytes.used += buffer.bytes;
  }
  return bytes;
}

/// One call of `baseline` on `buffers`.
static Error enqueueBaseline(Baseline &baseline, const LaunchPlan &plan,
                             const PlanBuffers &buffers) {
  SmallVector<CudaAddress> arguments;
  for (unsigned index : plan.arguments)
    arguments.push_back(buffers.getAddress(index));
  return baseline.enqueue(arguments, buffers.getAddress(plan.results.front()));
}

/// What `baseline` computes. Its first run is not captured: a library may then
/// load its kernels.
static Expected<Tensor> runBaseline(Baseline &baseline, CudaContext &context,
                                    const LaunchPlan &plan,
                                    PlanBuffers &buffers,
                                    const CudaStream &stream) {
  const unsigned index = plan.results.front();
  const PlanBuffer &buffer = plan.buffers[index];
  std::optional<ElementKind> kind = getElementKind(buffer.elementType);
  if (!kind)
    return createStringError("cannot read a result of this element type");
  // NaN where it writes nothing.
  if (Error error = context.fill(buffers.getAddress(index), 0xff, buffer.bytes))
    return std::move(error);
  if (Error error = enqueueBaseline(baseline, plan, buffers))
    return std::move(error);
  if (Error error = context.synchronize(stream))
    return std::move(error);
  Tensor result(*kind, buffer.shape);
  if (Error error = buffers.download(index, result))
    return std::move(error);
  return result;
}

Expected<PlanTiming> PlanRunner::benchmark(ArrayRef<const Tensor *> arguments,
                                           const PlanTimingOptions &options) {
  Baseline *baseline = options.baseline;
  assert((!baseline || plan->results.size() == 1) &&
         "a baseline has one result");
  Expected<CudaStream> stream = context->createStream();
  if (!stream)
    return stream.takeError();
  // Behind the stream, so that it ends before that is given back.
  llvm::scope_exit endBaseline([&] {
    if (baseline)
      baseline->end();
  });
  if (baseline)
    if (Error error = baseline->begin(*stream))
      return std::move(error);
  Expected<StepStreams> streams = StepStreams::create(*context, *plan);
  if (!streams)
    return streams.takeError();
  Expected<int64_t> freeBytes = context->getFreeBytes();
  if (!freeBytes)
    return freeBytes.takeError();

  PlanTiming timing;
  const SetBytes bytes = countBytes(*plan);
  const int64_t steps = std::max<int64_t>(plan->steps.size(), 1);
  timing.sets = std::max<int64_t>(
      std::min(
          {2 * context->getL2Bytes() / std::max<int64_t>(bytes.used, 1) + 1,
           *freeBytes / 2 / std::max<int64_t>(bytes.all, 1),
           kMaxGraphNodes / steps}),
      1);
  timing.rotatedBytes = timing.sets * bytes.used;
  std::vector<PlanBuffers> sets;
  for (int64_t i = 0; i < timing.sets; ++i) {
    Expected<PlanBuffers> buffers =
        PlanBuffers::create(*context, *plan, constants, /*guarded=*/false);
    if (!buffers)
      return buffers.takeError();
    sets.push_back(std::move(*buffers));
    if (Error error = sets.back().upload(arguments))
      return std::move(error);
  }

  std::vector<Contender> contenders;
  contenders.push_back({"ours",
                        [&](const PlanBuffers &buffers) {
                          return enqueue(buffers, *streams, *stream);
                        },
                        steps, &timing.ours});
  if (baseline) {
    Expected<Tensor> result =
        runBaseline(*baseline, *context, *plan, sets.front(), *stream);
    if (!result)
      return result.takeError();
    timing.baselineResults.push_back(std::move(*result));
    contenders.push_back({baseline->getName(),
                          [&](const PlanBuffers &buffers) {
                            return enqueueBaseline(*baseline, *plan, buffers);
                          },
                          /*steps=*/1, &timing.baseline.emplace()});
  }
  PlanTimer timer(*context, *stream, options, sets);
  for (Contender &contender : contenders)
    if (Error error = timer.prepare(contender))
      return std::move(error);
  for (int block = 0, number = 0; block < options.blocks; ++block)
    for (const Contender &contender : contenders) {
      Expected<TimedBlock> timed = timer.runBlock(contender);
      if (!timed)
        return timed.takeError();
      if (options.onBlock)
        options.onBlock(contender.name, number++, *timed);
      contender.timing->blocks.push_back(std::move(*timed));
    }
  return timing;
}
