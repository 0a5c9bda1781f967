// RUN: top-opt %s --split-input-file --top-tile="max-tile-bytes=16384" --remark-format=emitRemark --remarks-filter=top-tile -o /dev/null 2>&1 | FileCheck %s
// RUN: not top-opt %s --split-input-file --top-tile="max-tile-bytes=100" 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: top-opt %s --split-input-file --top-tile="max-tile-bytes=16384 height=2" --remark-format=emitRemark --remarks-filter=top-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN

// Batch is cut first and suffices: one image is 3*16*16*4 + 8*3*3*3*4 +
// 8*16*16*4 = 12,128 bytes, two do not fit.

// CHECK: Tiled | {{.*}} Function=batch | Remark="batch 2 in 2 tiles of 1 (the largest that fits max-tile-bytes=16384)", TileBytes=12128
// SMALL: error: 'top.Conv2D' op has no tile that fits 'max-tile-bytes' = 100: the smallest needs 220 bytes
// GIVEN: Tiled | {{.*}} Function=batch | Remark="height 16 in 8 tiles of 2 (given): 2 border, 6 interior, 0 in padding; 14 input rows read twice", TileBytes=
func.func @batch(%in: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
  return %y : tensor<2x8x16x16xf32>
}

// -----

// One image does not fit; 9 rows of it do: 4*11*32*4 + 4*4*3*3*4 + 4*9*32*4 =
// 10,816 is far below, so more rows: the largest is 14.

// CHECK: Tiled | {{.*}} Function=rows | Remark="height 32 in 3 tiles of 14 (the largest that fits max-tile-bytes=16384): 2 border, 1 interior, 0 in padding; 4 input rows read twice", TileBytes=15936
func.func @rows(%in: tensor<1x4x32x32xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x32x32xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x32x32xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x32x32xf32>
  return %y : tensor<1x4x32x32xf32>
}

// -----

// Everything fits: the op stays, and a remark says so.

// CHECK: [Missed] NotTiled | {{.*}} Function=fits | Reason="every axis is left whole"
func.func @fits(%in: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %y = top.Conv2D %in, %w : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// A product: rows of 64 elements, first M, then N.

// CHECK: Tiled | {{.*}} Function=product | Remark="m 64 in 64 tiles of 1 (the largest that fits max-tile-bytes=16384); n 128 in 3 tiles of 62 (the largest that fits max-tile-bytes=16384)", TileBytes=16376
func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c = top.MatMul %a, %b : (tensor<64x64xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %c : tensor<64x128xf32>
}

// -----

// A function without layer ops is told so.

// CHECK: [Missed] NotTiled | {{.*}} Function=nothing | Reason="the function has no layer op"
func.func @nothing() {
  return
}
