// RUN: top-opt %s --top-tile="height=1" -o %t
// RUN: FileCheck %s --check-prefix=IR --input-file=%t
// RUN: top-run %t --reference=%s --target=cpu --verify --guard=nan --arg-shape=0:1x2x3x6 | FileCheck %s
// RUN: top-run %t --reference=%s --target=cpu --verify --guard=nan --arg-shape=0:1x2x11x6 | FileCheck %s

// Tiles that may lie wholly in padding at run time need no branch: their slice
// is empty and the pad makes up the window.

// IR-NOT: scf.if
// CHECK: PASS f
func.func @f(%x: tensor<1x2x?x6xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x?x4xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 4, 0, 4, 0>} : (tensor<1x2x?x6xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<1x3x?x4xf32>
  return %y : tensor<1x3x?x4xf32>
}
