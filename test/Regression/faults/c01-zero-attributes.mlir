// RUN: top-opt %s --split-input-file --verify-diagnostics

// An attribute or extent of 0 is one error that names it, and never a division
// by zero.

func.func @stride(%x: tensor<1x1x32x32xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x8x1x30xf32> {
  // expected-error @below {{expected 'strides' to be at least 1, got 0 at position 0}}
  %y = top.Conv2D %x, %w {strides = array<i64: 0, 1>} : (tensor<1x1x32x32xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x1x30xf32>
  return %y : tensor<1x8x1x30xf32>
}

// -----

func.func @dilation(%x: tensor<1x1x8x8xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x8x8xf32> {
  // expected-error @below {{expected 'dilations' to be at least 1, got 0 at position 0}}
  %y = top.Conv2D %x, %w {dilations = array<i64: 0, 1>} : (tensor<1x1x8x8xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

func.func @group(%x: tensor<4x8x8x8xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<4x4x6x6xf32> {
  // expected-error @below {{expected 'group' to be at least 1, got 0}}
  %y = top.Conv2D %x, %w {group = 0 : i64} : (tensor<4x8x8x8xf32>, tensor<4x8x3x3xf32>) -> tensor<4x4x6x6xf32>
  return %y : tensor<4x4x6x6xf32>
}

// -----

func.func @kernel(%x: tensor<1x64x8x8xf32>, %w: tensor<64x1x3x0xf32>) -> tensor<1x64x6x9xf32> {
  // expected-error @below {{expected the columns KW of 'filter' to be at least 1, got 0}}
  %y = top.Conv2D %x, %w {group = 64 : i64} : (tensor<1x64x8x8xf32>, tensor<64x1x3x0xf32>) -> tensor<1x64x6x9xf32>
  return %y : tensor<1x64x6x9xf32>
}

// -----

func.func @channels(%x: tensor<1x0x8x8xf32>, %w: tensor<2x0x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{expected the channels C of 'input' to be at least 1, got 0}}
  %y = top.Conv2D %x, %w : (tensor<1x0x8x8xf32>, tensor<2x0x3x3xf32>) -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}
