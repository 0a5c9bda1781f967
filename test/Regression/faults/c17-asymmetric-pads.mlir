// RUN: top-opt %s --top-tile="height=2 width=3 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=even | FileCheck %s
// RUN: top-opt %s --top-tile="height=2 width=3 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=even | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=causal | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=causal | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=same_s2 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=same_s2 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=lower | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=lower | FileCheck %s

// Leading or trailing pads only, even kernels.

// CHECK: PASS {{even|causal|same_s2|lower}}

func.func @even(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x2x2xf32>) -> tensor<1x4x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 0, 0, 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x2x2xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

func.func @causal(%x: tensor<1x2x6x6xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x6x6xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 2, 2, 0, 0>} : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x6x6xf32>
  return %y : tensor<1x3x6x6xf32>
}

func.func @same_s2(%x: tensor<1x2x8x8xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>} : (tensor<1x2x8x8xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  return %y : tensor<1x3x4x4xf32>
}

func.func @lower(%x: tensor<1x2x6x6xf32>, %w: tensor<2x2x2x2xf32>) -> tensor<1x2x6x6xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 0, 0>} : (tensor<1x2x6x6xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}
