//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine `direct`: what a schedule needs of the chip, how long it takes, and
// which is best for a convolution.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_DIRECTSCHEDULE_H
#define TOP_TUNING_DIRECTSCHEDULE_H

#include "top/Tuning/AssignSchedule.h"

namespace mlir::top {

/// How `schedule`, of engine `direct`, cuts the problem's convolution; fails as
/// DirectTiles::get does.
FailureOr<DirectTiles> getDirectTiles(const ScheduleFields &schedule,
                                      const ProductProblem &problem,
                                      std::string &reason);

/// What a block needs. Shared memory holds `stages` tiles of the input, or as
/// many as there are steps.
BlockResources estimateDirectResources(const ScheduleFields &schedule,
                                       const DirectTiles &tiles,
                                       const ProductProblem &problem);

/// Blocks of the grid.
int64_t countDirectBlocks(const DirectTiles &tiles, const ConvShape &conv);

/// What is wrong with a valid schedule of engine `direct` for the problem and
/// the target; nullopt where it can run.
std::optional<Infeasible> findDirectFault(const ScheduleFields &schedule,
                                          const ProductProblem &problem,
                                          const GPUTarget &target);

/// What a kernel of engine `direct` waits for.
enum class DirectBound { Instructions, SharedMemory, Memory, L2, Latency };
/// "instructions", "memory", ...
StringRef stringifyDirectBound(DirectBound bound);

struct DirectEstimate {
  double seconds = 0;
  DirectBound bound = DirectBound::Memory;
};

/// The time of a schedule that can run, for a problem that is not empty: the
/// longest of what its instructions, its accesses to shared memory and its
/// bytes take where all overlaps, and of what its waves of blocks take where
/// nothing of a block does.
DirectEstimate estimateDirectTime(const ScheduleFields &schedule,
                                  const ProductProblem &problem,
                                  const GPUTarget &target);

/// Schedules of engine `direct` that can run on the target: boxes as wide as
/// the image or of 128 pixels and of several heights, threads of 1 to 64 pixels
/// and up to 8 channels, blocks of 1 to 64 channels; steps of all input
/// channels of a group, or of the half, the quarter, ... of them that any fits
/// with.
SmallVector<ScheduleFields>
enumerateDirectSchedules(const ProductProblem &problem,
                         const GPUTarget &target);

/// The fastest of these by estimateDirectTime; nullopt where there are none.
std::optional<Assignment> assignDirect(const ProductProblem &problem,
                                       const GPUTarget &target);

} // namespace mlir::top

#endif // TOP_TUNING_DIRECTSCHEDULE_H
