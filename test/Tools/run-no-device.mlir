// Without a driver or a device: one line, and exit status 3.

// UNSUPPORTED: cuda-device
// RUN: %python %S/Inputs/expect-status.py 3 top-run %s --target=gpu --verify 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/expect-status.py 3 top-run %s --target=gpu --chip=sm_80 --bench 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/expect-status.py 3 top-run %s --target=gpu --bench --baseline=cublas 2>&1 | FileCheck %s
// CHECK: top-run: error: no CUDA d{{river: .+|evice.*}}
// CHECK-NOT: {{.}}

func.func @product(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %c = top.MatMul %a, %b : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}
