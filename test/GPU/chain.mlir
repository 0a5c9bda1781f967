// Products one behind the other: each has kernels of its own, whatever stands
// between them.

// RUN: top-compile %s --chip=sm_80 --emit=nvvm | FileCheck %s

// The first result's rows of 51 x 2 bytes are copied before the second product
// reads them. The copy carries a schedule, so it is not the first one's epilogue.

// CHECK-LABEL: func.func @repacked
// CHECK:         gpu.launch_func {{.*}} args({{.*}} %[[FIRST:alloc[_0-9]*]] : memref<64x51xf16>)
// CHECK:         gpu.launch_func {{.*}} args(%[[PART:.*]] : memref<64x51xf16, strided<[56, 1]>>, %[[FIRST]] : memref<64x51xf16>)
// CHECK:         gpu.launch_func {{.*}} args(%[[PART]] : memref<64x51xf16, strided<[56, 1]>>
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
func.func @repacked(%a: tensor<64x32xf16>, %b: tensor<32x51xf16>, %c: tensor<51x64xf16>) -> tensor<64x64xf16> {
  %0 = top.MatMul %a, %b : (tensor<64x32xf16>, tensor<32x51xf16>) -> tensor<64x51xf16>
  %1 = top.MatMul %0, %c {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], repack = true>} : (tensor<64x51xf16>, tensor<51x64xf16>) -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}

// Both operands become copies of one shape, in buffers of their own: nothing is
// copied between those.

// CHECK-LABEL: func.func @both_repacked
// CHECK-NOT:     memref.copy
// CHECK:         gpu.launch_func {{.*}} args(%[[A:.*]] : memref<9x9xf32, strided<[12, 1]>>, %arg0
// CHECK-NOT:     memref.copy
// CHECK:         gpu.launch_func {{.*}} args(%[[B:.*]] : memref<9x9xf32, strided<[12, 1]>>, %arg1
// CHECK-NOT:     memref.copy
// CHECK:         gpu.launch_func {{.*}} args(%[[A]] : memref<9x9xf32, strided<[12, 1]>>, %[[B]]
func.func @both_repacked(%a: tensor<9x9xf32>, %b: tensor<9x9xf32>) -> tensor<9x9xf32> {
  %0 = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], repack = true>} : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  return %0 : tensor<9x9xf32>
}

// Parts of K of two products: the second workspace may be the first, whose
// parts are added by then.

// CHECK-LABEL: func.func @two_splits
// CHECK-NOT:     memref.copy
// CHECK-COUNT-4: gpu.launch_func
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @two_splits(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 2>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = top.MatMul %0, %b {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 2>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
