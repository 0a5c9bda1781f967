// RUN: top-opt %s --top-tile="batch=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="batch=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// The last batch tile is smaller: 5 = 2 + 2 + 1.

// CHECK: PASS f

func.func @f(%x: tensor<5x2x8x8xf32>, %w: tensor<4x2x3x3xf32>, %b: tensor<4xf32>) -> tensor<5x4x8x8xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<5x2x8x8xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<5x4x8x8xf32>
  return %y : tensor<5x4x8x8xf32>
}
