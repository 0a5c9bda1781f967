// Epilogues: constants, operands, and functions that no instruction computes.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py %s sm_80,sm_86,sm_89,sm_90a | FileCheck %s
// CHECK: sm_80: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_86: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_89: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_90a: {{[0-9]+}} kernels, {{.*}}, no spills

#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @bias_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>, %bias: tensor<80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s} : (tensor<64x40xf32>, tensor<40x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @relu_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>, %bias: tensor<80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<relu>]} : (tensor<64x40xf32>, tensor<40x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @silu_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>, %bias: tensor<80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<silu>]} : (tensor<64x40xf32>, tensor<40x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @gelu_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>, %bias: tensor<80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<gelu>]} : (tensor<64x40xf32>, tensor<40x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @sigmoid_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>, %bias: tensor<80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<sigmoid>]} : (tensor<64x40xf32>, tensor<40x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @hardswish_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>, %bias: tensor<80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<hardswish>]} : (tensor<64x40xf32>, tensor<40x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @clamp_f32(%a: tensor<64x40xf32>, %b: tensor<40x80xf32>) -> tensor<64x80xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s, epilogue = [#top.step<clamp, min = 0.0, max = 6.0, nan = 6.0>]} : (tensor<64x40xf32>, tensor<40x80xf32>) -> tensor<64x80xf32>
  return %c : tensor<64x80xf32>
}
func.func @operands_f32(%a: tensor<2x65x40xf32>, %b: tensor<2x40x81xf32>, %bias: tensor<81xf32>, %p0: tensor<81xf32>, %q0: tensor<81xf32>, %p1: tensor<2x65x81xf32>, %p2: tensor<2x65x81xf32>) -> tensor<2x65x81xf32> {
  %c = top.MatMul %a, %b, %bias epilogue(%p0, %q0, %p1, %p2) {top.schedule = #s, epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>]} : (tensor<2x65x40xf32>, tensor<2x40x81xf32>, tensor<81xf32>, tensor<81xf32>, tensor<81xf32>, tensor<2x65x81xf32>, tensor<2x65x81xf32>) -> tensor<2x65x81xf32>
  return %c : tensor<2x65x81xf32>
}
func.func @bias_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>, %bias: tensor<80xf32>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s} : (tensor<64x40xf16>, tensor<40x80xf16>, tensor<80xf32>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @relu_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>, %bias: tensor<80xf32>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<relu>]} : (tensor<64x40xf16>, tensor<40x80xf16>, tensor<80xf32>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @silu_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>, %bias: tensor<80xf32>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<silu>]} : (tensor<64x40xf16>, tensor<40x80xf16>, tensor<80xf32>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @gelu_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>, %bias: tensor<80xf32>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<gelu>]} : (tensor<64x40xf16>, tensor<40x80xf16>, tensor<80xf32>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @sigmoid_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>, %bias: tensor<80xf32>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<sigmoid>]} : (tensor<64x40xf16>, tensor<40x80xf16>, tensor<80xf32>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @hardswish_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>, %bias: tensor<80xf32>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<hardswish>]} : (tensor<64x40xf16>, tensor<40x80xf16>, tensor<80xf32>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @clamp_f16(%a: tensor<64x40xf16>, %b: tensor<40x80xf16>) -> tensor<64x80xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, epilogue = [#top.step<clamp, min = 0.0, max = 6.0, nan = 6.0>]} : (tensor<64x40xf16>, tensor<40x80xf16>) -> tensor<64x80xf16>
  return %c : tensor<64x80xf16>
}
func.func @operands_f16(%a: tensor<2x65x40xf16>, %b: tensor<2x40x81xf16>, %bias: tensor<81xf32>, %p0: tensor<81xf16>, %q0: tensor<81xf16>, %p1: tensor<2x65x81xf16>, %p2: tensor<2x65x81xf16>) -> tensor<2x65x81xf16> {
  %c = top.MatMul %a, %b, %bias epilogue(%p0, %q0, %p1, %p2) {top.schedule = #s, epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>]} : (tensor<2x65x40xf16>, tensor<2x40x81xf16>, tensor<81xf32>, tensor<81xf16>, tensor<81xf16>, tensor<2x65x81xf16>, tensor<2x65x81xf16>) -> tensor<2x65x81xf16>
  return %c : tensor<2x65x81xf16>
}
func.func @bias_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>, %bias: tensor<80xf32>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s} : (tensor<64x40xbf16>, tensor<40x80xbf16>, tensor<80xf32>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @relu_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>, %bias: tensor<80xf32>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<relu>]} : (tensor<64x40xbf16>, tensor<40x80xbf16>, tensor<80xf32>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @silu_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>, %bias: tensor<80xf32>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<silu>]} : (tensor<64x40xbf16>, tensor<40x80xbf16>, tensor<80xf32>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @gelu_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>, %bias: tensor<80xf32>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<gelu>]} : (tensor<64x40xbf16>, tensor<40x80xbf16>, tensor<80xf32>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @sigmoid_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>, %bias: tensor<80xf32>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<sigmoid>]} : (tensor<64x40xbf16>, tensor<40x80xbf16>, tensor<80xf32>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @hardswish_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>, %bias: tensor<80xf32>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<hardswish>]} : (tensor<64x40xbf16>, tensor<40x80xbf16>, tensor<80xf32>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @clamp_bf16(%a: tensor<64x40xbf16>, %b: tensor<40x80xbf16>) -> tensor<64x80xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, epilogue = [#top.step<clamp, min = 0.0, max = 6.0, nan = 6.0>]} : (tensor<64x40xbf16>, tensor<40x80xbf16>) -> tensor<64x80xbf16>
  return %c : tensor<64x80xbf16>
}
func.func @operands_bf16(%a: tensor<2x65x40xbf16>, %b: tensor<2x40x81xbf16>, %bias: tensor<81xf32>, %p0: tensor<81xbf16>, %q0: tensor<81xbf16>, %p1: tensor<2x65x81xbf16>, %p2: tensor<2x65x81xbf16>) -> tensor<2x65x81xbf16> {
  %c = top.MatMul %a, %b, %bias epilogue(%p0, %q0, %p1, %p2) {top.schedule = #s, epilogue = [#top.step<affine>, #top.step<add>, #top.step<mul>, #top.step<relu>]} : (tensor<2x65x40xbf16>, tensor<2x40x81xbf16>, tensor<81xf32>, tensor<81xbf16>, tensor<81xbf16>, tensor<2x65x81xbf16>, tensor<2x65x81xbf16>) -> tensor<2x65x81xbf16>
  return %c : tensor<2x65x81xbf16>
}
