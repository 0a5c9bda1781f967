// Convolutions of engine direct that top-tile has cut: each tile reads a slice of
// the image and writes one of the result, both where they lie, and is right.

// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{batch=1 height=4}))" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s --function=dw --target=sim --guard=nan | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=grp --target=sim --guard=nan --sim-mode=lazy | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{batch=1 height=5 width=7 form=unroll}))" -o %t.unrolled.mlir
// RUN: top-run %t.unrolled.mlir --reference=%s --function=dw --target=sim --guard=nan | FileCheck %s
// RUN: top-run %t.unrolled.mlir --reference=%s --function=grp --target=sim --guard=nan --sim-mode=random | FileCheck %s
// RUN: top-compile %t.unrolled.mlir --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python -c "import json, sys; [print(f['function'], sorted({k for s in f['steps'] for k in s if k in ('launch', 'copy', 'fill')})) for f in json.load(open(sys.argv[1]))['functions']]" %t.json | FileCheck %s --check-prefix=PLAN

// CHECK: PASS {{dw|grp}}: compared {{2736 of 2736|6144 of 6144}} elements {{.*}}, max absolute error 0
// PLAN: dw ['launch']
// PLAN: grp ['launch']

func.func @dw(%x: tensor<2x8x17x19xf16>, %w: tensor<8x1x3x3xf16>, %b: tensor<8xf16>) -> tensor<2x8x9x19xf16> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 8 : i64, epilogue = [#top.step<relu>]} : (tensor<2x8x17x19xf16>, tensor<8x1x3x3xf16>, tensor<8xf16>) -> tensor<2x8x9x19xf16>
  return %y : tensor<2x8x9x19xf16>
}

func.func @grp(%x: tensor<2x8x16x16xf32>, %w: tensor<12x2x3x3xf32>, %e0: tensor<2x12x16x16xf32>) -> tensor<2x12x16x16xf32> {
  %y = top.Conv2D %x, %w epilogue(%e0) {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 4 : i64, epilogue = [#top.step<add>]} : (tensor<2x8x16x16xf32>, tensor<12x2x3x3xf32>, tensor<2x12x16x16xf32>) -> tensor<2x12x16x16xf32>
  return %y : tensor<2x12x16x16xf32>
}
