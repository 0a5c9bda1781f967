// RUN: top-opt %s --top-tile="height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=pads | FileCheck %s
// RUN: top-opt %s --top-tile="height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=pads | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=strides | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=strides | FileCheck %s

// Depthwise with unequal strides and asymmetric pads.

// CHECK: PASS {{pads|strides}}

func.func @pads(%x: tensor<1x8x16x16xf32>, %w: tensor<8x1x5x5xf32>) -> tensor<1x8x8x8xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 2, 2>, group = 8 : i64} : (tensor<1x8x16x16xf32>, tensor<8x1x5x5xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

func.func @strides(%x: tensor<3x8x18x20xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<3x8x16x9xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 2>, group = 8 : i64} : (tensor<3x8x18x20xf32>, tensor<8x1x3x3xf32>) -> tensor<3x8x16x9xf32>
  return %y : tensor<3x8x16x9xf32>
}
