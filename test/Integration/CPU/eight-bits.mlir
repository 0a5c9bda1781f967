// Products of 8-bit types on the CPU, with odd sizes, all transposes, batches and
// tiles, each against the reference; then the same lowered by upstream's passes.

// RUN: top-opt %s --top-tile="m=6 n=5" -o %t.mlir
// RUN: top-opt %s --convert-top-to-linalg -o %t.linalg.mlir

// DEFINE: %{f} =
// DEFINE: %{check} = top-run %s --verify --function=%{f} --guard=nan | FileCheck %s -DF=%{f} && \
// DEFINE:   top-run %t.mlir --reference=%s --function=%{f} --fill=eighths --guard=nan | FileCheck %s -DF=%{f} && \
// DEFINE:   top-run %s --reference=%t.linalg.mlir --function=%{f} --fill=normal | FileCheck %s -DF=%{f} && \
// DEFINE:   top-run %t.mlir --reference=%s --function=%{f} --fill=normal --seed=7 | FileCheck %s -DF=%{f}
// CHECK: PASS [[F]]: compared
// REDEFINE: %{f} = i8
// RUN: %{check}
// REDEFINE: %{f} = i8_tt
// RUN: %{check}
// REDEFINE: %{f} = i8_shared
// RUN: %{check}
// REDEFINE: %{f} = f8
// RUN: %{check}
// REDEFINE: %{f} = f8_tn
// RUN: %{check}
// REDEFINE: %{f} = e5
// RUN: %{check}
// REDEFINE: %{f} = steps
// RUN: %{check}

// RUN: top-run %s --verify --function=dynamic --arg-shape=0:11x13 --arg-shape=1:13x19 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: PASS dynamic: compared 209 of 209 {{.*}}, max absolute error 0,
// RUN: top-run %s --verify --function=wrap --fill=const:-128 --print --json=%t.json | FileCheck %s --check-prefix=WRAP
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: top-run %s --verify --function=constants --print | FileCheck %s --check-prefix=CONSTANTS
// RUN: top-run %s --verify --function=special --print | FileCheck %s --check-prefix=SPECIAL

