// Remarks as docs/Remarks.md promises them: chosen by category (the name of the
// pass) and kind with flags, by name with llvm-remarkutil.
//
// RUN: top-opt %s --top-tile="height=1" --remark-format=emitRemark --remarks-filter="top-.*" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=PASSED,ANALYSIS,MISSED
// RUN: top-opt %s --top-tile="height=1" --remark-format=emitRemark --remarks-filter-passed=top-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSED --implicit-check-not=[Missed] --implicit-check-not=[Analysis]
// RUN: top-opt %s --top-tile="height=1" --remark-format=emitRemark --remarks-filter-missed=top-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not=[Passed] --implicit-check-not=[Analysis]
// RUN: top-opt %s --top-tile="height=1" --remark-format=emitRemark --remarks-filter-analyse=top-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANALYSIS --implicit-check-not=[Missed] --implicit-check-not=[Passed]
// RUN: top-opt %s --top-tile="height=1" --remark-format=emitRemark --remarks-filter=no-such-pass -o /dev/null 2>&1 | count 0

// RUN: top-opt %s --mlir-disable-threading --top-tile="height=1" --remark-format=yaml --remarks-filter="top-.*" --remarks-output-file=%t.yaml -o /dev/null
// RUN: llvm-remarkutil filter --parser=yaml --remark-name=NotTiled %t.yaml | FileCheck %s --check-prefix=NAME

// PASSED: [Passed] Tiled | Category:top-tile | Function=large_pad | Remark="height 40 in 40 tiles of 1 (given)
// ANALYSIS: [Analysis] BorderLoop | Category:top-tile | Function=large_pad
func.func @large_pad(%x: tensor<1x1x40x4xf32>, %w: tensor<1x1x21x1xf32>) -> tensor<1x1x40x4xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 10, 0, 10, 0>}
     : (tensor<1x1x40x4xf32>, tensor<1x1x21x1xf32>) -> tensor<1x1x40x4xf32>
  return %y : tensor<1x1x40x4xf32>
}

// MISSED: [Missed] NotTiled | Category:top-tile | Function=nothing | Reason="the function has no layer op"
// NAME: --- !Missed
// NAME-NEXT: Pass: top-tile
// NAME-NEXT: Name: NotTiled
// NAME-NOT: Tiled
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
