// Computing tiles where they are going to be keeps the order of what is written
// to one place, and keeps apart what merely starts from equal values.

// RUN: top-opt %s --top-cpu-pipeline | mlir-runner -e overlap --entry-point-result=f32 | FileCheck %s --check-prefix=OVERLAP
// RUN: top-opt %s --top-cpu-pipeline | mlir-runner -e equal_fills --entry-point-result=f32 | FileCheck %s --check-prefix=FILLS

// The source of the second link is computed first; where the links overlap, the
// second one wins: -1 -2 1 4 9 16.
func.func @overlap() -> f32 {
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<6xf32>
  %t = tensor.empty() : tensor<4xf32>
  %second = linalg.square ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %first = linalg.negf ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %first into %e[0] [4] [1] : tensor<4xf32> into tensor<6xf32>
  %1 = tensor.insert_slice %second into %0[2] [4] [1] : tensor<4xf32> into tensor<6xf32>
  %sum = func.call @digits(%1) : (tensor<6xf32>) -> f32
  return %sum : f32
}
// ((((-1*10 - 2)*10 + 1)*10 + 4)*10 + 9)*10 + 16
// OVERLAP: -1.184940e+05

// Both products (they differ, so as not to share a function) start from zeros,
// which are one value after CSE: 11 and 22, each repeated three times.
func.func @equal_fills() -> f32 {
  %a = arith.constant dense<[[1.0, 10.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<1.0> : tensor<2x3xf32>
  %c = arith.constant dense<2.0> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %p = top.MatMul %a, %b : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  %0 = tensor.insert_slice %p into %e[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<2x3xf32>
  %q = top.MatMul %a, %c {allow_tf32} : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  %r = tensor.insert_slice %q into %0[1, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<2x3xf32>
  %1 = tensor.collapse_shape %r [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %sum = func.call @digits(%1) : (tensor<6xf32>) -> f32
  return %sum : f32
}
// 11*111000 + 22*111
// FILLS: 1.223442e+06

func.func private @digits(%x: tensor<6xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %ten = arith.constant 10.0 : f32
  %sum = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %zero) -> f32 {
    %v = tensor.extract %x[%i] : tensor<6xf32>
    %shifted = arith.mulf %s, %ten : f32
    %next = arith.addf %shifted, %v : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
