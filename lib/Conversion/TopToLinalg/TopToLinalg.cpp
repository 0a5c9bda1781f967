//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-top-to-linalg.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/IR/Epilogue.h"

namespace mlir::top {
#define GEN_PASS_DEF_CONVERTTOPTOLINALGPASS
#include "top/Conversion/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

namespace {

struct ConvertTopToLinalgPass
    : top::impl::ConvertTopToLinalgPassBase<ConvertTopToLinalgPass> {
  void runOnOperation() override {}
};

} // namespace
