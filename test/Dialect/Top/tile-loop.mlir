// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=4 width=4" | FileCheck %s --implicit-check-not=scf.if --implicit-check-not=affine.min --implicit-check-not=affine.max --implicit-check-not='?'

// form=loop on static convolutions, one function per kind of shape: no scf.if,
// no min or max, no dynamic size (checked over the whole output), and at most
// nine top.Conv2D.

// CHECK-LABEL: func.func @same_padding
// CHECK-SAME:    %[[IN:[a-z0-9_]+]]: tensor<2x3x16x16xf32>
// CHECK:         scf.for %[[N:[a-z0-9_]+]] = %c0 to %c2 step %c1
// The corner, with its own static pads.
// CHECK:           tensor.extract_slice %[[IN]][%[[N]], 0, 0, 0] [1, 3, 5, 5]
// CHECK:           top.Conv2D {{.*}} {pads = array<i64: 1, 1, 0, 0>} {{.*}} -> tensor<1x8x4x4xf32>
// CHECK:           scf.for
// CHECK:             top.Conv2D {{.*}} {pads = array<i64: 1, 0, 0, 0>}
// CHECK:           top.Conv2D {{.*}} {pads = array<i64: 1, 0, 0, 1>}
// CHECK:           scf.for %[[H:[a-z0-9_]+]] = %c4 to %c12 step %c4
// CHECK:             top.Conv2D {{.*}} {pads = array<i64: 0, 1, 0, 0>}
// The interior: two loops, one static shape, no pads.
// CHECK:             scf.for %[[W:[a-z0-9_]+]] = %c4 to %c12 step %c4 iter_args(%[[D:[a-z0-9_]+]] =
// CHECK-DAG:           %[[ROW:[a-z0-9_]+]] = affine.apply {{.*}}(%[[H]])
// CHECK-DAG:           %[[COL:[a-z0-9_]+]] = affine.apply {{.*}}(%[[W]])
// CHECK:               %[[S:[a-z0-9_]+]] = tensor.extract_slice %[[IN]][%[[N]], 0, %[[ROW]], %[[COL]]] [1, 3, 6, 6] [1, 1, 1, 1] : tensor<2x3x16x16xf32> to tensor<1x3x6x6xf32>
// CHECK:               %[[C:[a-z0-9_]+]] = top.Conv2D %[[S]], %{{.*}} : (tensor<1x3x6x6xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x4x4xf32>
// CHECK:               tensor.insert_slice %[[C]] into %[[D]][%[[N]], 0, %[[H]], %[[W]]] [1, 8, 4, 4]
// CHECK:             top.Conv2D {{.*}} {pads = array<i64: 0, 0, 0, 1>}
// CHECK:           top.Conv2D {{.*}} {pads = array<i64: 0, 1, 1, 0>}
// CHECK:             top.Conv2D {{.*}} {pads = array<i64: 0, 0, 1, 0>}
// CHECK:           top.Conv2D {{.*}} {pads = array<i64: 0, 0, 1, 1>}
// CHECK-NOT:       top.Conv2D
func.func @same_padding(%in: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
  return %y : tensor<2x8x16x16xf32>
}

// -----

// No pads, stride 2, a tile that does not divide: the smaller last tiles are
// static and stand behind the loops.

