// RUN: top-opt %s --top-tile="height=4" --canonicalize | FileCheck %s --check-prefix=IR
// RUN: top-opt %s --top-tile="height=4" -o %t
// RUN: top-run %t --reference=%s --target=cpu --verify --guard=nan --arg-shape=0:1x2x19x8 | FileCheck %s

// A dynamic H: every size in the loop is bounded by the tile (a min with 4), so
// a buffer for it can be too.

// IR: %[[SIZE:[a-z0-9_]+]] = affine.min
// IR: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, %{{.*}}, 0] [1, 3, %[[SIZE]], 8]
// CHECK: PASS f
func.func @f(%x: tensor<1x2x?x8xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x?x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x?x8xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x?x8xf32>
  return %y : tensor<1x3x?x8xf32>
}
