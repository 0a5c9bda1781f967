// RUN: top-opt %s --top-tile="height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// Without pads the output is 7x7, whatever the tile.

// CHECK: PASS f

func.func @f(%x: tensor<1x8x9x9xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x7x7xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x8x9x9xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x7x7xf32>
  return %y : tensor<1x4x7x7xf32>
}
