// RUN: top-opt %s --split-input-file --verify-diagnostics

// One error with the numbers.

func.func @input(%x: tensor<1x6x8x8xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32> {
  // expected-error @below {{expected 'group' to divide the channels C of 'input', got group 4 and C 6}}
  %y = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x6x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

// -----

func.func @output(%x: tensor<1x8x8x8xf32>, %w: tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error @below {{expected 'group' to divide the output channels F of 'filter', got group 4 and F 6}}
  %y = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x8x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %y : tensor<1x6x6x6xf32>
}

// -----

func.func @filter(%x: tensor<1x8x8x8xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @below {{expected the channels of 'filter' to be C/group = 8/4 = 2, got 8}}
  %y = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}
