// RUN: top-opt %s --top-tile="batch=1 height=4 width=3" -o %t.loop.mlir
// RUN: top-opt %s --top-tile="batch=1 height=4 width=3 form=unroll" -o %t.unroll.mlir
// RUN: top-run %t.loop.mlir --reference=%s --guard=nan | FileCheck %s --check-prefix=PASS
// RUN: top-run %t.unroll.mlir --reference=%s --guard=nan --verify | FileCheck %s --check-prefix=PASS
// RUN: top-run %s --reference=%S/Inputs/conv-linalg.mlir | FileCheck %s --check-prefix=UPSTREAM
// RUN: top-run %s --reference=%S/Inputs/conv-linalg.mlir --fill=normal | FileCheck %s --check-prefix=UPSTREAM
// RUN: top-run %S/Inputs/conv-linalg.mlir --reference=%s --fill=normal | FileCheck %s --check-prefix=PASS
//
// A tile that reads its window one row off is named, in one line at the end.
// RUN: sed -e 's/%arg0\[0, 0, 7, 5\]/%%arg0[0, 0, 6, 5]/' %t.unroll.mlir > %t.wrong.mlir
// RUN: %python %S/Inputs/expect-status.py 1 top-run %t.wrong.mlir --reference=%s | FileCheck %s --check-prefix=WRONG
// RUN: sed -e 's/%arg0\[%arg3, 0, 7, 5\]/%%arg0[%%arg3, 0, 6, 5]/' %t.loop.mlir > %t.wrong.mlir
// RUN: %python %S/Inputs/expect-status.py 1 top-run %t.wrong.mlir --reference=%s | FileCheck %s --check-prefix=WRONG
// A reference that means something else, both ways.
// RUN: sed -e 's/array<i64: 1, 1, 1, 1>/array<i64: 0, 1, 2, 1>/' %s > %t.other.mlir
// RUN: %python %S/Inputs/expect-status.py 1 top-run %s --reference=%t.other.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: sed -e 's/low\[0, 0, 1, 1\] high\[0, 0, 1, 1\]/low[0, 0, 0, 1] high[0, 0, 2, 1]/' %S/Inputs/conv-linalg.mlir > %t.other.mlir
// RUN: %python %S/Inputs/expect-status.py 1 top-run %s --reference=%t.other.mlir | FileCheck %s --check-prefix=WHOLE

// PASS: PASS conv: compared 1024 of 1024 elements with the reference in double
// UPSTREAM: PASS conv: compared 1024 of 1024 elements with the reference lowered by upstream passes
// WRONG: conv: {{[0-9]+}} elements wrong, compared 1024 of 1024 elements
// WRONG-NEXT: FAIL conv result 0 element [0,0,4,3] got {{-?[0-9]+}} expected {{-?[0-9]+}} tile [0:1,0:8,4:8,3:6] pads [0,0,0,0]
// WRONG-NOT: {{.}}
// WHOLE: FAIL conv result 0 element [0,0,0,{{[0-7]}}] got {{-?[0-9]+}} expected {{-?[0-9]+}} tile [0:2,0:8,0:8,0:8] pads [1,1,1,1]
func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}
