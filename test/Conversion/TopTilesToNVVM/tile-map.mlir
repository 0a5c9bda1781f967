// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file | FileCheck %s

// Kernels that multiply nothing. Where the block has no edge there is no branch:
// 16 bytes an access, all reads before the first write.

// CHECK-LABEL: llvm.func @copy_kernel
// CHECK-NOT:     scf.if
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-2: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
// CHECK:         llvm.return
func.func @copy(%a: memref<64x256xf16>, %c: memref<64x256xf16>) {
  scf.forall (%i, %j) = (0, 0) to (64, 256) step (16, 256) {
    %as = memref.subview %a[%i, %j] [16, 256] [1, 1] : memref<64x256xf16> to memref<16x256xf16, strided<[256, 1], offset: ?>>
    %cs = memref.subview %c[%i, %j] [16, 256] [1, 1] : memref<64x256xf16> to memref<16x256xf16, strided<[256, 1], offset: ?>>
    top.tile_map into %cs ins(%as : memref<16x256xf16, strided<[256, 1], offset: ?>>) maps [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f16):
      top.yield %x : f16
    } : memref<16x256xf16, strided<[256, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [16, 256, 1], warp = [2, 256], thread = [2, 8], stages = 1>}
  return
}

// -----

// Rows of 51 x 2 bytes into rows of 56 x 2: single elements are read and 16
// bytes written. Where the piece at column 48 has 3 elements, single ones are
// written as well, each if it exists; reads stay inside by themselves.

// CHECK-LABEL: llvm.func @pad_kernel
// CHECK:         scf.if {{.*}} {
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<1> -> f16
// CHECK-NOT:     llvm.load
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK:         } else {
// CHECK:         scf.if
// CHECK-COUNT-8: arith.minsi
// CHECK-NOT:     vector<
// CHECK-COUNT-8: scf.if
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
func.func @pad(%a: memref<32x51xf16>, %c: memref<32x56xf16>) {
  %part = memref.subview %c[0, 0] [32, 51] [1, 1] : memref<32x56xf16> to memref<32x51xf16, strided<[56, 1]>>
  scf.forall (%i, %j) = (0, 0) to (32, 51) step (32, 64) {
    %as = memref.subview %a[%i, %j] [32, 51] [1, 1] : memref<32x51xf16> to memref<32x51xf16, strided<[51, 1], offset: ?>>
    %cs = memref.subview %part[%i, %j] [32, 51] [1, 1] : memref<32x51xf16, strided<[56, 1]>> to memref<32x51xf16, strided<[56, 1], offset: ?>>
    top.tile_map into %cs ins(%as : memref<32x51xf16, strided<[51, 1], offset: ?>>) maps [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f16):
      top.yield %x : f16
    } : memref<32x51xf16, strided<[56, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [32, 64, 1], warp = [4, 64], thread = [1, 8], stages = 1>}
  return
}

// -----

// A view at an odd offset is not aligned, however wide its rows are.

// CHECK-LABEL: llvm.func @offset_kernel
// CHECK-NOT:     -> vector<
// CHECK-COUNT-4: llvm.load {{.*}} -> f32
// CHECK:         llvm.store {{.*}} : vector<4xf32>
func.func @offset(%a: memref<8x256xf32>, %c: memref<8x128xf32>) {
  %part = memref.subview %a[0, 3] [8, 128] [1, 1] : memref<8x256xf32> to memref<8x128xf32, strided<[256, 1], offset: 3>>
  scf.forall (%i, %j) = (0, 0) to (8, 128) step (8, 128) {
    top.tile_map into %c ins(%part : memref<8x128xf32, strided<[256, 1], offset: 3>>) maps [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : memref<8x128xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [8, 128, 1], warp = [1, 128], thread = [1, 4], stages = 1>}
  return
}

// -----

// A column is read once a row, a row in one access, a transposed operand element
// by element.

// CHECK-LABEL: llvm.func @broadcast_kernel
// CHECK:         llvm.load {{.*}} -> f32
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-4: llvm.load {{.*}} -> f32
// CHECK-NOT:     llvm.load
// CHECK:         llvm.store {{.*}} : vector<4xf32>
func.func @broadcast(%col: memref<8xf32>, %row: memref<128xf32>, %t: memref<128x8xf32>, %c: memref<8x128xf32>) {
  scf.forall (%i, %j) = (0, 0) to (8, 128) step (8, 128) {
    top.tile_map into %c ins(%col, %row, %t : memref<8xf32>, memref<128xf32>, memref<128x8xf32>) maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>] {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.addf %x, %y : f32
      %q = arith.addf %p, %z : f32
      top.yield %q : f32
    } : memref<8x128xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [8, 128, 1], warp = [1, 128], thread = [1, 4], stages = 1>}
  return
}

// -----

// Three parts are read before two are added, in order.

// CHECK-LABEL: llvm.func @sum_kernel
// CHECK:         %[[P:.*]] = llvm.load {{.*}} -> vector<2xf64>
// CHECK:         %[[P0:.*]] = llvm.extractelement %[[P]]
// CHECK:         %[[Q:.*]] = llvm.load {{.*}} -> vector<2xf64>
// CHECK:         %[[Q0:.*]] = llvm.extractelement %[[Q]]
// CHECK:         %[[R:.*]] = llvm.load {{.*}} -> vector<2xf64>
// CHECK:         %[[R0:.*]] = llvm.extractelement %[[R]]
// CHECK-NOT:     llvm.load
// CHECK:         %[[S:.*]] = arith.addf %[[P0]], %[[Q0]]
// CHECK:         arith.addf %[[S]], %[[R0]]
// CHECK:         llvm.store {{.*}} : vector<2xf64>
func.func @sum(%p: memref<3x8x64xf64>, %c: memref<8x64xf64>) {
  scf.forall (%i, %j) = (0, 0) to (8, 64) step (8, 64) {
    top.tile_map into %c parts(%p : memref<3x8x64xf64>) {
    ^bb0(%x: f64):
      top.yield %x : f64
    } : memref<8x64xf64>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [8, 64, 1], warp = [1, 64], thread = [1, 2], stages = 1>}
  return
}

// -----

// 40 parts are 3 times 14 at most: 12, and a loop of two steps of 14.

// CHECK-LABEL: llvm.func @many_kernel
// CHECK-COUNT-12: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT:      llvm.load
// CHECK:          scf.for %{{.*}} = %c12 to %c40 step %c14 iter_args
// CHECK-COUNT-14: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT:      llvm.load
// CHECK:          scf.yield
// CHECK:          llvm.store {{.*}} : vector<4xf32>
func.func @many(%p: memref<40x8x128xf32>, %c: memref<8x128xf32>) {
  scf.forall (%i, %j) = (0, 0) to (8, 128) step (8, 128) {
    top.tile_map into %c parts(%p : memref<40x8x128xf32>) {
    ^bb0(%x: f32):
      top.yield %x : f32
    } : memref<8x128xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<block = [8, 128, 1], warp = [1, 128], thread = [1, 4], stages = 1>}
  return
}
