// RUN: top-opt %s --top-tile-to-warps --split-input-file | FileCheck %s
// RUN: top-opt %s --top-tile-to-warps --split-input-file --remark-format=emitRemark --remarks-filter=top-tile-to-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Tiles nest. The block's 64 x 64 are 2 x 2 warps of 32 x 32, and each of these
// 4 x 8 threads of 8 x 4, the elements of a thread 4 rows and 8 columns apart.
// CHECK-DAG: #[[$WARP:.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-DAG: #[[$SUM:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: func @nested
// CHECK: scf.forall
// CHECK: %[[WARP:.*]] = gpu.subgroup_id : index
// CHECK: %[[W:.*]]:2 = affine.delinearize_index %[[WARP]] into (2, 2)
// CHECK: %[[WM:.*]] = affine.apply #[[$WARP]](%[[W]]#0)
// CHECK: %[[WN:.*]] = affine.apply #[[$WARP]](%[[W]]#1)
// CHECK: %[[LANE:.*]] = gpu.lane_id
// CHECK: %[[L:.*]]:2 = affine.delinearize_index %[[LANE]] into (4, 8)
// CHECK: %[[ROW:.*]] = affine.apply #[[$SUM]](%[[WM]], %[[L]]#0)
// CHECK: %[[COL:.*]] = affine.apply #[[$SUM]](%[[WN]], %[[L]]#1)
// CHECK: top.tile_zero : !top.tile<thread 8x4xf32>
// CHECK: scf.for {{.*}} -> (!top.tile<thread 8x4xf32>)
// CHECK: %[[A:.*]] = top.tile_view {{.*}} -> !top.tile<block 64x16xf32>
// CHECK: %[[B:.*]] = top.tile_view {{.*}} -> !top.tile<block 16x64xf32>
// CHECK: %[[AW:.*]] = top.tile_slice %[[A]][%[[WM]], %c0{{.*}}] step [1, 1] : !top.tile<block 64x16xf32> -> !top.tile<warp 32x16xf32>
// CHECK: %[[AT:.*]] = top.tile_slice %[[AW]][%[[L]]#0, %c0{{.*}}] step [4, 1] : !top.tile<warp 32x16xf32> -> !top.tile<thread 8x16xf32>
// CHECK: %[[BW:.*]] = top.tile_slice %[[B]][%c0{{.*}}, %[[WN]]] step [1, 1] : !top.tile<block 16x64xf32> -> !top.tile<warp 16x32xf32>
// CHECK: %[[BT:.*]] = top.tile_slice %[[BW]][%c0{{.*}}, %[[L]]#1] step [1, 8] : !top.tile<warp 16x32xf32> -> !top.tile<thread 16x4xf32>
// CHECK: top.tile_mma %[[AT]], %[[BT]], %{{.*}} : !top.tile<thread 8x16xf32>, !top.tile<thread 16x4xf32> -> !top.tile<thread 8x4xf32>
// CHECK: top.tile_store %{{.*}} into %{{.*}}[%[[ROW]], %[[COL]]] step [4, 8]
// REMARK: [Passed] Warps | Category:top-tile-to-warps | Function=nested | Remark="4 warps of 32x32, threads of 8x4"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @nested(%c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %ra = top.tile_ring : !top.ring<1x64x16xf32>
    %rb = top.tile_ring : !top.ring<1x16x64xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %ta = top.tile_view %ra[%c0] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
      %tb = top.tile_view %rb[%c0] : !top.ring<1x16x64xf32> -> !top.tile<block 16x64xf32>
      %m = top.tile_mma %ta, %tb, %acc : !top.tile<block 64x16xf32>, !top.tile<block 16x64xf32> -> !top.tile<block 64x64xf32>
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

