// Tiles of a product: copies between kernels, and a reference in another file.

// RUN: top-opt %s --top-tile="m=24 n=32 form=unroll" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s --target=sim --verify --guard=nan | FileCheck %s
// RUN: top-run %t.mlir --reference=%s --target=sim --verify --repeats=3 --fill=normal | FileCheck %s --check-prefix=REPEATS
// CHECK: PASS product: compared 4800 of 4800 elements with the reference in double, max absolute error 0
// REPEATS: PASS product: compared 4800 of 4800 elements {{.*}}, 3 runs equal

func.func @product(%a: tensor<60x40xf32>, %b: tensor<40x80xf32>) -> tensor<60x80xf32> {
  %c = top.MatMul %a, %b : (tensor<60x40xf32>, tensor<40x80xf32>) -> tensor<60x80xf32>
  return %c : tensor<60x80xf32>
}
