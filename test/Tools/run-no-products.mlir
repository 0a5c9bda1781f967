// A function that multiplies nothing has no rate, and a reference that is
// compiled has every element, so that a sample of it saves nothing.

// RUN: top-run %s --function=add --reference=%s --samples=3 --bench 2>%t.err | FileCheck %s --implicit-check-not=GFLOP
// RUN: FileCheck %s --input-file=%t.err --check-prefix=NOTE
// RUN: top-run %s --function=add | FileCheck %s --check-prefix=ONE
// RUN: top-run %s --function=both | FileCheck %s --check-prefix=TWO

// CHECK: PASS add: compared 12 of 12 elements with the reference lowered by upstream passes
// CHECK: BENCH add: {{.*}} min {{[0-9.e-]+}} ms
// NOTE: top-run: note: '--samples' has no effect, since the reference is lowered by upstream passes and has every element; all are compared
// ONE: RAN add: 1 result, not compared
// TWO: RAN both: 2 results, not compared
func.func @add(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = arith.addf %a, %a : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

func.func @both(%a: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  return %a, %a : tensor<3x4xf32>, tensor<3x4xf32>
}
