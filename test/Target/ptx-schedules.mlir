// Thread tiles, block sizes from 32 to 512 threads, and 1 to 5 stages.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py %s sm_80,sm_86,sm_89,sm_90a | FileCheck %s
// CHECK: sm_80: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_86: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_89: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_90a: {{[0-9]+}} kernels, {{.*}}, no spills

func.func @s0(%a: tensor<300x100xf32>, %b: tensor<100x260xf32>) -> tensor<300x260xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [16, 32, 8], warp = [16, 32], thread = [4, 4], stages = 5, order = column>} : (tensor<300x100xf32>, tensor<100x260xf32>) -> tensor<300x260xf32>
  return %c : tensor<300x260xf32>
}
func.func @s1(%a: tensor<300x100xf32>, %b: tensor<100x260xf32>) -> tensor<300x260xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 8], warp = [32, 32], thread = [4, 8], stages = 1, order = grouped(4)>} : (tensor<300x100xf32>, tensor<100x260xf32>) -> tensor<300x260xf32>
  return %c : tensor<300x260xf32>
}
func.func @s2(%a: tensor<300x100xf32>, %b: tensor<100x260xf32>) -> tensor<300x260xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [128, 128, 16], warp = [32, 64], thread = [8, 8], stages = 2, order = column>} : (tensor<300x100xf32>, tensor<100x260xf32>) -> tensor<300x260xf32>
  return %c : tensor<300x260xf32>
}
func.func @s3(%a: tensor<300x100xf32>, %b: tensor<100x260xf32>) -> tensor<300x260xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [128, 64, 16], warp = [16, 64], thread = [4, 8], stages = 3, order = grouped(4)>} : (tensor<300x100xf32>, tensor<100x260xf32>) -> tensor<300x260xf32>
  return %c : tensor<300x260xf32>
}
func.func @s4(%a: tensor<300x100xf32>, %b: tensor<100x260xf32>) -> tensor<300x260xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [128, 128, 8], warp = [32, 32], thread = [4, 8], stages = 3, order = column>} : (tensor<300x100xf32>, tensor<100x260xf32>) -> tensor<300x260xf32>
  return %c : tensor<300x260xf32>
}
func.func @s5(%a: tensor<300x100xf32>, %b: tensor<100x260xf32>) -> tensor<300x260xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [32, 32, 32], warp = [8, 16], thread = [2, 2], stages = 2, order = grouped(4)>} : (tensor<300x100xf32>, tensor<100x260xf32>) -> tensor<300x260xf32>
  return %c : tensor<300x260xf32>
}
