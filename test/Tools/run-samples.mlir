// A sample of a large result, and the report as JSON.

// RUN: rm -f %t.json
// RUN: top-run %s --verify --samples=100 --bench --json=%t.json --seed=5 --fill=normal | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python -m json.tool %t.json
// RUN: sed -e 's/1, 1, 1, 1/0, 1, 2, 1/' %s > %t.other.mlir
// RUN: not top-run %s --reference=%t.other.mlir --samples=100 --json=- | FileCheck %s --check-prefix=WRONG
// RUN: rm -f %t.json && not top-run %s --function=none --json=%t.json
// RUN: not ls %t.json

// CHECK: PASS conv: compared {{(100|9[0-9])}} of 524288 elements (a sample) with the reference in double, max absolute error
// CHECK: BENCH conv: {{[0-9]+}} calls, mean {{[0-9.]+}} ms, P50 {{[0-9.]+}} ms, P95 {{[0-9.]+}} ms, min {{[0-9.]+}} ms, {{[0-9.]+}} GFLOP/s at P50
// JSON-DAG: "bench": {
// JSON-DAG: "p95_seconds": {{[0-9.e-]+}}
// JSON-DAG: "elements": 524288
// JSON-DAG: "flop": 9437184
// JSON-DAG: "fill": "normal"
// JSON-DAG: "function": "conv"
// JSON-DAG: "seed": 5
// JSON-DAG: "status": "PASS"
// JSON-DAG: "wrong": 0
// WRONG: "first_wrong": {
// WRONG: "tile_end": [
// WRONG: "status": "FAIL"
// WRONG: FAIL conv result 0 element [0,0,
func.func @conv(%x: tensor<1x1x256x256xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x8x256x256xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<1x1x256x256xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x256x256xf32>
  return %y : tensor<1x8x256x256xf32>
}
