// RUN: top-opt %s --top-tile="batch=2 height=4 m=8 n=8" --canonicalize | FileCheck %s --implicit-check-not=scf.if

// A dynamic axis: the last tile is clamped, the window is clamped to the input
// and padded. The width is not cut and keeps its pads as attributes.

// CHECK-LABEL: func.func @conv
// CHECK:       %[[OK:.*]] = arith.cmpi sge, %{{.*}}, %c1
// CHECK-NEXT:  cf.assert %[[OK]], "top.Conv2D: output height is below 1"
// CHECK:       scf.for %[[N:[a-z0-9_]+]] = %c0 to %{{.*}} step %c2
// CHECK:         %[[NS:[a-z0-9_]+]] = affine.min
// CHECK:         scf.for %[[H:[a-z0-9_]+]] = %c0 to %{{.*}} step %c4
// CHECK:           %[[HS:[a-z0-9_]+]] = affine.min
// CHECK:           tensor.extract_slice %{{.*}}[%[[N]], 0, %{{.*}}, 0] [%[[NS]], 3, %{{.*}}, 16]
// CHECK:           tensor.pad {{.*}} low[0, 0, %{{.*}}, 0] high[0, 0, %{{.*}}, 0]
// CHECK:           top.Conv2D {{.*}} {pads = array<i64: 0, 1, 0, 1>} : (tensor<?x3x?x16xf32>
// CHECK:           tensor.insert_slice %{{.*}} into %{{.*}}[%[[N]], 0, %[[H]], 0] [%[[NS]], 8, %[[HS]], 16]
func.func @conv(%in: tensor<?x3x?x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<?x8x?x16xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x3x?x16xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x16xf32>
  return %y : tensor<?x8x?x16xf32>
}

// Pads of 0 need no clamping of the window: every tile that lies inside the
// result lies inside the input.

// CHECK-LABEL: func.func @valid
// CHECK-NOT:   tensor.pad
// CHECK:       top.Conv2D
func.func @valid(%in: tensor<1x3x?x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x?x14xf32> {
  %y = top.Conv2D %in, %w : (tensor<1x3x?x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x?x14xf32>
  return %y : tensor<1x8x?x14xf32>
}

// CHECK-LABEL: func.func @matmul
// CHECK:       scf.for %[[B:[a-z0-9_]+]] =
// CHECK:         scf.for %[[M:[a-z0-9_]+]] =
// CHECK:           %[[MS:[a-z0-9_]+]] = affine.min
// CHECK:           scf.for %[[N:[a-z0-9_]+]] = %c0 to %c32 step %c8
// CHECK-DAG:         tensor.extract_slice %{{.*}}[%[[B]], %[[M]], 0] [%{{.*}}, %[[MS]], 16]
// CHECK-DAG:         tensor.extract_slice %{{.*}}[%[[N]], 0] [8, 16]
// CHECK:             top.MatMul {{.*}} {transpose_b = true} : (tensor<?x?x16xf32>, tensor<8x16xf32>) -> tensor<?x?x8xf32>
func.func @matmul(%a: tensor<?x?x16xf32>, %b: tensor<32x16xf32>) -> tensor<?x?x32xf32> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<?x?x16xf32>, tensor<32x16xf32>) -> tensor<?x?x32xf32>
  return %c : tensor<?x?x32xf32>
}

// The sizes of operands that the types leave open are checked in front of the
// loops, since a tile is cut to the size that is needed.

// CHECK-LABEL: func.func @open_sizes
// CHECK:       cf.assert %{{.*}}, "top.MatMul: inner dimensions K of 'lhs' and 'rhs' differ"
// CHECK:       cf.assert %{{.*}}, "top.MatMul: dimension 0 of 'bias' differs from dimension 1 of the result"
// CHECK:       cf.assert %{{.*}}, "top.MatMul: dimension 0 of epilogue operand #0 differs from dimension 0 of the result"
// CHECK:       scf.for
func.func @open_sizes(%a: tensor<?x?xf32>, %b: tensor<16x32xf32>, %v: tensor<?xf32>, %t: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %c = top.MatMul %a, %b, %v epilogue(%t) {epilogue = [#top.step<add>]} : (tensor<?x?xf32>, tensor<16x32xf32>, tensor<?xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %c : tensor<?x32xf32>
}
