// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s
// RUN: top-opt %s --linalg-fuse-elementwise-ops --canonicalize --raise-linalg-to-top --split-input-file | FileCheck %s
//
// Activations as files print them, in several ops and fused into one: the
// expression is the same.

// The bounds of relu6 as torch-mlir prints them: tensors of rank 0 that are
// filled with an f64 and rounded, the second comparison with the bound first.
// In that order NaN gives 6.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none2 = affine_map<(d0, d1) -> ()>
#none = affine_map<() -> ()>

// CHECK-LABEL: @relu6
// CHECK: %[[Y:.*]] = top.MatMul %arg0, %arg1 {epilogue = [#top.step<clamp, min = 0.000000e+00, max = 6.000000e+00, nan = 6.000000e+00>]}
// CHECK-NEXT: return %[[Y]]
func.func @relu6(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f64
  %six = arith.constant 6.0 : f64
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %e64 = tensor.empty() : tensor<f64>
  %e32 = tensor.empty() : tensor<f32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %f0 = linalg.fill ins(%zero : f64) outs(%e64 : tensor<f64>) -> tensor<f64>
  %lo = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%f0 : tensor<f64>) outs(%e32 : tensor<f32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %f6 = linalg.fill ins(%six : f64) outs(%e64 : tensor<f64>) -> tensor<f64>
  %hi = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%f6 : tensor<f64>) outs(%e32 : tensor<f32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %m = linalg.generic {indexing_maps = [#id, #none2, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %lo : tensor<4x6xf32>, tensor<f32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %bound: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %bound : f32
    %1 = arith.select %0, %in, %bound : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#none2, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%hi, %m : tensor<f32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%bound: f32, %in: f32, %out: f32):
    %0 = arith.cmpf ult, %bound, %in : f32
    %1 = arith.select %0, %bound, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// tosa.clamp after its lowering: the upper bound first.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @clamp
// CHECK: top.MatMul %arg0, %arg1 {epilogue = [#top.step<clamp, min = -1.000000e+00, max = 2.500000e+00>]}
// CHECK-NEXT: return
func.func @clamp(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %lo = arith.constant -1.0 : f32
  %hi = arith.constant 2.5 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.minimumf %in, %hi : f32
    %1 = arith.maximumf %0, %lo : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// silu: the value has two users until both are one step.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @silu
// CHECK: top.MatMul %arg0, %arg1 {epilogue = [#top.step<silu>]}
// CHECK-NEXT: return
func.func @silu(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %0 = arith.mulf %l, %r : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// sigmoid alone, and x / (1 + exp(-x)).

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @sigmoid_then_silu
// CHECK: top.MatMul %arg0, %arg1 {epilogue = [#top.step<sigmoid>, #top.step<silu>]}
// CHECK-NEXT: return
func.func @sigmoid_then_silu(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.subf %zero, %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %one, %1 : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %one, %1 : f32
    %3 = arith.divf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// hardswish in four ops, and with the gate scaled first.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @hardswish
// CHECK: top.MatMul %arg0, %arg1 {epilogue = [#top.step<hardswish>]}
// CHECK-NEXT: return
func.func @hardswish(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %three : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ult, %in, %zero : f32
    %1 = arith.select %0, %zero, %in : f32
    %2 = arith.cmpf ugt, %1, %six : f32
    %3 = arith.select %2, %six, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %0 = arith.mulf %l, %r : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %six : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// CHECK-LABEL: @hardswish_of_unit_gate
// CHECK: top.MatMul %arg0, %arg1 {epilogue = [#top.step<hardswish>]}
// CHECK-NEXT: return
func.func @hardswish_of_unit_gate(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %sixth = arith.constant 0.16666667 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %sixth : f32
    %1 = arith.addf %0, %half : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.minimumf %2, %one : f32
    %4 = arith.mulf %3, %in : f32
    linalg.yield %4 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// A hard sigmoid has no step of its own; it is three.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @hard_sigmoid
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: top.MatMul %arg0, %arg1, %[[B]] epilogue(%{{.*}}) {epilogue = [#top.step<clamp, min = 0.000000e+00, max = 6.000000e+00>, #top.step<mul>]}
// CHECK-NEXT: return
func.func @hard_sigmoid(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %three : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.minimumf %1, %six : f32
    %3 = arith.divf %2, %six : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// gelu by erf, with the constants as torch-mlir rounds them, behind a bias.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: @gelu
// CHECK: top.MatMul %arg0, %arg1, %arg2 {epilogue = [#top.step<gelu>]}
// CHECK-NEXT: return
func.func @gelu(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %t: tensor<6xf32>) -> tensor<4x6xf32> {
  %root = arith.constant 1.41421354 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %t : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %0 = arith.addf %l, %r : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.mulf %in, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}

// -----

// bf16 in and out, computed in f32 in between: one rounding is left.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @sixteen_bits
// CHECK: top.MatMul %arg0, %arg1 {epilogue = [#top.step<silu>]} : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xbf16>
// CHECK-NEXT: return
func.func @sixteen_bits(%a: tensor<4x8xbf16>, %b: tensor<8x6xbf16>) -> tensor<4x6xbf16> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xbf16>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x6xbf16>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x6xbf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x6xbf16>) outs(%e : tensor<4x6xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.negf %0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.divf %0, %3 : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<4x6xbf16>
  return %n : tensor<4x6xbf16>
}

// -----

// silu and gelu of a product, in one body: the factors of x are not those of
// the activation.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @gated_products
// CHECK: top.MatMul %arg0, %arg1 epilogue(%arg2, %arg2) {epilogue = [#top.step<mul>, #top.step<silu>, #top.step<mul>, #top.step<gelu>]}
// CHECK-NEXT: return
func.func @gated_products(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 1.41421354 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %0 = arith.mulf %in, %r : f32
    %1 = arith.negf %0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.divf %one, %3 : f32
    %5 = arith.mulf %4, %0 : f32
    %6 = arith.mulf %5, %r : f32
    %7 = arith.divf %6, %root : f32
    %8 = math.erf %7 : f32
    %9 = arith.addf %8, %one : f32
    %10 = arith.mulf %9, %half : f32
    %11 = arith.mulf %6, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<4x6xf32>
  return %n : tensor<4x6xf32>
}
