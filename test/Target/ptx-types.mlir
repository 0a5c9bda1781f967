// Every type, both transposes, sizes that nothing divides.
// REQUIRES: ptxas
// RUN: %python %S/Inputs/check-ptx.py %s sm_80,sm_86,sm_89,sm_90a | FileCheck %s
// CHECK: sm_80: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_86: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_89: {{[0-9]+}} kernels, {{.*}}, no spills
// CHECK: sm_90a: {{[0-9]+}} kernels, {{.*}}, no spills

#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @even_f64(%a: tensor<128x64xf64>, %b: tensor<64x192xf64>) -> tensor<128x192xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xf64>, tensor<64x192xf64>) -> tensor<128x192xf64>
  return %c : tensor<128x192xf64>
}
func.func @odd_f64(%a: tensor<129x33xf64>, %b: tensor<33x65xf64>) -> tensor<129x65xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<129x33xf64>, tensor<33x65xf64>) -> tensor<129x65xf64>
  return %c : tensor<129x65xf64>
}
func.func @ta_f64(%a: tensor<40x72xf64>, %b: tensor<40x80xf64>) -> tensor<72x80xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true} : (tensor<40x72xf64>, tensor<40x80xf64>) -> tensor<72x80xf64>
  return %c : tensor<72x80xf64>
}
func.func @tb_f64(%a: tensor<72x40xf64>, %b: tensor<80x40xf64>) -> tensor<72x80xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_b = true} : (tensor<72x40xf64>, tensor<80x40xf64>) -> tensor<72x80xf64>
  return %c : tensor<72x80xf64>
}
func.func @tt_f64(%a: tensor<3x41x71xf64>, %b: tensor<3x81x41xf64>) -> tensor<3x71x81xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true, transpose_b = true} : (tensor<3x41x71xf64>, tensor<3x81x41xf64>) -> tensor<3x71x81xf64>
  return %c : tensor<3x71x81xf64>
}
func.func @shared_f64(%a: tensor<3x64x64xf64>, %b: tensor<64x64xf64>) -> tensor<3x64x64xf64> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<3x64x64xf64>, tensor<64x64xf64>) -> tensor<3x64x64xf64>
  return %c : tensor<3x64x64xf64>
}
func.func @even_f32(%a: tensor<128x64xf32>, %b: tensor<64x192xf32>) -> tensor<128x192xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xf32>, tensor<64x192xf32>) -> tensor<128x192xf32>
  return %c : tensor<128x192xf32>
}
func.func @odd_f32(%a: tensor<129x33xf32>, %b: tensor<33x65xf32>) -> tensor<129x65xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<129x33xf32>, tensor<33x65xf32>) -> tensor<129x65xf32>
  return %c : tensor<129x65xf32>
}
func.func @ta_f32(%a: tensor<40x72xf32>, %b: tensor<40x80xf32>) -> tensor<72x80xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true} : (tensor<40x72xf32>, tensor<40x80xf32>) -> tensor<72x80xf32>
  return %c : tensor<72x80xf32>
}
func.func @tb_f32(%a: tensor<72x40xf32>, %b: tensor<80x40xf32>) -> tensor<72x80xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_b = true} : (tensor<72x40xf32>, tensor<80x40xf32>) -> tensor<72x80xf32>
  return %c : tensor<72x80xf32>
}
func.func @tt_f32(%a: tensor<3x41x71xf32>, %b: tensor<3x81x41xf32>) -> tensor<3x71x81xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true, transpose_b = true} : (tensor<3x41x71xf32>, tensor<3x81x41xf32>) -> tensor<3x71x81xf32>
  return %c : tensor<3x71x81xf32>
}
func.func @shared_f32(%a: tensor<3x64x64xf32>, %b: tensor<64x64xf32>) -> tensor<3x64x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<3x64x64xf32>, tensor<64x64xf32>) -> tensor<3x64x64xf32>
  return %c : tensor<3x64x64xf32>
}
func.func @even_f16(%a: tensor<128x64xf16>, %b: tensor<64x192xf16>) -> tensor<128x192xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xf16>, tensor<64x192xf16>) -> tensor<128x192xf16>
  return %c : tensor<128x192xf16>
}
func.func @odd_f16(%a: tensor<129x33xf16>, %b: tensor<33x65xf16>) -> tensor<129x65xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<129x33xf16>, tensor<33x65xf16>) -> tensor<129x65xf16>
  return %c : tensor<129x65xf16>
}
func.func @ta_f16(%a: tensor<40x72xf16>, %b: tensor<40x80xf16>) -> tensor<72x80xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true} : (tensor<40x72xf16>, tensor<40x80xf16>) -> tensor<72x80xf16>
  return %c : tensor<72x80xf16>
}
func.func @tb_f16(%a: tensor<72x40xf16>, %b: tensor<80x40xf16>) -> tensor<72x80xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_b = true} : (tensor<72x40xf16>, tensor<80x40xf16>) -> tensor<72x80xf16>
  return %c : tensor<72x80xf16>
}
func.func @tt_f16(%a: tensor<3x41x71xf16>, %b: tensor<3x81x41xf16>) -> tensor<3x71x81xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true, transpose_b = true} : (tensor<3x41x71xf16>, tensor<3x81x41xf16>) -> tensor<3x71x81xf16>
  return %c : tensor<3x71x81xf16>
}
func.func @shared_f16(%a: tensor<3x64x64xf16>, %b: tensor<64x64xf16>) -> tensor<3x64x64xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<3x64x64xf16>, tensor<64x64xf16>) -> tensor<3x64x64xf16>
  return %c : tensor<3x64x64xf16>
}
func.func @even_bf16(%a: tensor<128x64xbf16>, %b: tensor<64x192xbf16>) -> tensor<128x192xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xbf16>, tensor<64x192xbf16>) -> tensor<128x192xbf16>
  return %c : tensor<128x192xbf16>
}
func.func @odd_bf16(%a: tensor<129x33xbf16>, %b: tensor<33x65xbf16>) -> tensor<129x65xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<129x33xbf16>, tensor<33x65xbf16>) -> tensor<129x65xbf16>
  return %c : tensor<129x65xbf16>
}
func.func @ta_bf16(%a: tensor<40x72xbf16>, %b: tensor<40x80xbf16>) -> tensor<72x80xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true} : (tensor<40x72xbf16>, tensor<40x80xbf16>) -> tensor<72x80xbf16>
  return %c : tensor<72x80xbf16>
}
func.func @tb_bf16(%a: tensor<72x40xbf16>, %b: tensor<80x40xbf16>) -> tensor<72x80xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_b = true} : (tensor<72x40xbf16>, tensor<80x40xbf16>) -> tensor<72x80xbf16>
  return %c : tensor<72x80xbf16>
}
func.func @tt_bf16(%a: tensor<3x41x71xbf16>, %b: tensor<3x81x41xbf16>) -> tensor<3x71x81xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s, transpose_a = true, transpose_b = true} : (tensor<3x41x71xbf16>, tensor<3x81x41xbf16>) -> tensor<3x71x81xbf16>
  return %c : tensor<3x71x81xbf16>
}
func.func @shared_bf16(%a: tensor<3x64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<3x64x64xbf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<3x64x64xbf16>, tensor<64x64xbf16>) -> tensor<3x64x64xbf16>
  return %c : tensor<3x64x64xbf16>
}
func.func @wide_f16(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
func.func @wide_bf16(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
