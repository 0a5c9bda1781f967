// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// Channels last: pads are taken from the file's layout, transposes are made
// explicit.

// CHECK-LABEL: @hwcf
// CHECK-NOT: tensor.pad
// CHECK: %[[X:.*]] = linalg.transpose ins(%arg0 : tensor<2x16x16x3xf32>) outs(%{{.*}} : tensor<2x3x16x16xf32>) permutation = [0, 3, 1, 2]
// CHECK: %[[W:.*]] = linalg.transpose ins(%arg1 : tensor<3x5x3x8xf32>) outs(%{{.*}} : tensor<8x3x3x5xf32>) permutation = [3, 2, 0, 1]
// CHECK: %[[Y:.*]] = top.Conv2D %[[X]], %[[W]], %arg2 {pads = array<i64: 1, 2, 0, 3>, strides = array<i64: 2, 1>} : (tensor<2x3x16x16xf32>, tensor<8x3x3x5xf32>, tensor<8xf32>) -> tensor<2x8x8x17xf32>
// CHECK: %[[R:.*]] = linalg.transpose ins(%[[Y]] : tensor<2x8x8x17xf32>) outs(%{{.*}} : tensor<2x8x17x8xf32>) permutation = [0, 2, 3, 1]
// CHECK: return %[[R]]
func.func @hwcf(%x: tensor<2x16x16x3xf32>, %w: tensor<3x5x3x8xf32>, %b: tensor<8xf32>) -> tensor<2x8x17x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 0, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x16x16x3xf32> to tensor<2x17x21x3xf32>
  %e = tensor.empty() : tensor<2x8x17x8xf32>
  %init = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<2x8x17x8xf32>) dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x17x21x3xf32>, tensor<3x5x3x8xf32>) outs(%init : tensor<2x8x17x8xf32>) -> tensor<2x8x17x8xf32>
  return %y : tensor<2x8x17x8xf32>
}

// -----

// Between two convolutions the transposes cancel, with bias, relu, residual and
// a pad between them.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: @chain
// CHECK-COUNT-2: linalg.transpose
// CHECK: %[[A:.*]] = top.Conv2D %{{.*}}, %{{.*}}, %arg3 {epilogue = [#top.step<relu>]}
// CHECK-NOT: linalg.transpose ins(%[[A]]
// CHECK: linalg.transpose ins(%arg2
// CHECK: %[[B:.*]] = top.Conv2D %[[A]], %{{.*}}, %arg3 epilogue(%[[A]]) {epilogue = [#top.step<add>, #top.step<relu>], pads = array<i64: 1, 1, 1, 1>}
// CHECK: linalg.transpose ins(%[[B]]
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @chain(%x: tensor<1x8x8x4xf32>, %v: tensor<1x1x4x4xf32>, %w: tensor<3x3x4x4xf32>, %b: tensor<4xf32>) -> tensor<1x8x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<1x8x8x4xf32>
  %e = tensor.empty() : tensor<1x8x8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  // A bias that TensorFlow materialises in full.
  %bb = linalg.generic {indexing_maps = [#c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x8x4xf32>
  %a0 = linalg.conv_2d_nhwc_hwcf ins(%x, %v : tensor<1x8x8x4xf32>, tensor<1x1x4x4xf32>) outs(%f : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %a1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a0, %bb : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) outs(%e : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %s = arith.addf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x4xf32>
  // relu against a full tensor of zeros.
  %a2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a1, %zeros : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) outs(%e : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %s = arith.maximumf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x4xf32>
  %p = tensor.pad %a2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %b0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x10x10x4xf32>, tensor<3x3x4x4xf32>) outs(%f : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %b1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b0, %bb : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) outs(%e : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %s = arith.addf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x4xf32>
  %b2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a2, %b1 : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) outs(%e : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %s = arith.addf %in, %t : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x4xf32>
  %b3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b2 : tensor<1x8x8x4xf32>) outs(%e : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.maximumf %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x4xf32>
  return %b3 : tensor<1x8x8x4xf32>
}

// -----

// The filter order of TOSA, between transposes that it leaves in a file: they
// cancel, the filter's too.

// CHECK-LABEL: @fhwc
// CHECK-NOT: linalg.transpose
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1 : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT: return %[[Y]]
func.func @fhwc(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x8x8x3xf32>
  %xt = linalg.transpose ins(%x : tensor<1x3x8x8xf32>) outs(%ex : tensor<1x8x8x3xf32>) permutation = [0, 2, 3, 1]
  %ew = tensor.empty() : tensor<4x3x3x3xf32>
  %wt = linalg.transpose ins(%w : tensor<4x3x3x3xf32>) outs(%ew : tensor<4x3x3x3xf32>) permutation = [0, 2, 3, 1]
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%xt, %wt : tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %ey = tensor.empty() : tensor<1x4x6x6xf32>
  %y = linalg.transpose ins(%c : tensor<1x6x6x4xf32>) outs(%ey : tensor<1x4x6x6xf32>) permutation = [0, 3, 1, 2]
  return %y : tensor<1x4x6x6xf32>
}

// -----

// CHECK-LABEL: @depthwise_hwc
// CHECK: %[[X:.*]] = linalg.transpose ins(%arg0
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg1 : tensor<3x3x4xf32>) outs(%{{.*}} : tensor<4x3x3xf32>) permutation = [2, 0, 1]
// CHECK: %[[W:.*]] = tensor.expand_shape %[[T]]
// CHECK: top.Conv2D %[[X]], %[[W]] {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
func.func @depthwise_hwc(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x6x6x4xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%zero : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %y : tensor<1x6x6x4xf32>
}

// -----

// A multiplier: F = C * M, with M the faster one.

// CHECK-LABEL: @depthwise_hwcm
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg1 : tensor<3x3x4x2xf32>) outs(%{{.*}} : tensor<4x2x3x3xf32>) permutation = [2, 3, 0, 1]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1], [2], [3]]
// CHECK: %[[W:.*]] = tensor.expand_shape %[[C]] {{\[}}[0], [1, 2], [3]] output_shape [8, 1, 3, 3]
// CHECK: %[[Y:.*]] = top.Conv2D %{{.*}}, %[[W]] {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0], [1, 2], [3], [4]] output_shape [1, 4, 2, 6, 6]
// CHECK: linalg.transpose ins(%[[E]] : tensor<1x4x2x6x6xf32>) outs(%{{.*}} : tensor<1x6x6x4x2xf32>) permutation = [0, 3, 4, 1, 2]
func.func @depthwise_hwcm(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x2xf32>) -> tensor<1x6x6x4x2xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x6x6x4x2xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%zero : tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32>
  return %y : tensor<1x6x6x4x2xf32>
}

// -----

// Where only extents of 1 change places there is a reshape, not a copy.

// CHECK-LABEL: @one_pixel
// CHECK-NOT: linalg.transpose ins(%arg0
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1, 2, 3]]
// CHECK: %[[X:.*]] = tensor.expand_shape %[[C]] {{\[}}[0, 1, 2, 3]] output_shape [1, 4, 1, 1]
// CHECK: top.Conv2D %[[X]]
func.func @one_pixel(%x: tensor<1x1x1x4xf32>, %w: tensor<1x1x4x8xf32>) -> tensor<1x1x1x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x1x1x4xf32>, tensor<1x1x4x8xf32>) outs(%zero : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  return %y : tensor<1x1x1x8xf32>
}
