// RUN: top-opt %s --test-top-fold-constant-pack --split-input-file | FileCheck %s

// Packs of constants are done at compile time.

// F x C x KH x KW to F x KH x KW x C', with padding.

// CHECK-LABEL: func @filter
// CHECK:         arith.constant dense<{{\[\[\[\[\[}}1.000000e+00, 5.000000e+00, 9.000000e+00, 0.000000e+00]], {{\[\[}}2.000000e+00, 6.000000e+00, 1.000000e+01, 0.000000e+00]]], {{\[\[\[}}3.000000e+00, 7.000000e+00, 1.100000e+01, 0.000000e+00]], {{\[\[}}4.000000e+00, 8.000000e+00, 1.200000e+01, 0.000000e+00]]]]]> : tensor<1x2x2x1x4xf16>
// CHECK-NEXT:    return
func.func @filter() -> tensor<1x2x2x1x4xf16> {
  %w = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]]> : tensor<1x3x2x2xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x2x2x1x4xf16>
  %r = linalg.pack %w padding_value(%zero : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [4] into %e {top.schedule = #top.schedule<>} : tensor<1x3x2x2xf16> -> tensor<1x2x2x1x4xf16>
  return %r : tensor<1x2x2x1x4xf16>
}

// -----

// Two inner tiles, the outer dimensions as they are; two elements of one byte.

// CHECK-LABEL: func @tiles
// CHECK:         arith.constant dense<{{\[\[\[\[}}1, 4], [2, 5]], {{\[\[}}3, 6], [-1, -1]]], {{\[\[\[}}7, -1], [8, -1]], {{\[\[}}9, -1], [-1, -1]]]]> : tensor<2x2x2x2xi8>
func.func @tiles() -> tensor<2x2x2x2xi8> {
  %w = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi8>
  %p = arith.constant -1 : i8
  %e = tensor.empty() : tensor<2x2x2x2xi8>
  %r = linalg.pack %w padding_value(%p : i8) inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<3x3xi8> -> tensor<2x2x2x2xi8>
  return %r : tensor<2x2x2x2xi8>
}

// -----

// A splat stays one where nothing is padded, or with the same value.

// CHECK-LABEL: func @splats
// CHECK:         arith.constant dense<2.500000e+00> : tensor<2x2x1x4xf64>
// CHECK:         arith.constant dense<0.000000e+00> : tensor<2x2x1x4xf64>
// CHECK:         arith.constant dense<{{\[\[\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]]]]> : tensor<1x1x1x4xf64>
// CHECK-NOT:     linalg.pack
func.func @splats() -> (tensor<2x2x1x4xf64>, tensor<2x2x1x4xf64>, tensor<1x1x1x4xf64>) {
  %zero = arith.constant 0.0 : f64
  %full = arith.constant dense<2.5> : tensor<4x2x2xf64>
  %e = tensor.empty() : tensor<2x2x1x4xf64>
  %r = linalg.pack %full outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<4x2x2xf64> -> tensor<2x2x1x4xf64>
  %zeros = arith.constant dense<0.0> : tensor<3x2x2xf64>
  %s = linalg.pack %zeros padding_value(%zero : f64) outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<3x2x2xf64> -> tensor<2x2x1x4xf64>
  %ones = arith.constant dense<1.0> : tensor<3x1x1xf64>
  %e1 = tensor.empty() : tensor<1x1x1x4xf64>
  %t = linalg.pack %ones padding_value(%zero : f64) outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [4] into %e1 : tensor<3x1x1xf64> -> tensor<1x1x1x4xf64>
  return %r, %s, %t : tensor<2x2x1x4xf64>, tensor<2x2x1x4xf64>, tensor<1x1x1x4xf64>
}

// -----

// Types of one byte that are floats, and of four that are not.

// CHECK-LABEL: func @types
// CHECK:         arith.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+00, 0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x1x4xf8E4M3FN>
// CHECK:         arith.constant dense<{{\[\[\[\[}}70000, -2]]]]> : tensor<1x1x1x2xi32>
// CHECK-NOT:     linalg.pack
func.func @types() -> (tensor<1x1x1x4xf8E4M3FN>, tensor<1x1x1x2xi32>) {
  %zero = arith.constant 0.0 : f8E4M3FN
  %a = arith.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf8E4M3FN>
  %e = tensor.empty() : tensor<1x1x1x4xf8E4M3FN>
  %r = linalg.pack %a padding_value(%zero : f8E4M3FN) outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<2x1x1xf8E4M3FN> -> tensor<1x1x1x4xf8E4M3FN>
  %b = arith.constant dense<[[[70000]], [[-2]]]> : tensor<2x1x1xi32>
  %f = tensor.empty() : tensor<1x1x1x2xi32>
  %s = linalg.pack %b outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [2] into %f : tensor<2x1x1xi32> -> tensor<1x1x1x2xi32>
  return %r, %s : tensor<1x1x1x4xf8E4M3FN>, tensor<1x1x1x2xi32>
}

// -----

// Left alone: no constant, a padding of run time, elements of no whole byte.

// CHECK-LABEL: func @left
// CHECK-COUNT-3: linalg.pack
func.func @left(%x: tensor<2x1x1xi32>, %p: i32) -> (tensor<1x1x1x2xi32>, tensor<1x1x1x4xi32>, tensor<1x1x1x2xi1>) {
  %f = tensor.empty() : tensor<1x1x1x2xi32>
  %r = linalg.pack %x outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [2] into %f : tensor<2x1x1xi32> -> tensor<1x1x1x2xi32>
  %b = arith.constant dense<[[[7]], [[-2]]]> : tensor<2x1x1xi32>
  %g = tensor.empty() : tensor<1x1x1x4xi32>
  %s = linalg.pack %b padding_value(%p : i32) outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [4] into %g : tensor<2x1x1xi32> -> tensor<1x1x1x4xi32>
  %c = arith.constant dense<[[[true]], [[false]]]> : tensor<2x1x1xi1>
  %h = tensor.empty() : tensor<1x1x1x2xi1>
  %t = linalg.pack %c outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [2] into %h : tensor<2x1x1xi1> -> tensor<1x1x1x2xi1>
  return %r, %s, %t : tensor<1x1x1x2xi32>, tensor<1x1x1x4xi32>, tensor<1x1x1x2xi1>
}
