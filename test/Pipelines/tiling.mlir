// RUN: top-opt %s --top-tiling-pipeline="height=8 channels=4 form=unroll" | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(top-tiling-pipeline{height=8 channels=4 form=unroll})" | FileCheck %s
// RUN: top-opt %s --top-tiling-pipeline="batch=1 width=4 m=16 n=8" | FileCheck %s --check-prefix=LOOP
// RUN: top-opt %s --top-tiling-pipeline="max-tile-bytes=6000" | FileCheck %s --check-prefix=BUDGET
// RUN: not top-opt %s --top-tiling-pipeline="height=-1" 2>&1 | FileCheck %s --check-prefix=ERROR

// The zero pad becomes pads of the convolution before that is cut, so each tile
// knows its border. Slices that several tiles share are there once.
// CHECK-LABEL: func.func @padded(
//  CHECK-SAME:   %[[X:.*]]: tensor<2x3x16x16xf32>, %[[W:.*]]: tensor<8x3x3x3xf32>, %[[B:.*]]: tensor<8xf32>
//   CHECK-NOT:   tensor.pad
//       CHECK:   %[[B0:.*]] = tensor.extract_slice %[[B]][0] [4]
//       CHECK:   %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [2, 3, 9, 16]
//       CHECK:   %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [4, 3, 3, 3]
//       CHECK:   top.Conv2D %[[X0]], %[[W0]], %[[B0]] {pads = array<i64: 1, 1, 0, 1>}
//       CHECK:   %[[B1:.*]] = tensor.extract_slice %[[B]][4] [4]
//       CHECK:   %[[W1:.*]] = tensor.extract_slice %[[W]][4, 0, 0, 0] [4, 3, 3, 3]
//       CHECK:   top.Conv2D %[[X0]], %[[W1]], %[[B1]] {pads = array<i64: 1, 1, 0, 1>}
//       CHECK:   %[[X1:.*]] = tensor.extract_slice %[[X]][0, 0, 7, 0] [2, 3, 9, 16]
//       CHECK:   top.Conv2D %[[X1]], %[[W0]], %[[B0]] {pads = array<i64: 0, 1, 1, 1>}
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   top.Conv2D %[[X1]], %[[W1]], %[[B1]] {pads = array<i64: 0, 1, 1, 1>}
//       CHECK:   return

// LOOP-LABEL: func.func @padded(
//   LOOP-NOT:   tensor.pad
//       LOOP:   scf.for
//       LOOP:   top.Conv2D {{.*}} -> tensor<1x8x16x4xf32>

// One image needs 12,160 bytes, so the batch is cut, then the rows of an image.
// BUDGET-LABEL: func.func @padded(
//       BUDGET:   top.Conv2D {{.*}} -> tensor<1x8x6x16xf32>

// ERROR: error: 'func.func' op expected 'height' to be at least 0, got -1
func.func @padded(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x16x16xf32> to tensor<2x3x18x18xf32>
  %y = top.Conv2D %p, %w, %b : (tensor<2x3x18x18xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x16x16xf32>
  return %y : tensor<2x8x16x16xf32>
}

// LOOP-LABEL: func.func @product(
//       LOOP:   top.MatMul {{.*}} : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
func.func @product(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %c = top.MatMul %a, %b : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
