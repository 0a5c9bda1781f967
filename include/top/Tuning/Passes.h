//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factories of the passes on schedules, and what a tool shares with them.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_PASSES_H
#define TOP_TUNING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "top/Tuning/SearchSpace.h"

namespace mlir::top {

#define GEN_PASS_DECL
#include "top/Tuning/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "top/Tuning/Passes.h.inc"

/// Fails, with one error at `op` and the nearest schedule that fits in a note,
/// unless `schedule` can run on the target and kernels exist for it.
LogicalResult verifySchedule(Operation *op, const ScheduleFields &schedule,
                             const GPUTarget &target);

} // namespace mlir::top

#endif // TOP_TUNING_PASSES_H
