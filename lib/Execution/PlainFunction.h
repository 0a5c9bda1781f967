//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes of all values of a function of plain `top` ops. Internal to this
// library; what others need is in Reference.h.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_PLAINFUNCTION_H
#define TOP_LIB_EXECUTION_PLAINFUNCTION_H

#include "top/Execution/Reference.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::top {

/// The shape of every value of a plain function, for arguments of these shapes.
/// Fails as inferShapes does.
FailureOr<DenseMap<Value, SmallVector<int64_t>>>
inferAllShapes(func::FuncOp func,
               ArrayRef<SmallVector<int64_t>> argumentShapes);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_PLAINFUNCTION_H
