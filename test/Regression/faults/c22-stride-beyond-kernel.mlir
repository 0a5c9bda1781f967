// RUN: top-opt %s --top-tile="height=1 width=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=gaps | FileCheck %s
// RUN: top-opt %s --top-tile="height=1 width=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=gaps | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=unread | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=unread | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=unused_pad | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=unused_pad | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=beyond_input | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=beyond_input | FileCheck %s

// Gaps between windows, rows that nobody reads, a bottom pad that is not used.

// CHECK: PASS {{gaps|unread|unused_pad|beyond_input}}

func.func @gaps(%x: tensor<1x2x17x17xf32>, %w: tensor<2x2x2x2xf32>) -> tensor<1x2x4x4xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 5, 5>} : (tensor<1x2x17x17xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

func.func @unread(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 3, 3>} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

func.func @unused_pad(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 4, 4>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

func.func @beyond_input(%x: tensor<1x2x5x5xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x1x1xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 8, 8>} : (tensor<1x2x5x5xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x1x1xf32>
  return %y : tensor<1x2x1x1xf32>
}
