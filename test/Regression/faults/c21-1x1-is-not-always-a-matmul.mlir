// RUN: top-opt %s --top-tile="height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=strided | FileCheck %s
// RUN: top-opt %s --top-tile="height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=strided | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=padded | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=padded | FileCheck %s

// 1x1 with a stride or with pads is not a matrix product.

// CHECK: PASS {{strided|padded}}

func.func @strided(%x: tensor<1x8x16x16xf32>, %w: tensor<16x8x1x1xf32>) -> tensor<1x16x8x8xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>} : (tensor<1x8x16x16xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %y : tensor<1x16x8x8xf32>
}

func.func @padded(%x: tensor<1x8x8x8xf32>, %w: tensor<16x8x1x1xf32>, %b: tensor<16xf32>) -> tensor<1x16x10x10xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x8xf32>, tensor<16x8x1x1xf32>, tensor<16xf32>) -> tensor<1x16x10x10xf32>
  return %y : tensor<1x16x10x10xf32>
}
