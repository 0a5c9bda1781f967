// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-tile-to-blocks --cse | FileCheck %s

// A convolution as an implicit product. Straight from N x C x H x W, K goes over
// (c, kh, kw), the order of the filter as it is. The zeros round the images are
// nowhere: the window begins one row and one column before the box, of which
// there are two in each row of 16 pixels and one along the rows.

// CHECK-DAG:   #[[$START_W:.*]] = affine_map<(d0) -> (d0 * 2 - 1)>
// CHECK-LABEL: @pads_and_strides(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x8x32xf32>, %[[W:.*]]: tensor<6x5x3x3xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2, 3]] : tensor<6x5x3x3xf32> into tensor<6x45xf32>
// Group, images, rows, columns; channels last, since blocks that share pixels
// follow each other.
// CHECK:         scf.forall (%{{.*}}, %[[N:.*]], %[[H:.*]], %[[V:.*]], %[[C:.*]]) = (0, 0, 0, 0, 0) to (1, 2, 8, 16, 6) step (1, 1, 8, 8, 8)
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %c45 step %c8
// CHECK:             %[[FS:.*]] = tensor.extract_slice %[[F]][0, %[[K]]] [6, %{{.*}}] [1, 1]
// CHECK:             %[[A:.*]] = top.tile_load %[[FS]] : tensor<6x?xf32> -> !top.tile<block 8x8xf32>
// CHECK:             %[[XS:.*]] = tensor.extract_slice %[[X]][%[[N]], 0, 0, 0] [1, 5, 8, 32] [1, 1, 1, 1]
// CHECK:             %[[W0:.*]] = affine.apply #[[$START_W]](%[[V]])
// CHECK:             %[[B:.*]] = top.tile_load %[[XS]][%c-1, %[[W0]], %[[K]]] window <box = [8, 8], kernel = [3, 3], strides = [1, 2], dilations = [1, 1], layout = channels_first> : tensor<1x5x8x32xf32> -> !top.tile<block 8x64xf32>
// CHECK:             top.tile_mma %[[A]], %[[B]]
// CHECK:           top.tile_store %{{.*}} into %{{.*}} dims <rows = [8], cols = [1, 8, 8], order = [1, 0, 2, 3]>
func.func @pads_and_strides(%x: tensor<2x5x8x32xf32>, %w: tensor<6x5x3x3xf32>) -> tensor<2x6x8x16xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 2>, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4], box = [1, 8, 8]>} : (tensor<2x5x8x32xf32>, tensor<6x5x3x3xf32>) -> tensor<2x6x8x16xf32>
  return %y : tensor<2x6x8x16xf32>
}

// -----

// Dilations and pads of any size are numbers in the window's position.
// CHECK-DAG:   #[[$START_H:.*]] = affine_map<(d0) -> (d0 - 4)>
// CHECK-LABEL: @dilated(
// CHECK-NOT:     tensor.pad
// CHECK:         top.tile_load %{{.*}}[%{{.*}}, %c-7, %{{.*}}] window <box = [4, 12], kernel = [3, 3], strides = [1, 1], dilations = [2, 5], layout = channels_first>
func.func @dilated(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x8x12xf32> {
  %y = top.Conv2D %x, %w {dilations = array<i64: 2, 5>, pads = array<i64: 4, 7, 0, 7>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4], box = [1, 4, 12]>} : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x12xf32>
  return %y : tensor<1x8x8x12xf32>
}

// -----

// Groups are a batch of products: a loop of their own, whose images are the
// group's channels and whose results lie behind those of the groups before.
// CHECK:       #[[$CHANNEL:.*]] = affine_map<(d0) -> (d0 * 8)>
// CHECK-LABEL: @groups(
// CHECK-SAME:    %[[X:.*]]: tensor<1x12x8x8xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         %[[XG:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 3, 4, 8, 8]
// CHECK:         scf.forall (%[[G:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %[[C:.*]]) = (0, 0, 0, 0, 0) to (3, 1, 8, 8, 8) step (1, 1, 8, 8, 8)
// CHECK:           %[[FIRST:.*]] = affine.apply #[[$CHANNEL]](%[[G]])
// CHECK:           tensor.extract_slice %[[XG]][0, %[[G]], 0, 0, 0] [1, 1, 4, 8, 8] [1, 1, 1, 1, 1] : tensor<1x3x4x8x8xf32> to tensor<1x4x8x8xf32>
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %{{.*}}[0, %[[FIRST]], 0, 0] [1, 8, 8, 8]
func.func @groups(%x: tensor<1x12x8x8xf32>, %w: tensor<24x4x3x3xf32>) -> tensor<1x24x8x8xf32> {
  %y = top.Conv2D %x, %w {group = 3 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>} : (tensor<1x12x8x8xf32>, tensor<24x4x3x3xf32>) -> tensor<1x24x8x8xf32>
  return %y : tensor<1x24x8x8xf32>
}

