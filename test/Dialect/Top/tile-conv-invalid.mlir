// RUN: top-opt %s --split-input-file --verify-diagnostics

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first>
func.func @filter(%x: !top.tile<block 20x24xf16>, %w: memref<4x2x3x5xf16>, %acc: !top.tile<thread 2x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'filter' of F x C x 3 x 3 elements of type 'f16', got 'memref<4x2x3x5xf16>'}}
  %a = top.tile_conv %x, %w[%i, %i, %i], %acc window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x2x3x5xf16>, !top.tile<thread 2x16xf32>
  return
}

// -----

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first>
func.func @channels(%x: !top.tile<block 20x24xf16>, %w: memref<4x3x3x3xf16>, %acc: !top.tile<thread 2x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'input' to have the 10 x 18 elements that the window spans in each channel, got '!top.tile<block 20x24xf16>' for 'memref<4x3x3x3xf16>'}}
  %a = top.tile_conv %x, %w[%i, %i, %i], %acc window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x3x3x3xf16>, !top.tile<thread 2x16xf32>
  return
}

// -----

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first>
func.func @columns(%x: !top.tile<block 20x16xf16>, %w: memref<4x2x3x3xf16>, %acc: !top.tile<thread 2x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'input' to have the 10 x 18 elements that the window spans in each channel}}
  %a = top.tile_conv %x, %w[%i, %i, %i], %acc window #window {run = 8 : i64} : !top.tile<block 20x16xf16>, memref<4x2x3x3xf16>, !top.tile<thread 2x16xf32>
  return
}

// -----

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first>
func.func @run(%x: !top.tile<block 20x24xf16>, %w: memref<4x2x3x3xf16>, %acc: !top.tile<thread 2x20xf32>, %i: index) {
  // expected-error@+1 {{expected accumulators of whole runs of 8 pixels, and no more than the window's box of 8 x 16 has, got '!top.tile<thread 2x20xf32>'}}
  %a = top.tile_conv %x, %w[%i, %i, %i], %acc window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x2x3x3xf16>, !top.tile<thread 2x20xf32>
  return
}

// -----

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first>
func.func @sums(%x: !top.tile<block 20x24xf16>, %w: memref<4x2x3x3xf16>, %acc: !top.tile<thread 2x16xf16>, %i: index) {
  // expected-error@+1 {{expected accumulators of type 'f32', got '!top.tile<thread 2x16xf16>'}}
  %a = top.tile_conv %x, %w[%i, %i, %i], %acc window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x2x3x3xf16>, !top.tile<thread 2x16xf16>
  return
}

// -----

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_last>
func.func @layout(%x: !top.tile<block 20x24xf16>, %w: memref<4x2x3x3xf16>, %acc: !top.tile<thread 2x16xf32>, %i: index) {
  // expected-error@+1 {{expected a window of layout channels_first}}
  %a = top.tile_conv %x, %w[%i, %i, %i], %acc window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x2x3x3xf16>, !top.tile<thread 2x16xf32>
  return
}