// Transposed operands are cut along their other side; operands may as well come
// from global memory, and an f16 product has accumulators of f32.
// CHECK-LABEL: func @transposed
// CHECK: %[[A:.*]] = top.tile_load {{.*}} -> !top.tile<block 16x32xf16>
// CHECK: top.tile_slice %[[A]][%{{.*}}, %{{.*}}] step [1, 1] : !top.tile<block 16x32xf16> -> !top.tile<warp 16x32xf16>
// CHECK: top.tile_slice {{.*}} step [1, 4] : !top.tile<warp 16x32xf16> -> !top.tile<thread 16x8xf16>
// CHECK: top.tile_slice {{.*}} -> !top.tile<warp 64x16xf16>
// CHECK: top.tile_slice {{.*}} step [8, 1] : !top.tile<warp 64x16xf16> -> !top.tile<thread 8x16xf16>
// CHECK: top.tile_mma {{.*}} -> !top.tile<thread 8x8xf32>
// REMARK: Function=transposed | Remark="1 warps of 32x64, threads of 8x8"
#s = #top.schedule<block = [32, 64, 16], warp = [32, 64], thread = [8, 8]>
func.func @transposed(%a: memref<16x32xf16>, %b: memref<64x16xf16>, %c: memref<32x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (32, 64) step (32, 64) {
    %z = top.tile_zero : !top.tile<block 32x64xf32>
    %ta = top.tile_load %a : memref<16x32xf16> -> !top.tile<block 16x32xf16>
    %tb = top.tile_load %b : memref<64x16xf16> -> !top.tile<block 64x16xf16>
    %m = top.tile_mma %ta, %tb, %z {transpose_a, transpose_b} : !top.tile<block 16x32xf16>, !top.tile<block 64x16xf16> -> !top.tile<block 32x64xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 32x64xf32>, memref<32x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// On the tensor cores the 32 lanes of a warp multiply together: its tile is not
// cut further, and nobody asks for a lane. The rows of a warp are all its own.
// CHECK-DAG: #[[$WARP:.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-LABEL: func @tensor_cores
// CHECK: %[[WARP:.*]] = gpu.subgroup_id : index
// CHECK: %[[W:.*]]:2 = affine.delinearize_index %[[WARP]] into (2, 4)
// CHECK-NOT: gpu.lane_id
// CHECK: %[[WM:.*]] = affine.apply #[[$WARP]](%[[W]]#0)
// CHECK: %[[WN:.*]] = affine.apply #{{.*}}(%[[W]]#1)
// CHECK-NOT: affine.apply
// CHECK: top.tile_zero : !top.tile<warp 32x16xf32>
// CHECK: top.tile_slice %{{.*}}[%[[WM]], %c0{{.*}}] step [1, 1] : !top.tile<block 64x32xf16> -> !top.tile<warp 32x32xf16>
// CHECK-NEXT: top.tile_slice %{{.*}}[%[[WN]], %c0{{.*}}] step [1, 1] : !top.tile<block 64x32xf16> -> !top.tile<warp 16x32xf16>
// CHECK-NEXT: top.tile_mma {{.*}} {transpose_b} : !top.tile<warp 32x32xf16>, !top.tile<warp 16x32xf16> -> !top.tile<warp 32x16xf32>
// CHECK: top.tile_store %{{.*}} into %{{.*}}[%[[WM]], %[[WN]]] {
// REMARK: Function=tensor_cores | Remark="8 warps of 32x16"
#s = #top.schedule<engine = mma_sync, block = [64, 64, 32], warp = [32, 16]>
func.func @tensor_cores(%a: memref<64x32xf16>, %b: memref<64x32xf16>, %c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %ta = top.tile_load %a : memref<64x32xf16> -> !top.tile<block 64x32xf16>
    %tb = top.tile_load %b : memref<64x32xf16> -> !top.tile<block 64x32xf16>
    %m = top.tile_mma %ta, %tb, %z {transpose_b} : !top.tile<block 64x32xf16>, !top.tile<block 64x32xf16> -> !top.tile<block 64x64xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// REMARK: [Missed] NoKernel | Category:top-tile-to-warps | Function=none | Reason="no scf.forall carries top.schedule"
func.func @none() {
  return
}
