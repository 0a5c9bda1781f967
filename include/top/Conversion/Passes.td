//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions out of the `top` dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_CONVERSION_PASSES_TD
#define TOP_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTopToLinalgPass : Pass<"convert-top-to-linalg"> {
  let summary = "lower layer ops to linalg on tensors";
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // TOP_CONVERSION_PASSES_TD
