// RUN: top-opt %s --top-tile="height=1 width=1 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=unit | FileCheck %s
// RUN: top-opt %s --top-tile="height=1 width=1 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=unit | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=strided | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=strided | FileCheck %s

// A window that ends exactly where the input begins, or begins where it ends.

// CHECK: PASS {{unit|strided}}

func.func @unit(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x7x7xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x5x5xf32>, tensor<4x4x1x1xf32>, tensor<4xf32>) -> tensor<1x4x7x7xf32>
  return %y : tensor<1x4x7x7xf32>
}

func.func @strided(%x: tensor<1x2x5x5xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<2xf32>) -> tensor<1x2x3x3xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x5x5xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}
