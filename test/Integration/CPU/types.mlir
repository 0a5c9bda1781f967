// Each element type with each fill, one tile against the untiled reference:
// f32 sums of 16-bit products, one rounding at the end.

// RUN: top-opt %s --top-tile="height=3 width=4 channels=3 m=3 n=4" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s --function=f64 --guard=nan | FileCheck %s --check-prefix=EXACT
// RUN: top-run %t.mlir --reference=%s --function=f64 --fill=eighths | FileCheck %s --check-prefix=EXACT
// RUN: top-run %t.mlir --reference=%s --function=f64 --fill=normal | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=f16 --guard=nan | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=f16 --fill=normal --seed=3 | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=bf16 --guard=nan | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=bf16 --fill=normal --seed=3 | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=wide --fill=normal | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --function=ones --fill=ones --print | FileCheck %s --check-prefix=ONES
// RUN: top-run %t.mlir --reference=%s --function=overflow --fill=const:60 --print | FileCheck %s --check-prefix=INF

// EXACT: PASS f64: compared 378 of 378 elements with the reference in double, max absolute error 0, max relative error 0
// CHECK: PASS {{.*}}: compared 378 of 378 elements
func.func @f64(%x: tensor<1x4x7x9xf64>, %w: tensor<6x2x3x3xf64>) -> tensor<1x6x7x9xf64> {
  %y = top.Conv2D %x, %w {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x7x9xf64>, tensor<6x2x3x3xf64>) -> tensor<1x6x7x9xf64>
  return %y : tensor<1x6x7x9xf64>
}
func.func @f16(%x: tensor<1x4x7x9xf16>, %w: tensor<6x2x3x3xf16>, %b: tensor<6xf32>) -> tensor<1x6x7x9xf16> {
  %y = top.Conv2D %x, %w, %b {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<gelu>]} : (tensor<1x4x7x9xf16>, tensor<6x2x3x3xf16>, tensor<6xf32>) -> tensor<1x6x7x9xf16>
  return %y : tensor<1x6x7x9xf16>
}
func.func @bf16(%x: tensor<1x4x7x9xbf16>, %w: tensor<6x2x3x3xbf16>, %b: tensor<6xbf16>, %r: tensor<1x6x1x9xbf16>) -> tensor<1x6x7x9xbf16> {
  %y = top.Conv2D %x, %w, %b epilogue(%r) {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<silu>]} : (tensor<1x4x7x9xbf16>, tensor<6x2x3x3xbf16>, tensor<6xbf16>, tensor<1x6x1x9xbf16>) -> tensor<1x6x7x9xbf16>
  return %y : tensor<1x6x7x9xbf16>
}
func.func @wide(%x: tensor<1x4x7x9xbf16>, %w: tensor<6x2x3x3xbf16>) -> tensor<1x6x7x9xf32> {
  %y = top.Conv2D %x, %w {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x7x9xbf16>, tensor<6x2x3x3xbf16>) -> tensor<1x6x7x9xf32>
  return %y : tensor<1x6x7x9xf32>
}

// An accumulator in f16 would stall at 2048.
// ONES: result 0 4x4xf16 = {{\[\[}}4096, 4096, 4096, 4096],
// ONES: PASS ones
func.func @ones(%a: tensor<4x4096xf16>, %b: tensor<4096x4xf16>) -> tensor<4x4xf16> {
  %c = top.MatMul %a, %b : (tensor<4x4096xf16>, tensor<4096x4xf16>) -> tensor<4x4xf16>
  return %c : tensor<4x4xf16>
}

// 32 * 3600 is beyond 65504: infinite in the result, as in the reference.
// INF: result 0 4x4xf16 = {{\[\[}}inf, inf, inf, inf],
// INF: PASS overflow: compared 16 of 16 {{.*}}, 16 elements not finite in both
func.func @overflow(%a: tensor<4x32xf16>, %b: tensor<32x4xf16>) -> tensor<4x4xf16> {
  %c = top.MatMul %a, %b : (tensor<4x32xf16>, tensor<32x4xf16>) -> tensor<4x4xf16>
  return %c : tensor<4x4xf16>
}
