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
