// Convolutions that share what canonicalization merges, on the simulated GPU: the
// padding of an image, and sums whose groups are dimensions of their own.

// RUN: top-run %s --target=sim --function=padding --verify --guard=nan | FileCheck %s
// RUN: top-run %s --target=sim --function=rows --verify --guard=nan | FileCheck %s
// RUN: top-run %s --target=sim --function=rows --verify --guard=nan --chip=sm_90a --sim-mode=random | FileCheck %s
// RUN: top-run %s --target=sim --function=direct --verify --guard=nan | FileCheck %s
// CHECK: PASS {{padding|rows|direct}}: compared

func.func @padding(%x: tensor<2x8x8x7xf16>, %w: tensor<8x1x3x3xf16>, %v: tensor<8x1x3x3xf16>, %u: tensor<8x8x3x3xf16>) -> (tensor<2x8x8x7xf16>, tensor<2x8x8x7xf16>) {
  %1 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 8 : i64} : (tensor<2x8x8x7xf16>, tensor<8x1x3x3xf16>) -> tensor<2x8x8x7xf16>
  %2 = top.Conv2D %x, %v epilogue(%1) {pads = array<i64: 1, 1, 1, 1>, group = 8 : i64, epilogue = [#top.step<add>]} : (tensor<2x8x8x7xf16>, tensor<8x1x3x3xf16>, tensor<2x8x8x7xf16>) -> tensor<2x8x8x7xf16>
  %3 = top.Conv2D %x, %u {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x8x8x7xf16>, tensor<8x8x3x3xf16>) -> tensor<2x8x8x7xf16>
  return %2, %3 : tensor<2x8x8x7xf16>, tensor<2x8x8x7xf16>
}

// The second and the third read the groups of the first.
func.func @rows(%x: tensor<2x16x6x8xf32>, %w: tensor<32x8x3x3xf32>, %v: tensor<2x16x1x1xf32>, %u: tensor<32x16x1x1xf32>) -> (tensor<2x2x6x8xf32>, tensor<2x32x6x8xf32>) {
  %1 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 2 : i64} : (tensor<2x16x6x8xf32>, tensor<32x8x3x3xf32>) -> tensor<2x32x6x8xf32>
  %2 = top.Conv2D %1, %v {group = 2 : i64} : (tensor<2x32x6x8xf32>, tensor<2x16x1x1xf32>) -> tensor<2x2x6x8xf32>
  %3 = top.Conv2D %1, %u {group = 2 : i64} : (tensor<2x32x6x8xf32>, tensor<32x16x1x1xf32>) -> tensor<2x32x6x8xf32>
  return %2, %3 : tensor<2x2x6x8xf32>, tensor<2x32x6x8xf32>
}

func.func @direct(%x: tensor<1x4x6x4xf32>, %w: tensor<32x2x3x3xf32>, %v: tensor<2x16x1x1xf32>) -> tensor<1x2x6x4xf32> {
  %1 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 2 : i64} : (tensor<1x4x6x4xf32>, tensor<32x2x3x3xf32>) -> tensor<1x32x6x4xf32>
  %2 = top.Conv2D %1, %v {group = 2 : i64} : (tensor<1x32x6x4xf32>, tensor<2x16x1x1xf32>) -> tensor<1x2x6x4xf32>
  return %2 : tensor<1x2x6x4xf32>
}
