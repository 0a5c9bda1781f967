// RUN: top-opt %s --top-prefetch-fragments --split-input-file | FileCheck %s
// RUN: top-opt %s --top-prefetch-fragments --split-input-file --remark-format=emitRemark --remarks-filter=top-prefetch-fragments -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: top-opt %s --top-prefetch-fragments --top-verify-pipeline --split-input-file -o /dev/null

// A pipeline of two slots. The wait and the barrier of step 0 come in front of
// the loop, with the first fragments; in the loop those of the next step come in
// front of the last product. Reads are in front of copies. A thread copies 64 x
// 32 f16 with 8 accesses of 16 bytes: 8 / 3 = 2 shares behind the barrier of the
// step before, the others in front of the first product, and the commit there.

// CHECK-LABEL: func @pipeline
// CHECK: top.tile_copy %{{.*}} into %[[R:.*]][%{{.*}}] async {vector_bytes = 16 : i64}
// CHECK-NEXT: top.tile_commit
// CHECK-NEXT: top.tile_wait {pending = 0 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[A:.*]] = top.tile_fragment %{{.*}} : !top.tile<warp 64x16xf16>
// CHECK: %[[B:.*]] = top.tile_fragment %{{.*}} {rhs, transposed} : !top.tile<warp 64x16xf16>
// CHECK: top.tile_copy {{.*}} async {part = array<i64: 0, 2, 8>, vector_bytes = 16 : i64}
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[L:.*]] = %[[A]], %[[Q:.*]] = %[[B]]) -> (!top.tile<warp 64x64xf32>, !top.tile<warp 64x16xf16>, !top.tile<warp 64x16xf16>)
// CHECK-NOT: top.tile_wait
// CHECK: %[[A1:.*]] = top.tile_fragment %{{.*}} : !top.tile<warp 64x16xf16>
// CHECK: %[[B1:.*]] = top.tile_fragment %{{.*}} {rhs, transposed} : !top.tile<warp 64x16xf16>
// CHECK: scf.if
// CHECK-NEXT: top.tile_copy {{.*}} async {part = array<i64: 2, 8, 8>, vector_bytes = 16 : i64}
// CHECK: top.tile_commit
// CHECK-NEXT: %[[P:.*]] = top.tile_mma %[[L]], %[[Q]], %[[ACC]] {transpose_b}
// CHECK-NEXT: top.tile_wait {pending = 0 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[A2:.*]] = top.tile_fragment %{{.*}} : !top.tile<warp 64x16xf16>
// CHECK: %[[B2:.*]] = top.tile_fragment %{{.*}} {rhs, transposed} : !top.tile<warp 64x16xf16>
// CHECK: scf.if
// CHECK-NEXT: top.tile_copy {{.*}} async {part = array<i64: 0, 2, 8>, vector_bytes = 16 : i64}
// CHECK: %[[M:.*]] = top.tile_mma %[[A1]], %[[B1]], %[[P]] {transpose_b}
// CHECK-NEXT: scf.yield %[[M]], %[[A2]], %[[B2]]
// CHECK-NOT: top.tile_mma
// CHECK: top.tile_store
// REMARK: [Passed] Prefetched | Category:top-prefetch-fragments | Function=pipeline | Remark="1 products in steps of 32 bytes along K"
#s = #top.schedule<engine = mma_sync, block = [64, 64, 32], warp = [64, 64], stages = 2>
func.func @pipeline(%a: memref<64x128xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<2x64x32xf16>
    %z = top.tile_zero : !top.tile<warp 64x64xf32>
    %s = memref.subview %a[0, 0] [64, 32] [1, 1] : memref<64x128xf16> to memref<64x32xf16, strided<[128, 1]>>
    top.tile_copy %s into %r[%c0] async {vector_bytes = 16 : i64} : memref<64x32xf16, strided<[128, 1]>>, !top.ring<2x64x32xf16>
    top.tile_commit
    %p = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %z) -> (!top.tile<warp 64x64xf32>) {
      %more = arith.cmpi slt, %k, %c96 : index
      top.tile_wait {pending = 0 : i64}
      gpu.barrier
      %next = arith.addi %k, %c32 : index
      %t = memref.subview %a[0, %next] [64, 32] [1, 1] : memref<64x128xf16> to memref<64x32xf16, strided<[128, 1], offset: ?>>
      %to = affine.apply affine_map<(d0) -> ((d0 floordiv 32) mod 2)>(%next)
      scf.if %more {
        top.tile_copy %t into %r[%to] async {vector_bytes = 16 : i64} : memref<64x32xf16, strided<[128, 1], offset: ?>>, !top.ring<2x64x32xf16>
      }
      top.tile_commit
      %from = affine.apply affine_map<(d0) -> ((d0 floordiv 32) mod 2)>(%k)
      %v = top.tile_view %r[%from] : !top.ring<2x64x32xf16> -> !top.tile<block 64x32xf16>
      %w = top.tile_slice %v[%c0, %c0] step [1, 1] : !top.tile<block 64x32xf16> -> !top.tile<warp 64x32xf16>
      %m = top.tile_mma %w, %w, %acc {transpose_b} : !top.tile<warp 64x32xf16>, !top.tile<warp 64x32xf16> -> !top.tile<warp 64x64xf32>
      scf.yield %m : !top.tile<warp 64x64xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// No pipeline: one slot, filled anew in each step. The product is cut into steps
// and reads are ahead inside the turn, but waits for nothing of the next one.

// CHECK-LABEL: func @one_stage
// CHECK: scf.for {{.*}} -> (!top.tile<warp 16x8xf32>) {
// CHECK: top.tile_copy {{.*}} {vector_bytes = 16 : i64}
// CHECK-NOT: top.tile_copy
// CHECK: gpu.barrier
// CHECK: %[[A0:.*]] = top.tile_fragment %{{.*}} : !top.tile<warp 16x16xf16>
// CHECK: %[[B0:.*]] = top.tile_fragment %{{.*}} {rhs, transposed} : !top.tile<warp 8x16xf16>
// CHECK: %[[A1:.*]] = top.tile_fragment
// CHECK: %[[B1:.*]] = top.tile_fragment
// CHECK-NEXT: %[[P:.*]] = top.tile_mma %[[A0]], %[[B0]], %{{.*}}
// CHECK-NEXT: %[[Q:.*]] = top.tile_mma %[[A1]], %[[B1]], %[[P]]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.yield %[[Q]]
// REMARK: [Passed] Prefetched | Category:top-prefetch-fragments | Function=one_stage
#s = #top.schedule<engine = mma_sync, block = [16, 8, 32], warp = [16, 8], stages = 1>
func.func @one_stage(%a: memref<16x128xf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %r = top.tile_ring : !top.ring<1x16x32xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    %p = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %z) -> (!top.tile<warp 16x8xf32>) {
      %t = memref.subview %a[0, %k] [16, 32] [1, 1] : memref<16x128xf16> to memref<16x32xf16, strided<[128, 1], offset: ?>>
      top.tile_copy %t into %r[%c0] {vector_bytes = 16 : i64} : memref<16x32xf16, strided<[128, 1], offset: ?>>, !top.ring<1x16x32xf16>
      gpu.barrier
      %v = top.tile_view %r[%c0] : !top.ring<1x16x32xf16> -> !top.tile<block 16x32xf16>
      %w = top.tile_slice %v[%c0, %c0] step [1, 1] : !top.tile<block 16x32xf16> -> !top.tile<warp 16x32xf16>
      %u = top.tile_slice %v[%c0, %c0] step [1, 1] : !top.tile<block 16x32xf16> -> !top.tile<warp 8x32xf16>
      %m = top.tile_mma %w, %u, %acc {transpose_b} : !top.tile<warp 16x32xf16>, !top.tile<warp 8x32xf16> -> !top.tile<warp 16x8xf32>
      gpu.barrier
      scf.yield %m : !top.tile<warp 16x8xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A loop of one step has no step before it: nothing is carried, and no barrier
// moves.

// CHECK-LABEL: func @one_step
// CHECK-NOT: top.tile_fragment
// CHECK: scf.for {{.*}} -> (!top.tile<warp 16x8xf32>) {
// CHECK-NEXT: top.tile_wait
// CHECK-NEXT: gpu.barrier
// CHECK: top.tile_fragment
// CHECK: top.tile_mma
// CHECK: scf.yield
#s = #top.schedule<engine = mma_sync, block = [16, 8, 32], warp = [16, 8], stages = 1>
func.func @one_step(%a: memref<16x32xf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %r = top.tile_ring : !top.ring<1x16x32xf16>
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    top.tile_copy %a into %r[%c0] async {vector_bytes = 16 : i64} : memref<16x32xf16>, !top.ring<1x16x32xf16>
    top.tile_commit
    %p = scf.for %k = %c0 to %c32 step %c32 iter_args(%acc = %z) -> (!top.tile<warp 16x8xf32>) {
      top.tile_wait {pending = 0 : i64}
      gpu.barrier
      %v = top.tile_view %r[%c0] : !top.ring<1x16x32xf16> -> !top.tile<block 16x32xf16>
      %w = top.tile_slice %v[%c0, %c0] step [1, 1] : !top.tile<block 16x32xf16> -> !top.tile<warp 16x32xf16>
      %u = top.tile_slice %v[%c0, %c0] step [1, 1] : !top.tile<block 16x32xf16> -> !top.tile<warp 8x32xf16>
      %m = top.tile_mma %w, %u, %acc {transpose_b} : !top.tile<warp 16x32xf16>, !top.tile<warp 8x32xf16> -> !top.tile<warp 16x8xf32>
      scf.yield %m : !top.tile<warp 16x8xf32>
    }
    top.tile_store %p into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Without promotion there is no loop of waits, and tiles are in global memory;
// with K of one instruction there is one product as before. Operands are read as
// fragments all the same.

// CHECK-LABEL: func @global
// CHECK-NOT: gpu.barrier
// CHECK: %[[A:.*]] = top.tile_fragment %{{.*}} {transposed} : !top.tile<warp 8x16xf32>
// CHECK: %[[B:.*]] = top.tile_fragment %{{.*}} {rhs} : !top.tile<warp 8x8xf32>
// CHECK-NEXT: top.tile_mma %[[A]], %[[B]], %{{.*}} {allow_tf32, transpose_a}
// CHECK-NOT: top.tile_mma
// REMARK: Function=global | Remark="1 products in steps of 32 bytes along K"
#s = #top.schedule<engine = mma_sync, block = [16, 8, 8], warp = [16, 8]>
func.func @global(%a: memref<8x16xf32>, %b: memref<8x8xf32>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (16, 8) step (16, 8) {
    %z = top.tile_zero : !top.tile<warp 16x8xf32>
    %ta = top.tile_load %a : memref<8x16xf32> -> !top.tile<block 8x16xf32>
    %tb = top.tile_load %b : memref<8x8xf32> -> !top.tile<block 8x8xf32>
    %wa = top.tile_slice %ta[%c0, %c0] step [1, 1] : !top.tile<block 8x16xf32> -> !top.tile<warp 8x16xf32>
    %wb = top.tile_slice %tb[%c0, %c0] step [1, 1] : !top.tile<block 8x8xf32> -> !top.tile<warp 8x8xf32>
    %m = top.tile_mma %wa, %wb, %z {allow_tf32, transpose_a} : !top.tile<warp 8x16xf32>, !top.tile<warp 8x8xf32> -> !top.tile<warp 16x8xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<warp 16x8xf32>, memref<16x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Two products in a turn of the loop: both are cut, and the wait stays in front.
// One that nobody uses is not.

// CHECK-LABEL: func @two
// CHECK: scf.for {{.*}} -> (!top.tile<warp 16x16xf32>, !top.tile<warp 16x16xf32>)
// CHECK: top.tile_wait
// CHECK-NEXT: gpu.barrier
// CHECK: top.tile_copy {{.*}} async {vector_bytes = 16 : i64}
// CHECK-COUNT-4: top.tile_fragment
// CHECK-NOT: top.tile_fragment
// CHECK: scf.yield
// REMARK: Function=two | Remark="3 products in steps of 32 bytes along K"
#s = #top.schedule<engine = mma_sync, block = [16, 16, 16], warp = [16, 16], stages = 2>
func.func @two(%a: memref<16x64xf16>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (16, 16) step (16, 16) {
    %r = top.tile_ring : !top.ring<2x16x16xf16>
    %z = top.tile_zero : !top.tile<warp 16x16xf32>
    %s = memref.subview %a[0, 0] [16, 16] [1, 1] : memref<16x64xf16> to memref<16x16xf16, strided<[64, 1]>>
    top.tile_copy %s into %r[%c0] async {vector_bytes = 16 : i64} : memref<16x16xf16, strided<[64, 1]>>, !top.ring<2x16x16xf16>
    top.tile_commit
    %p:2 = scf.for %k = %c0 to %c64 step %c16 iter_args(%x = %z, %y = %z) -> (!top.tile<warp 16x16xf32>, !top.tile<warp 16x16xf32>) {
      %more = arith.cmpi slt, %k, %c48 : index
      top.tile_wait {pending = 0 : i64}
      gpu.barrier
      %next = arith.addi %k, %c16 : index
      %t = memref.subview %a[0, %next] [16, 16] [1, 1] : memref<16x64xf16> to memref<16x16xf16, strided<[64, 1], offset: ?>>
      %to = affine.apply affine_map<(d0) -> ((d0 floordiv 16) mod 2)>(%next)
      scf.if %more {
        top.tile_copy %t into %r[%to] async {vector_bytes = 16 : i64} : memref<16x16xf16, strided<[64, 1], offset: ?>>, !top.ring<2x16x16xf16>
      }
      top.tile_commit
      %from = affine.apply affine_map<(d0) -> ((d0 floordiv 16) mod 2)>(%k)
      %v = top.tile_view %r[%from] : !top.ring<2x16x16xf16> -> !top.tile<block 16x16xf16>
      %w = top.tile_slice %v[%c0, %c0] step [1, 1] : !top.tile<block 16x16xf16> -> !top.tile<warp 16x16xf16>
      %m = top.tile_mma %w, %w, %x {transpose_b} : !top.tile<warp 16x16xf16>, !top.tile<warp 16x16xf16> -> !top.tile<warp 16x16xf32>
      %n = top.tile_mma %w, %w, %y {transpose_b} : !top.tile<warp 16x16xf16>, !top.tile<warp 16x16xf16> -> !top.tile<warp 16x16xf32>
      %unused = top.tile_mma %w, %w, %y {transpose_b} : !top.tile<warp 16x16xf16>, !top.tile<warp 16x16xf16> -> !top.tile<warp 16x16xf32>
      scf.yield %m, %n : !top.tile<warp 16x16xf32>, !top.tile<warp 16x16xf32>
    }
    top.tile_store %p#0 into %c {
    ^bb0(%e: f32):
      top.yield %e : f32
    } : !top.tile<warp 16x16xf32>, memref<16x16xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A kernel of threads' tiles is left as it is.

// CHECK-LABEL: func @simt
// CHECK-NOT: top.tile_fragment
// CHECK: top.tile_mma {{.*}} -> !top.tile<thread 4x4xf32>
// REMARK: [Missed] NoFragments | Category:top-prefetch-fragments | Function=simt | Reason="no tiles of warps are multiplied"
#s = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4]>
func.func @simt(%a: !top.tile<thread 4x8xf32>, %b: !top.tile<thread 8x4xf32>) {
  scf.forall (%i, %j) = (0, 0) to (16, 32) step (16, 32) {
    %z = top.tile_zero : !top.tile<thread 4x4xf32>
    %m = top.tile_mma %a, %b, %z : !top.tile<thread 4x8xf32>, !top.tile<thread 8x4xf32> -> !top.tile<thread 4x4xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// REMARK: [Missed] NoKernel | Category:top-prefetch-fragments | Function=none | Reason="no scf.forall carries top.schedule"
func.func @none() {
  return
}
