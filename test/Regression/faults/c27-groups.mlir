// RUN: top-opt %s --top-tile="batch=2 height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g4 | FileCheck %s
// RUN: top-opt %s --top-tile="batch=2 height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g4 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=16 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g4 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=16 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g4 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g4 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g4 | FileCheck %s
// RUN: top-opt %s --top-tile="batch=2 height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g4s2 | FileCheck %s
// RUN: top-opt %s --top-tile="batch=2 height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g4s2 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=16 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g4s2 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=16 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g4s2 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g4s2 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g4s2 | FileCheck %s
// RUN: top-opt %s --top-tile="batch=2 height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g64 | FileCheck %s
// RUN: top-opt %s --top-tile="batch=2 height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g64 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=16 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g64 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=16 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g64 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=g64 | FileCheck %s
// RUN: top-opt %s --top-tile="channels=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=g64 | FileCheck %s

// The group axis is neither lost nor swapped, with tiles of F in whole groups
// and inside a group.

// CHECK: PASS {{g4|g4s2|g64}}

func.func @g4(%x: tensor<4x16x8x8xf32>, %w: tensor<32x4x1x1xf32>) -> tensor<4x32x8x8xf32> {
  %y = top.Conv2D %x, %w {group = 4 : i64} : (tensor<4x16x8x8xf32>, tensor<32x4x1x1xf32>) -> tensor<4x32x8x8xf32>
  return %y : tensor<4x32x8x8xf32>
}

func.func @g4s2(%x: tensor<4x16x8x8xf32>, %w: tensor<32x4x1x1xf32>) -> tensor<4x32x4x4xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, group = 4 : i64} : (tensor<4x16x8x8xf32>, tensor<32x4x1x1xf32>) -> tensor<4x32x4x4xf32>
  return %y : tensor<4x32x4x4xf32>
}

func.func @g64(%x: tensor<1x64x6x6xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x6x6xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 64 : i64} : (tensor<1x64x6x6xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x6x6xf32>
  return %y : tensor<1x64x6x6xf32>
}
