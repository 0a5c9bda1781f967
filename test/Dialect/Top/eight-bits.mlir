// Products of 8-bit types print and parse, tile, and have the result types and
// epilogues of their sums.

// RUN: top-opt %s --verify-roundtrip | FileCheck %s
// RUN: top-opt %s --mlir-print-op-generic | top-opt | FileCheck %s
// RUN: top-opt %s --top-tile="m=5 n=4 form=unroll" | FileCheck %s --check-prefix=TILE

// CHECK-LABEL: func.func @i8
// CHECK: top.MatMul %{{.*}}, %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>, #top.step<clamp, min = 0xC1E0000000000000, max = 0x41DFFFFFFFC00000>], transpose_b = true} : (tensor<7x3xi8>, tensor<4x3xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<7x4xi32>, tensor<1x4xi32>) -> tensor<7x4xi32>
// TILE-LABEL: func.func @i8
// TILE: top.MatMul {{.*}} : (tensor<5x3xi8>, tensor<4x3xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<5x4xi32>, tensor<1x4xi32>) -> tensor<5x4xi32>
// TILE: top.MatMul {{.*}} : (tensor<2x3xi8>, tensor<4x3xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2x4xi32>, tensor<1x4xi32>) -> tensor<2x4xi32>
func.func @i8(%a: tensor<7x3xi8>, %b: tensor<4x3xi8>, %c: tensor<4xi32>, %s: tensor<4xi32>, %t: tensor<4xi32>, %r: tensor<7x4xi32>, %g: tensor<1x4xi32>) -> tensor<7x4xi32> {
  %y = top.MatMul %a, %b, %c epilogue(%s, %t, %r, %g) {transpose_b = true, epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>, #top.step<clamp, min = -2147483648.0, max = 2147483647.0>]} : (tensor<7x3xi8>, tensor<4x3xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<7x4xi32>, tensor<1x4xi32>) -> tensor<7x4xi32>
  return %y : tensor<7x4xi32>
}

// CHECK-LABEL: func.func @f8
// CHECK: (tensor<2x3xf8E4M3FN>, tensor<3x4xf8E4M3FN>) -> tensor<2x4xf32>
// CHECK: (tensor<5x2x3xf8E5M2>, tensor<3x4xf8E5M2>, tensor<4xf32>) -> tensor<5x2x4xf16>
// CHECK: (tensor<2x3xf8E5M2>, tensor<3x4xf8E5M2>, tensor<4xbf16>) -> tensor<2x4xbf16>
func.func @f8(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x4xf8E4M3FN>, %p: tensor<5x2x3xf8E5M2>, %q: tensor<3x4xf8E5M2>, %s: tensor<4xf32>, %u: tensor<2x3xf8E5M2>, %t: tensor<4xbf16>) {
  %0 = top.MatMul %a, %b : (tensor<2x3xf8E4M3FN>, tensor<3x4xf8E4M3FN>) -> tensor<2x4xf32>
  %1 = top.MatMul %p, %q, %s {epilogue = [#top.step<gelu>]} : (tensor<5x2x3xf8E5M2>, tensor<3x4xf8E5M2>, tensor<4xf32>) -> tensor<5x2x4xf16>
  %2 = top.MatMul %u, %q, %t : (tensor<2x3xf8E5M2>, tensor<3x4xf8E5M2>, tensor<4xbf16>) -> tensor<2x4xbf16>
  return
}

// No K: a tile is its bias.
// TILE-LABEL: func.func @no_depth
// TILE-NOT: top.MatMul
// TILE: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xi32>) outs(%{{.*}} : tensor<5x4xi32>)
func.func @no_depth(%a: tensor<7x0xi8>, %b: tensor<0x4xi8>, %c: tensor<4xi32>) -> tensor<7x4xi32> {
  %y = top.MatMul %a, %b, %c : (tensor<7x0xi8>, tensor<0x4xi8>, tensor<4xi32>) -> tensor<7x4xi32>
  return %y : tensor<7x4xi32>
}
