//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which results of convolutions lie channels last.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_ASSIGNLAYOUTS_H
#define TOP_TUNING_ASSIGNLAYOUTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "top/Target/GPUTarget.h"

namespace mlir::top {

/// Gives results of convolutions that only convolutions read the layout
/// `#top.layout<channels_last>` where the kernels of `func` then take less time
/// on the target, by the model of time; see the pass `top-assign-layouts`.
void assignLayouts(FunctionOpInterface func, const GPUTarget &target);

} // namespace mlir::top

#endif // TOP_TUNING_ASSIGNLAYOUTS_H
