// A tile that reads its window one row off must fail and be named, wherever it
// stands: in a chain, in a loop, in a tile of a tile.

// RUN: top-opt %s --top-tile="batch=1 height=4 width=3 form=unroll" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s | FileCheck %s --check-prefix=PASS
// RUN: top-opt %t.mlir --test-top-shift-window="tile=4" -o %t.wrong.mlir
// RUN: %python %S/../../Tools/Inputs/expect-status.py 1 top-run %t.wrong.mlir --reference=%s --verify | FileCheck %s --check-prefix=UNROLL
// UNROLL: FAIL conv result 0 element [0,0,4,3] got {{-?[0-9]+}} expected {{-?[0-9]+}} tile [0:1,0:8,4:8,3:6] pads [0,0,0,0]
// UNROLL-NOT: {{.}}

// RUN: top-opt %s --top-tile="batch=1 height=4 width=3" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s | FileCheck %s --check-prefix=PASS
// RUN: top-opt %t.mlir --test-top-shift-window="tile=2" -o %t.wrong.mlir
// RUN: %python %S/../../Tools/Inputs/expect-status.py 1 top-run %t.wrong.mlir --reference=%s --verify | FileCheck %s --check-prefix=LOOP
// LOOP: FAIL conv result 0 element [0,0,0,6] got {{-?[0-9]+}} expected {{-?[0-9]+}} tile [0:1,0:8,0:4,6:8] pads [1,0,0,0]
// LOOP-NOT: {{.}}

// A tile in an inner loop, of a tile in an outer one.
// RUN: top-opt %s --top-tile="batch=1 height=6" --top-tile="height=2 width=2" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s | FileCheck %s --check-prefix=PASS
// RUN: top-opt %t.mlir --test-top-shift-window="tile=1" -o %t.wrong.mlir
// RUN: %python %S/../../Tools/Inputs/expect-status.py 1 top-run %t.wrong.mlir --reference=%s | FileCheck %s --check-prefix=NESTED
// NESTED: FAIL conv result 0 element [0,0,0,2] got {{-?[0-9]+}} expected {{-?[0-9]+}} tile [0:1,0:8,0:2,2:4] pads [1,0,0,0]
// NESTED-NOT: {{.}}

// PASS: PASS conv: compared 1024 of 1024 elements
func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}
