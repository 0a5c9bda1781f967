// RUN: top-opt %s --convert-top-tiles-to-nvvm="chip=sm_80" --verify-diagnostics
// RUN: sed 's/sm_80. and PTX 8.0/sm_89'"'"' and PTX 8.3/' %s > %t.mlir && top-opt %t.mlir --convert-top-tiles-to-nvvm="chip=sm_89 ptx-version=83" --verify-diagnostics

// Tensor cores that do not know 8-bit floats, and a PTX version that does not.

func.func @f8(%a: memref<16x32xf8E4M3FN>, %b: memref<32x8xf8E4M3FN>, %c: memref<16x8xf32>) {
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %zero = top.tile_zero : !top.tile<warp 16x8xf32>
    %c0 = arith.constant 0 : index
    %x = top.tile_load %a : memref<16x32xf8E4M3FN> -> !top.tile<block 16x32xf8E4M3FN>
    %y = top.tile_load %b : memref<32x8xf8E4M3FN> -> !top.tile<block 32x8xf8E4M3FN>
    %xw = top.tile_slice %x[%c0, %c0] step [1, 1] : !top.tile<block 16x32xf8E4M3FN> -> !top.tile<warp 16x32xf8E4M3FN>
    %yw = top.tile_slice %y[%c0, %c0] step [1, 1] : !top.tile<block 32x8xf8E4M3FN> -> !top.tile<warp 32x8xf8E4M3FN>
    // expected-error@+1 {{'top.tile_mma' op cannot be lowered: products of 'f8E4M3FN' on the tensor cores need sm_89 or later and PTX 8.4 or later, got 'sm_80' and PTX 8.0}}
    %sum = top.tile_mma %xw, %yw, %zero : !top.tile<warp 16x32xf8E4M3FN>, !top.tile<warp 32x8xf8E4M3FN> -> !top.tile<warp 16x8xf32>
    top.tile_store %sum into %c {
    ^bb0(%v: f32):
      top.yield %v : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 32], warp = [16, 8], stages = 1>}
  return
}