func.func @i8(%a: tensor<33x37xi8>, %b: tensor<37x29xi8>) -> tensor<33x29xi32> {
  %c = top.MatMul %a, %b : (tensor<33x37xi8>, tensor<37x29xi8>) -> tensor<33x29xi32>
  return %c : tensor<33x29xi32>
}
func.func @i8_tt(%a: tensor<3x37x9xi8>, %b: tensor<3x31x37xi8>, %bias: tensor<31xi32>) -> tensor<3x9x31xi32> {
  %c = top.MatMul %a, %b, %bias {transpose_a = true, transpose_b = true} : (tensor<3x37x9xi8>, tensor<3x31x37xi8>, tensor<31xi32>) -> tensor<3x9x31xi32>
  return %c : tensor<3x9x31xi32>
}
func.func @i8_shared(%a: tensor<2x9x17xi8>, %b: tensor<17x17xi8>) -> tensor<2x9x17xi32> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<2x9x17xi8>, tensor<17x17xi8>) -> tensor<2x9x17xi32>
  return %c : tensor<2x9x17xi32>
}
func.func @f8(%a: tensor<33x37xf8E4M3FN>, %b: tensor<37x29xf8E4M3FN>) -> tensor<33x29xf32> {
  %c = top.MatMul %a, %b : (tensor<33x37xf8E4M3FN>, tensor<37x29xf8E4M3FN>) -> tensor<33x29xf32>
  return %c : tensor<33x29xf32>
}
func.func @f8_tn(%a: tensor<37x9xf8E4M3FN>, %b: tensor<37x31xf8E4M3FN>, %bias: tensor<31xf32>, %r: tensor<9x1xf16>) -> tensor<9x31xf16> {
  %c = top.MatMul %a, %b, %bias epilogue(%r) {transpose_a = true, epilogue = [#top.step<add>, #top.step<gelu>]} : (tensor<37x9xf8E4M3FN>, tensor<37x31xf8E4M3FN>, tensor<31xf32>, tensor<9x1xf16>) -> tensor<9x31xf16>
  return %c : tensor<9x31xf16>
}
func.func @e5(%a: tensor<2x7x21xf8E5M2>, %b: tensor<2x19x21xf8E5M2>, %bias: tensor<19xbf16>) -> tensor<2x7x19xbf16> {
  %c = top.MatMul %a, %b, %bias {transpose_b = true} : (tensor<2x7x21xf8E5M2>, tensor<2x19x21xf8E5M2>, tensor<19xbf16>) -> tensor<2x7x19xbf16>
  return %c : tensor<2x7x19xbf16>
}
func.func @steps(%a: tensor<7x21xi8>, %b: tensor<21x13xi8>, %bias: tensor<13xi32>, %s: tensor<13xi32>, %h: tensor<13xi32>, %r: tensor<7x13xi32>, %g: tensor<7x1xi32>) -> tensor<7x13xi32> {
  %c = top.MatMul %a, %b, %bias epilogue(%s, %h, %r, %g) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<clamp, min = -50.0, max = 80.0>, #top.step<mul>, #top.step<relu>]}
     : (tensor<7x21xi8>, tensor<21x13xi8>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<7x13xi32>, tensor<7x1xi32>) -> tensor<7x13xi32>
  return %c : tensor<7x13xi32>
}
func.func @dynamic(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>) -> tensor<?x?xi32> {
  %c = top.MatMul %a, %b : (tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi32>
  return %c : tensor<?x?xi32>
}

// 131073 products of 2^14 are 2^31 + 2^14: sums wrap. All digits are printed.
// WRAP: result 0 1x2xi32 = {{\[\[}}-2147467264, -2147467264]]
// WRAP: PASS wrap: compared 2 of 2 {{.*}}, max absolute error 0,
// JSON: "type": "i32"
func.func @wrap(%a: tensor<1x131073xi8>, %b: tensor<131073x2xi8>) -> tensor<1x2xi32> {
  %c = top.MatMul %a, %b : (tensor<1x131073xi8>, tensor<131073x2xi8>) -> tensor<1x2xi32>
  return %c : tensor<1x2xi32>
}

// CONSTANTS: result 0 2x2xi32 = {{\[\[}}-121, 127], [-249, 254]]
// CONSTANTS: result 1 2x2xf32 = {{\[\[}}-448.5, 448], [-449, 448]]
func.func @constants() -> (tensor<2x2xi32>, tensor<2x2xf32>) {
  %a = arith.constant dense<[[1, 7], [2, 7]]> : tensor<2x2xi8>
  %b = arith.constant dense<[[-128, 127], [1, 0]]> : tensor<2x2xi8>
  %bias = arith.constant dense<[0, 0]> : tensor<2xi32>
  %c = top.MatMul %a, %b, %bias : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>) -> tensor<2x2xi32>
  %p = arith.constant dense<[[1.0, -0.5], [1.0, -1.0]]> : tensor<2x2xf8E4M3FN>
  %q = arith.constant dense<[[-448.0, 448.0], [1.0, 0.0]]> : tensor<2x2xf8E4M3FN>
  %d = top.MatMul %p, %q : (tensor<2x2xf8E4M3FN>, tensor<2x2xf8E4M3FN>) -> tensor<2x2xf32>
  return %c, %d : tensor<2x2xi32>, tensor<2x2xf32>
}

// Subnormal, infinite and NaN numbers.
// SPECIAL: result 0 1x4xf32 = {{\[\[}}1.52588e-05, inf, -inf, nan]]
// SPECIAL: result 1 1x3xf32 = {{\[\[}}0.00195312, -0.0136719, nan]]
func.func @special() -> (tensor<1x4xf32>, tensor<1x3xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x1xf8E5M2>
  %b = arith.constant dense<[[0x01, 0x7C, 0xFC, 0x7F]]> : tensor<1x4xf8E5M2>
  %c = top.MatMul %one, %b : (tensor<1x1xf8E5M2>, tensor<1x4xf8E5M2>) -> tensor<1x4xf32>
  %uno = arith.constant dense<1.0> : tensor<1x1xf8E4M3FN>
  %d = arith.constant dense<[[0x01, 0x87, 0x7F]]> : tensor<1x3xf8E4M3FN>
  %e = top.MatMul %uno, %d : (tensor<1x1xf8E4M3FN>, tensor<1x3xf8E4M3FN>) -> tensor<1x3xf32>
  return %c, %e : tensor<1x4xf32>, tensor<1x3xf32>
}
