// Tiles read and write views: after bufferization there is the buffer of the
// result and no other, and nothing is copied, however many tiles there are.

// RUN: top-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(top-tile{height=2 width=7 form=unroll}),top-cpu-pipeline)" --mlir-print-ir-after=convert-bufferization-to-memref -o /dev/null 2>&1 | FileCheck %s
// RUN: top-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(top-tile{height=2 width=7 form=loop}),top-cpu-pipeline)" --mlir-print-ir-after=convert-bufferization-to-memref -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: top-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(top-tile{height=2 width=7 form=unroll}),top-cpu-pipeline)" | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func private @conv_tile_0(
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         return
// CHECK-LABEL: func.func @conv(
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK-COUNT-12: call @conv_tile_0(
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         return
// LOOP-LABEL: func.func @conv(
// LOOP-COUNT-1: memref.alloc
// LOOP-NOT:     memref.alloc
// LOOP-NOT:     memref.copy
// LOOP:         linalg.conv_2d_nchw_fchw
// LOOP-NOT:     memref.alloc
// LOOP-NOT:     memref.copy
// LOOP:         return
// LLVM-DAG: llvm.func internal @conv_tile_0({{.*}}passthrough = ["noinline"]
// LLVM-DAG: llvm.func @_mlir_ciface_conv(
func.func @conv(%x: tensor<1x4x10x23xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x8x21xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x4x10x23xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x21xf32>
  return %y : tensor<1x8x8x21xf32>
}

// -----

// With padding, a border tile has a padded copy of its own input. In a loop it
// is freed in each iteration.
// LOOP-LABEL: func.func @padded(
// LOOP:         scf.for
// LOOP:           %[[P:.*]] = memref.alloc() {{.*}} : memref<1x4x4x9xf32>
// LOOP:           memref.copy %{{.*}}, %[[S:.*]] : {{.*}} to memref<1x4x4x8xf32, strided<[144, 36, 9, 1], offset: 1>>
// LOOP:           linalg.conv_2d_nchw_fchw {{.*}} ins(%[[P]],
// LOOP:           memref.dealloc %[[P]]
// LOOP:         return
// CHECK-LABEL: func.func private @padded_tile_0(
// CHECK:         %[[P:.*]] = memref.alloc()
// CHECK:         memref.dealloc %[[P]]
// CHECK-LABEL: func.func @padded(
// CHECK:         call @padded_tile_0(
// LLVM-LABEL: llvm.func @padded(
func.func @padded(%x: tensor<1x4x12x14xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x12x14xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x12x14xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x12x14xf32>
  return %y : tensor<1x8x12x14xf32>
}
