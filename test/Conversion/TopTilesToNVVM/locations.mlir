// RUN: top-opt %s --convert-top-tiles-to-nvvm --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// Instructions know the tile op that they were made of, and its rings, beside
// the location that it had.

// CHECK: nvvm.cp.async.shared.global {{.*}} loc("top.tile_copy of ring 0"("product.mlir":4:2))
// CHECK: nvvm.cp.async.shared.global {{.*}} loc("top.tile_copy of ring 1"("product.mlir":4:2))
// CHECK: nvvm.cp.async.commit.group loc("top.tile_commit"("product.mlir":4:2))
// CHECK: nvvm.cp.async.wait.group 0 loc("top.tile_wait"("product.mlir":4:2))
// CHECK: nvvm.barrier0 loc("gpu.barrier"("product.mlir":4:2))
// CHECK: llvm.load {{.*}} loc("top.tile_mma of ring 0, 1"("product.mlir":4:2))
// CHECK: llvm.store {{.*}} loc("top.tile_store"("product.mlir":5:2))
func.func @product(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  scf.forall (%i, %j) = (0, 0) to (16, 16) step (16, 16) {
    %c0 = arith.constant 0 : index
    %lhs = top.tile_ring : !top.ring<1x16x16xf32>
    %rhs = top.tile_ring : !top.ring<1x16x16xf32>
    %zero = top.tile_zero : !top.tile<block 16x16xf32>
    top.tile_copy %a into %lhs[%c0] async {vector_bytes = 16 : i64} : memref<16x16xf32>, !top.ring<1x16x16xf32> loc("product.mlir":4:2)
    top.tile_copy %b into %rhs[%c0] async {vector_bytes = 16 : i64} : memref<16x16xf32>, !top.ring<1x16x16xf32> loc("product.mlir":4:2)
    top.tile_commit loc("product.mlir":4:2)
    top.tile_wait {pending = 0 : i64} loc("product.mlir":4:2)
    gpu.barrier loc("product.mlir":4:2)
    %l = top.tile_view %lhs[%c0] : !top.ring<1x16x16xf32> -> !top.tile<block 16x16xf32>
    %r = top.tile_view %rhs[%c0] : !top.ring<1x16x16xf32> -> !top.tile<block 16x16xf32>
    %sum = top.tile_mma %l, %r, %zero : !top.tile<block 16x16xf32>, !top.tile<block 16x16xf32> -> !top.tile<block 16x16xf32> loc("product.mlir":4:2)
    top.tile_store %sum into %c[%c0, %c0] {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 16x16xf32>, memref<16x16xf32> loc("product.mlir":5:2)
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [16, 16, 16], warp = [16, 16], thread = [4, 2]>}
  return
}
