// RUN: top-run %s --function=conv --verify | FileCheck %s --check-prefix=CONV
// RUN: top-run %s --function=product --verify --fill=normal --seed=7 | FileCheck %s --check-prefix=PRODUCT
// RUN: top-run %s --function=two --verify --fill=normal | FileCheck %s --check-prefix=TWO
// RUN: top-run %s --function=steps --verify --fill=eighths | FileCheck %s --check-prefix=STEPS
// RUN: top-run %s --function=empty --verify | FileCheck %s --check-prefix=EMPTY
// RUN: top-run %s --function=conv | FileCheck %s --check-prefix=RAN
// RUN: top-run %s --function=small --fill=const:2.5 --print --verify | FileCheck %s --check-prefix=PRINT

// Functions of plain top ops against the loops in double. Integers are exact.
// CONV: PASS conv: compared 1024 of 1024 elements with the reference in double, max absolute error 0, max relative error 0
// RAN: RAN conv: 1 result, not compared
func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}

// PRODUCT: PASS product: compared 3072 of 3072 elements
func.func @product(%a: tensor<3x32x17xf16>, %b: tensor<3x32x17xf16>) -> tensor<3x32x32xf16> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<3x32x17xf16>, tensor<3x32x17xf16>) -> tensor<3x32x32xf16>
  return %c : tensor<3x32x32xf16>
}

// A chain, with both values returned: what the second may be off takes along
// what the first was.
// TWO: PASS two: compared 1568 of 1568 elements
func.func @two(%x: tensor<1x4x9x9xbf16>, %v: tensor<8x4x3x3xbf16>, %w: tensor<24x4x3x3xbf16>) -> (tensor<1x8x7x7xbf16>, tensor<1x24x7x7xbf16>) {
  %y = top.Conv2D %x, %v {epilogue = [#top.step<relu>]} : (tensor<1x4x9x9xbf16>, tensor<8x4x3x3xbf16>) -> tensor<1x8x7x7xbf16>
  %z = top.Conv2D %y, %w {pads = array<i64: 1, 1, 1, 1>, group = 2 : i64} : (tensor<1x8x7x7xbf16>, tensor<24x4x3x3xbf16>) -> tensor<1x24x7x7xbf16>
  return %y, %z : tensor<1x8x7x7xbf16>, tensor<1x24x7x7xbf16>
}

// STEPS: PASS steps: compared 300 of 300 elements
func.func @steps(%x: tensor<1x3x5x5xf32>, %w: tensor<12x3x1x1xf32>, %s: tensor<12xf32>, %t: tensor<12xf32>, %r: tensor<1x12x5x5xf32>, %g: tensor<1x12x1x1xf32>) -> tensor<1x12x5x5xf32> {
  %y = top.Conv2D %x, %w epilogue(%s, %t, %r, %g) {epilogue = [#top.step<affine>, #top.step<silu>, #top.step<add>, #top.step<gelu>, #top.step<mul>, #top.step<hardswish>, #top.step<sigmoid>, #top.step<clamp, min = 0.25, max = 0.75>]}
     : (tensor<1x3x5x5xf32>, tensor<12x3x1x1xf32>, tensor<12xf32>, tensor<12xf32>, tensor<1x12x5x5xf32>, tensor<1x12x1x1xf32>) -> tensor<1x12x5x5xf32>
  return %y : tensor<1x12x5x5xf32>
}

// EMPTY: PASS empty: compared 0 of 0 elements
func.func @empty(%x: tensor<0x3x5x5xf32>, %w: tensor<12x3x1x1xf32>) -> tensor<0x12x5x5xf32> {
  %y = top.Conv2D %x, %w : (tensor<0x3x5x5xf32>, tensor<12x3x1x1xf32>) -> tensor<0x12x5x5xf32>
  return %y : tensor<0x12x5x5xf32>
}

// PRINT: argument 0 2x1xf32 = {{\[\[}}2.5], [2.5]]
// PRINT: argument 1 1x2xf32 = {{\[\[}}2.5, 2.5]]
// PRINT: result 0 2x2xf32 = {{\[\[}}6.25, 6.25], [6.25, 6.25]]
// PRINT: PASS small
func.func @small(%a: tensor<2x1xf32>, %b: tensor<1x2xf32>) -> tensor<2x2xf32> {
  %c = top.MatMul %a, %b : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}