// -----

// One tap at every pixel: the images are matrices of channels x pixels already,
// and are read as those of a matrix product are.
// CHECK-LABEL: @product(
// CHECK:         %[[S:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, 0] [1, 8, 4, 16] [1, 1, 1, 1] : tensor<2x16x8x16xf32> to tensor<8x4x16xf32>
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]] : tensor<8x4x16xf32> into tensor<8x64xf32>
// CHECK:         top.tile_load %[[M]] : tensor<8x64xf32> -> !top.tile<block 8x64xf32>
func.func @product(%x: tensor<2x16x8x16xf32>, %w: tensor<8x16x1x1xf32>) -> tensor<2x8x8x16xf32> {
  %y = top.Conv2D %x, %w {top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4], box = [1, 4, 16]>} : (tensor<2x16x8x16xf32>, tensor<8x16x1x1xf32>) -> tensor<2x8x8x16xf32>
  return %y : tensor<2x8x8x16xf32>
}

// -----

// A box of a part of a row, with less of it at the end: the row is dropped, so
// that the pixels stay side by side.
// CHECK-LABEL: @part_of_row(
// CHECK:         %[[S:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] [1, 8, 1, %{{.*}}] [1, 1, 1, 1] : tensor<2x16x8x40xf32> to tensor<8x?xf32>
// CHECK:         top.tile_load %[[S]] : tensor<8x?xf32> -> !top.tile<block 8x64xf32>
func.func @part_of_row(%x: tensor<2x16x8x40xf32>, %w: tensor<8x16x1x1xf32>) -> tensor<2x8x8x40xf32> {
  %y = top.Conv2D %x, %w {top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4], box = [1, 1, 16]>} : (tensor<2x16x8x40xf32>, tensor<8x16x1x1xf32>) -> tensor<2x8x8x40xf32>
  return %y : tensor<2x8x8x40xf32>
}

// -----

// The epilogue is part of the store: its inputs are sliced as the result is.
// CHECK-DAG:   #[[$PER_CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-DAG:   #[[$EACH:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @epilogue(
// CHECK:         top.tile_store %{{.*}} into %{{.*}} dims {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<1x8x8x8xf32>) maps [#[[$PER_CHANNEL]], #[[$EACH]]]
// CHECK:         arith.addf
// CHECK:         arith.addf
// CHECK:         arith.maximumf
// CHECK-NOT:     linalg.generic
func.func @epilogue(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x1x1xf32>, %b: tensor<8xf32>, %r: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%r) {epilogue = [#top.step<add>, #top.step<relu>], top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>} : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>, tensor<8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

// Pixels may be the rows: those of the filter are then the right operand.
// CHECK-LABEL: @pixel_rows(
// CHECK:         top.tile_mma %{{.*}}, %{{.*}}, %{{.*}} {transpose_a, transpose_b} : !top.tile<block 8x64xf32>, !top.tile<block 8x8xf32> -> !top.tile<block 64x8xf32>
// CHECK:         top.tile_store %{{.*}} dims <rows = [1, 8, 8], cols = [8], order = [0, 3, 1, 2]>
func.func @pixel_rows(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<block = [64, 8, 8], warp = [32, 8], thread = [4, 2], pixels = rows>} : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

// Parts of K: their sums in a workspace, and a kernel that adds them.
// CHECK-LABEL: @parts(
// CHECK:         scf.forall ({{.*}}) = (0, 0, 0, 0, 0, 0) to (72, 1, 1, 8, 8, 8) step (24, 1, 1, 8, 8, 8) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<3x1x8x8x8xf32>)
// CHECK:         scf.forall
// CHECK:           top.tile_map into %{{.*}} parts(%{{.*}} : tensor<3x8x8xf32>)
func.func @parts(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4], split_k = 3>} : (tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}
