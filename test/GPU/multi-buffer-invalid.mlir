// RUN: top-opt %s --top-multi-buffer --split-input-file --verify-diagnostics

// Loops that are not as top-promote-shared leaves them.

// Bounds that are known at run time only.
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.addi %n, %c16 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    // expected-error@+1 {{'scf.for' op cannot be multi-buffered: expected constant bounds that begin at 0}}
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<1x64x16xf32>
      gpu.barrier
      %t = top.tile_view %r[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
      %m = top.tile_mma %t, %t, %acc {transpose_b} : !top.tile<block 64x16xf32>, !top.tile<block 64x16xf32> -> !top.tile<block 64x64xf32>
      gpu.barrier
      scf.yield %m : !top.tile<block 64x64xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A loop that does not begin at 0.
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    // expected-error@+1 {{cannot be multi-buffered: expected constant bounds that begin at 0}}
    %p = scf.for %k = %c16 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<1x64x16xf32>
      gpu.barrier
      %t = top.tile_view %r[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
      %m = top.tile_mma %t, %t, %acc {transpose_b} : !top.tile<block 64x16xf32>, !top.tile<block 64x16xf32> -> !top.tile<block 64x64xf32>
      gpu.barrier
      scf.yield %m : !top.tile<block 64x64xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A ring that has slots already: the pass has run.
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<3x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: ?>>
      // expected-error@+1 {{'top.tile_copy' op cannot be multi-buffered: expected a ring of one slot as top-promote-shared makes it, got '!top.ring<3x64x16xf32>'}}
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<3x64x16xf32>
      gpu.barrier
      %t = top.tile_view %r[%c0] : !top.ring<3x64x16xf32> -> !top.tile<block 64x16xf32>
      %m = top.tile_mma %t, %t, %acc {transpose_b} : !top.tile<block 64x16xf32>, !top.tile<block 64x16xf32> -> !top.tile<block 64x64xf32>
      gpu.barrier
      scf.yield %m : !top.tile<block 64x64xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A barrier is missing.
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    // expected-error@+1 {{'scf.for' op cannot be multi-buffered: expected a barrier behind the copies and one behind the product, got 1}}
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<1x64x16xf32>
      gpu.barrier
      %t = top.tile_view %r[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
      %m = top.tile_mma %t, %t, %acc {transpose_b} : !top.tile<block 64x16xf32>, !top.tile<block 64x16xf32> -> !top.tile<block 64x64xf32>
      scf.yield %m : !top.tile<block 64x64xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// The ring is read behind the loop, where its slot would not be known.
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x64xf32> to memref<64x16xf32, strided<[64, 1], offset: ?>>
      // expected-error@+1 {{'top.tile_copy' op cannot be multi-buffered: its ring is used outside the loop}}
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[64, 1], offset: ?>>, !top.ring<1x64x16xf32>
      gpu.barrier
      %t = top.tile_view %r[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
      %m = top.tile_mma %t, %t, %acc {transpose_b} : !top.tile<block 64x16xf32>, !top.tile<block 64x16xf32> -> !top.tile<block 64x64xf32>
      gpu.barrier
      scf.yield %m : !top.tile<block 64x64xf32>
    }
    %v = top.tile_view %r[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}
