//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a launch plan is timed, alone or beside a library.
//
// Buffers: arguments and results are there so often that a round of calls, each
// on a set of its own, goes through more than twice the L2; no call finds its
// operands in the cache. A library uses the very same sets.
// Replays: a CUDA graph of a few rounds, between two events, with the next ones
// already in the stream. What launching costs the host is not counted, nor are
// copies to and from the device.
// Blocks: replays without a pause. Those of the plan and of the library take
// turns, so that both meet the same clocks and temperatures, and each begins
// with a replay that is not timed.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_PLANTIMING_H
#define TOP_EXECUTION_PLANTIMING_H

#include "top/Execution/Baseline.h"
#include "top/Execution/DeviceMonitor.h"
#include "top/Execution/Tensor.h"

#include <functional>
#include <vector>

namespace mlir::top {

/// Replays of one block.
struct TimedBlock {
  /// Of one call: the time of each replay over its calls.
  std::vector<double> seconds;
  DeviceState state; ///< in its middle
};

/// The times of the plan, or of a library.
struct CallTiming {
  int64_t calls = 1; ///< in a replay
  std::vector<TimedBlock> blocks;
  /// Of all blocks, in ascending order.
  std::vector<double> getSortedSeconds() const;
};

struct PlanTiming {
  CallTiming ours;
  std::optional<CallTiming> baseline;
  /// What the library computed from the same arguments.
  std::vector<Tensor> baselineResults;
  int64_t sets = 1;
  /// Of the arguments, results and constants that a round goes through; where
  /// this is not more than twice the L2, calls may find them there.
  int64_t rotatedBytes = 0;
};

struct PlanTimingOptions {
  /// Timed as well; its function has one result. Null = none.
  Baseline *baseline = nullptr;
  const DeviceMonitor *monitor = nullptr; ///< null = states stay empty
  int blocks = 5;                         ///< of each
  double warmUpSeconds = 0.15;            ///< of each, before the first block
  double blockSeconds = 0.1;
  /// A replay is at least this long where kMaxGraphNodes allows it: the gap
  /// between two graphs, of a few microseconds, is not to count.
  double replaySeconds = 1e-3;
  int minReplays = 4, maxReplays = 2000; ///< of a block
  /// Told of each block when it is over: whose it is (by the baseline's name,
  /// or "ours"), and its number among all, from 0.
  std::function<void(StringRef name, int number, const TimedBlock &)> onBlock;
};

/// Steps of the graph that is timed, at most.
inline constexpr int64_t kMaxGraphNodes = 8192;

/// Nearest-rank percentile of numbers in ascending order, of which there is at
/// least one; `p` is in (0, 100].
double getPercentile(ArrayRef<double> sorted, double p);
double getMean(ArrayRef<double> numbers);

} // namespace mlir::top

#endif // TOP_EXECUTION_PLANTIMING_H
