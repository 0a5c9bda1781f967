// RUN: top-opt %s --split-input-file --verify-diagnostics

// An output below 1. In the first case truncating division, (4 - 5)/2 + 1,
// would give 1.

func.func @truncation(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x1x1xf32> {
  // expected-error @below {{expected an output height of at least 1, got 0: input 4 with pads 0 and 0 is smaller than the window of 5}}
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

func.func @kernel(%x: tensor<2x16x2x2xf32>, %w: tensor<8x16x7x7xf32>) -> tensor<2x8x1x1xf32> {
  // expected-error @below {{expected an output height of at least 1, got -2: input 2 with pads 1 and 1 is smaller than the window of 7}}
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x16x2x2xf32>, tensor<8x16x7x7xf32>) -> tensor<2x8x1x1xf32>
  return %y : tensor<2x8x1x1xf32>
}
