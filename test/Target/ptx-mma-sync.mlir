// Kernels on the tensor cores: no spills, and no instruction that ptxas had to
// serialise. Aligned and odd sizes, operands of each layout, few and many sums.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py %s sm_80,sm_86,sm_90a | FileCheck %s
// CHECK: sm_80: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_86: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_90a: {{[0-9]+}} kernels, {{.*}}, no spills

func.func @f16(%a: tensor<512x256xf16>, %b: tensor<256x512xf16>, %bias: tensor<512xf16>) -> tensor<512x512xf16> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<silu>], top.schedule = #top.schedule<engine = mma_sync, block = [128, 128, 32], warp = [64, 64], stages = 4>} : (tensor<512x256xf16>, tensor<256x512xf16>, tensor<512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
func.func @large(%a: tensor<512x256xf16>, %b: tensor<256x512xf16>) -> tensor<512x512xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [128, 256, 32], warp = [64, 64], stages = 3>} : (tensor<512x256xf16>, tensor<256x512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
func.func @bf16(%a: tensor<264x512xbf16>, %b: tensor<136x264xbf16>) -> tensor<512x136xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [64, 64, 64], warp = [32, 32], stages = 2>} : (tensor<264x512xbf16>, tensor<136x264xbf16>) -> tensor<512x136xf32>
  return %c : tensor<512x136xf32>
}
func.func @odd(%a: tensor<3x67x93xf16>, %b: tensor<3x93x41xf16>) -> tensor<3x67x41xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [64, 32, 32], warp = [32, 16], stages = 3>} : (tensor<3x67x93xf16>, tensor<3x93x41xf16>) -> tensor<3x67x41xf16>
  return %c : tensor<3x67x41xf16>
}
func.func @tf32(%a: tensor<512x256xf32>, %b: tensor<512x256xf32>) -> tensor<512x512xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, allow_tf32, top.schedule = #top.schedule<engine = mma_sync, block = [128, 128, 16], warp = [64, 32], stages = 4>} : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}
func.func @tf32_columns(%a: tensor<256x512xf32>, %b: tensor<256x512xf32>) -> tensor<512x512xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, allow_tf32, top.schedule = #top.schedule<engine = mma_sync, block = [64, 64, 16], warp = [32, 32], stages = 4>} : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}
func.func @one_stage(%a: tensor<512x256xf16>, %b: tensor<256x512xf16>) -> tensor<512x512xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [64, 64, 16], warp = [32, 32], stages = 1>} : (tensor<512x256xf16>, tensor<256x512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
func.func @split(%a: tensor<512x2048xf16>, %b: tensor<2048x512xf16>) -> tensor<512x512xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [64, 64, 32], warp = [32, 32], stages = 4, split_k = 4>} : (tensor<512x2048xf16>, tensor<2048x512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
