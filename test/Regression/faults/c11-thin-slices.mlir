// RUN: top-opt %s --top-tile="width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// Many thin slices along W; overlapping columns are read twice and every
// element is written once (poisoned results would show one that is not).

// CHECK: PASS f

func.func @f(%x: tensor<1x8x8x64xf32>, %w: tensor<3x8x3x3xf32>) -> tensor<1x3x8x64xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x64xf32>, tensor<3x8x3x3xf32>) -> tensor<1x3x8x64xf32>
  return %y : tensor<1x3x8x64xf32>
}
