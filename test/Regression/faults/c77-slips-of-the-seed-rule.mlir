// RUN: top-opt %s --top-tile="height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=plain | FileCheck %s
// RUN: top-opt %s --top-tile="height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=plain | FileCheck %s
// RUN: top-opt %s --top-tile="height=1 width=1 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=unit | FileCheck %s
// RUN: top-opt %s --top-tile="height=1 width=1 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=unit | FileCheck %s
// RUN: top-opt %s --top-tile="height=2 width=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=partly | FileCheck %s
// RUN: top-opt %s --top-tile="height=2 width=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=partly | FileCheck %s

// The high pad of the unclipped end, not of a clipped one; the last pad partly
// unused; the whole pad not only on the first and last tile.

// CHECK: PASS {{plain|unit|partly}}

func.func @plain(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

func.func @unit(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x9x9xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 2, 2, 2, 2>} : (tensor<1x4x5x5xf32>, tensor<4x4x1x1xf32>, tensor<4xf32>) -> tensor<1x4x9x9xf32>
  return %y : tensor<1x4x9x9xf32>
}

func.func @partly(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 2, 2>} : (tensor<1x2x8x8xf32>, tensor<2x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}
