// A pass that fails leaves, on request, a file with the input of the pipeline
// and the pipeline; top-opt runs it again and fails in the same way.
//
// RUN: not top-opt %s --canonicalize --top-tile="form=unroll height=8 max-tile-bytes=64" --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// RUN: not top-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// With the pass taken out of its pipeline the file is fine: it is the pass that
// fails, not the file.
// RUN: sed 's/, func.func(top-tile{[^}]*})//' %t.mlir > %t.fine.mlir
// RUN: top-opt %t.fine.mlir --run-reproducer | FileCheck %s --check-prefix=FINE

// Without a request nothing is written.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: not top-opt %s --top-tile="max-tile-bytes=64" 2>/dev/null
// RUN: ls -A %t.dir | count 0

// FAIL: error: 'top.Conv2D' op has no tile that fits 'max-tile-bytes' = 64
// FAIL: Pipeline failed while executing [`TopTilePass` on 'func.func' operation: @conv]: reproducer generated at

// FILE: func.func @conv
// FILE: mlir_reproducer
// FILE: pipeline: "builtin.module(canonicalize{{.*}}, func.func(top-tile{batch=0 channels=0 form=unroll height=8 m=0 max-tile-bytes=64 n=0 width=0}))"

// AGAIN: error: 'top.Conv2D' op has no tile that fits 'max-tile-bytes' = 64

// FINE: top.Conv2D
func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
  return %y : tensor<2x8x16x16xf32>
}
