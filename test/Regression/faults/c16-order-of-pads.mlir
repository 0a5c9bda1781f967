// RUN: top-opt %s --top-tile="height=4 width=3 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=sides | FileCheck %s
// RUN: top-opt %s --top-tile="height=4 width=3 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=sides | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=wide | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=wide | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=tall | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=tall | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=all | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=all | FileCheck %s

// Pads are top, left, bottom, right all the way down; H and W differ.

// CHECK: PASS {{sides|wide|tall|all}}

func.func @sides(%x: tensor<2x3x10x10xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x10x12xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 2, 1, 2>} : (tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x10x12xf32>
  return %y : tensor<2x4x10x12xf32>
}

func.func @wide(%x: tensor<1x2x8x8xf32>, %w: tensor<3x2x1x7xf32>) -> tensor<1x3x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 0, 3, 0, 3>} : (tensor<1x2x8x8xf32>, tensor<3x2x1x7xf32>) -> tensor<1x3x8x8xf32>
  return %y : tensor<1x3x8x8xf32>
}

func.func @tall(%x: tensor<1x2x8x8xf32>, %w: tensor<3x2x7x1xf32>) -> tensor<1x3x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 3, 0, 3, 0>} : (tensor<1x2x8x8xf32>, tensor<3x2x7x1xf32>) -> tensor<1x3x8x8xf32>
  return %y : tensor<1x3x8x8xf32>
}

func.func @all(%x: tensor<1x2x9x7xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<1x3x6x10xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 1, 2, 3, 4>} : (tensor<1x2x9x7xf32>, tensor<3x2x3x4xf32>) -> tensor<1x3x6x10xf32>
  return %y : tensor<1x3x6x10xf32>
}
