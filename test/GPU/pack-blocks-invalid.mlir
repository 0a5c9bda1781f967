// RUN: top-opt %s --top-tile-to-blocks --split-input-file --verify-diagnostics

// A pack with a schedule that has no kernel is one error at the op.

// Rows of blocks in two dimensions.
func.func @two_tiles(%x: tensor<2x16x8x8xf16>, %e: tensor<2x8x8x2x8xf16>) -> tensor<2x8x8x2x8xf16> {
  // expected-error@+1 {{'linalg.pack' op cannot be cut into block tiles: expected [batch x] C x H x W or [batch x] H x W x C packed to [batch x] H x W x 1 x C', got 'tensor<2x16x8x8xf16>' packed to 'tensor<2x8x8x2x8xf16>' with 'outer_dims_perm' = [0, 2, 3, 1] and 'inner_dims_pos' = [1]}}
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<2x16x8x8xf16> -> tensor<2x8x8x2x8xf16>
  return %r : tensor<2x8x8x2x8xf16>
}

// -----

// The channels stay in front of the pixels.
func.func @no_perm(%x: tensor<2x8x4x4xf16>, %e: tensor<2x1x4x4x8xf16>) -> tensor<2x1x4x4x8xf16> {
  // expected-error@+1 {{got 'tensor<2x8x4x4xf16>' packed to 'tensor<2x1x4x4x8xf16>' with 'outer_dims_perm' = [] and 'inner_dims_pos' = [1]}}
  %r = linalg.pack %x inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<2x8x4x4xf16> -> tensor<2x1x4x4x8xf16>
  return %r : tensor<2x1x4x4x8xf16>
}

// -----

// Channels that are last already, in two tiles of a pixel.
func.func @two_fills(%x: tensor<2x4x4x11xf16>, %e: tensor<2x4x4x2x8xf16>) -> tensor<2x4x4x2x8xf16> {
  %zero = arith.constant 0.0 : f16
  // expected-error@+1 {{expected [batch x] C x H x W or [batch x] H x W x C packed to [batch x] H x W x 1 x C', got 'tensor<2x4x4x11xf16>' packed to 'tensor<2x4x4x2x8xf16>' with 'outer_dims_perm' = [] and 'inner_dims_pos' = [3]}}
  %r = linalg.pack %x padding_value(%zero : f16) inner_dims_pos = [3] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<2x4x4x11xf16> -> tensor<2x4x4x2x8xf16>
  return %r : tensor<2x4x4x2x8xf16>
}

// -----

// Two dimensions.
func.func @matrix(%x: tensor<8x8xf16>, %e: tensor<8x1x8xf16>) -> tensor<8x1x8xf16> {
  // expected-error@+1 {{expected [batch x] C x H x W or [batch x] H x W x C packed to}}
  %r = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<8x8xf16> -> tensor<8x1x8xf16>
  return %r : tensor<8x1x8xf16>
}

// -----

func.func @dynamic(%x: tensor<?x8x4x4xf16>, %e: tensor<?x4x4x1x8xf16>) -> tensor<?x4x4x1x8xf16> {
  // expected-error@+1 {{'linalg.pack' op cannot be cut into block tiles: expected static shapes, got 'tensor<?x8x4x4xf16>' and 'tensor<?x4x4x1x8xf16>'}}
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<?x8x4x4xf16> -> tensor<?x4x4x1x8xf16>
  return %r : tensor<?x4x4x1x8xf16>
}

// -----

func.func @ones(%x: tensor<2x7x4x4xf16>, %e: tensor<2x4x4x1x8xf16>) -> tensor<2x4x4x1x8xf16> {
  %one = arith.constant 1.0 : f16
  // expected-error@+1 {{'linalg.pack' op cannot be cut into block tiles: expected 'padding_value' to be a constant 0}}
  %r = linalg.pack %x padding_value(%one : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<2x7x4x4xf16> -> tensor<2x4x4x1x8xf16>
  return %r : tensor<2x4x4x1x8xf16>
}

// -----

func.func @run_time_padding(%x: tensor<2x7x4x4xf16>, %p: f16, %e: tensor<2x4x4x1x8xf16>) -> tensor<2x4x4x1x8xf16> {
  // expected-error@+1 {{expected 'padding_value' to be a constant 0}}
  %r = linalg.pack %x padding_value(%p : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<2x7x4x4xf16> -> tensor<2x4x4x1x8xf16>
  return %r : tensor<2x4x4x1x8xf16>
}

// -----

func.func @i16(%x: tensor<2x8x4x4xi16>, %e: tensor<2x4x4x1x8xi16>) -> tensor<2x4x4x1x8xi16> {
  // expected-error@+1 {{'linalg.pack' op cannot be cut into block tiles: expected elements of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i32, got 'tensor<2x8x4x4xi16>'}}
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<2x8x4x4xi16> -> tensor<2x4x4x1x8xi16>
  return %r : tensor<2x4x4x1x8xi16>
}
