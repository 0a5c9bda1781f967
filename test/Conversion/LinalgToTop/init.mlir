// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// Bias repeated by a generic, as torch-mlir prints it.

#bias = affine_map<(d0, d1, d2, d3) -> (d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @bias_by_generic
// CHECK-NOT: linalg
// CHECK: top.Conv2D %arg0, %arg1, %arg2 : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>)
func.func @bias_by_generic(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x6x6xf32> {
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %init = linalg.generic {indexing_maps = [#bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x6x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%init : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// A broadcast along another dimension is no bias; it is added.

// CHECK-LABEL: @not_a_bias
// CHECK: %[[T:.*]] = tensor.expand_shape %arg2 {{.*}} output_shape [1, 1, 1, 6] : tensor<6xf32> into tensor<1x1x1x6xf32>
// CHECK: top.Conv2D %arg0, %arg1 epilogue(%[[T]]) {epilogue = [#top.step<add>]} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<1x1x1x6xf32>)
func.func @not_a_bias(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<6xf32>) -> tensor<1x4x6x6xf32> {
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %init = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x4x6x6xf32>) dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%init : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// Accumulation into something else is kept.

// CHECK-LABEL: @accumulate
// CHECK: top.MatMul %arg0, %arg1 epilogue(%arg2) {epilogue = [#top.step<add>]}
func.func @accumulate(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A number other than zero is the same bias for all.

// CHECK-LABEL: @ones
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: arith.constant 1.0
// CHECK: -> tensor<6xf32>
// CHECK: top.MatMul %arg0, %arg1, %[[B]] :
func.func @ones(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
