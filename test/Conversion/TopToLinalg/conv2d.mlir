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
