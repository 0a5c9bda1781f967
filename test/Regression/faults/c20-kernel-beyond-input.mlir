// RUN: top-opt %s --top-tile="height=1 width=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=seven | FileCheck %s
// RUN: top-opt %s --top-tile="height=1 width=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=seven | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=flat | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=flat | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=equal | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=equal | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=narrow | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=narrow | FileCheck %s

// Kernels larger than the input, extents of 1, outputs of 1x1.

// CHECK: PASS {{seven|flat|equal|narrow}}

func.func @seven(%x: tensor<1x2x3x3xf32>, %w: tensor<2x2x7x7xf32>) -> tensor<1x2x3x3xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 3, 3, 3, 3>} : (tensor<1x2x3x3xf32>, tensor<2x2x7x7xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}

func.func @flat(%x: tensor<1x2x1x8xf32>, %w: tensor<2x2x5x3xf32>) -> tensor<1x2x1x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 2, 1, 2, 1>} : (tensor<1x2x1x8xf32>, tensor<2x2x5x3xf32>) -> tensor<1x2x1x8xf32>
  return %y : tensor<1x2x1x8xf32>
}

func.func @equal(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x5x5xf32>) -> tensor<1x3x1x1xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x2x5x5xf32>, tensor<3x2x5x5xf32>) -> tensor<1x3x1x1xf32>
  return %y : tensor<1x3x1x1xf32>
}

func.func @narrow(%x: tensor<1x2x9x1xf32>, %w: tensor<2x2x3x1xf32>) -> tensor<1x2x9x1xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 0, 1, 0>} : (tensor<1x2x9x1xf32>, tensor<2x2x3x1xf32>) -> tensor<1x2x9x1xf32>
  return %y : tensor<1x2x9x1xf32>
}