// CHECK-LABEL: func.func @strided_valid
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:           top.Conv2D {{.*}} {strides = array<i64: 2, 2>} : (tensor<1x3x9x9xf32>, {{.*}} -> tensor<1x8x4x4xf32>
// CHECK:         top.Conv2D {{.*}} : (tensor<1x3x9x7xf32>, {{.*}} -> tensor<1x8x4x3xf32>
// CHECK:       scf.for
// CHECK:         top.Conv2D {{.*}} : (tensor<1x3x7x9xf32>, {{.*}} -> tensor<1x8x3x4xf32>
// CHECK:       top.Conv2D {{.*}} : (tensor<1x3x7x7xf32>, {{.*}} -> tensor<1x8x3x3xf32>
// CHECK-NOT:   top.Conv2D
func.func @strided_valid(%in: tensor<1x3x31x31xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x15x15xf32> {
  %y = top.Conv2D %in, %w {strides = array<i64: 2, 2>} : (tensor<1x3x31x31xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x15x15xf32>
  return %y : tensor<1x8x15x15xf32>
}

// -----

// Dilation 2 with matching pads: the window of a tile is 8 rows.

// CHECK-LABEL:  func.func @dilated
// CHECK-COUNT-9: top.Conv2D
// CHECK-NOT:    top.Conv2D
func.func @dilated(%in: tensor<1x2x20x20xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x20x20xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x2x20x20xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x20x20xf32>
  return %y : tensor<1x2x20x20xf32>
}

// -----

// Depthwise, stride 2: along W the leading pad is read and the trailing one
// never is, so there is one border side only.

// CHECK-LABEL:  func.func @depthwise
// CHECK-COUNT-2: top.Conv2D {{.*}} {group = 16 : i64
// CHECK-NOT:    top.Conv2D
func.func @depthwise(%in: tensor<1x16x34x32xf32>, %w: tensor<16x1x3x3xf32>) -> tensor<1x16x16x16xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>, group = 16 : i64} : (tensor<1x16x34x32xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x16x16xf32>
  return %y : tensor<1x16x16x16xf32>
}

// -----

// Padding only in front (causal).

// CHECK-LABEL:  func.func @causal
// CHECK-COUNT-4: top.Conv2D
// CHECK-NOT:    top.Conv2D
func.func @causal(%in: tensor<1x2x16x16xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x16x16xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 2, 2, 0, 0>} : (tensor<1x2x16x16xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x16x16xf32>
  return %y : tensor<1x2x16x16xf32>
}

// -----

// The kernel is smaller than the stride: windows have gaps between them, and
// slices hold only the rows of their own window.

// CHECK-LABEL: func.func @gaps
// CHECK:       %[[ROW:[a-z0-9_]+]] = affine.apply #[[TIMES5:.*]](%{{.*}})
// CHECK:       tensor.extract_slice %{{.*}}[0, 0, %[[ROW]], %{{.*}}] [1, 2, 17, 17]
// CHECK:       top.Conv2D {{.*}} {strides = array<i64: 5, 5>} : (tensor<1x2x17x17xf32>
// CHECK-NOT:   top.Conv2D
func.func @gaps(%in: tensor<1x2x40x40xf32>, %w: tensor<2x2x2x2xf32>) -> tensor<1x2x8x8xf32> {
  %y = top.Conv2D %in, %w {strides = array<i64: 5, 5>} : (tensor<1x2x40x40xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

// Padding far beyond the kernel: one fill a side for all tiles that read
// nothing, and what is left round the 8x8 image.

// CHECK-LABEL: func.func @fills
// CHECK-SAME:    %{{.*}}: tensor<1x1x8x8xf32>, %{{.*}}: tensor<1x1x3x3xf32>, %[[B:[a-z0-9_]+]]: tensor<1xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[B]] : tensor<1xf32>) outs(%{{.*}} : tensor<1x1x96x206xf32>)
// CHECK:         tensor.insert_slice {{.*}}[0, 0, 0, 0] [1, 1, 96, 206]
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x98x206xf32>)
// CHECK:         tensor.insert_slice {{.*}}[0, 0, 108, 0] [1, 1, 98, 206]
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x12x96xf32>)
// CHECK:         tensor.insert_slice {{.*}}[0, 0, 96, 0] [1, 1, 12, 96]
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x12x98xf32>)
// CHECK:         tensor.insert_slice {{.*}}[0, 0, 96, 108] [1, 1, 12, 98]
// CHECK-NOT:     linalg.generic
// CHECK-COUNT-9: top.Conv2D
// CHECK-NOT:     top.Conv2D
func.func @fills(%in: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>, %b: tensor<1xf32>) -> tensor<1x1x206x206xf32> {
  %y = top.Conv2D %in, %w, %b {pads = array<i64: 100, 100, 100, 100>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>) -> tensor<1x1x206x206xf32>
  return %y : tensor<1x1x206x206xf32>
}

// -----

// The windows' rows (-41, -33, .. -1) never meet the input: one fill, no tile
// of a convolution, and no empty loops along the other axes.

// CHECK-LABEL: func.func @only_padding
// CHECK:         linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<2x1x6x8xf32>)
// CHECK-NEXT:    tensor.insert_slice
// CHECK-NEXT:    return
func.func @only_padding(%in: tensor<2x1x1x8xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<2x1x6x8xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 41, 0, 0, 0>, strides = array<i64: 8, 1>} : (tensor<2x1x1x8xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x6x8xf32>
  return %y : tensor<2x1x6x8xf32>
}

// -----

// 1x1 with all else 1: nothing to cut, the op stays.

// CHECK-LABEL: func.func @ones
// CHECK-NEXT:    top.Conv2D
// CHECK-NEXT:    return
func.func @ones(%in: tensor<1x1x1x1xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32> {
  %y = top.Conv2D %in, %w : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}
