// RUN: top-opt %s --split-input-file --verify-diagnostics

// Shape arithmetic never wraps.

func.func @dilation31(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x10x10xf32> {
  // expected-error @below {{expected an output height of at least 1, got -4294967286: input 8 with pads 0 and 0 is smaller than the window of 4294967295}}
  %y = top.Conv2D %x, %w {dilations = array<i64: 2147483647, 2147483647>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x10x10xf32>
  return %y : tensor<1x1x10x10xf32>
}

// -----

func.func @dilation62(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x10x10xf32> {
  // expected-error @below {{window height overflows 64 bits: kernel 3, dilation 4611686018427387904}}
  %y = top.Conv2D %x, %w {dilations = array<i64: 4611686018427387904, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x10x10xf32>
  return %y : tensor<1x1x10x10xf32>
}

// -----

func.func @pads(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x10x10xf32> {
  // expected-error @below {{window height overflows 64 bits}}
  %y = top.Conv2D %x, %w {pads = array<i64: 4611686018427387904, 0, 4611686018427387904, 0>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x10x10xf32>
  return %y : tensor<1x1x10x10xf32>
}
