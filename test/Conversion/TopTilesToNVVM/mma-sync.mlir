// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file | FileCheck %s

// One warp, K contiguous in both operands: A is 32 x 16, B is 16 x 16 and to be
// transposed. Each group of 16 rows is one ldmatrix of four matrices, two
// groups for A and one for B. The product is 2 x 2 instructions.

// CHECK-LABEL: llvm.func @rows_kernel
// CHECK-COUNT-3: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NOT:     nvvm.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NOT:     nvvm.mma.sync
// CHECK:         llvm.return
func.func @rows(%a: memref<32x16xf16>, %b: memref<16x16xf16>, %c: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (32, 16) step (32, 16) {
    %ra = top.tile_ring : !top.ring<1x32x16xf16, swizzle>
    %rb = top.tile_ring : !top.ring<1x16x16xf16, swizzle>
    %z = top.tile_zero : !top.tile<warp 32x16xf32>
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<32x16xf16>, !top.ring<1x32x16xf16, swizzle>
    top.tile_copy %b into %rb[%c0] {vector_bytes = 16 : i64} : memref<16x16xf16>, !top.ring<1x16x16xf16, swizzle>
    gpu.barrier
    %ta = top.tile_view %ra[%c0] : !top.ring<1x32x16xf16, swizzle> -> !top.tile<block 32x16xf16>
    %tb = top.tile_view %rb[%c0] : !top.ring<1x16x16xf16, swizzle> -> !top.tile<block 16x16xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 32x16xf16> -> !top.tile<warp 32x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %m = top.tile_mma %wa, %wb, %z {transpose_b} : !top.tile<warp 32x16xf16>, !top.tile<warp 16x16xf16> -> !top.tile<warp 32x16xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 32x16xf32>, memref<32x16xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [32, 16, 16], warp = [32, 16], stages = 1>}
  return
}

// -----

// Rows along M and along N: ldmatrix transposes 16-bit elements on its way. B of
// 8 columns has two matrices.

// CHECK-LABEL: llvm.func @columns_kernel
// CHECK:         nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK:         nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32
// CHECK-NOT:     nvvm.ldmatrix
// CHECK:         nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NOT:     nvvm.mma.sync
func.func @columns(%a: memref<16x16xbf16>, %b: memref<16x8xbf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ra = top.tile_ring : !top.ring<1x16x16xbf16>
    %rb = top.tile_ring : !top.ring<1x16x8xbf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x16xbf16>, !top.ring<1x16x16xbf16>
    top.tile_copy %b into %rb[%c0] {vector_bytes = 16 : i64} : memref<16x8xbf16>, !top.ring<1x16x8xbf16>
    gpu.barrier
    %ta = top.tile_view %ra[%c0] : !top.ring<1x16x16xbf16> -> !top.tile<block 16x16xbf16>
    %tb = top.tile_view %rb[%c0] : !top.ring<1x16x8xbf16> -> !top.tile<block 16x8xbf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xbf16> -> !top.tile<warp 16x16xbf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xbf16> -> !top.tile<warp 16x8xbf16>
    %m = top.tile_mma %wa, %wb, %z {transpose_a} : !top.tile<warp 16x16xbf16>, !top.tile<warp 16x8xbf16> -> !top.tile<warp 16x8xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// f32 as tf32. ldmatrix moves A, of K contiguous, as 4-byte pieces of its 16-bit
// rows; B, of 4 bytes an element, it cannot transpose: element by element. All
// operands are rounded to nearest, 4 of A and 2 of B; the instruction is 8 deep.

// CHECK-LABEL: llvm.func @tf32_kernel
// CHECK:         nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK-NOT:     nvvm.ldmatrix
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT:     llvm.load
// CHECK-COUNT-6: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-NOT:     nvvm.convert
// CHECK:         nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NOT:     nvvm.mma.sync
func.func @tf32(%a: memref<16x8xf32>, %b: memref<8x8xf32>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ra = top.tile_ring : !top.ring<1x16x8xf32>
    %rb = top.tile_ring : !top.ring<1x8x8xf32>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    top.tile_copy %a into %ra[%c0] async {vector_bytes = 16 : i64} : memref<16x8xf32>, !top.ring<1x16x8xf32>
    top.tile_copy %b into %rb[%c0] async {vector_bytes = 16 : i64} : memref<8x8xf32>, !top.ring<1x8x8xf32>
    top.tile_commit
    top.tile_wait {pending = 0 : i64}
    gpu.barrier
    %ta = top.tile_view %ra[%c0] : !top.ring<1x16x8xf32> -> !top.tile<block 16x8xf32>
    %tb = top.tile_view %rb[%c0] : !top.ring<1x8x8xf32> -> !top.tile<block 8x8xf32>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf32> -> !top.tile<warp 16x8xf32>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 8x8xf32> -> !top.tile<warp 8x8xf32>
    %m = top.tile_mma %wa, %wb, %z {allow_tf32} : !top.tile<warp 16x8xf32>, !top.tile<warp 8x8xf32> -> !top.tile<warp 16x8xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 8], warp = [16, 8], stages = 1>}
  return
}

