// RUN: top-opt %s --top-tile="height=2 width=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=dilated | FileCheck %s
// RUN: top-opt %s --top-tile="height=2 width=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=dilated | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=unequal | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=unequal | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=over | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=over | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=strided | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=strided | FileCheck %s

// Dilated windows larger than the tile, unequal dilations, taps that jump over
// a single row.

// CHECK: PASS {{dilated|unequal|over|strided}}

func.func @dilated(%x: tensor<1x2x16x16xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x16x16xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 4, 4, 4, 4>, dilations = array<i64: 4, 4>} : (tensor<1x2x16x16xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x16x16xf32>
  return %y : tensor<1x2x16x16xf32>
}

func.func @unequal(%x: tensor<1x2x12x12xf32>, %w: tensor<2x2x3x2xf32>) -> tensor<1x2x12x12xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 3, 0, 3, 1>, dilations = array<i64: 3, 1>} : (tensor<1x2x12x12xf32>, tensor<2x2x3x2xf32>) -> tensor<1x2x12x12xf32>
  return %y : tensor<1x2x12x12xf32>
}

func.func @over(%x: tensor<1x2x1x6xf32>, %w: tensor<2x2x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x2x1x6xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 2, 0, 2, 0>, dilations = array<i64: 4, 1>} : (tensor<1x2x1x6xf32>, tensor<2x2x2x1xf32>, tensor<2xf32>) -> tensor<1x2x1x6xf32>
  return %y : tensor<1x2x1x6xf32>
}

func.func @strided(%x: tensor<1x2x11x11xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x4x3xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 3, 3>, pads = array<i64: 2, 0, 1, 2>, dilations = array<i64: 2, 2>} : (tensor<1x2x11x11xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x3xf32>
  return %y : tensor<1x2x4x3xf32>
}
