// RUN: top-opt %s --verify-diagnostics --split-input-file

// An attribute that a layer op does not have is a slip of the pen, not a
// discardable attribute.

func.func @stride(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{'top.Conv2D' op has no attribute 'stride'; did you mean 'strides'? its attributes are 'allow_tf32', 'dilations', 'epilogue', 'group', 'pads' and 'strides', and any other needs a dialect's name in front, as in 'mine.stride'}}
  %0 = top.Conv2D %x, %w {stride = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @pad(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{has no attribute 'pad'; did you mean 'pads'?}}
  %0 = top.Conv2D %x, %w {pad = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @padding(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{has no attribute 'padding'; did you mean 'pads'?}}
  %0 = top.Conv2D %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @dilation(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{has no attribute 'dilation'; did you mean 'dilations'?}}
  %0 = top.Conv2D %x, %w {dilation = array<i64: 1, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @groups(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{has no attribute 'Groups'; did you mean 'group'?}}
  %0 = top.Conv2D %x, %w {Groups = 1 : i64} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

// Of another op; nothing is near.

func.func @transpose_b(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{has no attribute 'transpose_b'; its attributes are 'allow_tf32'}}
  %0 = top.Conv2D %x, %w {transpose_b = true} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x6xf32>
  return
}

// -----

func.func @transpose(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{'top.MatMul' op has no attribute 'transpose'; did you mean 'transpose_a' or 'transpose_b'? its attributes are 'allow_tf32', 'epilogue', 'transpose_a' and 'transpose_b', and any other}}
  %0 = top.MatMul %a, %a {transpose} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// The generic form, where the list of segments is in its place.

func.func @generic(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{has no attribute 'trans_b'; did you mean 'transpose_a' or 'transpose_b'?}}
  %0 = "top.MatMul"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> {trans_b = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// Attributes with a dialect's name, and the marks of passes, are nobody's slip.

func.func @legal(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = top.MatMul %a, %a {mine.tag = "x", __mark__ = 1 : i64, transpose_b = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