// -----

// Operands that are not in shared memory are read element by element, two to a
// register: 4 registers of A and 2 of B.

// CHECK-LABEL: llvm.func @global_kernel
// CHECK-NOT:     nvvm.ldmatrix
// CHECK-COUNT-12: llvm.load %{{.*}} : !llvm.ptr<1> -> f16
// CHECK-NOT:     llvm.load
// CHECK:         nvvm.mma.sync
func.func @global(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    %ta = top.tile_load %a : memref<16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_load %b : memref<16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %m = top.tile_mma %wa, %wb, %z : !top.tile<warp 16x16xf16>, !top.tile<warp 16x8xf16> -> !top.tile<warp 16x8xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}

// -----

// Fragments are the registers that the product itself would read: the loop
// carries them, 4 of A and 2 of B beside 4 sums.

// CHECK-LABEL: llvm.func @fragments_kernel
// CHECK:         nvvm.ldmatrix
// CHECK:         nvvm.ldmatrix
// CHECK:         scf.for {{.*}} -> (f32, f32, f32, f32, i32, i32, i32, i32, i32, i32)
// CHECK-NEXT:      llvm.bitcast
// CHECK:           nvvm.mma.sync
// CHECK:           nvvm.ldmatrix
// CHECK:           nvvm.ldmatrix
// CHECK:           scf.yield
func.func @fragments(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %ra = top.tile_ring : !top.ring<1x16x16xf16>
    %rb = top.tile_ring : !top.ring<1x16x8xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    top.tile_copy %a into %ra[%c0] {vector_bytes = 16 : i64} : memref<16x16xf16>, !top.ring<1x16x16xf16>
    top.tile_copy %b into %rb[%c0] {vector_bytes = 16 : i64} : memref<16x8xf16>, !top.ring<1x16x8xf16>
    gpu.barrier
    %ta = top.tile_view %ra[%c0] : !top.ring<1x16x16xf16> -> !top.tile<block 16x16xf16>
    %tb = top.tile_view %rb[%c0] : !top.ring<1x16x8xf16> -> !top.tile<block 16x8xf16>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 16x8xf16> -> !top.tile<warp 16x8xf16>
    %fa = top.tile_fragment %wa : !top.tile<warp 16x16xf16>
    %fb = top.tile_fragment %wb {rhs} : !top.tile<warp 16x8xf16>
    %r:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z, %l = %fa, %q = %fb) -> (!top.tile<warp 16x8xf32>, !top.tile<warp 16x16xf16>, !top.tile<warp 16x8xf16>) {
      %m = top.tile_mma %l, %q, %acc : !top.tile<warp 16x16xf16>, !top.tile<warp 16x8xf16> -> !top.tile<warp 16x8xf32>
      %na = top.tile_fragment %wa : !top.tile<warp 16x16xf16>
      %nb = top.tile_fragment %wb {rhs} : !top.tile<warp 16x8xf16>
      scf.yield %m, %na, %nb : !top.tile<warp 16x8xf32>, !top.tile<warp 16x16xf16>, !top.tile<warp 16x8xf16>
    }
    top.tile_store %r#0 into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 16], warp = [16, 8], stages = 1>}
  return
}
