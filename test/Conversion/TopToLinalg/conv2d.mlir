// RUN: top-opt %s --convert-top-to-linalg --split-input-file | FileCheck %s
// What is printed is legal IR and says everything.
// RUN: top-opt %s --convert-top-to-linalg --split-input-file --verify-roundtrip -o /dev/null

// No pads, no bias, f32: zeros and the named op, nothing else.

// CHECK-LABEL: @plain
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x7x9xf32>, %[[W:.*]]: tensor<4x3x3x2xf32>)
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<2x4x5x8xf32>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-NEXT: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]] : tensor<2x4x5x8xf32>)
// CHECK-NEXT: %[[Y:.*]] = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[ZEROS]] : tensor<2x4x5x8xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @plain(%x: tensor<2x3x7x9xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x8xf32> {
  %y = top.Conv2D %x, %w : (tensor<2x3x7x9xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x5x8xf32>
  return %y : tensor<2x4x5x8xf32>
}

// -----

// Four different pads keep their sides; they are zeros of the input's type.

// CHECK-LABEL: @pads
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x7x9xf16>, %[[W:.*]]: tensor<4x3x3x3xf16>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f16
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 3, 2]
// CHECK: tensor.yield %[[ZERO]] : f16
// CHECK: tensor<1x3x7x9xf16> to tensor<1x3x11x11xf16>
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} ins(%[[P]], %[[W]] :
func.func @pads(%x: tensor<1x3x7x9xf16>, %w: tensor<4x3x3x3xf16>) -> tensor<1x4x9x9xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 0, 3, 2>} : (tensor<1x3x7x9xf16>, tensor<4x3x3x3xf16>) -> tensor<1x4x9x9xf32>
  return %y : tensor<1x4x9x9xf32>
}

// -----

// Strides and dilations are H first, then W.

// CHECK-LABEL: @strides_dilations
// CHECK-NOT: tensor.pad
// CHECK: linalg.conv_2d_nchw_fchw {dilations = dense<[3, 2]> : tensor<2xi64>, strides = dense<[1, 4]> : tensor<2xi64>}
func.func @strides_dilations(%x: tensor<1x3x9x9xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x3x2xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 4>, dilations = array<i64: 3, 2>} : (tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x3x2xf32>
  return %y : tensor<1x4x3x2xf32>
}

// -----

// The bias is added to the sums; they do not start from it.

// CHECK-DAG: #[[$NFHW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$F:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: @bias
// CHECK-SAME: %[[B:[^:]*]]: tensor<4xf32>)
// CHECK: linalg.fill
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nchw_fchw
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$NFHW]], #[[$F]], #[[$NFHW]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[SUMS]], %[[B]] :
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[V:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[S]], %[[V]] : f32
// CHECK-NEXT: linalg.yield %[[R]]
// CHECK: return %[[Y]]
func.func @bias(%x: tensor<1x3x7x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x5x5xf32> {
  %y = top.Conv2D %x, %w, %b : (tensor<1x3x7x7xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x5x5xf32>
  return %y : tensor<1x4x5x5xf32>
}

// -----

// f16 and bf16 are summed in f32 and rounded once, at the end.

// CHECK-LABEL: @f16
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x4x5x5xf32>)
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x7x7xf16>, tensor<4x3x3x3xf16>) outs(%[[ZEROS]] : tensor<1x4x5x5xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<1x4x5x5xf32>) outs(%{{.*}} : tensor<1x4x5x5xf16>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %{{.*}}: f16):
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[R]]
// CHECK: return %[[Y]]
func.func @f16(%x: tensor<1x3x7x7xf16>, %w: tensor<4x3x3x3xf16>) -> tensor<1x4x5x5xf16> {
  %y = top.Conv2D %x, %w : (tensor<1x3x7x7xf16>, tensor<4x3x3x3xf16>) -> tensor<1x4x5x5xf16>
  return %y : tensor<1x4x5x5xf16>
}

// -----

// With an f32 result nothing is rounded, and without bias nothing follows.

// CHECK-LABEL: @bf16_to_f32
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x7x7xbf16>, tensor<4x3x3x3xbf16>) outs(%{{.*}} : tensor<1x4x5x5xf32>)
// CHECK-NEXT: return %[[SUMS]]
func.func @bf16_to_f32(%x: tensor<1x3x7x7xbf16>, %w: tensor<4x3x3x3xbf16>) -> tensor<1x4x5x5xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x3x7x7xbf16>, tensor<4x3x3x3xbf16>) -> tensor<1x4x5x5xf32>
  return %y : tensor<1x4x5x5xf32>
}

// -----

// A bf16 bias is extended before it is added.

// CHECK-LABEL: @bf16_bias
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x4x5x5xf32>, tensor<4xbf16>) outs(%{{.*}} : tensor<1x4x5x5xbf16>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[V:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[V]] : bf16 to f32
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[S]], %[[E]] : f32
// CHECK-NEXT: arith.truncf %[[A]] : f32 to bf16
func.func @bf16_bias(%x: tensor<1x3x7x7xbf16>, %w: tensor<4x3x3x3xbf16>, %b: tensor<4xbf16>) -> tensor<1x4x5x5xbf16> {
  %y = top.Conv2D %x, %w, %b : (tensor<1x3x7x7xbf16>, tensor<4x3x3x3xbf16>, tensor<4xbf16>) -> tensor<1x4x5x5xbf16>
  return %y : tensor<1x4x5x5xbf16>
}

// -----

// f64 stays f64; an f32 bias is extended to it.

// CHECK-LABEL: @f64
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} outs(%{{.*}} : tensor<1x4x5x5xf64>)
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
func.func @f64(%x: tensor<1x3x7x7xf64>, %w: tensor<4x3x3x3xf64>, %b: tensor<4xf32>) -> tensor<1x4x5x5xf64> {
  %y = top.Conv2D %x, %w, %b : (tensor<1x3x7x7xf64>, tensor<4x3x3x3xf64>, tensor<4xf32>) -> tensor<1x4x5x5xf64>
  return %y : tensor<1x4x5x5xf64>
}

// -----

// An empty batch has nothing to compute.

// CHECK-LABEL: @empty_batch
// CHECK-NOT: linalg
// CHECK: tensor.empty() : tensor<0x4x5x5xf32>
// CHECK-NEXT: return
func.func @empty_batch(%x: tensor<0x3x7x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<0x4x5x5xf32> {
  %y = top.Conv2D %x, %w : (tensor<0x3x7x7xf32>, tensor<4x3x3x3xf32>) -> tensor<0x4x5x5xf32>
  return %y : tensor<0x4x5x5xf32>
}

// -----

// Without input rows all taps are padding: the bias is all there is.

// CHECK-LABEL: @only_padding
// CHECK-SAME: %[[B:[^:]*]]: tensor<4xf32>)
// CHECK-NOT: tensor.pad
// CHECK-NOT: linalg.conv
// CHECK: linalg.generic {{.*}} ins(%[[B]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x2x5xf32>)
func.func @only_padding(%x: tensor<1x3x0x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x2x5xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 2, 0, 2, 0>} : (tensor<1x3x0x7xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x2x5xf32>
  return %y : tensor<1x4x2x5xf32>
}
