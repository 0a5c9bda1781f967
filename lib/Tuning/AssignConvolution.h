//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of convolutions on the tensor cores. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_TUNING_ASSIGNCONVOLUTION_H
#define TOP_LIB_TUNING_ASSIGNCONVOLUTION_H

#include "top/Tuning/AssignSchedule.h"

namespace mlir::top {

/// The fastest schedule of `mma_sync` by estimateTime for a convolution that is
/// not empty; nullopt where none can run.
std::optional<Assignment> assignMmaConvolution(const ProductProblem &problem,
                                               const GPUTarget &target);

} // namespace mlir::top

#endif // TOP_LIB_TUNING_ASSIGNCONVOLUTION_H
