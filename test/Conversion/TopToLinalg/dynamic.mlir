// RUN: top-opt %s --convert-top-to-linalg --split-input-file | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --split-input-file --verify-roundtrip -o /dev/null

// Output rows come from the input's; too few of them stop the program before
// a tensor is made with their number. W is static and needs no check.

// CHECK-DAG: #[[$OH:.*]] = affine_map<()[s0] -> ((s0 - 1) floordiv 2 + 1)>
// CHECK-LABEL: @height
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x?x8xf32>
// CHECK: %[[H:.*]] = tensor.dim %[[X]], %c2
// CHECK: %[[OH:.*]] = affine.apply #[[$OH]]()[%[[H]]]
// CHECK: %[[OK:.*]] = arith.cmpi sge, %[[OH]], %c1
// CHECK: cf.assert %[[OK]], "top.Conv2D: output height is below 1"
// CHECK-NOT: cf.assert
// CHECK: tensor.pad {{.*}}
// CHECK: tensor<1x3x?x8xf32> to tensor<1x3x?x10xf32>
// CHECK: tensor.empty(%[[OH]]) : tensor<1x4x?x4xf32>
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} outs(%{{.*}} : tensor<1x4x?x4xf32>)
func.func @height(%x: tensor<1x3x?x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x?x4xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x4xf32>
  return %y : tensor<1x4x?x4xf32>
}

// -----

// CHECK-LABEL: @all
// CHECK: cf.assert %{{.*}}, "top.Conv2D: output height is below 1"
// CHECK: cf.assert %{{.*}}, "top.Conv2D: output width is below 1"
// CHECK-NOT: cf.assert
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} outs(%{{.*}} : tensor<?x4x?x?xf32>)
func.func @all(%x: tensor<?x3x?x?xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32> {
  %y = top.Conv2D %x, %w : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32>
  return %y : tensor<?x4x?x?xf32>
}

// -----

// A dynamic batch alone cannot be wrong.

// CHECK-LABEL: @batch
// CHECK-NOT: cf.assert
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} outs(%{{.*}} : tensor<?x4x5x5xf32>)
func.func @batch(%x: tensor<?x3x7x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x5x5xf32> {
  %y = top.Conv2D %x, %w : (tensor<?x3x7x7xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x5x5xf32>
  return %y : tensor<?x4x5x5xf32>
}

// -----

// A size that folds to a constant keeps the '?' of the types, and one that is
// known to be large enough is not checked.

// CHECK-LABEL: @constant_size
// CHECK-NOT: cf.assert
// CHECK: tensor.empty(%{{.*}}) : tensor<1x4x?x5xf32>
func.func @constant_size(%x: tensor<1x3x20x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x?x5xf32> {
  %c9 = arith.constant 9 : index
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, %c9, 7] [1, 1, 1, 1] : tensor<1x3x20x7xf32> to tensor<1x3x?x7xf32>
  %y = top.Conv2D %s, %w : (tensor<1x3x?x7xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x5xf32>
  return %y : tensor<1x4x?x5xf32>
}

// -----

// Bias and epilogue operands must have the result's sizes; a static 1 is
// broadcast and not checked.

// CHECK-DAG: #[[$GATE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
// CHECK-LABEL: @epilogue
// CHECK-SAME: (%[[X:.*]]: tensor<?x3x7x7xf32>, %[[W:.*]]: tensor<4x3x3x3xf32>, %[[B:.*]]: tensor<?xf32>, %[[G:.*]]: tensor<?x4x5x1xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[F:.*]] = tensor.dim %[[B]], %{{.*}}
// CHECK: %[[F_OK:.*]] = arith.cmpi eq, %[[F]], %c4
// CHECK: cf.assert %[[F_OK]], "top.Conv2D: dimension 0 of 'bias' differs from dimension 1 of the result"
// CHECK: %[[GN:.*]] = tensor.dim %[[G]], %{{.*}}
// CHECK: %[[N_OK:.*]] = arith.cmpi eq, %[[GN]], %[[N]]
// CHECK: cf.assert %[[N_OK]], "top.Conv2D: dimension 0 of epilogue operand #0 differs from dimension 0 of the result"
// CHECK-NOT: cf.assert
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[$GATE]], #{{.*}}]
func.func @epilogue(%x: tensor<?x3x7x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<?xf32>, %g: tensor<?x4x5x1xf32>) -> tensor<?x4x5x5xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%g) {epilogue = [#top.step<mul>]} : (tensor<?x3x7x7xf32>, tensor<4x3x3x3xf32>, tensor<?xf32>, tensor<?x4x5x1xf32>) -> tensor<?x4x5x5xf32>
  return %y : tensor<?x4x5x5xf32>
}

// -----

// K and the batch of a product are in both operands.

// CHECK-LABEL: @matmul
// CHECK-SAME: (%[[A:.*]]: tensor<?x?x?xf32>, %[[B:.*]]: tensor<?x?x?xf32>)
// CHECK: %[[LK:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[RK:.*]] = tensor.dim %[[B]], %c2
// CHECK: %[[K_OK:.*]] = arith.cmpi eq, %[[LK]], %[[RK]]
// CHECK: cf.assert %[[K_OK]], "top.MatMul: inner dimensions K of 'lhs' and 'rhs' differ"
// CHECK: cf.assert %{{.*}}, "top.MatMul: batch sizes of 'lhs' and 'rhs' differ"
// CHECK: linalg.batch_matmul {{.*}} outs(%{{.*}} : tensor<?x?x?xf32>)
func.func @matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %c : tensor<?x?x?xf32>
}

// -----

// One side static: the other must have that size at run time. M and N are in
// one operand each.

// CHECK-LABEL: @matmul_half_static
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<5x?xf32>, %[[V:.*]]: tensor<7xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %{{.*}}
// CHECK: %[[K:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK: %[[K_OK:.*]] = arith.cmpi eq, %[[K]], %c5
// CHECK: cf.assert %[[K_OK]], "top.MatMul: inner dimensions K of 'lhs' and 'rhs' differ"
// CHECK: %[[N_OK:.*]] = arith.cmpi eq, %c7{{.*}}, %[[N]]
// CHECK: cf.assert %[[N_OK]], "top.MatMul: dimension 0 of 'bias' differs from dimension 1 of the result"
// CHECK-NOT: cf.assert
// CHECK: linalg.matmul
func.func @matmul_half_static(%a: tensor<?x?xf32>, %b: tensor<5x?xf32>, %v: tensor<7xf32>) -> tensor<?x?xf32> {
  %c = top.MatMul %a, %b, %v : (tensor<?x?xf32>, tensor<5x?xf32>, tensor<7xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// -----

// A static K of 0 on one side decides, once the other side has been checked.

// CHECK-LABEL: @matmul_empty_sum
// CHECK: cf.assert %{{.*}}, "top.MatMul: inner dimensions K of 'lhs' and 'rhs' differ"
// CHECK-NOT: linalg.matmul
// CHECK: linalg.fill
func.func @matmul_empty_sum(%a: tensor<3x?xf32>, %b: tensor<0x7xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b : (tensor<3x?xf32>, tensor<0x7xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}
