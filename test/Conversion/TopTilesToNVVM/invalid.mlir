// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file --verify-diagnostics

// Tile ops that no kernel holds.
func.func @outside(%a: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'top.tile_ring' op cannot be lowered outside a kernel: expected it in an scf.forall with top.schedule}}
  %r = top.tile_ring : !top.ring<1x64x16xf32>
  top.tile_copy %a into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32>, !top.ring<1x64x16xf32>
  return
}

// -----

// A loop that lost its schedule is no kernel, also beside one that has it.
func.func @lost(%c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    // expected-error@+1 {{'top.tile_zero' op cannot be lowered outside a kernel}}
    %z = top.tile_zero : !top.tile<block 64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// -----

// Before bufferization.
func.func @tensors(%c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error@+1 {{'scf.forall' op cannot become a kernel: expected memrefs; bufferize first}}
  %d = scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) shared_outs(%o = %c) -> (tensor<64x64xf32>) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return %d : tensor<64x64xf32>
}

// -----

// Grids of unknown size, and of more blocks than there can be.
func.func @bounds(%n: index) {
  // expected-error@+1 {{'scf.forall' op cannot become a kernel: expected constant bounds that begin at 0}}
  scf.forall (%i, %j) = (0, 0) to (%n, 64) step (64, 64) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}

// -----

func.func @grid() {
  // expected-error@+1 {{'scf.forall' op needs 2147483648 blocks, but a grid has at most 2147483647; use larger block tiles}}
  scf.forall (%i, %j) = (0, 0) to (2147483648, 1) step (1, 1) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}

// -----

// Strides that are known at run time only.
func.func @strides(%a: memref<64x64xf32, strided<[?, 1]>>, %c: memref<128x128xf32>) {
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
    %z = top.tile_zero : !top.tile<block 128x128xf32>
    // expected-error@+1 {{'top.tile_load' op cannot be lowered: expected static strides, got 'memref<64x64xf32, strided<[?, 1]>>'}}
    %t = top.tile_load %a : memref<64x64xf32, strided<[?, 1]>> -> !top.tile<block 128x128xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}

// -----

// What has no place in a kernel.
func.func private @g()
func.func @call() {
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
    %a = memref.alloc() : memref<4xf32>
    // expected-error@-1 {{'memref.alloc' op has no place in a kernel}}
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}

// -----

// A branch with another side.
func.func @else(%p: i1) {
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
    // expected-error@+1 {{'scf.if' op has no place in a kernel: expected no results and no else}}
    scf.if %p {
      gpu.barrier
    } else {
      gpu.barrier
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
  return
}

// -----

// Something else has the name.
// expected-error@+1 {{expected no symbol 'top_kernels' in the module}}
module {
  func.func private @top_kernels()
  func.func @f() {
    scf.forall (%i, %j) = (0, 0) to (128, 128) step (128, 128) {
    } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<>}
    return
  }
}

// -----

// What lies beyond the block's tile would have no thread.
func.func @f(%c: memref<64x128xf32>) {
  scf.forall (%i, %j) = (0, 0) to (8, 128) step (8, 128) {
    %x = arith.constant 1.0 : f32
    // expected-error@+1 {{'top.tile_map' op cannot be lowered: expected 'dest' to be at most 8x128, the block's tile, got 'memref<64x128xf32>'}}
    top.tile_map into %c {
      top.yield %x : f32
    } : memref<64x128xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [8, 128, 1], warp = [1, 128], thread = [1, 4], stages = 1>}
  return
}

// -----

// The layout of an elementwise op is that of `simt`.
func.func @f(%c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %x = arith.constant 1.0 : f32
    // expected-error@+1 {{'top.tile_map' op cannot be lowered: expected a schedule of engine 'simt', got 'mma_sync'}}
    top.tile_map into %c {
      top.yield %x : f32
    } : memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [64, 64, 16], warp = [32, 32]>}
  return
}

// -----

func.func @f(%c: memref<64xf32>) {
  // expected-error@+1 {{'scf.forall' op cannot become a kernel: expected loops over tile rows and columns}}
  scf.forall (%i) = (0) to (64) step (64) {
  } {mapping = [#gpu.block<x>], top.schedule = #top.schedule<>}
  return
}
