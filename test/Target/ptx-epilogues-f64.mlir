// Epilogues in f64: constants, operands, and functions that no instruction computes.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py %s sm_80,sm_86,sm_89,sm_90a | FileCheck %s
// CHECK: sm_80: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_86: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_89: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_90a: {{[0-9]+}} kernels, {{.*}}, no spills

#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @bias_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>, %bias: tensor<80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s} : (tensor<64x40xf64>, tensor<40x80xf64>, tensor<80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @relu_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>, %bias: tensor<80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<relu>]} : (tensor<64x40xf64>, tensor<40x80xf64>, tensor<80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @silu_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>, %bias: tensor<80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<silu>]} : (tensor<64x40xf64>, tensor<40x80xf64>, tensor<80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @gelu_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>, %bias: tensor<80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<gelu>]} : (tensor<64x40xf64>, tensor<40x80xf64>, tensor<80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @sigmoid_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>, %bias: tensor<80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<sigmoid>]} : (tensor<64x40xf64>, tensor<40x80xf64>, tensor<80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @hardswish_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>, %bias: tensor<80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<hardswish>]} : (tensor<64x40xf64>, tensor<40x80xf64>, tensor<80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @clamp_f64(%a: tensor<64x40xf64>, %b: tensor<40x80xf64>) -> tensor<64x80xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s, epilogue = [#top.step<clamp, min = 0.0, max = 6.0, nan = 6.0>]} : (tensor<64x40xf64>, tensor<40x80xf64>) -> tensor<64x80xf64>
  return %c : tensor<64x80xf64>
}
func.func @operands_f64(%a: tensor<2x65x40xf64>, %b: tensor<2x40x81xf64>, %bias: tensor<81xf64>, %p0: tensor<81xf64>, %q0: tensor<81xf64>, %p1: tensor<2x65x81xf64>, %p2: tensor<2x65x81xf64>) -> tensor<2x65x81xf64> {
  %c = top.MatMul %a, %b, %bias epilogue(%p0, %q0, %p1, %p2) {top.schedule = #s, epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>]} : (tensor<2x65x40xf64>, tensor<2x40x81xf64>, tensor<81xf64>, tensor<81xf64>, tensor<81xf64>, tensor<2x65x81xf64>, tensor<2x65x81xf64>) -> tensor<2x65x81xf64>
  return %c : tensor<2x65x81xf64>
}
