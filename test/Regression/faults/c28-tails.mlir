// RUN: top-opt %s --top-tile="m=128 n=256 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=m1752 | FileCheck %s
// RUN: top-opt %s --top-tile="m=128 n=256 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=m1752 | FileCheck %s
// RUN: top-opt %s --top-tile="m=64 n=256 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=n30 | FileCheck %s
// RUN: top-opt %s --top-tile="m=64 n=256 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=n30 | FileCheck %s
// RUN: top-opt %s --top-tile="height=8 width=8 channels=8 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=channels | FileCheck %s
// RUN: top-opt %s --top-tile="height=8 width=8 channels=8 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=channels | FileCheck %s

// Tails in one, two and three dimensions at once.

// CHECK: PASS {{m1752|n30|channels}}

func.func @m1752(%l: tensor<1752x24xf32>, %r: tensor<24x40xf32>) -> tensor<1752x40xf32> {
  %c = top.MatMul %l, %r : (tensor<1752x24xf32>, tensor<24x40xf32>) -> tensor<1752x40xf32>
  return %c : tensor<1752x40xf32>
}

func.func @n30(%l: tensor<100x642xf32>, %r: tensor<30x642xf32>) -> tensor<100x30xf32> {
  %c = top.MatMul %l, %r {transpose_b = true} : (tensor<100x642xf32>, tensor<30x642xf32>) -> tensor<100x30xf32>
  return %c : tensor<100x30xf32>
}

func.func @channels(%x: tensor<1x17x10x10xf32>, %w: tensor<33x17x3x3xf32>) -> tensor<1x33x10x10xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x17x10x10xf32>, tensor<33x17x3x3xf32>) -> tensor<1x33x10x10xf32>
  return %y : tensor<1x33x10x10xf32>
}
