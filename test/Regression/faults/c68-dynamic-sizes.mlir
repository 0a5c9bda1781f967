// RUN: top-opt %s --top-tile="batch=1 height=3 width=4" -o %t
// RUN: top-run %t --reference=%s --target=cpu --function=f --verify --guard=nan --arg-shape=0:1x3x1x1 | FileCheck %s
// RUN: top-run %t --reference=%s --target=cpu --function=f --verify --guard=nan --arg-shape=0:2x3x7x5 | FileCheck %s
// RUN: top-run %t --reference=%s --target=cpu --function=f --verify --guard=nan --arg-shape=0:5x3x16x16 | FileCheck %s
// RUN: not top-run %t --reference=%s --target=cpu --function=f --verify --arg-shape=0:2x3x0x5 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not top-run %t --function=valid --target=cpu --arg-shape=0:1x2x2x6 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not top-run %t --function=valid --target=cpu --arg-shape=0:1x2x1x6 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not top-run %s --function=valid --target=cpu --arg-shape=0:1x2x2x6 2>&1 | FileCheck %s --check-prefix=SMALL

// One program for every size: loop bounds and windows follow the arguments, and
// an input too small for one window is an error at run time.

// CHECK: PASS f
// Without a reference too: an output of height 0 has no tile that could object.
// EMPTY: top.Conv2D: output height is below 1
// SMALL: error: {{.*}}height{{.*}}
func.func @f(%x: tensor<?x3x?x?xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<?x4x?x?xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<?x4x?x?xf32>
  return %y : tensor<?x4x?x?xf32>
}

func.func @valid(%x: tensor<1x2x?x6xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x?x4xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x2x?x6xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x?x4xf32>
  return %y : tensor<1x4x?x4xf32>
}
