// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s
// RUN: top-opt %s --linalg-fuse-elementwise-ops --canonicalize --raise-linalg-to-top --split-input-file | FileCheck %s

// A residual block with a convolution in its shortcut: the add goes to one of
// the two, whose operand the other computes first. Fused, both branches and the
// relu are one op, on a tensor without the batch of 1: the scale and shift of
// the shortcut, which stand behind that reshape, are left as they are.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: @shortcut
// CHECK: %[[B:.*]] = top.Conv2D %arg0, %arg2 epilogue(%arg4, %arg3) {epilogue = [#top.step<affine>]}
// CHECK-NOT: linalg.generic
// CHECK: %[[A:.*]] = top.Conv2D %arg0, %arg1 epilogue(%arg3, %arg4, %[[B]]) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>], pads = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: return %[[A]]
func.func @shortcut(%x: tensor<1x4x8x8xf32>, %v: tensor<4x4x3x3xf32>, %w: tensor<4x4x1x1xf32>, %s: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %a0 = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %a1 = linalg.generic {indexing_maps = [#id, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a0, %s, %t : tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%a0 : tensor<1x4x8x8xf32>) {
  ^bb0(%in: f32, %l: f32, %r: f32, %out: f32):
    %0 = arith.mulf %in, %l : f32
    %1 = arith.addf %0, %r : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x8x8xf32>
  %b0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %b1 = linalg.generic {indexing_maps = [#id, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b0, %t, %s : tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%b0 : tensor<1x4x8x8xf32>) {
  ^bb0(%in: f32, %l: f32, %r: f32, %out: f32):
    %0 = arith.mulf %in, %l : f32
    %1 = arith.addf %0, %r : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x8x8xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a1, %b1 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) outs(%e : tensor<1x4x8x8xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %0 = arith.addf %l, %r : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x8x8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m : tensor<1x4x8x8xf32>) outs(%e : tensor<1x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x8x8xf32>
  return %n : tensor<1x4x8x8xf32>
}

// -----

// The activation before the residual: the list keeps the order.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @relu_then_add
// CHECK: top.MatMul %arg0, %arg1 epilogue(%arg2) {epilogue = [#top.step<relu>, #top.step<add>]}
// CHECK-NEXT: return
func.func @relu_then_add(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %r: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %m : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%l: f32, %in: f32, %out: f32):
    %0 = arith.addf %l, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// Gates: N x C x 1 x 1, and N x C.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#gate4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#gate2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// CHECK-LABEL: @gates
// CHECK: %[[G:.*]] = tensor.expand_shape %arg3 {{\[}}[0], [1, 2, 3]] output_shape [2, 4, 1, 1]
// CHECK: top.Conv2D %arg0, %arg1 epilogue(%arg2, %[[G]]) {epilogue = [#top.step<mul>, #top.step<mul>]} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<2x4x1x1xf32>, tensor<2x4x1x1xf32>)
// CHECK-NEXT: return
func.func @gates(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %g: tensor<2x4x1x1xf32>, %h: tensor<2x4xf32>) -> tensor<2x4x6x6xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %m = linalg.generic {indexing_maps = [#gate4, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g, %y : tensor<2x4x1x1xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%l: f32, %in: f32, %out: f32):
    %0 = arith.mulf %l, %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x6x6xf32>
  %n = linalg.generic {indexing_maps = [#gate2, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%h, %m : tensor<2x4xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%l: f32, %in: f32, %out: f32):
    %0 = arith.mulf %l, %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x6x6xf32>
  return %n : tensor<2x4x6x6xf32>
}

// -----

// One pixel: all dimensions but the channels are 1. What another convolution
// computed is a residual all the same, not a bias.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#one = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

// CHECK-LABEL: @one_pixel
// CHECK: %[[B:.*]] = top.Conv2D %arg0, %arg2 :
// CHECK: top.Conv2D %arg0, %arg1 epilogue(%[[B]]) {epilogue = [#top.step<add>]}
// CHECK-NEXT: return
func.func @one_pixel(%x: tensor<1x3x1x1xf32>, %v: tensor<4x3x1x1xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x1x1xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x1x1xf32>
  %e = tensor.empty() : tensor<1x4x1x1xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<1x3x1x1xf32>, tensor<4x3x1x1xf32>) outs(%z : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x1x1xf32>, tensor<4x3x1x1xf32>) outs(%z : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %n = linalg.generic {indexing_maps = [#one, #one, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %b : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%e : tensor<1x4x1x1xf32>) {
  ^bb0(%l: f32, %in: f32, %out: f32):
    %0 = arith.addf %l, %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x1x1xf32>
  return %n : tensor<1x4x1x1xf32>
}

// -----

// t - x and x / t.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @minus_and_quotient
// CHECK: %[[MINUS:.*]] = arith.constant dense<-1.000000e+00> : tensor<1x1xf32>
// CHECK: %[[Q:.*]] = linalg.generic
// CHECK: arith.divf
// CHECK: top.MatMul %arg0, %arg1 epilogue(%[[MINUS]], %arg2, %[[Q]]) {epilogue = [#top.step<mul>, #top.step<add>, #top.step<mul>]}
// CHECK-NEXT: return
func.func @minus_and_quotient(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %t: tensor<4x6xf32>, %q: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %t, %q : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %l: f32, %r: f32, %out: f32):
    %0 = arith.subf %l, %in : f32
    %1 = arith.divf %0, %r : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}
