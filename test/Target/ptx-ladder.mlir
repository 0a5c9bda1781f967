// The ladder: whatever is left out, the rest compiles and assembles.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-multi-buffer | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-multi-buffer | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-swizzle | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-swizzle | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-multi-buffer,top-swizzle | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-multi-buffer,top-swizzle | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-multi-buffer,top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-multi-buffer,top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-swizzle,top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-swizzle,top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-multi-buffer,top-swizzle,top-tile-to-warps | FileCheck %s
// RUN: %python %S/Inputs/check-ptx.py --may-spill %s sm_80 --without=top-promote-shared,top-multi-buffer,top-swizzle,top-tile-to-warps | FileCheck %s
// CHECK: sm_80: 4 kernels, at most

#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @even_f32(%a: tensor<128x64xf32>, %b: tensor<64x64xf32>) -> tensor<128x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  return %c : tensor<128x64xf32>
}
func.func @odd_f32(%a: tensor<2x41x67xf32>, %b: tensor<2x41x33xf32>, %bias: tensor<33xf32>) -> tensor<2x67x33xf32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, transpose_a = true, epilogue = [#top.step<relu>]} : (tensor<2x41x67xf32>, tensor<2x41x33xf32>, tensor<33xf32>) -> tensor<2x67x33xf32>
  return %c : tensor<2x67x33xf32>
}
func.func @even_f16(%a: tensor<128x64xf16>, %b: tensor<64x64xf16>) -> tensor<128x64xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf16>
  return %c : tensor<128x64xf16>
}
func.func @odd_f16(%a: tensor<2x41x67xf16>, %b: tensor<2x41x33xf16>, %bias: tensor<33xf32>) -> tensor<2x67x33xf16> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, transpose_a = true, epilogue = [#top.step<relu>]} : (tensor<2x41x67xf16>, tensor<2x41x33xf16>, tensor<33xf32>) -> tensor<2x67x33xf16>
  return %c : tensor<2x67x33xf16>
}
