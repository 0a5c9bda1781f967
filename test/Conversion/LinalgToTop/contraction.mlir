// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// CHECK-LABEL: @matmul
// CHECK: top.MatMul %arg0, %arg1 : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// Both transposes by indexing maps. Square on purpose: upstream's
// specialisation drops such a transpose without a word.

#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @maps
// CHECK: top.MatMul %arg0, %arg1 {transpose_a = true, transpose_b = true} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @maps(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: @generic_transposed_b
// CHECK: top.MatMul %arg0, %arg1 {transpose_b = true}
func.func @generic_transposed_b(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// A result written as N x M: the operands change places.

// CHECK-LABEL: @generic_transposed_result
// CHECK-NOT: linalg.transpose
// CHECK: top.MatMul %arg1, %arg0 {transpose_a = true, transpose_b = true} : (tensor<8x6xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
func.func @generic_transposed_result(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<6x4xf32> {
  %z = arith.constant dense<0.0> : tensor<6x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<6x4xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// The weight of a torch linear is transposed by a generic; the transpose
// becomes a flag, and the weight is not copied.

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: @linear
// CHECK-NOT: linalg
// CHECK: top.MatMul %arg0, %arg1, %arg2 {epilogue = [#top.step<relu>], transpose_b = true} : (tensor<4x8xbf16>, tensor<6x8xbf16>, tensor<6xbf16>) -> tensor<4x6xbf16>
func.func @linear(%x: tensor<4x8xbf16>, %w: tensor<6x8xbf16>, %b: tensor<6xbf16>) -> tensor<4x6xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e0 = tensor.empty() : tensor<8x6xbf16>
  %wt = linalg.generic {indexing_maps = [#id, #t], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<6x8xbf16>) outs(%e0 : tensor<8x6xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<8x6xbf16>
  %e = tensor.empty() : tensor<4x6xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  %c = linalg.matmul ins(%x, %wt : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%f : tensor<4x6xbf16>) -> tensor<4x6xbf16>
  %s = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %c : tensor<6xbf16>, tensor<4x6xbf16>) outs(%e : tensor<4x6xbf16>) {
  ^bb0(%t: bf16, %in: bf16, %out: bf16):
    %0 = arith.addf %t, %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x6xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x6xbf16>) outs(%e : tensor<4x6xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.cmpf ugt, %in, %zero : bf16
    %1 = arith.select %0, %in, %zero : bf16
    linalg.yield %1 : bf16
  } -> tensor<4x6xbf16>
  return %r : tensor<4x6xbf16>
}

// -----

// One row: the bias has the shape of the result and still is a bias.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @one_row
// CHECK: top.MatMul %arg0, %arg1, %arg2 : (tensor<1x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<1x6xf32>
func.func @one_row(%x: tensor<1x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<1x6xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6xf32>
  %e = tensor.empty() : tensor<1x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x6xf32>) outs(%z : tensor<1x6xf32>) -> tensor<1x6xf32>
  %row = tensor.expand_shape %b [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %row : tensor<1x6xf32>, tensor<1x6xf32>) outs(%e : tensor<1x6xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.addf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<1x6xf32>
  return %s : tensor<1x6xf32>
}

// -----

// A weight transposed, repeated along the batch and reshaped is shared.

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#rep = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @shared_weight
// CHECK-NOT: linalg
// CHECK: top.MatMul %arg0, %arg1 {transpose_b = true} : (tensor<5x4x8xf32>, tensor<6x8xf32>) -> tensor<5x4x6xf32>
func.func @shared_weight(%x: tensor<5x4x8xf32>, %w: tensor<6x8xf32>) -> tensor<5x4x6xf32> {
  %e0 = tensor.empty() : tensor<8x6xf32>
  %wt = linalg.generic {indexing_maps = [#id2, #t], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<6x8xf32>) outs(%e0 : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x6xf32>
  %e1 = tensor.empty() : tensor<1x5x8x6xf32>
  %wb = linalg.generic {indexing_maps = [#rep, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%wt : tensor<8x6xf32>) outs(%e1 : tensor<1x5x8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x5x8x6xf32>
  %wc = tensor.collapse_shape %wb [[0, 1], [2], [3]] : tensor<1x5x8x6xf32> into tensor<5x8x6xf32>
  %z = arith.constant dense<0.0> : tensor<5x4x6xf32>
  %y = linalg.batch_matmul ins(%x, %wc : tensor<5x4x8xf32>, tensor<5x8x6xf32>) outs(%z : tensor<5x4x6xf32>) -> tensor<5x4x6xf32>
  return %y : tensor<5x4x6xf32>
}

// -----

// Repeated along two dimensions that are then one.

#rep = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @shared_weight_of_two
// CHECK: top.MatMul %arg0, %arg1 : (tensor<6x4x8xf32>, tensor<8x6xf32>) -> tensor<6x4x6xf32>
func.func @shared_weight_of_two(%x: tensor<6x4x8xf32>, %w: tensor<8x6xf32>) -> tensor<6x4x6xf32> {
  %e1 = tensor.empty() : tensor<2x3x8x6xf32>
  %wb = linalg.generic {indexing_maps = [#rep, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<8x6xf32>) outs(%e1 : tensor<2x3x8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x8x6xf32>
  %wc = tensor.collapse_shape %wb [[0, 1], [2], [3]] : tensor<2x3x8x6xf32> into tensor<6x8x6xf32>
  %z = arith.constant dense<0.0> : tensor<6x4x6xf32>
  %y = linalg.batch_matmul ins(%x, %wc : tensor<6x4x8xf32>, tensor<6x8x6xf32>) outs(%z : tensor<6x4x6xf32>) -> tensor<6x4x6xf32>
  return %y : tensor<6x4x6xf32>
}

// -----

// Maps that share one side: the right one is shared as it is; of the left one
// the product is computed the other way round and the result transposed.

// CHECK-LABEL: @shared_by_map
// CHECK: top.MatMul %arg0, %arg1 {transpose_b = true} : (tensor<5x4x8xf32>, tensor<6x8xf32>) -> tensor<5x4x6xf32>
func.func @shared_by_map(%a: tensor<5x4x8xf32>, %b: tensor<6x8xf32>) -> tensor<5x4x6xf32> {
  %z = arith.constant dense<0.0> : tensor<5x4x6xf32>
  %y = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<5x4x8xf32>, tensor<6x8xf32>) outs(%z : tensor<5x4x6xf32>) -> tensor<5x4x6xf32>
  return %y : tensor<5x4x6xf32>
}

// CHECK-LABEL: @left_shared_by_map
// CHECK: %[[C:.*]] = top.MatMul %arg1, %arg0 {transpose_a = true, transpose_b = true} : (tensor<5x8x6xf32>, tensor<4x8xf32>) -> tensor<5x6x4xf32>
// CHECK: linalg.transpose ins(%[[C]] : tensor<5x6x4xf32>) outs(%{{.*}} : tensor<5x4x6xf32>) permutation = [0, 2, 1]
func.func @left_shared_by_map(%a: tensor<4x8xf32>, %b: tensor<5x8x6xf32>) -> tensor<5x4x6xf32> {
  %z = arith.constant dense<0.0> : tensor<5x4x6xf32>
  %y = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<5x8x6xf32>) outs(%z : tensor<5x4x6xf32>) -> tensor<5x4x6xf32>
  return %y : tensor<5x4x6xf32>
}

// -----

// Attention scores: batch and heads are one batch, the heads of K stand last.

// CHECK-LABEL: @two_batches
// CHECK: %[[A:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into tensor<6x4x8xf32>
// CHECK: %[[B:.*]] = tensor.collapse_shape %arg1 {{\[}}[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
// CHECK: %[[C:.*]] = top.MatMul %[[A]], %[[B]] {transpose_b = true} : (tensor<6x4x8xf32>, tensor<6x5x8xf32>) -> tensor<6x4x5xf32>
// CHECK: tensor.expand_shape %[[C]] {{\[}}[0, 1], [2], [3]] output_shape [2, 3, 4, 5]
func.func @two_batches(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x5x8xf32>) -> tensor<2x3x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x3x4x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x3x4x8xf32>, tensor<2x3x5x8xf32>) outs(%z : tensor<2x3x4x5xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x5xf32>
  return %y : tensor<2x3x4x5xf32>
}

// -----

// A sum over two dimensions; one row, written with a literal 0.

// CHECK-LABEL: @two_sums
// CHECK: %[[A:.*]] = tensor.collapse_shape %arg0 {{\[}}[0], [1, 2]] : tensor<1x3x8xf32> into tensor<1x24xf32>
// CHECK: %[[B:.*]] = tensor.collapse_shape %arg1 {{\[}}[0], [1, 2]] : tensor<6x3x8xf32> into tensor<6x24xf32>
// CHECK: top.MatMul %[[A]], %[[B]] {transpose_b = true} : (tensor<1x24xf32>, tensor<6x24xf32>) -> tensor<1x6xf32>
func.func @two_sums(%a: tensor<1x3x8xf32>, %b: tensor<6x3x8xf32>) -> tensor<1x6xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (0, k, l)>, affine_map<(m, n, k, l) -> (n, k, l)>, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<1x3x8xf32>, tensor<6x3x8xf32>) outs(%z : tensor<1x6xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<1x6xf32>
  return %y : tensor<1x6xf32>
}

// -----

// Products of vectors are products of matrices of one row or column.

// CHECK-LABEL: @vectors
// CHECK: %[[V:.*]] = tensor.expand_shape %arg1 {{.*}} : tensor<8xf32> into tensor<8x1xf32>
// CHECK: %[[C:.*]] = top.MatMul %arg0, %[[V]] : (tensor<4x8xf32>, tensor<8x1xf32>) -> tensor<4x1xf32>
// CHECK: %[[Y:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
// CHECK: %[[D:.*]] = top.MatMul %{{.*}}, %{{.*}} : (tensor<1x8xf32>, tensor<8x1xf32>) -> tensor<1x1xf32>
// CHECK: %{{.*}} = tensor.collapse_shape %[[D]] {{.*}} into tensor<f32>
func.func @vectors(%a: tensor<4x8xf32>, %v: tensor<8xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %z0 = arith.constant dense<0.0> : tensor<f32>
  %y = linalg.matvec ins(%a, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %d = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%z0 : tensor<f32>) -> tensor<f32>
  return %y, %d : tensor<4xf32>, tensor<f32>
}

// -----

// All dimensions dynamic.

// CHECK-LABEL: @dynamic
// CHECK: top.MatMul %arg0, %arg1 {transpose_b = true} : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf32>
func.func @dynamic(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf16>
  %n = tensor.dim %b, %c0 : tensor<?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
