// RUN: top-opt %s --top-prefetch-fragments --split-input-file --verify-diagnostics

// An instruction is 32 bytes of operands deep: 16 of f16. Tiles of 24 are no
// whole number of them.
func.func @depth(%a: memref<16x24xf16>, %b: memref<24x8xf16>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<16x24xf16> -> !top.tile<block 16x24xf16>
    %tb = top.tile_load %b : memref<24x8xf16> -> !top.tile<block 24x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x24xf16> -> !top.tile<warp 16x24xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 24x8xf16> -> !top.tile<warp 24x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    // expected-error@+1 {{'top.tile_mma' op cannot be cut into steps: expected K of the tiles to be a multiple of 32 bytes, got '!top.tile<warp 16x24xf16>'}}
    %m = top.tile_mma %wa, %wb, %z : !top.tile<warp 16x24xf16>, !top.tile<warp 24x8xf16> -> !top.tile<warp 16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8]>}
  return
}

// -----

// K is the rows of a transposed left operand; of f32 an instruction takes 8.
func.func @transposed(%a: memref<12x16xf32>, %b: memref<12x8xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ta = top.tile_load %a : memref<12x16xf32> -> !top.tile<block 12x16xf32>
    %tb = top.tile_load %b : memref<12x8xf32> -> !top.tile<block 12x8xf32>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 12x16xf32> -> !top.tile<warp 12x16xf32>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 12x8xf32> -> !top.tile<warp 12x8xf32>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    // expected-error@+1 {{expected K of the tiles to be a multiple of 32 bytes, got '!top.tile<warp 12x16xf32>'}}
    %m = top.tile_mma %wa, %wb, %z {transpose_a, allow_tf32} : !top.tile<warp 12x16xf32>, !top.tile<warp 12x8xf32> -> !top.tile<warp 16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8]>}
  return
}
