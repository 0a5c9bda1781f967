// One file for every size, tiled and untiled; a size that is too small is an
// error before the run, with the numbers.

// RUN: top-opt %s --top-tile="batch=1 height=4 width=4" -o %t.mlir
// RUN: top-run %s --verify --guard=nan --arg-shape=0:1x3x3x3 | FileCheck %s --check-prefix=ONE
// RUN: top-run %t.mlir --reference=%s --guard=nan --arg-shape=0:1x3x3x3 | FileCheck %s --check-prefix=ONE
// RUN: top-run %s --verify --guard=nan --arg-shape=0:2x3x9x7 | FileCheck %s --check-prefix=TWO
// RUN: top-run %t.mlir --reference=%s --guard=nan --arg-shape=0:2x3x9x7 | FileCheck %s --check-prefix=TWO
// RUN: top-run %t.mlir --reference=%s --guard=nan --arg-shape=0:3x3x16x16 --fill=normal | FileCheck %s --check-prefix=THREE
// RUN: top-run %t.mlir --reference=%s --arg-shape=0:0x3x16x16 | FileCheck %s --check-prefix=NONE
// RUN: not top-run %s --arg-shape=0:1x3x2x9 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not top-run %t.mlir --reference=%s --arg-shape=0:1x3x2x9 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not top-run %t.mlir --arg-shape=0:1x3x1x9 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not top-run %S/Inputs/assert.mlir --arg-shape=0:1 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not top-run %S/Inputs/assert.mlir --reference=%S/Inputs/assert.mlir --arg-shape=0:1 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: top-run %S/Inputs/assert.mlir --reference=%S/Inputs/assert.mlir --arg-shape=0:2 | FileCheck %s --check-prefix=ENOUGH

// ONE: PASS dynamic: compared 4 of 4 elements
// TWO: PASS dynamic: compared 280 of 280 elements
// THREE: PASS dynamic: compared 2352 of 2352 elements
// NONE: PASS dynamic: compared 0 of 0 elements
// SMALL: {{.*}}dynamic.mlir:[[#]]:[[#]]: error: expected an output height of at least 1, got 0: input 2 with pads 0 and 0 is smaller than the window of 3
// SMALL-NOT: {{.}}
// NEGATIVE: error: 'dynamic' stopped: top.Conv2D: output height is below 1
// NEGATIVE-NOT: {{.}}
// ASSERT: {{.*}}assert.mlir:[[#]]:[[#]]: error: 'at_least_two' stopped: expected at least 2 elements
// ASSERT-NOT: {{.}}
// ENOUGH: PASS at_least_two: compared 2 of 2 elements
func.func @dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32> {
  %y = top.Conv2D %x, %w : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32>
  return %y : tensor<?x4x?x?xf32>
}
