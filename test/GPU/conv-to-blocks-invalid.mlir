// RUN: top-opt %s --top-tile-to-blocks --split-input-file --verify-diagnostics

// What cannot be done is one error at the convolution.

// A pad by something else than zeros is not absorbed by a load.
func.func @f(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %e: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  // expected-error@+1 {{cannot be cut into block tiles: expected the tensor.pad in front to add zeros: nothing else can be absorbed by a tile's load}}
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>} ins(%p, %w : tensor<1x4x10x10xf32>, tensor<8x4x3x3xf32>) outs(%init : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

// Neither are new channels.
func.func @f(%x: tensor<1x3x8x8xf32>, %w: tensor<8x4x1x1xf32>, %e: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x4x8x8xf32>
  // expected-error@+1 {{cannot be cut into block tiles: expected the tensor.pad in front to add rows and columns only}}
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>} ins(%p, %w : tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) outs(%init : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

func.func @f(%x: tensor<?x4x8x8xf32>, %w: tensor<8x4x1x1xf32>, %e: tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32>
  // expected-error@+1 {{cannot be cut into block tiles: N is dynamic; GPU kernels are made for static sizes}}
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>} ins(%x, %w : tensor<?x4x8x8xf32>, tensor<8x4x1x1xf32>) outs(%init : tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32>
  return %y : tensor<?x8x8x8xf32>
}

// -----

// Sums are in the accumulator's type.
func.func @f(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x1x1xf16>, %e: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %zero = arith.constant 0.0 : f16
  %init = linalg.fill ins(%zero : f16) outs(%e : tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
  // expected-error@+1 {{cannot be cut into block tiles: expected sums in 'f32', got 'f16'}}
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>} ins(%x, %w : tensor<1x4x8x8xf16>, tensor<8x4x1x1xf16>) outs(%init : tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
  return %y : tensor<1x8x8x8xf16>
}

// -----

// Of other engines than those that have kernels.
func.func @f(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x1x1xf16>, %e: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  // expected-error@+1 {{engine 'wgmma' has no kernels yet}}
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, top.schedule = #top.schedule<engine = wgmma>} ins(%x, %w : tensor<1x4x8x8xf16>, tensor<8x4x1x1xf16>) outs(%init : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

// -----

// Groups and their channels make one dimension only where they follow each other.
#s = #top.schedule<block = [8, 64, 8], warp = [8, 32], thread = [2, 4]>
#image = affine_map<(n, g, f, oh, ow, c, kh, kw) -> (n, g, c, oh + kh, ow + kw)>
#filter = affine_map<(n, g, f, oh, ow, c, kh, kw) -> (g, f, c, kh, kw)>
#sums = affine_map<(n, g, f, oh, ow, c, kh, kw) -> (n, f, g, oh, ow)>
func.func @groups_behind_channels(%x: tensor<1x3x4x10x10xf32>, %w: tensor<3x8x4x3x3xf32>) -> tensor<1x8x3x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x3x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x3x8x8xf32>) -> tensor<1x8x3x8x8xf32>
  // expected-error@+1 {{expected the channels of a group of the result to be side by side with the groups}}
  %y = linalg.generic {indexing_maps = [#image, #filter, #sums], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"], top.schedule = #s} ins(%x, %w : tensor<1x3x4x10x10xf32>, tensor<3x8x4x3x3xf32>) outs(%init : tensor<1x8x3x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x8x3x8x8xf32>
  return %y : tensor<1x8x3x8x8xf32>
}
