// RUN: top-opt %s --top-tile-to-blocks --split-input-file --verify-diagnostics

// What engine 'direct' cannot take is one error at the convolution.

#direct = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>

// It is for convolutions.
func.func @product(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: engine 'direct' takes linalg.conv_2d_nchw_fchw, linalg.conv_2d_ngchw_gfchw and linalg.depthwise_conv_2d_nchw_chw}}
  %c = linalg.matmul {top.schedule = #direct} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>

// A padding of ones is no zero outside of the image.
func.func @padded_with_ones(%x: tensor<1x4x8x8xf32>, %w: tensor<4x3x3xf32>, %e: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // expected-note@+1 {{padded here}}
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  // expected-error@+1 {{expected the padding in front of it to have the value 0, which a load gives outside of an image}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #direct} ins(%p, %w : tensor<1x4x10x10xf32>, tensor<4x3x3xf32>) outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>

func.func @dynamic(%x: tensor<?x4x10x10xf32>, %w: tensor<4x3x3xf32>, %e: tensor<?x4x8x8xf32>) -> tensor<?x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x8x8xf32>) -> tensor<?x4x8x8xf32>
  // expected-error@+1 {{expected static shapes, got 'tensor<?x4x10x10xf32>'; GPU kernels are made for static sizes}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #direct} ins(%x, %w : tensor<?x4x10x10xf32>, tensor<4x3x3xf32>) outs(%init : tensor<?x4x8x8xf32>) -> tensor<?x4x8x8xf32>
  return %y : tensor<?x4x8x8xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>

func.func @accumulates(%x: tensor<1x4x10x10xf32>, %w: tensor<4x3x3xf32>, %e: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  // expected-error@+1 {{expected 'outs' to be filled with 0}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #direct} ins(%x, %w : tensor<1x4x10x10xf32>, tensor<4x3x3xf32>) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>

func.func @half_sums(%x: tensor<1x4x10x10xf16>, %w: tensor<4x3x3xf16>, %e: tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16> {
  %zero = arith.constant 0.0 : f16
  %init = linalg.fill ins(%zero : f16) outs(%e : tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16>
  // expected-error@+1 {{expected sums in 'f32', got 'f16'}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #direct} ins(%x, %w : tensor<1x4x10x10xf16>, tensor<4x3x3xf16>) outs(%init : tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// -----

#repacked = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8], split_k = 2>

func.func @parts(%x: tensor<1x4x10x10xf32>, %w: tensor<4x3x3xf32>, %e: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  // expected-error@+1 {{engine 'direct' takes 'cluster' = [1, 1], 'split_k' = 1 and 'repack' = false}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #repacked} ins(%x, %w : tensor<1x4x10x10xf32>, tensor<4x3x3xf32>) outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// Two images in a box.
#images = #top.schedule<engine = direct, block = [4, 128, 1], warp = [4, 64], thread = [1, 8], box = [2, 8, 8]>

func.func @images(%x: tensor<2x4x10x10xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-error@+1 {{needs a 'box' of one image for the engine 'direct', but it has 2}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #images} ins(%x, %w : tensor<2x4x10x10xf32>, tensor<4x3x3xf32>) outs(%init : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

// -----

// 16 pixels of a row of 8 are two rows, which 7 are no multiple of.
#rows = #top.schedule<engine = direct, block = [4, 128, 1], warp = [4, 128], thread = [1, 16], box = [1, 7, 8]>

func.func @rows(%x: tensor<2x4x10x10xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-error@+1 {{needs a 'box' of a multiple of 2 rows of pixels for 'thread' tiles of 2 x 8 pixels, but it has 7}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #rows} ins(%x, %w : tensor<2x4x10x10xf32>, tensor<4x3x3xf32>) outs(%init : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

// -----

// No row of runs fits the block: the box that is chosen has more threads.
#runs = #top.schedule<engine = direct, block = [16, 48, 1], warp = [16, 48], thread = [1, 24]>

func.func @runs(%x: tensor<2x4x10x58xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x8x56xf32>) -> tensor<2x4x8x56xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x56xf32>) -> tensor<2x4x8x56xf32>
  // expected-error@+1 {{needs 4 'thread' tiles for a 'box' of 2 x 48 pixels, but 'block' has 2 along N}}
  %y = linalg.depthwise_conv_2d_nchw_chw {top.schedule = #runs} ins(%x, %w : tensor<2x4x10x58xf32>, tensor<4x3x3xf32>) outs(%init : tensor<2x4x8x56xf32>) -> tensor<2x4x8x56xf32>
  return %y : tensor<2x4x8x56xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [5, 256, 2], warp = [5, 256], thread = [5, 8]>

// Blocks of five channels do not end where groups of two do.
func.func @groups(%x: tensor<1x4x2x10x10xf32>, %w: tensor<4x2x2x3x3xf32>, %e: tensor<1x4x2x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x2x8x8xf32>) -> tensor<1x4x2x8x8xf32>
  // expected-error@+1 {{needs a 'block' M of a multiple of the 2 output channels of a group, but it has 5}}
  %y = linalg.conv_2d_ngchw_gfchw {top.schedule = #direct} ins(%x, %w : tensor<1x4x2x10x10xf32>, tensor<4x2x2x3x3xf32>) outs(%init : tensor<1x4x2x8x8xf32>) -> tensor<1x4x2x8x8xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x4x2x8x8xf32> into tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [12, 64, 2], warp = [12, 64], thread = [3, 8]>

// Threads of three channels neither.
func.func @threads(%x: tensor<1x4x2x10x10xf32>, %w: tensor<4x2x2x3x3xf32>, %e: tensor<1x4x2x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x2x8x8xf32>) -> tensor<1x4x2x8x8xf32>
  // expected-error@+1 {{needs a 'thread' M that divides the 2 output channels of a group, but it has 3}}
  %y = linalg.conv_2d_ngchw_gfchw {top.schedule = #direct} ins(%x, %w : tensor<1x4x2x10x10xf32>, tensor<4x2x2x3x3xf32>) outs(%init : tensor<1x4x2x8x8xf32>) -> tensor<1x4x2x8x8xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x4x2x8x8xf32> into tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

// -----

#direct = #top.schedule<engine = direct, block = [8, 64, 1], warp = [8, 64], thread = [2, 8]>

// Several groups are read in one step.
func.func @step(%x: tensor<1x4x2x10x10xf32>, %w: tensor<4x2x2x3x3xf32>, %e: tensor<1x4x2x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x2x8x8xf32>) -> tensor<1x4x2x8x8xf32>
  // expected-error@+1 {{needs all 2 input channels of a group in one step for a 'block' of 4 groups, but its K has 1}}
  %y = linalg.conv_2d_ngchw_gfchw {top.schedule = #direct} ins(%x, %w : tensor<1x4x2x10x10xf32>, tensor<4x2x2x3x3xf32>) outs(%init : tensor<1x4x2x8x8xf32>) -> tensor<1x4x2x8x8xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<1x4x2x8x8xf32> into tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}
