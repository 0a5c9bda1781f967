// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// Unequal sides; two pads in a row add up.

// CHECK-LABEL: @unequal
// CHECK-NOT: tensor.pad
// CHECK: top.Conv2D %arg0, %arg1 {pads = array<i64: 1, 0, 2, 3>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
func.func @unequal(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x9xf32>
  %q = tensor.pad %p low[0, 0, 0, 0] high[0, 0, 1, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %minus_zero = arith.constant -0.0 : f32
    tensor.yield %minus_zero : f32
  } : tensor<1x3x10x9xf32> to tensor<1x3x11x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x9x9xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%q, %w : tensor<1x3x11x11xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x9x9xf32>) -> tensor<1x4x9x9xf32>
  return %y : tensor<1x4x9x9xf32>
}

// -----

// A pad with another number, and one of channels, stay.

// CHECK-LABEL: @minus_infinity
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: top.Conv2D %[[P]], %arg1 :
func.func @minus_infinity(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %low : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: @channels
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: top.Conv2D %[[P]], %arg1 :
func.func @channels(%x: tensor<1x2x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x2x8x8xf32> to tensor<1x3x8x8xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// TOSA wants (in + pads - kernel) to divide by the stride, so that a 1x1
// convolution of stride 2 follows a slice that leaves out the last row and
// column. Nothing reads them: the whole input gives the same.

// CHECK-LABEL: @slice
// CHECK-NOT: tensor.extract_slice
// CHECK: top.Conv2D %arg0, %arg1 {strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32>
func.func @slice(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 7, 7] [1, 1, 1, 1] : tensor<1x3x8x8xf32> to tensor<1x3x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%s, %w : tensor<1x3x7x7xf32>, tensor<4x3x1x1xf32>) outs(%z : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %y : tensor<1x4x4x4xf32>
}

// -----

// Here the source would give another row: the slice is a smaller window.

// CHECK-LABEL: @slice_that_counts
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: top.Conv2D %[[S]], %arg1 {strides = array<i64: 2, 2>}
func.func @slice_that_counts(%x: tensor<1x3x9x9xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 7, 7] [1, 1, 1, 1] : tensor<1x3x9x9xf32> to tensor<1x3x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%s, %w : tensor<1x3x7x7xf32>, tensor<4x3x1x1xf32>) outs(%z : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %y : tensor<1x4x4x4xf32>
}

// A slice behind which pads are read, and one from the middle, stay.

// CHECK-LABEL: @slice_with_pads
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: top.Conv2D %[[S]], %arg1 {pads = array<i64: 1, 1, 1, 1>}
func.func @slice_with_pads(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 7, 7] [1, 1, 1, 1] : tensor<1x3x8x8xf32> to tensor<1x3x7x7xf32>
  %p = tensor.pad %s low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x7x7xf32> to tensor<1x3x9x9xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x7x7xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %y : tensor<1x4x7x7xf32>
}

// CHECK-LABEL: @slice_from_the_middle
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: top.Conv2D %[[S]], %arg1 {strides = array<i64: 2, 2>}
func.func @slice_from_the_middle(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %s = tensor.extract_slice %x[0, 0, 1, 1] [1, 3, 7, 7] [1, 1, 1, 1] : tensor<1x3x8x8xf32> to tensor<1x3x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%s, %w : tensor<1x3x7x7xf32>, tensor<4x3x1x1xf32>) outs(%z : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %y : tensor<1x4x4x4xf32>
}

// -----

// linalg leaves it to 'outs' how much is read; top.Conv2D computes it. What is
// not read goes: first from the pads, then from the input.

// CHECK-LABEL: @too_much_pad
// CHECK: top.Conv2D %arg0, %arg1 {pads = array<i64: 2, 2, 0, 0>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
func.func @too_much_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x12x12xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x12x12xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: @too_much_input
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 3, 6, 8] [1, 1, 1, 1]
// CHECK: top.Conv2D %[[S]], %arg1 : (tensor<1x3x6x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x6xf32>
func.func @too_much_input(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x4x6xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x4x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x4x6xf32>) -> tensor<1x4x4x6xf32>
  return %y : tensor<1x4x4x6xf32>
}

// -----

// With dynamic rows the input is cut to what 'outs' asks for.

// CHECK-LABEL: @dynamic_rows
// CHECK: %[[OH:.*]] = tensor.dim %arg2, %c2
// CHECK: %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[OH]]]
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 0, 0, 0] [%{{.*}}, 3, %[[SIZE]], 8] [1, 1, 1, 1] : tensor<?x3x?x8xf32> to tensor<?x3x?x8xf32>
// CHECK: top.Conv2D %[[S]], %arg1 epilogue(%arg2) {epilogue = [#top.step<add>], strides = array<i64: 2, 1>} : (tensor<?x3x?x8xf32>, tensor<4x3x3x3xf32>, tensor<?x4x?x6xf32>) -> tensor<?x4x?x6xf32>
func.func @dynamic_rows(%x: tensor<?x3x?x8xf32>, %w: tensor<4x3x3x3xf32>, %z: tensor<?x4x?x6xf32>) -> tensor<?x4x?x6xf32> {
  %y = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<?x3x?x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<?x4x?x6xf32>) -> tensor<?x4x?x6xf32>
  return %y : tensor<?x4x?x6xf32>
}
