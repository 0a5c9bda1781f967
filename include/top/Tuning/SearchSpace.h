//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules that there are to choose from, and how to get from one that
// cannot run to one that can.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_SEARCHSPACE_H
#define TOP_TUNING_SEARCHSPACE_H

#include "top/Tuning/Model.h"

namespace mlir::top {

/// Cuts `schedule.block` into warp tiles (and thread tiles for `simt`): the
/// largest that leave a block at least 128 threads, or the most threads there
/// can be. Fails, and changes nothing, where no such tiles divide the block
/// or all have more than 1024 threads.
LogicalResult chooseWarpTiles(ScheduleFields &schedule);

/// Every schedule of the space for `engine`: blocks, K steps, thread or warp
/// tiles and stages; no clusters, no split K, blocks in row order. Some cannot
/// run anywhere.
SmallVector<ScheduleFields> enumerateSchedules(Engine engine);

/// The schedule nearest to `schedule` that can run on the target and that
/// kernels exist for; nullopt where none is found. Near means that stages were
/// changed rather than K steps, these rather than the block tile, all of them
/// by small factors, and the engine only where nothing else helps. Fields of
/// `schedule` may have any value.
std::optional<ScheduleFields> findNearestFitting(const ScheduleFields &schedule,
                                                 const ProductProblem &problem,
                                                 const GPUTarget &target);

/// What is wrong with `schedule` for the target: the first limit it breaks, or
/// what kernels lack for it.
std::optional<Infeasible> findFault(const ScheduleFields &schedule,
                                    const ProductProblem &problem,
                                    const GPUTarget &target);

/// Lists the whole space for a layer op: a line of its problem and how many
/// schedules fit, one of the schedule that it carries, if any, one of what the
/// rules of thumb choose, then a line for each that fits, with its predicted
/// needs, and for each that does not, with the reason. Fails with one error at
/// the op where it has no problem (see getProblem).
LogicalResult listSchedules(Operation *op, const GPUTarget &target,
                            raw_ostream &os);

} // namespace mlir::top

#endif // TOP_TUNING_SEARCHSPACE_H
