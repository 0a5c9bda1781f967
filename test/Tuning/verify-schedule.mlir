// RUN: top-opt %s --top-verify-schedule="chip=sm_86" --remark-format=emitRemark --remarks-filter=top-verify-schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: top-opt %s | diff - %t.mlir
// RUN: top-opt %s --convert-top-to-linalg --top-verify-schedule="chip=sm_86" --remark-format=emitRemark --remarks-filter=top-verify-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A schedule that can run is left as it is, before and after it is linalg's.

// REMARK: [Passed] Verified | Category:top-verify-schedule | Function=fits | Remark="256 threads, 65536 bytes of shared memory, about 128 registers; 1 blocks an SM, by shared memory"
func.func @fits(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<>} : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %c : tensor<2048x2048xf32>
}

// REMARK: Verified {{.*}}Function=batch
func.func @batch(%a: tensor<3x64x48xf16>, %b: tensor<40x48xf16>, %bias: tensor<40xf16>) -> tensor<3x64x40xf16> {
  %c = top.MatMul %a, %b, %bias {transpose_b = true, top.schedule = #top.schedule<stages = 3>}
     : (tensor<3x64x48xf16>, tensor<40x48xf16>, tensor<40xf16>) -> tensor<3x64x40xf16>
  return %c : tensor<3x64x40xf16>
}

// Without one there is nothing to check, whatever the op.

// REMARK-NOT: Function=without
func.func @without(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = top.MatMul %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
