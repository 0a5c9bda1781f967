// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=3 width=3}),convert-top-to-linalg)" -o %t
// RUN: top-run %t --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// The constant term of the window (stride * row - pad) enters once, although
// the tile's slice and the lowered op both know about rows.

// CHECK: PASS f
func.func @f(%x: tensor<1x2x13x11xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x7x11xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 2, 1, 0, 1>} : (tensor<1x2x13x11xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x7x11xf32>
  return %y : tensor<1x3x7x11xf32>
}
