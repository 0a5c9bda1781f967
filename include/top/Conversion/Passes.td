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
  let description = [{
    Turns every `top.Conv2D` and `top.MatMul` under the op that it runs on into
    named ops of linalg on tensors:

    | layer op                                | multiplying op |
    |-----------------------------------------|----------------|
    | Conv2D, `group` 1                       | `linalg.conv_2d_nchw_fchw` |
    | Conv2D, `group` = C = F                 | `linalg.depthwise_conv_2d_nchw_chw`, the filter collapsed to C x KH x KW |
    | Conv2D, any other `group`               | `linalg.conv_2d_ngchw_gfchw` between `tensor.expand_shape` and `tensor.collapse_shape` |
    | MatMul, 2-D                             | `linalg.matmul` |
    | MatMul, batched                         | `linalg.batch_matmul`; a shared `rhs` has no batch in its indexing map |
    | MatMul, batched, shared transposed `rhs` | `linalg.contract`, since `batch_matmul` refuses that map |

    Transposes are indexing maps, strides and dilations attributes. Pads become
    one `tensor.pad` with zeros, left out where all are zero.

    Sums start from a `linalg.fill` of zeros, in f32 (f64 for f64 operands),
    into which the multiplying op extends 16-bit operands. Bias, epilogue steps
    and the one rounding to the result type follow as one elementwise
    `linalg.generic`, left out where there is nothing to do. The sums do not
    start from the bias: a large bias would cost every product the bits that it
    has below the bias' last place, and kernels keep the bias for the store.

    Input: any op. What is not a layer op stays as it is.

    Afterwards no op of `top` is left, no operand has been copied but by
    `tensor.pad`, and the number of ops does not depend on `group`. A
    convolution without input rows or columns, and a product with K of 0, is its
    epilogue alone. Locations are kept. Discardable attributes (`top.schedule`,
    say) move to the multiplying op, and `allow_tf32` becomes `top.allow_tf32`
    on it. Where sizes are dynamic, `cf.assert` stops the program if an output
    row or column count is below 1, or if operands disagree about K, batch or a
    dimension of the result.

    Does nothing where there are no ops of `top`.

    Fails, at the op, where an op of `top` has no lowering to linalg, and where
    the padded input of a convolution would have more than 2^63 bytes.

    Example:

    ```mlir
    %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>}
       : (tensor<1x8x16x16xf16>, tensor<4x8x3x3xf16>, tensor<4xf16>) -> tensor<1x4x16x16xf16>
    // becomes
    #nfhw = affine_map<(n, f, h, w) -> (n, f, h, w)>
    #f = affine_map<(n, f, h, w) -> (f)>
    %zero_f16 = arith.constant 0.0 : f16
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero_f16 : f16
    } : tensor<1x8x16x16xf16> to tensor<1x8x18x18xf16>
    %e = tensor.empty() : tensor<1x4x16x16xf32>
    %zero_f32 = arith.constant 0.0 : f32
    %z = linalg.fill ins(%zero_f32 : f32) outs(%e : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %s = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
       ins(%p, %w : tensor<1x8x18x18xf16>, tensor<4x8x3x3xf16>) outs(%z : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %r = tensor.empty() : tensor<1x4x16x16xf16>
    %y = linalg.generic {indexing_maps = [#nfhw, #f, #nfhw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
       ins(%s, %b : tensor<1x4x16x16xf32>, tensor<4xf16>) outs(%r : tensor<1x4x16x16xf16>) {
    ^bb0(%sum: f32, %bias: f16, %out: f16):
      %0 = arith.extf %bias : f16 to f32
      %1 = arith.addf %sum, %0 : f32
      %2 = arith.truncf %1 : f32 to f16
      linalg.yield %2 : f16
    } -> tensor<1x4x16x16xf16>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // TOP_CONVERSION_PASSES_TD
