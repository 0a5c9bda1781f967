// How a reference that upstream lowers is compared, and what the line says.

// RUN: top-opt %s --raise-linalg-to-top -o %t.mlir
// RUN: top-run %t.mlir --reference=%s --function=bf16_sum --fill=normal --verify | FileCheck %s --check-prefix=SUM
// RUN: top-run %t.mlir --reference=%s --function=bf16_sum --fill=ones --verify | FileCheck %s --check-prefix=ONES
// RUN: top-run %t.mlir --reference=%s --function=bits --fill=normal --verify | FileCheck %s --check-prefix=BITS
// RUN: top-run %t.mlir --reference=%s --function=plain --verify | FileCheck %s --check-prefix=EXACT
// RUN: top-run %t.mlir --reference=%s --function=difference --verify | FileCheck %s --check-prefix=NEAR
// RUN: not top-run %t.mlir --reference=%s --function=difference --fill=const:0.1 --verify | FileCheck %s --check-prefix=NOTHING

// A sum of 1,024 terms in bf16, ours in f32: right, by the file in double. Of
// ones the file as written gives 256, where bf16 stops counting.
// SUM: PASS bf16_sum: compared 256 of 256 elements with the reference lowered by upstream passes in double, tolerance {{[0-9.e-]+}} (own rounding error {{[0-9.e-]+}}), max absolute error
// ONES: PASS bf16_sum: compared 256 of 256 elements {{.*}} in double, {{.*}} max absolute error 0, max relative error 0
func.func @bf16_sum(%a: tensor<16x1024xbf16>, %b: tensor<1024x16xbf16>) -> tensor<16x16xbf16> {
  %z = arith.constant dense<0.0> : tensor<16x16xbf16>
  %y = linalg.matmul ins(%a, %b : tensor<16x1024xbf16>, tensor<1024x16xbf16>) outs(%z : tensor<16x16xbf16>) -> tensor<16x16xbf16>
  return %y : tensor<16x16xbf16>
}

// The bits of an f32 have no twin in f64.
// BITS: PASS bits: compared 64 of 64 elements with the reference lowered by upstream passes, tolerance {{[0-9.e-]+}} (not run in double: {{.*}}bitcast{{.*}}), max absolute error
func.func @bits(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %i = arith.bitcast %a : tensor<8x8xf32> to tensor<8x8xi32>
  %f = arith.bitcast %i : tensor<8x8xi32> to tensor<8x8xf32>
  %y = linalg.matmul ins(%f, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// Integers are equal or wrong, ...
// EXACT: PASS plain: compared 64 of 64 elements with the reference lowered by upstream passes, equality asked for, max absolute error 0
func.func @plain(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %y = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// ... unless the reference rounds them on its way, as here odd ones. A result
// that is rounding alone proves nothing.
// NEAR: PASS difference: compared 64 of 64 elements {{.*}} in double, tolerance {{.*}} (own rounding error 1)
// NOTHING: FAIL difference result 0 the reference's own rounding error, {{.*}}, is too large for values of about {{.*}}
#id = affine_map<(i, j) -> (i, j)>
func.func @difference(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %y = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%l: f32, %o: f32):
    %c = arith.constant 16777216.0 : f32
    %0 = arith.addf %l, %c : f32
    %1 = arith.subf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
