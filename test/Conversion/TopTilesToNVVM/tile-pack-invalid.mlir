// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file --verify-diagnostics

// Blocks of a size that is known at run time only have a box in the schedule.
func.func @no_box(%x: memref<8x9x8xf16>, %y: memref<9x8x8xf16>) {
  scf.forall (%h, %w) = (0, 0) to (9, 8) step (2, 8) {
    %rows = affine.min affine_map<(d0) -> (2, 9 - d0)>(%h)
    %from = memref.subview %x[0, %h, 0] [8, %rows, 8] [1, 1, 1] : memref<8x9x8xf16> to memref<8x?x8xf16, strided<[72, 8, 1], offset: ?>>
    %into = memref.subview %y[%h, 0, 0] [%rows, 8, 8] [1, 1, 1] : memref<9x8x8xf16> to memref<?x8x8xf16, strided<[64, 8, 1], offset: ?>>
    // expected-error@+1 {{'top.tile_pack' op cannot be lowered: expected a schedule with a 'box' of the most pixels that 'dest' has, 'memref<?x8x8xf16, strided<[64, 8, 1], offset: ?>>'}}
    top.tile_pack %from into %into : memref<8x?x8xf16, strided<[72, 8, 1], offset: ?>>, memref<?x8x8xf16, strided<[64, 8, 1], offset: ?>>
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1>}
  return
}

// -----

// More shared memory than every chip gives.
func.func @too_large(%x: memref<64x32x32xf16>, %y: memref<32x32x64xf16>) {
  scf.forall (%h, %w) = (0, 0) to (32, 32) step (32, 32) {
    // expected-error@+1 {{'top.tile_pack' op needs 131184 bytes of shared memory for a box of 64x32x32, expected at most 49152}}
    top.tile_pack %x into %y : memref<64x32x32xf16>, memref<32x32x64xf16>
  } {top.schedule = #top.schedule<block = [64, 1024, 1], warp = [64, 128], thread = [64, 4], stages = 1, box = [1, 32, 32]>}
  return
}

// -----

func.func @tensors(%x: tensor<8x4x4xf16>, %y: tensor<4x4x8xf16>) {
  // expected-error@+1 {{'top.tile_pack' op cannot be lowered outside a kernel: expected it in an scf.forall with top.schedule}}
  %r = top.tile_pack %x into %y : tensor<8x4x4xf16>, tensor<4x4x8xf16> -> tensor<4x4x8xf16>
  return
}

// -----

func.func @tensors(%x: tensor<8x4x4xf16>, %y: tensor<4x4x8xf16>, %z: memref<4x4xf16>) {
  // expected-error@+1 {{cannot become a kernel: it uses a value of type 'tensor<8x4x4xf16>'}}
  scf.forall (%h, %w) = (0, 0) to (4, 4) step (4, 4) {
    %r = top.tile_pack %x into %y : tensor<8x4x4xf16>, tensor<4x4x8xf16> -> tensor<4x4x8xf16>
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1>}
  return
}

// -----

// Strides that nothing is known of.
func.func @strides(%x: memref<8x4x4xf16, strided<[?, 4, 1]>>, %y: memref<4x4x8xf16>) {
  scf.forall (%h, %w) = (0, 0) to (4, 4) step (4, 4) {
    // expected-error@+1 {{'top.tile_pack' op cannot be lowered: expected static strides, got 'memref<8x4x4xf16, strided<[?, 4, 1]>>'}}
    top.tile_pack %x into %y : memref<8x4x4xf16, strided<[?, 4, 1]>>, memref<4x4x8xf16>
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1>}
  return
}

// -----

func.func @backwards(%x: memref<8x4x4xf16, strided<[16, 4, -1], offset: 3>>, %y: memref<4x4x8xf16>) {
  scf.forall (%h, %w) = (0, 0) to (4, 4) step (4, 4) {
    // expected-error@+1 {{'top.tile_pack' op cannot be lowered: expected strides that are static and not negative, got 'memref<8x4x4xf16, strided<[16, 4, -1], offset: 3>>'}}
    top.tile_pack %x into %y : memref<8x4x4xf16, strided<[16, 4, -1], offset: 3>>, memref<4x4x8xf16>
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1>}
  return
}
