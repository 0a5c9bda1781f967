//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of thumb: a schedule for an op from its shape, its type and the
// card, without measuring anything.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_ASSIGNSCHEDULE_H
#define TOP_TUNING_ASSIGNSCHEDULE_H

#include "top/Tuning/SearchSpace.h"

namespace mlir::top {

/// A schedule and why it is that one, a clause for each rule that changed it.
struct Assignment {
  ScheduleFields schedule;
  SmallVector<std::string> reasons;
  /// Of all kernels, packs included, by the model of time; nullopt where the
  /// rules of thumb chose.
  std::optional<double> seconds;
};

/// A schedule that can run on the target and that kernels exist for. Fails,
/// with `reason`, for a problem without products, and where kernels exist for
/// no schedule that fits.
///
/// Where the tensor cores have the operands' type: the fastest by estimateTime
/// of block tiles from 128 x 256 down to 16 x 32 and 64 x 8, K steps, stages
/// and parts of K; blocks in bands that make those which run at once about a
/// square; operands of unaligned rows repacked.
///
/// Else (f64, and f32 without tf32) the rules, in order, start at the default
/// of `simt` (128 x 128 x 32):
///   M or N up to 8   the other operand is streamed, in parts of K
///   small M or N     a block no larger than needed
///   few tiles        smaller blocks, until every SM has one
///   small K          a K step no longer than K, no more stages than steps
///   does not fit     shorter K steps, then smaller blocks
///   low occupancy    shorter K steps or smaller blocks, where that helps
///   shared memory left over   more stages, as long as as many blocks fit
///   operands larger than L2   blocks in groups of 8 tile rows
FailureOr<Assignment> assignSchedule(const ProductProblem &problem,
                                     const GPUTarget &target,
                                     std::string &reason);

} // namespace mlir::top

#endif // TOP_TUNING_ASSIGNSCHEDULE_H
