// RUN: top-opt %s --top-multi-buffer --cse --split-input-file | FileCheck %s
// RUN: top-opt %s --top-multi-buffer --cse --split-input-file --remark-format=emitRemark --remarks-filter=top-multi-buffer -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Three slots: two steps are copied in front of the loop; each step waits until one
// group is left, passes one barrier, copies two steps ahead unless there is none,
// and commits in any case, so that the count of groups stays right.
// CHECK-LABEL: func @three
// CHECK: %[[R:.*]] = top.tile_ring : !top.ring<3x64x16xf32>
// CHECK: top.tile_copy %{{.*}} into %[[R]][%{{.*}}] async {vector_bytes = 16 : i64}
// CHECK-NEXT: top.tile_commit
// CHECK: top.tile_copy %{{.*}} into %[[R]][%{{.*}}] async
// CHECK-NEXT: top.tile_commit
// CHECK-NOT: top.tile_copy
// CHECK: scf.for %[[K:.*]] = %c0 to %c80 step %c16
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[K]]
// CHECK: top.tile_wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if %[[MORE]] {
// CHECK-NEXT: top.tile_copy %{{.*}} into %[[R]][%{{.*}}] async
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: top.tile_commit
// CHECK: top.tile_view %[[R]]
// CHECK-NEXT: top.tile_mma
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
// REMARK: [Passed] MultiBuffered | Category:top-multi-buffer | Function=three | Remark="3 stages"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @three(%a: memref<64x80xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 80 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x80xf32> to memref<64x16xf32, strided<[80, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[80, 1], offset: ?>>, !top.ring<1x64x16xf32>
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

// A loop of two steps under five stages has two slots.
// CHECK-LABEL: func @short
// CHECK: top.tile_ring : !top.ring<2x64x16xf32>
// CHECK: top.tile_copy
// CHECK: scf.for
// CHECK: top.tile_wait {pending = 0 : i64}
// REMARK: [Passed] MultiBuffered | Category:top-multi-buffer | Function=short | Remark="
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 5>
func.func @short(%a: memref<64x32xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 32 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x32xf32> to memref<64x16xf32, strided<[32, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[32, 1], offset: ?>>, !top.ring<1x64x16xf32>
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

// Copies of 2 bytes cannot be asynchronous; the pipeline is the same.
// CHECK-LABEL: func @narrow
// CHECK: top.tile_ring : !top.ring<3x64x16xf16>
// CHECK: top.tile_copy %{{.*}} into %{{.*}}[%{{.*}}] {vector_bytes = 2 : i64}
// CHECK-NOT: async
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: scf.if
// REMARK: [Passed] MultiBuffered | Category:top-multi-buffer | Function=narrow | Remark="3 stages"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @narrow(%a: memref<64x80xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 80 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf16>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x80xf16> to memref<64x16xf16, strided<[80, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 2 : i64} : memref<64x16xf16, strided<[80, 1], offset: ?>>, !top.ring<1x64x16xf16>
      gpu.barrier
      %t = top.tile_view %r[%c0] : !top.ring<1x64x16xf16> -> !top.tile<block 64x16xf16>
      %m = top.tile_mma %t, %t, %acc {transpose_b} : !top.tile<block 64x16xf16>, !top.tile<block 64x16xf16> -> !top.tile<block 64x64xf32>
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

// One stage is what is there already.
// CHECK-LABEL: func @one_stage
// CHECK: top.tile_ring : !top.ring<1x64x16xf32>
// CHECK-NOT: async
// CHECK-NOT: top.tile_wait
// REMARK: [Missed] NotMultiBuffered | Category:top-multi-buffer | Function=one_stage | Reason="the schedule has one stage"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 1>
func.func @one_stage(%a: memref<64x80xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 80 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x80xf32> to memref<64x16xf32, strided<[80, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[80, 1], offset: ?>>, !top.ring<1x64x16xf32>
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

// A loop of one step has nothing to copy ahead.
// CHECK-LABEL: func @one_step
// CHECK: top.tile_ring : !top.ring<1x64x16xf32>
// CHECK-NOT: async
// REMARK: [Missed] NotMultiBuffered | Category:top-multi-buffer | Function=one_step | Reason="no loop copies into shared memory in more than one step"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @one_step(%a: memref<64x16xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 16 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %r = top.tile_ring : !top.ring<1x64x16xf32>
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %end step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %s = memref.subview %a[0, %k] [64, 16] [1, 1] : memref<64x16xf32> to memref<64x16xf32, strided<[16, 1], offset: ?>>
      top.tile_copy %s into %r[%c0] {vector_bytes = 16 : i64} : memref<64x16xf32, strided<[16, 1], offset: ?>>, !top.ring<1x64x16xf32>
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

// CHECK-LABEL: func @none
// REMARK: [Missed] NoKernel | Category:top-multi-buffer | Function=none | Reason="no scf.forall carries top.schedule"
func.func @none() {
  return
}
