// RUN: top-opt %s --convert-top-tiles-to-nvvm --split-input-file | FileCheck %s
// RUN: top-opt %s --top-verify-pipeline --split-input-file -o /dev/null

// A box of pixels goes through shared memory: reads along the source's rows,
// writes along the destination's channels.

// Two rows of 56 pixels are one run of each channel, 14 chunks of 16 bytes, and
// nothing is zero: 896 chunks, of which 256 threads take three and a half. A
// vector has 8 channels. All chunks are under way before the barrier.

// CHECK-LABEL: func @whole(
// CHECK:         %[[BYTES:.*]] = arith.constant 14448 : i32
// CHECK:         gpu.launch_func @top_kernels::@whole_kernel {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK-LABEL: llvm.func @whole_kernel
// CHECK-SAME:    !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.noalias}
// CHECK-NOT:     scf.if
// CHECK-COUNT-3: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT:     cp.async.shared
// CHECK:         nvvm.cp.async.commit.group
// CHECK-NEXT:    nvvm.cp.async.wait.group 0
// CHECK-NEXT:    nvvm.barrier0
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<8xi16>, !llvm.ptr<1>
// CHECK:         llvm.return
func.func @whole(%x: memref<2x64x4x56xf16>, %y: memref<2x4x56x64xf16>) {
  scf.forall (%n, %h, %w, %c) = (0, 0, 0, 0) to (2, 4, 56, 64) step (1, 2, 56, 64) {
    %from = memref.subview %x[%n, 0, %h, 0] [1, 64, 2, 56] [1, 1, 1, 1] : memref<2x64x4x56xf16> to memref<64x2x56xf16, strided<[224, 56, 1], offset: ?>>
    %into = memref.subview %y[%n, %h, 0, 0] [1, 2, 56, 64] [1, 1, 1, 1] : memref<2x4x56x64xf16> to memref<2x56x64xf16, strided<[3584, 64, 1], offset: ?>>
    top.tile_pack %from into %into : memref<64x2x56xf16, strided<[224, 56, 1], offset: ?>>, memref<2x56x64xf16, strided<[3584, 64, 1], offset: ?>>
  } {top.schedule = #top.schedule<block = [64, 128, 1], warp = [64, 16], thread = [16, 2], stages = 1, box = [1, 2, 56]>}
  return
}

// -----

// 8 channels of 49 pixels: one run of 784 bytes, which are 49 chunks. 32 threads
// take two of them at most.

// CHECK-LABEL: func @small(
// CHECK:         arith.constant 784 : i32
// CHECK-LABEL: llvm.func @small_kernel
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT:     cp.async.shared
// CHECK:         nvvm.barrier0
func.func @small(%x: memref<8x7x7xf16>, %y: memref<7x7x8xf16>) {
  scf.forall (%h, %w, %c) = (0, 0, 0) to (7, 7, 8) step (7, 7, 8) {
    top.tile_pack %x into %y : memref<8x7x7xf16>, memref<7x7x8xf16>
  } {top.schedule = #top.schedule<block = [8, 64, 1], warp = [8, 64], thread = [8, 2], stages = 1, box = [1, 7, 7]>}
  return
}

// -----

// Three channels of four: the last one is zero without being looked at. Rows of
// the odd image begin anywhere: what a chunk reads ends with the buffer.

// CHECK-LABEL: llvm.func @missing_kernel
// CHECK:         %[[SIZE:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[SIZE]]
// CHECK:         nvvm.barrier0
// CHECK-COUNT-3: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
// CHECK-NOT:     llvm.load
// CHECK:         arith.constant 0 : i16
// CHECK:         llvm.store {{.*}} {alignment = 8 : i64} : vector<4xi16>, !llvm.ptr<1>
func.func @missing(%x: memref<2x3x5x7xf16>, %y: memref<2x5x7x4xf16>) {
  scf.forall (%n, %h, %w, %c) = (0, 0, 0, 0) to (2, 5, 7, 4) step (1, 5, 7, 4) {
    %from = memref.subview %x[%n, 0, 0, 0] [1, 3, 5, 7] [1, 1, 1, 1] : memref<2x3x5x7xf16> to memref<3x5x7xf16, strided<[35, 7, 1], offset: ?>>
    %into = memref.subview %y[%n, 0, 0, 0] [1, 5, 7, 4] [1, 1, 1, 1] : memref<2x5x7x4xf16> to memref<5x7x4xf16, strided<[28, 4, 1], offset: ?>>
    top.tile_pack %from into %into : memref<3x5x7xf16, strided<[35, 7, 1], offset: ?>>, memref<5x7x4xf16, strided<[28, 4, 1], offset: ?>>
  } {top.schedule = #top.schedule<block = [4, 64, 1], warp = [4, 64], thread = [4, 2], stages = 1, box = [1, 5, 7]>}
  return
}

// -----

// An argument that begins at any element, as a slice whose place is known at run
// time only does: single elements are read.

// CHECK-LABEL: llvm.func @anywhere_kernel
// CHECK-NOT:     cp.async
// CHECK:         llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK:         llvm.store %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<3>
// CHECK-NOT:     cp.async
// CHECK:         nvvm.barrier0
func.func @anywhere(%x: memref<8x2x8xf16, strided<[64, 8, 1], offset: ?>>, %y: memref<2x8x8xf16>) {
  scf.forall (%h, %w, %c) = (0, 0, 0) to (2, 8, 8) step (2, 8, 8) {
    top.tile_pack %x into %y : memref<8x2x8xf16, strided<[64, 8, 1], offset: ?>>, memref<2x8x8xf16>
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1, box = [1, 2, 8]>}
  return
}

// -----

// The same of f32: 4 bytes are the least that cp.async has.

// CHECK-LABEL: llvm.func @anywhere_f32_kernel
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca
func.func @anywhere_f32(%x: memref<8x2x8xf32, strided<[64, 8, 1], offset: ?>>, %y: memref<2x8x8xf32>) {
  scf.forall (%h, %w, %c) = (0, 0, 0) to (2, 8, 8) step (2, 8, 8) {
    top.tile_pack %x into %y : memref<8x2x8xf32, strided<[64, 8, 1], offset: ?>>, memref<2x8x8xf32>
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1, box = [1, 2, 8]>}
  return
}

// -----

// Views of other dimensions, inside the kernel. In a loop, what the step before
// reads is not overwritten.

// CHECK-LABEL: llvm.func @views_kernel
// CHECK:         scf.for
// CHECK:           nvvm.barrier0
// CHECK:           nvvm.cp.async.shared.global
// CHECK:           nvvm.barrier0
// CHECK:           llvm.store {{.*}} {alignment = 16 : i64} : vector<8xi16>, !llvm.ptr<1>
func.func @views(%x: memref<2x8x16xf16>, %y: memref<2x16x1x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%w, %c) = (0, 0) to (16, 8) step (16, 8) {
    %x4 = memref.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : memref<2x8x16xf16> into memref<2x8x2x8xf16>
    %y3 = memref.collapse_shape %y [[0], [1], [2, 3]] : memref<2x16x1x8xf16> into memref<2x16x8xf16>
    %y4 = memref.expand_shape %y3 [[0], [1, 2], [3]] output_shape [2, 2, 8, 8] : memref<2x16x8xf16> into memref<2x2x8x8xf16>
    scf.for %n = %c0 to %c2 step %c1 {
      %from = memref.subview %x4[%n, 0, 0, 0] [1, 8, 2, 8] [1, 1, 1, 1] : memref<2x8x2x8xf16> to memref<8x2x8xf16, strided<[16, 8, 1], offset: ?>>
      %into = memref.subview %y4[%n, 0, 0, 0] [1, 2, 8, 8] [1, 1, 1, 1] : memref<2x2x8x8xf16> to memref<2x8x8xf16, strided<[64, 8, 1], offset: ?>>
      top.tile_pack %from into %into : memref<8x2x8xf16, strided<[16, 8, 1], offset: ?>>, memref<2x8x8xf16, strided<[64, 8, 1], offset: ?>>
    }
  } {top.schedule = #top.schedule<block = [8, 32, 1], warp = [8, 32], thread = [8, 1], stages = 1, box = [1, 2, 8]>}
  return
}

// -----

// Channels that are last already: all of the image is one run, read once, in
// copies of 16 bytes; three channels of a pixel and a zero are one store.

// CHECK-LABEL: llvm.func @fill_kernel
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK-NOT:     cp.async.shared
// CHECK:         nvvm.barrier0
// CHECK-COUNT-3: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
// CHECK-NOT:     llvm.load
// CHECK:         llvm.store {{.*}} {alignment = 8 : i64} : vector<4xi16>, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
// CHECK:         llvm.return
func.func @fill(%x: memref<4x8x3xf16>, %y: memref<4x8x1x4xf16>) {
  scf.forall (%h, %w, %c) = (0, 0, 0) to (4, 8, 4) step (4, 8, 4) {
    top.tile_pack %x into %y : memref<4x8x3xf16>, memref<4x8x1x4xf16>
  } {top.schedule = #top.schedule<block = [4, 32, 1], warp = [4, 32], thread = [4, 1], stages = 1, box = [1, 4, 8]>}
  return
}
