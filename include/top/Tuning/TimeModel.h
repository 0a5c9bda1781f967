//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a kernel of engine `mma_sync` takes, from what it has to do and what
// the card can do. It is for choosing between schedules: right to about a
// tenth, and in most cases right about which is faster (docs/Performance.md).
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_TIMEMODEL_H
#define TOP_TUNING_TIMEMODEL_H

#include "top/Tuning/Model.h"

namespace mlir::top {

/// Of an estimate, what another one has to be below to be worth a change: less
/// is noise.
inline constexpr double kWorthChanging = 0.99;

/// What a step along K, or the whole kernel, waits for.
enum class TimeBound {
  TensorCores,
  SharedMemory,
  L2,
  Instructions, ///< of copies
  Latency,
  GlobalMemory
};
/// "the tensor cores", "shared memory", ...
StringRef stringifyTimeBound(TimeBound bound);

struct TimeEstimate {
  double seconds = 0;
  TimeBound bound = TimeBound::TensorCores;
};

/// The time of the kernels of `schedule`, an `mma_sync` one that can run on the
/// target (findFault finds nothing), for a problem that is not empty: copies of
/// unaligned operands and the sum of parts of K included.
TimeEstimate estimateTime(const ScheduleFields &schedule,
                          const ProductProblem &problem,
                          const GPUTarget &target);

/// The time of a kernel that moves elements to another layout, of `bytes` read
/// and written in all.
double estimateMoveTime(double bytes, const GPUTarget &target);

/// Of that, what packing the images of a convolution takes; 0 where they are
/// not packed.
double estimatePackTime(const ScheduleFields &schedule,
                        const ProductProblem &problem, const GPUTarget &target);

} // namespace mlir::top

#endif // TOP_TUNING_TIMEMODEL_H
