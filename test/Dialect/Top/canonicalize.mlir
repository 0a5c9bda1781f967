// RUN: top-opt %s --canonicalize --split-input-file | FileCheck %s

// A tensor.pad of zeros on H and W becomes pads.

// CHECK-LABEL: @fold_pad
//  CHECK-SAME: (%[[X:.*]]: tensor<1x3x8x8xf32>, %[[W:.*]]: tensor<4x3x3x3xf32>)
//       CHECK: %[[Y:.*]] = top.Conv2D %[[X]], %[[W]] {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @fold_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// Four different sides: top, left, bottom, right. All else is kept.
// CHECK-LABEL: @fold_asymmetric
//   CHECK-NOT: tensor.pad
//       CHECK: top.Conv2D %{{.*}}, %{{.*}}, %{{.*}} {allow_tf32, dilations = array<i64: 2, 1>, epilogue = [#top.step<relu>], pads = array<i64: 1, 2, 3, 4>, strides = array<i64: 1, 2>, test.tag}
func.func @fold_asymmetric(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 3, 4] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x12x14xf32>
  %y = top.Conv2D %p, %w, %b {allow_tf32, dilations = array<i64: 2, 1>, epilogue = [#top.step<relu>], strides = array<i64: 1, 2>, test.tag}
     : (tensor<1x3x12x14xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x6xf32>
  return %y : tensor<1x4x8x6xf32>
}

// -----

// One side only, added to the pads that are there.
// CHECK-LABEL: @fold_into_pads
//   CHECK-NOT: tensor.pad
//       CHECK: pads = array<i64: 1, 2, 8, 4>
func.func @fold_into_pads(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x15x12xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 5, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x13x8xf32>
  %y = top.Conv2D %p, %w {pads = array<i64: 1, 2, 3, 4>} : (tensor<1x3x13x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x15x12xf32>
  return %y : tensor<1x4x15x12xf32>
}

// -----

// Two pads in a row.
// CHECK-LABEL: @fold_twice
//   CHECK-NOT: tensor.pad
//       CHECK: pads = array<i64: 1, 2, 2, 1>
func.func @fold_twice(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x9x9xf32>
  %q = tensor.pad %p low[0, 0, 0, 1] high[0, 0, 2, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x9xf32> to tensor<1x3x11x11xf32>
  %y = top.Conv2D %q, %w : (tensor<1x3x11x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x9xf32>
  return %y : tensor<1x4x9x9xf32>
}

// -----

// 16-bit zeros, and an f32 result.
// CHECK-LABEL: @fold_f16
//   CHECK-NOT: tensor.pad
//       CHECK: pads = array<i64: 1, 0, 1, 0>
//  CHECK-SAME: -> tensor<1x4x8x6xf32>
func.func @fold_f16(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) -> tensor<1x4x8x6xf32> {
  %zero = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f16
  } : tensor<1x3x8x8xf16> to tensor<1x3x10x8xf16>
  %y = top.Conv2D %p, %w : (tensor<1x3x10x8xf16>, tensor<4x3x3x3xf16>) -> tensor<1x4x8x6xf32>
  return %y : tensor<1x4x8x6xf32>
}

// -----

// Dynamic N and H, static pads.
// CHECK-LABEL: @fold_dynamic_extent
//   CHECK-NOT: tensor.pad
//       CHECK: pads = array<i64: 1, 1, 1, 1>
//  CHECK-SAME: (tensor<?x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x8xf32>
func.func @fold_dynamic_extent(%x: tensor<?x3x?x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<?x3x?x8xf32> to tensor<?x3x?x10xf32>
  %y = top.Conv2D %p, %w : (tensor<?x3x?x10xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x8xf32>
  return %y : tensor<?x4x?x8xf32>
}

// -----

// All of the input is padding.
// CHECK-LABEL: @fold_empty_input
//   CHECK-NOT: tensor.pad
//       CHECK: pads = array<i64: 2, 0, 2, 0>
func.func @fold_empty_input(%x: tensor<1x3x0x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x2x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 2, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x0x8xf32> to tensor<1x3x4x8xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x4x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x2x6xf32>
  return %y : tensor<1x4x2x6xf32>
}

// -----

// What cannot be pads stays: another value, nofold, dynamic pads, N or C,
// negative ones, a value from outside.

// CHECK-LABEL: @keep_nonzero
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_nonzero(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %one : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: @keep_unknown_value
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_unknown_value(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %value: f32) -> tensor<1x4x8x8xf32> {
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %value : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: @keep_nofold
//       CHECK: tensor.pad %{{.*}} nofold
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_nofold(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x nofold low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: @keep_dynamic_pad
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_dynamic_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %low: index) -> tensor<1x4x?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, %low, 0] high[0, 0, 1, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x?x8xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x6xf32>
  return %y : tensor<1x4x?x6xf32>
}

// -----

// CHECK-LABEL: @keep_batch_pad
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_batch_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[1, 0, 0, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<2x3x8x8xf32>
  %y = top.Conv2D %p, %w : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  return %y : tensor<2x4x6x6xf32>
}

// -----

// CHECK-LABEL: @keep_channel_pad
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_channel_pad(%x: tensor<1x2x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x2x8x8xf32> to tensor<1x3x10x10xf32>
  %y = top.Conv2D %p, %w : (tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: @keep_negative_pad
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {pads = array<i64: 1, 1, 1, 1>} :
func.func @keep_negative_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, -1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x7x8xf32>
  %y = top.Conv2D %p, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x7x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x8xf32>
  return %y : tensor<1x4x7x8xf32>
}

// -----

// Pads whose sum does not fit 64 bits.
// CHECK-LABEL: @keep_overflow
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {pads = array<i64: 9223372036854775797, 0, 0, 0>, strides = array<i64: 8, 1>} :
func.func @keep_overflow(%x: tensor<1x1x?x1xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<1x1x?x1xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 100, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x1x?x1xf32> to tensor<1x1x?x1xf32>
  %y = top.Conv2D %p, %w {pads = array<i64: 9223372036854775797, 0, 0, 0>, strides = array<i64: 8, 1>} : (tensor<1x1x?x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x?x1xf32>
  return %y : tensor<1x1x?x1xf32>
}

// -----

// A pad of the filter is none of the input.
// CHECK-LABEL: @keep_filter_pad
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @keep_filter_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %w low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<4x3x1x1xf32> to tensor<4x3x3x3xf32>
  %y = top.Conv2D %x, %p : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// A cast that only hides extents is looked through, and the result knows them.

// CHECK-LABEL: @cast_conv
//  CHECK-SAME: (%[[X:.*]]: tensor<2x3x8x8xf32>, %[[W:.*]]: tensor<4x3x3x3xf32>)
//       CHECK: %[[Y:.*]] = top.Conv2D %[[X]], %[[W]] {strides = array<i64: 2, 2>} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32>
//       CHECK: %[[C:.*]] = tensor.cast %[[Y]] : tensor<2x4x3x3xf32> to tensor<?x4x?x3xf32>
//       CHECK: return %[[C]]
func.func @cast_conv(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x3xf32> {
  %c = tensor.cast %x : tensor<2x3x8x8xf32> to tensor<?x3x?x8xf32>
  %y = top.Conv2D %c, %w {strides = array<i64: 2, 2>} : (tensor<?x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x3xf32>
  return %y : tensor<?x4x?x3xf32>
}

// -----

// Both operands, with what else the op has.
// CHECK-LABEL: @cast_matmul
//  CHECK-SAME: (%[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<4x3xf32>, %[[BIAS:.*]]: tensor<?xf32>, %[[R:.*]]: tensor<?x4xf32>)
//       CHECK: top.MatMul %[[A]], %[[B]], %[[BIAS]] epilogue(%[[R]]) {epilogue = [#top.step<add>], transpose_b = true}
//  CHECK-SAME: (tensor<2x3xf32>, tensor<4x3xf32>, tensor<?xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
//       CHECK: tensor.cast %{{.*}} : tensor<2x4xf32> to tensor<?x?xf32>
func.func @cast_matmul(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %bias: tensor<?xf32>, %r: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %ca = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  %cb = tensor.cast %b : tensor<4x3xf32> to tensor<?x?xf32>
  %y = top.MatMul %ca, %cb, %bias epilogue(%r) {transpose_b = true, epilogue = [#top.step<add>]}
     : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// A cast that leaves the result's type as it is needs no cast behind.
// CHECK-LABEL: @cast_depth
//       CHECK: %[[Y:.*]] = top.MatMul %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @cast_depth(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %ca = tensor.cast %a : tensor<2x3xf32> to tensor<2x?xf32>
  %y = top.MatMul %ca, %b : (tensor<2x?xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// A cast in the other direction, from dynamic to static, is information.
// CHECK-LABEL: @cast_to_static
//       CHECK: tensor.cast
//       CHECK: top.MatMul %{{.*}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @cast_to_static(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %ca = tensor.cast %a : tensor<?x3xf32> to tensor<2x3xf32>
  %y = top.MatMul %ca, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// Extents that do not agree once they are seen: the program is wrong when it
// runs, but it is not made into invalid IR.
// CHECK-LABEL: @cast_mismatch
// CHECK-COUNT-2: tensor.cast
//       CHECK: top.MatMul %{{.*}} : (tensor<2x?xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
func.func @cast_mismatch(%a: tensor<2x3xf32>, %b: tensor<5x4xf32>) -> tensor<2x4xf32> {
  %ca = tensor.cast %a : tensor<2x3xf32> to tensor<2x?xf32>
  %cb = tensor.cast %b : tensor<5x4xf32> to tensor<?x4xf32>
  %y = top.MatMul %ca, %cb : (tensor<2x?xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// The same with an operand of the epilogue: 5 rows were promised, 2 come.
// CHECK-LABEL: @cast_mismatch_residual
//       CHECK: tensor.cast
//       CHECK: top.MatMul %{{.*}} (tensor<?x3xf32>, tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<?x4xf32>
func.func @cast_mismatch_residual(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %r: tensor<5x4xf32>) -> tensor<?x4xf32> {
  %ca = tensor.cast %a : tensor<2x3xf32> to tensor<?x3xf32>
  %y = top.MatMul %ca, %b epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<?x3xf32>, tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// No output is left once the height is seen.
// CHECK-LABEL: @cast_too_small
//       CHECK: tensor.cast
//       CHECK: top.Conv2D %{{.*}} (tensor<1x1x?x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x?x6xf32>
func.func @cast_too_small(%x: tensor<1x1x2x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x?x6xf32> {
  %c = tensor.cast %x : tensor<1x1x2x8xf32> to tensor<1x1x?x8xf32>
  %y = top.Conv2D %c, %w : (tensor<1x1x?x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x?x6xf32>
  return %y : tensor<1x1x?x6xf32>
}

// -----

// Steps that do nothing.

// CHECK-LABEL: @relu_relu
//       CHECK: {epilogue = [#top.step<relu>]}
func.func @relu_relu(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %y = top.MatMul %a, %b {epilogue = [#top.step<relu>, #top.step<relu>, #top.step<relu>]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @clamp_clamp
//       CHECK: {epilogue = [#top.step<clamp, min = 0.000000e+00, max = 6.000000e+00>, #top.step<clamp, min = 0.000000e+00, max = 5.000000e+00>]}
func.func @clamp_clamp(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %y = top.MatMul %a, %b {epilogue = [#top.step<clamp, min = 0.0, max = 6.0>, #top.step<clamp, min = 0.0, max = 6.0>, #top.step<clamp, min = 0.0, max = 5.0>]}
     : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// Two equal steps that do something each, and a relu that is not a neighbour.
// CHECK-LABEL: @keep_steps
//       CHECK: epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<add>, #top.step<add>, #top.step<relu>, #top.step<silu>, #top.step<silu>, #top.step<relu>]}
func.func @keep_steps(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %r: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = top.MatMul %a, %b epilogue(%r, %r) {epilogue = [#top.step<add>, #top.step<add>, #top.step<relu>, #top.step<silu>, #top.step<silu>, #top.step<relu>]}
     : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @empty_epilogue
//       CHECK: top.MatMul %{{.*}}, %{{.*}} : (
//       CHECK: top.Conv2D %{{.*}}, %{{.*}} : (
func.func @empty_epilogue(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> (tensor<2x4xf32>, tensor<1x1x6x6xf32>) {
  %y = top.MatMul %a, %b {epilogue = []} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %z = top.Conv2D %x, %w {epilogue = []} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return %y, %z : tensor<2x4xf32>, tensor<1x1x6x6xf32>
}

// -----

// An op whose result is not used goes.
// CHECK-LABEL: @unused
//  CHECK-NEXT: return
func.func @unused(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %y = top.MatMul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
