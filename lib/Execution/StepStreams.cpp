//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StepStreams.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/StepStreams.h"

using namespace mlir;
using namespace mlir::top;
using llvm::Error;
using llvm::Expected;

std::vector<StepPlace> top::placeSteps(const LaunchPlan &plan) {
  std::vector<StepPlace> places(plan.steps.size());
  if (plan.after.empty())
    return places;
  // The last step of each stream. The caller's has one from the start.
  SmallVector<std::optional<unsigned>> last = {std::nullopt};
  for (auto [step, after] : llvm::enumerate(plan.after)) {
    StepPlace &place = places[step];
    auto isFollowed = [&](std::optional<unsigned> end) {
      return end && llvm::is_contained(after, *end);
    };
    auto found = llvm::find_if(last, isFollowed);
    // The caller's stream is free until its first step, which need not wait.
    if (found == last.end() && after.empty() && !last.front())
      found = last.begin();
    if (found == last.end() && last.size() < kMaxStepStreams) {
      last.emplace_back();
      found = std::prev(last.end());
    }
    // Behind a step that it would not have to wait for: the earliest, which is
    // the likeliest to have ended.
    if (found == last.end())
      found = llvm::min_element(last);
    place.stream = found - last.begin();
    for (unsigned earlier : after)
      if (places[earlier].stream != place.stream) {
        place.waits.push_back(earlier);
        places[earlier].isRecorded = true;
      }
    *found = step;
  }
  for (std::optional<unsigned> end : ArrayRef(last).drop_front())
    places[*end].isRecorded = true;
  return places;
}

Expected<StepStreams> StepStreams::create(CudaContext &context,
                                          const LaunchPlan &plan) {
  StepStreams result;
  result.context = &context;
  result.places = placeSteps(plan);
  unsigned count = 1;
  for (const StepPlace &place : result.places) {
    count = std::max(count, place.stream + 1);
    result.ended.emplace_back();
    if (!place.isRecorded)
      continue;
    Expected<CudaEvent> event = context.createEvent();
    if (!event)
      return event.takeError();
    result.ended.back() = std::move(*event);
  }
  while (result.streams.size() + 1 < count) {
    Expected<CudaStream> stream = context.createStream();
    if (!stream)
      return stream.takeError();
    result.streams.push_back(std::move(*stream));
  }
  if (count > 1) {
    Expected<CudaEvent> event = context.createEvent();
    if (!event)
      return event.takeError();
    result.begun = std::move(*event);
  }
  return result;
}

Error StepStreams::run(
    const CudaStream &stream,
    llvm::function_ref<Error(unsigned step, const CudaStream &)> enqueue) {
  if (begun)
    if (Error error = context->record(*begun, stream))
      return error;
  for (const CudaStream &other : streams)
    if (Error error = context->wait(*begun, other))
      return error;
  SmallVector<unsigned> last(streams.size());
  for (auto [step, place] : llvm::enumerate(places)) {
    const CudaStream &own =
        place.stream == 0 ? stream : streams[place.stream - 1];
    for (unsigned earlier : place.waits)
      if (Error error = context->wait(*ended[earlier], own))
        return error;
    if (Error error = enqueue(step, own))
      return error;
    if (place.isRecorded)
      if (Error error = context->record(*ended[step], own))
        return error;
    if (place.stream > 0)
      last[place.stream - 1] = step;
  }
  for (unsigned step : last)
    if (Error error = context->wait(*ended[step], stream))
      return error;
  return Error::success();
}
