// RUN: top-opt %s --top-promote-shared --split-input-file | FileCheck %s
// RUN: top-opt %s --top-promote-shared --split-input-file --remark-format=emitRemark --remarks-filter=top-promote-shared -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Both operands go through rings of one slot, with one barrier behind the copies
// and one behind the product. Rows begin at multiples of 16 bytes.
// CHECK-LABEL: func @fires
// CHECK: scf.forall
// CHECK-DAG: %[[RA:.*]] = top.tile_ring : !top.ring<1x64x16xf32>
// CHECK-DAG: %[[RB:.*]] = top.tile_ring : !top.ring<1x16x64xf32>
// CHECK: scf.for
// CHECK: %[[SA:.*]] = memref.subview %arg0
// CHECK: top.tile_copy %[[SA]] into %[[RA]][%c0{{.*}}] {vector_bytes = 16 : i64, whole} : memref<64x16xf32, strided<[72, 1], offset: ?>>, !top.ring<1x64x16xf32>
// CHECK: %[[SB:.*]] = memref.subview %arg1
// CHECK: top.tile_copy %[[SB]] into %[[RB]][%c0{{.*}}] {vector_bytes = 16 : i64, whole}
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[TA:.*]] = top.tile_view %[[RA]][%c0{{.*}}] : !top.ring<1x64x16xf32> -> !top.tile<block 64x16xf32>
// CHECK-NEXT: %[[TB:.*]] = top.tile_view %[[RB]][%c0{{.*}}]
// CHECK-NEXT: %[[C:.*]] = top.tile_mma %[[TA]], %[[TB]]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.yield %[[C]]
// CHECK-NOT: top.tile_load
// REMARK: [Passed] Promoted | Category:top-promote-shared | Function=fires | Remark="4096 bytes of shared memory"
// REMARK: [Passed] Promoted | Category:top-promote-shared | Function=fires | Remark="4096 bytes of shared memory"
// REMARK-NOT: NarrowCopy{{.*}}Function=fires
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @fires(%a: memref<128x72xf32>, %b: memref<72x128xf32>, %c: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %sa = memref.subview %a[%i, %k] [64, 16] [1, 1] : memref<128x72xf32> to memref<64x16xf32, strided<[72, 1], offset: ?>>
      %ta = top.tile_load %sa : memref<64x16xf32, strided<[72, 1], offset: ?>> -> !top.tile<block 64x16xf32>
      %sb = memref.subview %b[%k, %j] [16, 64] [1, 1] : memref<72x128xf32> to memref<16x64xf32, strided<[128, 1], offset: ?>>
      %tb = top.tile_load %sb : memref<16x64xf32, strided<[128, 1], offset: ?>> -> !top.tile<block 16x64xf32>
      %m = top.tile_mma %ta, %tb, %acc : !top.tile<block 64x16xf32>, !top.tile<block 16x64xf32> -> !top.tile<block 64x64xf32>
      scf.yield %m : !top.tile<block 64x64xf32>
    }
    %sc = memref.subview %c[%i, %j] [64, 64] [1, 1] : memref<128x128xf32> to memref<64x64xf32, strided<[128, 1], offset: ?>>
    top.tile_store %p into %sc {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32, strided<[128, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Row pitches that are not multiples of 16 bytes: 66 * 4 is one of 8, 65 * 4 of 4.
// CHECK-LABEL: func @pitch_odd
// CHECK: top.tile_copy {{.*}} {vector_bytes = 8 : i64, whole} : {{.*}}, !top.ring<1x64x16xf32>
// CHECK: top.tile_copy {{.*}} {vector_bytes = 4 : i64, whole} : {{.*}}, !top.ring<1x16x64xf32>
// REMARK: [Analysis] NarrowCopy | Category:top-promote-shared | Function=pitch_odd | Remark="rows begin at multiples of 8 bytes, not of 16: copied with accesses of 8 bytes"
// REMARK: [Analysis] NarrowCopy | Category:top-promote-shared | Function=pitch_odd | Remark="rows begin at multiples of 4 bytes, not of 16: copied with accesses of 4 bytes"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @pitch_odd(%a: memref<64x66xf32>, %b: memref<16x65xf32>, %c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %sa = memref.subview %a[0, 0] [64, 16] [1, 1] : memref<64x66xf32> to memref<64x16xf32, strided<[66, 1]>>
    %ta = top.tile_load %sa : memref<64x16xf32, strided<[66, 1]>> -> !top.tile<block 64x16xf32>
    %sb = memref.subview %b[0, 0] [16, 64] [1, 1] : memref<16x65xf32> to memref<16x64xf32, strided<[65, 1]>>
    %tb = top.tile_load %sb : memref<16x64xf32, strided<[65, 1]>> -> !top.tile<block 16x64xf32>
    %m = top.tile_mma %ta, %tb, %z : !top.tile<block 64x16xf32>, !top.tile<block 16x64xf32> -> !top.tile<block 64x64xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// In f16: 72 * 2 is a multiple of 16, 65 * 2 of 2 alone.
// CHECK-LABEL: func @half
// CHECK: top.tile_copy {{.*}} {vector_bytes = 16 : i64, whole} : {{.*}}, !top.ring<1x64x16xf16>
// CHECK: top.tile_copy {{.*}} {vector_bytes = 2 : i64, whole} : {{.*}}, !top.ring<1x16x64xf16>
// REMARK: [Analysis] NarrowCopy | Category:top-promote-shared | Function=half | Remark="rows begin at multiples of 2 bytes, not of 16: copied with accesses of 2 bytes"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @half(%a: memref<64x72xf16>, %b: memref<16x65xf16>, %c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %sa = memref.subview %a[0, 0] [64, 16] [1, 1] : memref<64x72xf16> to memref<64x16xf16, strided<[72, 1]>>
    %ta = top.tile_load %sa : memref<64x16xf16, strided<[72, 1]>> -> !top.tile<block 64x16xf16>
    %sb = memref.subview %b[0, 0] [16, 64] [1, 1] : memref<16x65xf16> to memref<16x64xf16, strided<[65, 1]>>
    %tb = top.tile_load %sb : memref<16x64xf16, strided<[65, 1]>> -> !top.tile<block 16x64xf16>
    %m = top.tile_mma %ta, %tb, %z : !top.tile<block 64x16xf16>, !top.tile<block 16x64xf16> -> !top.tile<block 64x64xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// In f64 an element has 8 bytes already.
// CHECK-LABEL: func @double
// CHECK: top.tile_copy {{.*}} {vector_bytes = 8 : i64, whole} : {{.*}}, !top.ring<1x64x16xf64>
// CHECK: top.tile_copy {{.*}} {vector_bytes = 16 : i64, whole} : {{.*}}, !top.ring<1x16x64xf64>
// REMARK: [Analysis] NarrowCopy | Category:top-promote-shared | Function=double | Remark="rows begin at multiples of 8 bytes, not of 16: copied with accesses of 8 bytes"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @double(%a: memref<64x65xf64>, %b: memref<16x66xf64>, %c: memref<64x64xf64>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf64>
    %sa = memref.subview %a[0, 0] [64, 16] [1, 1] : memref<64x65xf64> to memref<64x16xf64, strided<[65, 1]>>
    %ta = top.tile_load %sa : memref<64x16xf64, strided<[65, 1]>> -> !top.tile<block 64x16xf64>
    %sb = memref.subview %b[0, 0] [16, 64] [1, 1] : memref<16x66xf64> to memref<16x64xf64, strided<[66, 1]>>
    %tb = top.tile_load %sb : memref<16x64xf64, strided<[66, 1]>> -> !top.tile<block 16x64xf64>
    %m = top.tile_mma %ta, %tb, %z : !top.tile<block 64x16xf64>, !top.tile<block 16x64xf64> -> !top.tile<block 64x64xf64>
    top.tile_store %m into %c {
    ^bb0(%x: f64):
      top.yield %x : f64
    } : !top.tile<block 64x64xf64>, memref<64x64xf64>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Where a view begins counts as much as its pitch: 2 elements are 4 bytes.
// CHECK-LABEL: func @offset
// CHECK: top.tile_copy {{.*}} {vector_bytes = 4 : i64, whole} : {{.*}}, !top.ring<1x64x16xbf16>
// CHECK: top.tile_copy {{.*}} {vector_bytes = 16 : i64, whole} : {{.*}}, !top.ring<1x16x64xbf16>
// REMARK: [Analysis] NarrowCopy | Category:top-promote-shared | Function=offset | Remark="rows begin at multiples of 4 bytes, not of 16: copied with accesses of 4 bytes"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @offset(%a: memref<64x64xbf16, strided<[72, 1], offset: 2>>, %b: memref<16x72xbf16>, %c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %sa = memref.subview %a[0, 0] [64, 16] [1, 1] : memref<64x64xbf16, strided<[72, 1], offset: 2>> to memref<64x16xbf16, strided<[72, 1], offset: 2>>
    %ta = top.tile_load %sa : memref<64x16xbf16, strided<[72, 1], offset: 2>> -> !top.tile<block 64x16xbf16>
    %sb = memref.subview %b[0, 0] [16, 64] [1, 1] : memref<16x72xbf16> to memref<16x64xbf16, strided<[72, 1]>>
    %tb = top.tile_load %sb : memref<16x64xbf16, strided<[72, 1]>> -> !top.tile<block 16x64xbf16>
    %m = top.tile_mma %ta, %tb, %z : !top.tile<block 64x16xbf16>, !top.tile<block 16x64xbf16> -> !top.tile<block 64x64xf32>
    top.tile_store %m into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// A tile that no product reads is left alone, and a function without kernels.
// CHECK-LABEL: func @declines
// CHECK-NOT: top.tile_ring
// CHECK: return
// REMARK: [Missed] NothingToPromote | Category:top-promote-shared | Function=declines | Reason="no kernel loads a tile for a product"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @declines(%c: memref<64x64xf32>) {
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    top.tile_store %z into %c {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : !top.tile<block 64x64xf32>, memref<64x64xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #s}
  return
}

// -----

// Where K ends, 9 of 16 columns are left, which is no multiple of 4: an access may
// be partly outside. Of the rows any number may be missing.
// CHECK-LABEL: func @ragged
// CHECK: top.tile_copy {{.*}} {vector_bytes = 16 : i64} : memref<?x?xf32, {{.*}}>, !top.ring<1x64x16xf32>
// CHECK: top.tile_copy {{.*}} {vector_bytes = 16 : i64, whole} : memref<?x64xf32, {{.*}}>, !top.ring<1x16x64xf32>
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @ragged(%a: memref<60x44xf32>, %b: memref<41x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c41 = arith.constant 41 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (64, 64) {
    %z = top.tile_zero : !top.tile<block 64x64xf32>
    %p = scf.for %k = %c0 to %c41 step %c16 iter_args(%acc = %z) -> (!top.tile<block 64x64xf32>) {
      %rows = affine.min affine_map<(d0) -> (64, -d0 + 60)>(%i)
      %depth = affine.min affine_map<(d0) -> (16, -d0 + 41)>(%k)
      %sa = memref.subview %a[%i, %k] [%rows, %depth] [1, 1] : memref<60x44xf32> to memref<?x?xf32, strided<[44, 1], offset: ?>>
      %ta = top.tile_load %sa : memref<?x?xf32, strided<[44, 1], offset: ?>> -> !top.tile<block 64x16xf32>
      %sb = memref.subview %b[%k, 0] [%depth, 64] [1, 1] : memref<41x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
      %tb = top.tile_load %sb : memref<?x64xf32, strided<[64, 1], offset: ?>> -> !top.tile<block 16x64xf32>
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
