// RUN: top-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// The sizes of a result, asked for with tensor.dim, follow from the operands'
// sizes; the op itself is then not needed.

//   CHECK-DAG: #[[$SAME:.*]] = affine_map<()[s0] -> ((s0 - 1) floordiv 2 + 1)>
//   CHECK-DAG: #[[$DILATED:.*]] = affine_map<()[s0] -> ((s0 - 2) floordiv 3 + 1)>
//   CHECK-DAG: #[[$CHAIN:.*]] = affine_map<()[s0] -> ((s0 - 3) floordiv 2 + 1)>

// (H + 1 + 1 - 2*1 - 1) / 2 + 1, (W + 2 + 1 - 2*2 - 1) / 3 + 1.
// CHECK-LABEL: @conv
//  CHECK-SAME: (%[[X:.*]]: tensor<?x3x?x?xf32>
//   CHECK-DAG: %[[F:.*]] = arith.constant 8 : index
//   CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
//   CHECK-DAG: %[[H:.*]] = tensor.dim %[[X]], %c2
//   CHECK-DAG: %[[W:.*]] = tensor.dim %[[X]], %c3
//   CHECK-DAG: %[[OH:.*]] = affine.apply #[[$SAME]]()[%[[H]]]
//   CHECK-DAG: %[[OW:.*]] = affine.apply #[[$DILATED]]()[%[[W]]]
//   CHECK-NOT: top.Conv2D
//       CHECK: return %[[N]], %[[F]], %[[OH]], %[[OW]]
func.func @conv(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>) -> (index, index, index, index) {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 3>, pads = array<i64: 1, 2, 1, 1>, dilations = array<i64: 1, 2>}
     : (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %y, %c0 : tensor<?x8x?x?xf32>
  %f = tensor.dim %y, %c1 : tensor<?x8x?x?xf32>
  %h = tensor.dim %y, %c2 : tensor<?x8x?x?xf32>
  %v = tensor.dim %y, %c3 : tensor<?x8x?x?xf32>
  return %n, %f, %h, %v : index, index, index, index
}

// A height that the formula leaves alone needs no arithmetic.
// CHECK-LABEL: @conv_same
//  CHECK-SAME: (%[[X:.*]]: tensor<1x3x?x9xf32>
//       CHECK: %[[H:.*]] = tensor.dim %[[X]], %c2
//  CHECK-NEXT: return %[[H]]
func.func @conv_same(%x: tensor<1x3x?x9xf32>, %w: tensor<8x3x3x3xf32>) -> index {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x?x9xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x?x9xf32>
  %c2 = arith.constant 2 : index
  %h = tensor.dim %y, %c2 : tensor<1x8x?x9xf32>
  return %h : index
}

// Through two convolutions, in one formula.
// CHECK-LABEL: @conv_chain
//  CHECK-SAME: (%[[X:.*]]: tensor<1x3x?x9xf32>
//       CHECK: %[[H:.*]] = tensor.dim %[[X]], %c2
//       CHECK: %[[OH:.*]] = affine.apply #[[$CHAIN]]()[%[[H]]]
//       CHECK: return %[[OH]]
func.func @conv_chain(%x: tensor<1x3x?x9xf32>, %w: tensor<3x3x3x3xf32>) -> index {
  %y = top.Conv2D %x, %w : (tensor<1x3x?x9xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x?x7xf32>
  %z = top.Conv2D %y, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x?x7xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x?x4xf32>
  %c2 = arith.constant 2 : index
  %h = tensor.dim %z, %c2 : tensor<1x3x?x4xf32>
  return %h : index
}

// Both transposed: M is lhs's last dimension, N rhs's second.
// CHECK-LABEL: @matmul
//  CHECK-SAME: (%[[A:.*]]: tensor<?x?x?xf32>, %[[B:.*]]: tensor<?x?x?xf32>
//   CHECK-DAG: %[[BATCH:.*]] = tensor.dim %[[A]], %c0
//   CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %c2
//   CHECK-DAG: %[[N:.*]] = tensor.dim %[[B]], %c1
//       CHECK: return %[[BATCH]], %[[M]], %[[N]]
func.func @matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> (index, index, index) {
  %y = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %y, %c0 : tensor<?x?x?xf32>
  %1 = tensor.dim %y, %c1 : tensor<?x?x?xf32>
  %2 = tensor.dim %y, %c2 : tensor<?x?x?xf32>
  return %0, %1, %2 : index, index, index
}

// The batch is known from the right side; N of a shared right side.
// CHECK-LABEL: @matmul_batch
//  CHECK-SAME: (%[[A:.*]]: tensor<?x?x7xf32>, %[[B:.*]]: tensor<4x7x?xf32>, %[[S:.*]]: tensor<7x?xf32>
//   CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
//   CHECK-DAG: %[[BATCH:.*]] = tensor.dim %[[A]], %c0
//   CHECK-DAG: %[[N:.*]] = tensor.dim %[[S]], %c1
//       CHECK: return %[[FOUR]], %[[BATCH]], %[[N]]
func.func @matmul_batch(%a: tensor<?x?x7xf32>, %b: tensor<4x7x?xf32>, %s: tensor<7x?xf32>) -> (index, index, index) {
  %y = top.MatMul %a, %b : (tensor<?x?x7xf32>, tensor<4x7x?xf32>) -> tensor<4x?x?xf32>
  %z = top.MatMul %a, %s : (tensor<?x?x7xf32>, tensor<7x?xf32>) -> tensor<?x?x?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %y, %c0 : tensor<4x?x?xf32>
  %1 = tensor.dim %z, %c0 : tensor<?x?x?xf32>
  %2 = tensor.dim %z, %c2 : tensor<?x?x?xf32>
  return %0, %1, %2 : index, index, index
}
