// RUN: top-opt %s --top-tile="batch=1 height=3 width=3 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="batch=1 height=3 width=3 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// A batch of 1 cut by 1, with pads: the unit dimension stays.

// CHECK: PASS f

func.func @f(%x: tensor<1x2x7x7xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x7x7xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x7x7xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x7x7xf32>
  return %y : tensor<1x3x7x7xf32>
}
