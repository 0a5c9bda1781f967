//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which steps of a plan must wait for which. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_LAUNCH_STEPORDER_H
#define TOP_LIB_GPU_LAUNCH_STEPORDER_H

#include "top/GPU/Launch/LaunchPlan.h"

namespace mlir::top {

/// Fills in `LaunchPlan::after` from what the steps read and write.
void orderSteps(LaunchPlan &plan);

} // namespace mlir::top

#endif // TOP_LIB_GPU_LAUNCH_STEPORDER_H
