// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file | FileCheck %s

// A tile that is larger than its destination is clipped, also where the
// destination is as large as the schedule's block.

// CHECK-LABEL: llvm.func @larger_kernel
// CHECK:         arith.cmpi slt
// CHECK:         scf.if
// CHECK:           llvm.store
func.func @larger(%c: memref<32x32xf32>) {
  scf.forall (%i, %j) = (0, 0) to (32, 32) step (32, 32) {
    %z = top.tile_zero : !top.tile<block 64x32xf32>
    top.tile_store %z into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x32xf32>, memref<32x32xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [32, 32, 8], warp = [32, 32], thread = [8, 4]>}
  return
}

// -----

// One that is as large is not.

// CHECK-LABEL: llvm.func @whole_kernel
// CHECK-NOT:     arith.cmpi
// CHECK-NOT:     scf.if
// CHECK:         llvm.store
func.func @whole(%c: memref<32x32xf32>) {
  scf.forall (%i, %j) = (0, 0) to (32, 32) step (32, 32) {
    %z = top.tile_zero : !top.tile<block 32x32xf32>
    top.tile_store %z into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 32x32xf32>, memref<32x32xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [32, 32, 8], warp = [32, 32], thread = [8, 4]>}
  return
}
