// RUN: top-opt %s --top-tile="height=2" | FileCheck %s --check-prefix=IR
// RUN: top-opt %s --top-tile="height=2" -o %t
// RUN: top-run %t --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// First, middle and last tiles need other pads, which are attributes of the
// op: the loop holds only the tiles that need none.

// IR:      top.Conv2D {{.*}} {pads = array<i64: 1, 1, 0, 1>}
// IR:      scf.for
// IR:        top.Conv2D {{.*}} {pads = array<i64: 0, 1, 0, 1>}
// IR:      top.Conv2D {{.*}} {pads = array<i64: 0, 1, 1, 1>}
// CHECK: PASS f
func.func @f(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}
