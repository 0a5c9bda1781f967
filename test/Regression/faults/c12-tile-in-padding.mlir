// RUN: top-opt %s --top-tile="height=1 width=5 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=thick | FileCheck %s
// RUN: top-opt %s --top-tile="height=1 width=5 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=thick | FileCheck %s
// RUN: top-opt %s --top-tile="height=32 width=32 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=far | FileCheck %s
// RUN: top-opt %s --top-tile="height=32 width=32 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=far | FileCheck %s
// RUN: top-opt %s --top-tile="height=2 width=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=bottom | FileCheck %s
// RUN: top-opt %s --top-tile="height=2 width=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=bottom | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=left | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=left | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=frame | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=frame | FileCheck %s

// Tiles wholly in padding: on one side only, on both axes, far out.

// CHECK: PASS {{thick|far|bottom|left|frame}}

func.func @thick(%x: tensor<5x2x11x14xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<5x3x17x20xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 4, 4, 4, 4>} : (tensor<5x2x11x14xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<5x3x17x20xf32>
  return %y : tensor<5x3x17x20xf32>
}

func.func @far(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>, %b: tensor<1xf32>) -> tensor<1x1x206x206xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 100, 100, 100, 100>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>) -> tensor<1x1x206x206xf32>
  return %y : tensor<1x1x206x206xf32>
}

func.func @bottom(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x8x2xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 0, 0, 6, 0>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x8x2xf32>
  return %y : tensor<1x2x8x2xf32>
}

func.func @left(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x8xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 0, 6, 0, 0>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x2x8xf32>
  return %y : tensor<1x2x2x8xf32>
}

func.func @frame(%x: tensor<2x1x3x3xf32>, %w: tensor<2x1x1x1xf32>, %b: tensor<2xf32>) -> tensor<2x2x11x11xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 4, 4, 4, 4>} : (tensor<2x1x3x3xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<2x2x11x11xf32>
  return %y : tensor<2x2x11x11xf32>
}
