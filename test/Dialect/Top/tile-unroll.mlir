// RUN: top-opt %s --split-input-file --top-tile="batch=1 form=unroll" | FileCheck %s --check-prefixes=CHECK,BATCH
// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=8 width=16 form=unroll" | FileCheck %s --check-prefixes=CHECK,ROWS

// The chain of the documentation: batch slices share nothing, so pads stay.

// CHECK-LABEL: func.func @batch_first
// CHECK-SAME:    %[[IN:[a-z0-9_]+]]: tensor<2x3x16x16xf32>, %[[W:[a-z0-9_]+]]: tensor<8x3x3x3xf32>
// BATCH:      %[[E:[a-z0-9_]+]] = tensor.empty() : tensor<2x8x16x16xf32>
// BATCH-NEXT: %[[S0:[a-z0-9_]+]] = tensor.extract_slice %[[IN]][0, 0, 0, 0] [1, 3, 16, 16] [1, 1, 1, 1] : tensor<2x3x16x16xf32> to tensor<1x3x16x16xf32>
// BATCH-NEXT: %[[C0:[a-z0-9_]+]] = top.Conv2D %[[S0]], %[[W]] {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
// BATCH-NEXT: %[[A0:[a-z0-9_]+]] = tensor.insert_slice %[[C0]] into %[[E]][0, 0, 0, 0] [1, 8, 16, 16] [1, 1, 1, 1]
// BATCH-NEXT: %[[S1:[a-z0-9_]+]] = tensor.extract_slice %[[IN]][1, 0, 0, 0] [1, 3, 16, 16] [1, 1, 1, 1]
// BATCH-NEXT: %[[C1:[a-z0-9_]+]] = top.Conv2D %[[S1]], %[[W]] {pads = array<i64: 1, 1, 1, 1>}
// BATCH-NEXT: %[[R:[a-z0-9_]+]] = tensor.insert_slice %[[C1]] into %[[A0]][1, 0, 0, 0] [1, 8, 16, 16] [1, 1, 1, 1]
// BATCH-NEXT: return %[[R]]

// Rows: one halo row each side, and each half keeps the pad that it touches.
// ROWS:      tensor.extract_slice %[[IN]][0, 0, 0, 0] [1, 3, 9, 16]
// ROWS-NEXT: top.Conv2D {{.*}} {pads = array<i64: 1, 1, 0, 1>}
// ROWS-NEXT: tensor.insert_slice {{.*}}[0, 0, 0, 0] [1, 8, 8, 16]
// ROWS-NEXT: tensor.extract_slice %[[IN]][0, 0, 7, 0] [1, 3, 9, 16]
// ROWS-NEXT: top.Conv2D {{.*}} {pads = array<i64: 0, 1, 1, 1>}
// ROWS-NEXT: tensor.insert_slice {{.*}}[0, 0, 8, 0] [1, 8, 8, 16]
// ROWS-NEXT: tensor.extract_slice %[[IN]][1, 0, 0, 0] [1, 3, 9, 16]
func.func @batch_first(%in: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
  %r = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
  return %r : tensor<2x8x16x16xf32>
}

// -----

// The last batch tile is smaller (5 = 2 + 2 + 1 would be batch=2; here all are
// single images), and a tile of the epilogue's residual goes with each tile.

// CHECK-LABEL: func.func @epilogue
// CHECK-SAME:    %[[IN:[a-z0-9_]+]]: tensor<2x4x8x16xf16>, %[[W:[a-z0-9_]+]]: tensor<4x4x1x1xf16>, %[[B:[a-z0-9_]+]]: tensor<4xf32>, %[[S:[a-z0-9_]+]]: tensor<4xf32>, %[[RES:[a-z0-9_]+]]: tensor<2x4x8x16xf16>, %[[GATE:[a-z0-9_]+]]: tensor<2x4x1x1xf16>
// BATCH-DAG:  %[[RES1:[a-z0-9_]+]] = tensor.extract_slice %[[RES]][1, 0, 0, 0] [1, 4, 8, 16]
// BATCH-DAG:  %[[GATE1:[a-z0-9_]+]] = tensor.extract_slice %[[GATE]][1, 0, 0, 0] [1, 4, 1, 1]
// BATCH-DAG:  %[[IN1:[a-z0-9_]+]] = tensor.extract_slice %[[IN]][1, 0, 0, 0] [1, 4, 8, 16]
// BATCH:      top.Conv2D %[[IN1]], %[[W]], %[[B]] epilogue(%[[S]], %[[S]], %[[RES1]], %[[GATE1]]) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>], top.note = "kept"}
func.func @epilogue(%in: tensor<2x4x8x16xf16>, %w: tensor<4x4x1x1xf16>, %b: tensor<4xf32>, %s: tensor<4xf32>,
                    %res: tensor<2x4x8x16xf16>, %gate: tensor<2x4x1x1xf16>) -> tensor<2x4x8x16xf16> {
  %r = top.Conv2D %in, %w, %b epilogue(%s, %s, %res, %gate)
     {epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>], top.note = "kept"}
     : (tensor<2x4x8x16xf16>, tensor<4x4x1x1xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x8x16xf16>, tensor<2x4x1x1xf16>) -> tensor<2x4x8x16xf16>
  return %r : tensor<2x4x8x16xf16>
}

// -----

// A window wholly in padding becomes a fill; slices have no negative size and
// start inside the input.

// CHECK-LABEL: func.func @in_padding
// CHECK-SAME:    %[[IN:[a-z0-9_]+]]: tensor<1x2x4x4xf32>
// ROWS:      linalg.generic {{.*}} ins(%{{.*}} : tensor<3xf32>) outs(%{{.*}} : tensor<1x3x8x6xf32>)
// ROWS:      tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 2, 2, 4]
// ROWS-NEXT: top.Conv2D {{.*}} {pads = array<i64: 8, 2, 0, 2>} {{.*}} -> tensor<1x3x8x6xf32>
// ROWS-NOT:  tensor.extract_slice
// ROWS:      top.Conv2D %[[IN]], {{.*}} {pads = array<i64: 0, 2, 0, 2>} {{.*}} -> tensor<1x3x2x6xf32>
func.func @in_padding(%in: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x18x6xf32> {
  %r = top.Conv2D %in, %w, %b {pads = array<i64: 16, 2, 0, 2>}
     : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<1x3x18x6xf32>
  return %r : tensor<1x3x18x6xf32>
}
