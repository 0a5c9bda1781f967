// Products of bytes without tensor cores, aligned, unaligned and repacked.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py %s sm_80,sm_90a | FileCheck %s
// CHECK: sm_80: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_90a: {{[0-9]+}} kernels, {{.*}}, no spills

#s = #top.schedule<block = [64, 64, 32], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @i8(%a: tensor<300x128xi8>, %b: tensor<256x128xi8>, %bias: tensor<256xi32>) -> tensor<300x256xi32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, transpose_b = true, epilogue = [#top.step<relu>, #top.step<clamp, min = 0.0, max = 255.0>]} : (tensor<300x128xi8>, tensor<256x128xi8>, tensor<256xi32>) -> tensor<300x256xi32>
  return %c : tensor<300x256xi32>
}
func.func @unaligned(%a: tensor<33x71xi8>, %b: tensor<71x65xi8>) -> tensor<33x65xi32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<33x71xi8>, tensor<71x65xi8>) -> tensor<33x65xi32>
  return %c : tensor<33x65xi32>
}
func.func @repacked(%a: tensor<33x71xi8>, %b: tensor<71x65xi8>) -> tensor<33x65xi32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 32], warp = [32, 32], thread = [8, 4], stages = 3, repack = true>} : (tensor<33x71xi8>, tensor<71x65xi8>) -> tensor<33x65xi32>
  return %c : tensor<33x65xi32>
}
func.func @e4m3(%a: tensor<2x64x128xf8E4M3FN>, %b: tensor<128x72xf8E4M3FN>) -> tensor<2x64x72xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<2x64x128xf8E4M3FN>, tensor<128x72xf8E4M3FN>) -> tensor<2x64x72xf16>
  return %c : tensor<2x64x72xf16>
}
func.func @e5m2(%a: tensor<33x71xf8E5M2>, %b: tensor<71x65xf8E5M2>) -> tensor<33x65xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<33x71xf8E5M2>, tensor<71x65xf8E5M2>) -> tensor<33x65xf32>
  return %c : tensor<33x65xf32>
}
// One row, one K, a batch: a slice of one element may have any stride.
func.func @one(%a: tensor<2x1x1xf8E4M3FN>, %b: tensor<2x1x65xf8E4M3FN>) -> tensor<2x1x65xf32> {
  %c = top.MatMul %a, %b : (tensor<2x1x1xf8E4M3FN>, tensor<2x1x65xf8E4M3FN>) -> tensor<2x1x65xf32>
  return %c : tensor<2x1x65xf32>
}
