// Bands of NaN round every buffer, and NaN in buffers that nobody has written.

// RUN: top-run %s --function=neighbour --reference=%S/Inputs/neighbour.mlir | FileCheck %s --check-prefix=UNSEEN
// RUN: not top-run %s --function=neighbour --reference=%S/Inputs/neighbour.mlir --guard=nan | FileCheck %s --check-prefix=READ
// RUN: not top-run %s --function=outside --guard=nan 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not top-run %s --function=half --reference=%S/Inputs/neighbour.mlir --guard=nan | FileCheck %s --check-prefix=HALF

// The element behind the argument times 0: right by luck without the guard.
// UNSEEN: PASS neighbour
// READ: FAIL neighbour result 0 element [0] got nan expected 0 tile [0:1] pads []
func.func @neighbour(%a: tensor<2xf32>) -> tensor<1xf32> {
  %i = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %v = tensor.extract %a[%i] : tensor<2xf32>
  %p = arith.mulf %v, %zero : f32
  %r = tensor.from_elements %p : tensor<1xf32>
  return %r : tensor<1xf32>
}

// OUTSIDE: {{.*}}run-guard.mlir:[[#]]:[[#]]: error: 'outside' wrote outside of result #0
// OUTSIDE-NOT: {{.}}
func.func @outside(%a: tensor<4xf32>) -> tensor<4xf32> {
  %i = arith.constant 4 : index
  %v = arith.constant 1.0 : f32
  %r = tensor.insert %v into %a[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// HALF: FAIL half result 0 element [2] got nan expected 1 tile [0:4] pads []
func.func @half() -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = tensor.insert_slice %c into %e[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}
