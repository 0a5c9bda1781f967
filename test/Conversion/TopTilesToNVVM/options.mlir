// What LLVM would stop the program for is one error here.

// RUN: not top-opt %s --convert-top-tiles-to-nvvm="chip=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not top-opt %s --convert-top-tiles-to-nvvm="chip=sm_90a ptx-version=70" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not top-opt %s --convert-top-tiles-to-nvvm="ptx-version=99" 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: top-opt %s --convert-top-tiles-to-nvvm="chip=sm_90a ptx-version=83" | FileCheck %s
// CHIP: error: unknown chip 'sm_70', expected one of sm_80, sm_86, sm_89, sm_90, sm_90a
// OLD: error: PTX version 7.0 does not know 'sm_90a', which needs 8.0 or later
// NEW: error: {{.*}}PTX version
// CHECK: gpu.module @top_kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx83">]
func.func @f(%c: memref<32x32xf32>) {
  scf.forall (%i, %j) = (0, 0) to (32, 32) step (32, 32) {
    %z = top.tile_zero : !top.tile<block 32x32xf32>
    top.tile_store %z into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 32x32xf32>, memref<32x32xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [32, 32, 8], warp = [32, 32], thread = [8, 4]>}
  return
}
