//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The streams that the steps of a launch plan run in: steps that need not wait
// for each other are in different ones, and events order the others. Captured,
// that is a graph of the steps' dependencies.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_STEPSTREAMS_H
#define TOP_EXECUTION_STEPSTREAMS_H

#include "top/Execution/CudaDriver.h"
#include "top/GPU/Launch/LaunchPlan.h"

namespace mlir::top {

/// Streams of a plan, at most. A device runs up to 128 kernels at a time (CUDA
/// C++ Programming Guide, "Technical Specifications per Compute Capability"),
/// but few of them fill it.
inline constexpr unsigned kMaxStepStreams = 16;

/// Where a step runs.
struct StepPlace {
  unsigned stream = 0; ///< 0 is the caller's
  /// Steps in other streams whose events it waits for.
  SmallVector<unsigned> waits;
  bool isRecorded = false; ///< another step waits for it, or the caller
};

/// A place for each step of `plan`: behind one that it waits for, where that is
/// the last of its stream, else in a stream of its own as long as there are
/// any. A chain is all in stream 0.
std::vector<StepPlace> placeSteps(const LaunchPlan &plan);

/// The streams and events of a plan, which must outlive it.
class StepStreams {
public:
  static llvm::Expected<StepStreams> create(CudaContext &context,
                                            const LaunchPlan &plan);

  /// Calls `enqueue` for each step in order, with the stream that it is to put
  /// the step into. All of them begin behind what is in `stream`, and what
  /// comes into that afterwards is behind them.
  llvm::Error
  run(const CudaStream &stream,
      llvm::function_ref<llvm::Error(unsigned step, const CudaStream &)>
          enqueue);

private:
  CudaContext *context = nullptr;
  std::vector<StepPlace> places;
  std::vector<CudaStream> streams;             ///< from number 1 on
  std::vector<std::optional<CudaEvent>> ended; ///< by step
  std::optional<CudaEvent> begun;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_STEPSTREAMS_H
