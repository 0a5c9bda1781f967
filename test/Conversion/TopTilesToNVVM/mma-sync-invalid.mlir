// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file --verify-diagnostics

// What a warp cannot multiply, at the op that asks for it.

// A warp tile is whole instructions of 16 x 8.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    // expected-error@+1 {{'top.tile_zero' op cannot be lowered: expected the tile of a warp to be a multiple of 16 x 8, got '!top.tile<warp 16x4xf32>'}}
    %z = top.tile_zero : !top.tile<warp 16x4xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    // expected-error@+1 {{'top.tile_zero' op cannot be lowered: expected the tile of a warp to be a multiple of 16 x 8, got '!top.tile<warp 8x8xf32>'}}
    %z = top.tile_zero : !top.tile<warp 8x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// K of an operand is whole instructions of 32 bytes.
func.func @f(%a: memref<16x8xf16>, %b: memref<8x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %tb = top.tile_load %b : memref<8x8xf16> -> !top.tile<block 8x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 8x8xf16> -> !top.tile<warp 8x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    // expected-error@+1 {{'top.tile_mma' op cannot be lowered: expected the left operand of a warp to have 32 bytes, or a multiple, along K and a multiple of 16 along M, got '!top.tile<warp 16x8xf16>'}}
    %m = top.tile_mma %wa, %wb, %z : !top.tile<warp 16x8xf16>, !top.tile<warp 8x8xf16> -> !top.tile<warp 16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// A left operand of 8 rows.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 8x16xf16>
    // expected-error@+1 {{'top.tile_fragment' op cannot be lowered: expected the left operand of a warp to have 32 bytes, or a multiple, along K and a multiple of 16 along M, got '!top.tile<warp 8x16xf16>'}}
    %f = top.tile_fragment %wa : !top.tile<warp 8x16xf16>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// As the right one it is whole, with K along its rows: 8 of them are not.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 8x16xf16>
    %f = top.tile_fragment %wa {rhs, transposed} : !top.tile<warp 8x16xf16>
    // expected-error@+1 {{'top.tile_fragment' op cannot be lowered: expected the right operand of a warp to have 32 bytes, or a multiple, along K and a multiple of 8 along N, got '!top.tile<warp 8x16xf16>'}}
    %g = top.tile_fragment %wa {rhs} : !top.tile<warp 8x16xf16>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// Types that the instruction does not take; f32 without leave to round it.
func.func @f(%a: memref<16x16xf32>, %b: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf32> -> !top.tile<block 16x16xf32>
    %tb = top.tile_load %b : memref<16x8xf32> -> !top.tile<block 16x8xf32>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf32> -> !top.tile<warp 16x16xf32>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf32> -> !top.tile<warp 16x8xf32>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    // expected-error@+1 {{'top.tile_mma' op cannot be lowered: engine 'mma_sync' multiplies f16, bf16, i8, f8E4M3FN, f8E5M2, and f32 with 'allow_tf32', got 'f32'}}
    %m = top.tile_mma %wa, %wb, %z : !top.tile<warp 16x16xf32>, !top.tile<warp 16x8xf32> -> !top.tile<warp 16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// A left fragment on the right.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 16) step (16, 16) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %z = top.tile_zero : !top.tile<warp 16x16xf32>
    %f = top.tile_fragment %wa : !top.tile<warp 16x16xf16>
    // expected-error@+1 {{'top.tile_mma' op cannot be lowered: expected a fragment of the right operand, not transposed}}
    %m = top.tile_mma %f, %f, %z : !top.tile<warp 16x16xf16>, !top.tile<warp 16x16xf16> -> !top.tile<warp 16x16xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 16, 16], warp = [16, 16], stages = 1>}
  return
}

// -----

// A fragment in the other layout.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    %f = top.tile_fragment %wa {transposed} : !top.tile<warp 16x16xf16>
    // expected-error@+1 {{'top.tile_mma' op cannot be lowered: expected a fragment of the left operand, not transposed}}
    %m = top.tile_mma %f, %wb, %z : !top.tile<warp 16x16xf16>, !top.tile<warp 16x8xf16> -> !top.tile<warp 16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// Sums are no operand.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    // expected-error@+1 {{'top.tile_fragment' op cannot be lowered: expected a fragment of the right operand, not transposed}}
    %f = top.tile_fragment %z {rhs} : !top.tile<warp 16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// A fragment is no sum.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    %f = top.tile_fragment %wb {rhs} : !top.tile<warp 16x8xf16>
    // expected-error@+1 {{'top.tile_store' op cannot be lowered: expected accumulators}}
    top.tile_store %f into %b {
    ^bb0(%x: f16):
      top.yield %x : f16
    } : !top.tile<warp 16x8xf16>, memref<16x8xf16>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// A loop that begins with a left fragment and goes on with a right one.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x16xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    %f = top.tile_fragment %wa : !top.tile<warp 16x16xf16>
    // expected-error@+1 {{'scf.for' op cannot be lowered: expected it to yield tiles in the form in which they come in}}
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%l = %f) -> (!top.tile<warp 16x16xf16>) {
      %g = top.tile_fragment %wb {rhs} : !top.tile<warp 16x16xf16>
      scf.yield %g : !top.tile<warp 16x16xf16>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// A loop that carries a tile of memory.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    // expected-error@+1 {{'scf.for' op cannot be lowered: it carries a tile that is neither sums nor a fragment}}
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%l = %wa) -> (!top.tile<warp 16x16xf16>) {
      scf.yield %wa : !top.tile<warp 16x16xf16>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// Shares of a copy that are no whole accesses: a thread has 1.
func.func @f(%a: memref<16x16xf16>, %b: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %r = top.tile_ring : !top.ring<1x16x16xf16>
    // expected-error@+1 {{'top.tile_copy' op cannot be lowered: expected 'part' to count shares that divide the 1 accesses of a thread, got 2}}
    top.tile_copy %a into %r[%c0] {part = array<i64: 0, 1, 2>, vector_bytes = 16 : i64} : memref<16x16xf16>, !top.ring<1x16x16xf16>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// No instruction has sums of 16 bits.
func.func @f(%c: memref<16x8xf16>) {
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %z = top.tile_zero : !top.tile<warp 16x8xf16>
    // expected-error@+1 {{'top.tile_store' op cannot be lowered: expected a warp's sums to be f32 or i32, got '!top.tile<warp 16x8xf16>'}}
    top.tile_store %z into %c {
    ^bb0(%x: f16):
      top.yield %x : f16
    } : !top.tile<warp 16x8xf16>, memref<16x8xf16>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}
