// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// Elementwise ops behind a reshape of a product, as torch-mlir prints a linear
// over tokens: bias and residual are computed in front of the reshape.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#col = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: @split_rows
// CHECK: %[[R:.*]] = tensor.collapse_shape %arg3 {{\[}}[0, 1], [2]] : tensor<2x5x6xf32> into tensor<10x6xf32>
// CHECK: %[[C:.*]] = top.MatMul %arg0, %arg1, %arg2 epilogue(%[[R]]) {epilogue = [#top.step<add>]} : (tensor<10x8xf32>, tensor<8x6xf32>, tensor<6xf32>, tensor<10x6xf32>) -> tensor<10x6xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[C]] {{\[}}[0, 1], [2]] output_shape [2, 5, 6]
// CHECK: return %[[E]]
func.func @split_rows(%a: tensor<10x8xf32>, %b: tensor<8x6xf32>, %t: tensor<6xf32>, %r: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %z = arith.constant dense<0.0> : tensor<10x6xf32>
  %e = tensor.empty() : tensor<2x5x6xf32>
  %c = linalg.matmul ins(%a, %b : tensor<10x8xf32>, tensor<8x6xf32>) outs(%z : tensor<10x6xf32>) -> tensor<10x6xf32>
  %y = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 5, 6] : tensor<10x6xf32> into tensor<2x5x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %t : tensor<2x5x6xf32>, tensor<6xf32>) outs(%e : tensor<2x5x6xf32>) {
  ^bb0(%in: f32, %l: f32, %out: f32):
    %0 = arith.addf %in, %l : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %r : tensor<2x5x6xf32>, tensor<2x5x6xf32>) outs(%e : tensor<2x5x6xf32>) {
  ^bb0(%in: f32, %l: f32, %out: f32):
    %0 = arith.addf %in, %l : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x6xf32>
  return %n : tensor<2x5x6xf32>
}

// -----

// A tensor that varies along one of the two dimensions that the rows are split
// into has no shape in front of the reshape.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d1)>

// CHECK-LABEL: @part_of_the_rows
// CHECK: %[[C:.*]] = top.MatMul %arg0, %arg1 :
// CHECK: %[[E:.*]] = tensor.expand_shape %[[C]]
// CHECK: linalg.generic {{.*}} ins(%[[E]], %arg2
func.func @part_of_the_rows(%a: tensor<10x8xf32>, %b: tensor<8x6xf32>, %t: tensor<5xf32>) -> tensor<2x5x6xf32> {
  %z = arith.constant dense<0.0> : tensor<10x6xf32>
  %e = tensor.empty() : tensor<2x5x6xf32>
  %c = linalg.matmul ins(%a, %b : tensor<10x8xf32>, tensor<8x6xf32>) outs(%z : tensor<10x6xf32>) -> tensor<10x6xf32>
  %y = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 5, 6] : tensor<10x6xf32> into tensor<2x5x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %t : tensor<2x5x6xf32>, tensor<5xf32>) outs(%e : tensor<2x5x6xf32>) {
  ^bb0(%in: f32, %l: f32, %out: f32):
    %0 = arith.addf %in, %l : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x6xf32>
  return %s : tensor<2x5x6xf32>
}

// -----

// A layer scale per channel and a residual behind a transpose, as in ConvNeXt.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#last_to_second = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#c11 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#unit = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>

// CHECK-LABEL: @layer_scale
// CHECK: %[[S:.*]] = tensor.collapse_shape %arg2 {{\[}}[0, 1, 2]] : tensor<6x1x1xf32> into tensor<6xf32>
// CHECK: %[[M:.*]] = tensor.expand_shape %[[S]] {{\[}}[0, 1, 2]] output_shape [1, 1, 6] : tensor<6xf32> into tensor<1x1x6xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg3 : tensor<1x6x4x5xf32>) outs(%{{.*}} : tensor<1x4x5x6xf32>) permutation = [0, 2, 3, 1]
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1], [2], [3]] : tensor<1x4x5x6xf32> into tensor<4x5x6xf32>
// CHECK: %[[C:.*]] = top.MatMul %arg0, %arg1 epilogue(%[[M]], %[[R]]) {epilogue = [#top.step<mul>, #top.step<add>]}
// CHECK: %[[E:.*]] = tensor.expand_shape %[[C]]
// CHECK: %[[Y:.*]] = linalg.transpose ins(%[[E]]
// CHECK: return %[[Y]]
func.func @layer_scale(%a: tensor<4x5x8xf32>, %b: tensor<8x6xf32>, %s: tensor<6x1x1xf32>, %r: tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<4x5x6xf32>
  %e = tensor.empty() : tensor<1x6x4x5xf32>
  %c = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<4x5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x5x6xf32>) -> tensor<4x5x6xf32>
  %y = tensor.expand_shape %c [[0, 1], [2], [3]] output_shape [1, 4, 5, 6] : tensor<4x5x6xf32> into tensor<1x4x5x6xf32>
  %t = linalg.generic {indexing_maps = [#id, #last_to_second], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x4x5x6xf32>) outs(%e : tensor<1x6x4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x4x5xf32>
  %m = linalg.generic {indexing_maps = [#c11, #unit, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %t : tensor<6x1x1xf32>, tensor<1x6x4x5xf32>) outs(%e : tensor<1x6x4x5xf32>) {
  ^bb0(%l: f32, %in: f32, %out: f32):
    %0 = arith.mulf %l, %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x4x5xf32>
  %n = linalg.generic {indexing_maps = [#unit, #unit, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m, %r : tensor<1x6x4x5xf32>, tensor<1x6x4x5xf32>) outs(%e : tensor<1x6x4x5xf32>) {
  ^bb0(%l: f32, %in: f32, %out: f32):
    %0 = arith.addf %l, %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x4x5xf32>
  return %n : tensor<1x6x4x5xf32>
}
