//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factories of the conversions into and out of the `top` dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_CONVERSION_PASSES_H
#define TOP_CONVERSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "top/Conversion/LinalgToTop/LinalgToTop.h"

namespace mlir::top {

#define GEN_PASS_DECL
#include "top/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "top/Conversion/Passes.h.inc"

} // namespace mlir::top

#endif // TOP_CONVERSION_PASSES_H
