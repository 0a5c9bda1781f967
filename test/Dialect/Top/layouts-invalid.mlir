// RUN: top-opt %s --split-input-file --verify-diagnostics

// A type is refused where it is written.

// expected-error@+1 {{expected a tensor with the encoding #top.layout<channels_last> to have rank 4 (N x C x H x W), got 3}}
func.func private @rank3(tensor<2x3x4xf32, #top.layout<channels_last>>)

// -----

// expected-error@+1 {{to have rank 4 (N x C x H x W), got 0}}
func.func private @rank0(tensor<f32, #top.layout<channels_last>>)

// -----

// expected-error@+1 {{expected no encoding in place of #top.layout<channels_first>: a tensor without one has this layout}}
func.func private @first(tensor<1x2x3x4xf32, #top.layout<channels_first>>)

// -----

// expected-error@+2 {{failed to parse Top_LayoutAttr parameter 'kind'}}
// expected-error@+1 {{expected ::mlir::top::LayoutKind to be one of: channels_first, channels_last}}
func.func private @unknown(tensor<1x2x3x4xf32, #top.layout<nhwc>>)

// -----

func.func @filter(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32, #top.layout<channels_last>>) {
  // expected-error@+1 {{expected 'filter' without encoding, got #top.layout<channels_last>}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32, #top.layout<channels_last>>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @result(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<1x8x6x6xf32>', got 'tensor<1x8x6x6xf32, "nhwc">'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32, "nhwc">
  return
}

// -----

func.func @result_shape(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{expected 'result' of type 'tensor<1x8x6x6xf32, #top.layout<channels_last>>', got 'tensor<1x6x6x8xf32, #top.layout<channels_last>>'}}
  %0 = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x6x6x8xf32, #top.layout<channels_last>>
  return
}

// -----

func.func @broadcast(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %g: tensor<1x8x1x1xf32, #top.layout<channels_last>>) {
  // expected-error@+1 {{expected epilogue operand #0 ('mul') without encoding, since dimension 2 is broadcast, got 'tensor<1x8x1x1xf32, #top.layout<channels_last>>'}}
  %0 = top.Conv2D %x, %w epilogue(%g) {epilogue = [#top.step<mul>]} : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>, tensor<1x8x1x1xf32, #top.layout<channels_last>>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @other_operand(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %g: tensor<1x8x6x6xf32, 1>) {
  // expected-error@+1 {{expected epilogue operand #0 ('add') without encoding or with #top.layout<channels_last>, got 1 : i64}}
  %0 = top.Conv2D %x, %w epilogue(%g) {epilogue = [#top.step<add>]} : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>, tensor<1x8x6x6xf32, 1>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @affine(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %g: tensor<1x8x1x1xf32, #top.layout<channels_last>>) {
  // expected-error@+1 {{expected epilogue operand #0 ('affine') without encoding, got #top.layout<channels_last>}}
  %0 = top.Conv2D %x, %w epilogue(%g, %g) {epilogue = [#top.step<affine>]} : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>, tensor<1x8x1x1xf32, #top.layout<channels_last>>, tensor<1x8x1x1xf32, #top.layout<channels_last>>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @bias(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %g: tensor<1x8x1x1xf32, #top.layout<channels_last>>) {
  // expected-error@+1 {{expected 'bias' without encoding, got #top.layout<channels_last>}}
  %0 = top.Conv2D %x, %w, %g : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>, tensor<1x8x1x1xf32, #top.layout<channels_last>>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @matmul(%a: tensor<1x4x8x8xf32, #top.layout<channels_last>>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{expected 'lhs' to have rank 2 or 3, got 4}}
  %0 = top.MatMul %a, %b : (tensor<1x4x8x8xf32, #top.layout<channels_last>>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
