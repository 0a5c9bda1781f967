// A network on which top-tile fails, reduced to the op at which it does. The
// steps behind the convolution and its bias have no part in that either.
//
// RUN: top-reduce %s --reduction-tree="traversal-mode=0 test=%S/Inputs/tile-error.sh" 2>/dev/null | FileCheck %s

//      CHECK: func.func @network
// CHECK-NEXT:   %[[X:.*]] = tensor.empty() : tensor<1x8x16x16xf32>
// CHECK-NEXT:   %[[Y:.*]] = top.Conv2D %[[X]], %{{[^, ]*}} {group = 4 : i64, pads = array<i64: 1, 1, 1, 1>}
// CHECK-SAME:     -> tensor<1x16x16x16xf32>
// CHECK-NEXT:   return %[[Y]] : tensor<1x16x16x16xf32>
func.func @network(%x: tensor<1x8x16x16xf32>, %w: tensor<8x8x3x3xf32>, %grouped: tensor<16x2x3x3xf32>,
                   %b: tensor<16xf32>, %m: tensor<4096x10xf32>) -> tensor<1x10xf32> {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]}
     : (tensor<1x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x16x16xf32>
  %1 = top.Conv2D %0, %grouped, %b {group = 4 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]}
     : (tensor<1x8x16x16xf32>, tensor<16x2x3x3xf32>, tensor<16xf32>) -> tensor<1x16x16x16xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2, 3]] : tensor<1x16x16x16xf32> into tensor<1x4096xf32>
  %3 = top.MatMul %2, %m : (tensor<1x4096xf32>, tensor<4096x10xf32>) -> tensor<1x10xf32>
  return %3 : tensor<1x10xf32>
}
