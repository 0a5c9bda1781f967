// RUN: top-opt %s --split-input-file --verify-diagnostics

// Operands that do not fit one another are an error, never a crash of shape
// inference.

func.func @depth(%a: tensor<16x24xf32>, %b: tensor<25x16xf32>) -> tensor<16x16xf32> {
  // expected-error @below {{expected the inner dimensions K of 'lhs' and 'rhs' to be equal, got 24 and 25}}
  %c = top.MatMul %a, %b : (tensor<16x24xf32>, tensor<25x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// -----

func.func @batch(%a: tensor<2x16x16xf32>, %b: tensor<3x16x16xf32>) -> tensor<2x16x16xf32> {
  // expected-error @below {{expected the batch sizes of 'lhs' and 'rhs' to be equal, got 2 and 3}}
  %c = top.MatMul %a, %b : (tensor<2x16x16xf32>, tensor<3x16x16xf32>) -> tensor<2x16x16xf32>
  return %c : tensor<2x16x16xf32>
}

// -----

func.func @filter_rank(%x: tensor<1x2x8x8xf32>, %w: tensor<1x2x3x3x1xf32>) -> tensor<1x1x6x6xf32> {
  // expected-error @below {{expected 'filter' to have rank 4 (F x C/group x KH x KW), got 5}}
  %y = top.Conv2D %x, %w : (tensor<1x2x8x8xf32>, tensor<1x2x3x3x1xf32>) -> tensor<1x1x6x6xf32>
  return %y : tensor<1x1x6x6xf32>
}

// -----

func.func @input_rank(%x: tensor<f32>, %w: tensor<1x2x3x3xf32>) -> tensor<1x1x6x6xf32> {
  // expected-error @below {{expected 'input' to have rank 4 (N x C x H x W), got 0}}
  %y = top.Conv2D %x, %w : (tensor<f32>, tensor<1x2x3x3xf32>) -> tensor<1x1x6x6xf32>
  return %y : tensor<1x1x6x6xf32>
}
