// RUN: top-opt %s --top-tile="height=8 width=8 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="height=8 width=8 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// The window of a tile of 8 is 10 wide, on an input padded by 3.

// CHECK: PASS f

func.func @f(%x: tensor<1x1x16x16xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x20x20xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 3, 3, 3, 3>} : (tensor<1x1x16x16xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x20x20xf32>
  return %y : tensor<1x1x20x20xf32>
}
