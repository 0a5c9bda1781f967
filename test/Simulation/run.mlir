// The kernels of every engine and type compute the right numbers, whenever
// asynchronous copies arrive. K has more tiles than the rings have slots, and
// sizes are odd where they can be.

// RUN: %python %S/Inputs/run-all.py %s --verify --chip=sm_89 --sim-mode=eager | FileCheck %s
// RUN: %python %S/Inputs/run-all.py %s --verify --chip=sm_89 --sim-mode=lazy --sim-seed=2 | FileCheck %s
// RUN: %python %S/Inputs/run-all.py %s --verify --chip=sm_89 --sim-mode=random --sim-seed=3 --sim-workers=1 | FileCheck %s
// RUN: %python %S/Inputs/run-all.py %s --verify --chip=sm_90a --sim-seed=4 --fill=eighths | FileCheck %s

// CHECK-COUNT-18: PASS {{.*}}: compared {{.*}}, max absolute error 0, max relative error 0
// CHECK: 18 functions, 0 failed

#simt = #top.schedule<block = [32, 32, 8], warp = [32, 32], thread = [8, 4], stages = 3>
#mma = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 3>
#mma2 = #top.schedule<engine = mma_sync, block = [64, 32, 64], warp = [32, 32], stages = 2, order = grouped(2)>
#mma1 = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 1>
#split = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 2, split_k = 3>
#split_simt = #top.schedule<block = [32, 32, 8], warp = [32, 32], thread = [8, 4], stages = 2, split_k = 3>
#repack = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 3, repack = true>

func.func @simt_f32(%a: tensor<50x41xf32>, %b: tensor<41x67xf32>) -> tensor<50x67xf32> {
  %c = top.MatMul %a, %b {top.schedule = #simt} : (tensor<50x41xf32>, tensor<41x67xf32>) -> tensor<50x67xf32>
  return %c : tensor<50x67xf32>
}

func.func @simt_f64(%a: tensor<41x50xf64>, %b: tensor<67x41xf64>) -> tensor<50x67xf64> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true, top.schedule = #simt} : (tensor<41x50xf64>, tensor<67x41xf64>) -> tensor<50x67xf64>
  return %c : tensor<50x67xf64>
}

func.func @simt_f16(%a: tensor<50x40xf16>, %b: tensor<40x72xf16>) -> tensor<50x72xf32> {
  %c = top.MatMul %a, %b {top.schedule = #simt} : (tensor<50x40xf16>, tensor<40x72xf16>) -> tensor<50x72xf32>
  return %c : tensor<50x72xf32>
}

func.func @simt_bf16(%a: tensor<50x40xbf16>, %b: tensor<72x40xbf16>) -> tensor<50x72xbf16> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #simt} : (tensor<50x40xbf16>, tensor<72x40xbf16>) -> tensor<50x72xbf16>
  return %c : tensor<50x72xbf16>
}

func.func @simt_i8(%a: tensor<50x48xi8>, %b: tensor<48x80xi8>) -> tensor<50x80xi32> {
  %c = top.MatMul %a, %b {top.schedule = #simt} : (tensor<50x48xi8>, tensor<48x80xi8>) -> tensor<50x80xi32>
  return %c : tensor<50x80xi32>
}

func.func @simt_f8(%a: tensor<50x48xf8E5M2>, %b: tensor<48x80xf8E5M2>) -> tensor<50x80xf32> {
  %c = top.MatMul %a, %b {top.schedule = #simt} : (tensor<50x48xf8E5M2>, tensor<48x80xf8E5M2>) -> tensor<50x80xf32>
  return %c : tensor<50x80xf32>
}

func.func @mma_f16(%a: tensor<70x136xf16>, %b: tensor<136x72xf16>) -> tensor<70x72xf16> {
  %c = top.MatMul %a, %b {top.schedule = #mma} : (tensor<70x136xf16>, tensor<136x72xf16>) -> tensor<70x72xf16>
  return %c : tensor<70x72xf16>
}

func.func @mma_f16_odd(%a: tensor<70x133xf16>, %b: tensor<133x71xf16>) -> tensor<70x71xf32> {
  %c = top.MatMul %a, %b {top.schedule = #mma} : (tensor<70x133xf16>, tensor<133x71xf16>) -> tensor<70x71xf32>
  return %c : tensor<70x71xf32>
}

func.func @mma_f16_one_stage(%a: tensor<136x70xf16>, %b: tensor<136x72xf16>) -> tensor<70x72xf16> {
  %c = top.MatMul %a, %b {transpose_a = true, top.schedule = #mma1} : (tensor<136x70xf16>, tensor<136x72xf16>) -> tensor<70x72xf16>
  return %c : tensor<70x72xf16>
}

func.func @mma_bf16(%a: tensor<70x264xbf16>, %b: tensor<72x264xbf16>) -> tensor<70x72xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #mma2} : (tensor<70x264xbf16>, tensor<72x264xbf16>) -> tensor<70x72xf32>
  return %c : tensor<70x72xf32>
}

func.func @mma_tf32(%a: tensor<132x70xf32>, %b: tensor<132x72xf32>) -> tensor<70x72xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, allow_tf32, top.schedule = #mma} : (tensor<132x70xf32>, tensor<132x72xf32>) -> tensor<70x72xf32>
  return %c : tensor<70x72xf32>
}

func.func @mma_i8(%a: tensor<70x208xi8>, %b: tensor<208x80xi8>) -> tensor<70x80xi32> {
  %c = top.MatMul %a, %b {top.schedule = #mma} : (tensor<70x208xi8>, tensor<208x80xi8>) -> tensor<70x80xi32>
  return %c : tensor<70x80xi32>
}

func.func @mma_f8(%a: tensor<70x208xf8E4M3FN>, %b: tensor<80x208xf8E4M3FN>) -> tensor<70x80xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #mma} : (tensor<70x208xf8E4M3FN>, tensor<80x208xf8E4M3FN>) -> tensor<70x80xf32>
  return %c : tensor<70x80xf32>
}

func.func @split_k(%a: tensor<33x168xf16>, %b: tensor<168x40xf16>, %bias: tensor<40xf16>) -> tensor<33x40xf16> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>], top.schedule = #split} : (tensor<33x168xf16>, tensor<168x40xf16>, tensor<40xf16>) -> tensor<33x40xf16>
  return %c : tensor<33x40xf16>
}

func.func @split_k_simt(%a: tensor<2x33x61xf32>, %b: tensor<61x40xf32>) -> tensor<2x33x40xf32> {
  %c = top.MatMul %a, %b {top.schedule = #split_simt} : (tensor<2x33x61xf32>, tensor<61x40xf32>) -> tensor<2x33x40xf32>
  return %c : tensor<2x33x40xf32>
}

func.func @repack(%a: tensor<70x133xf16>, %b: tensor<133x71xf16>) -> tensor<70x71xf16> {
  %c = top.MatMul %a, %b {top.schedule = #repack} : (tensor<70x133xf16>, tensor<133x71xf16>) -> tensor<70x71xf16>
  return %c : tensor<70x71xf16>
}

func.func @epilogue(%a: tensor<40x40xf16>, %b: tensor<40x48xf16>, %bias: tensor<48xf16>, %s: tensor<48xf16>, %t: tensor<48xf16>, %e: tensor<40x48xf16>) -> tensor<40x48xf16> {
  %c = top.MatMul %a, %b, %bias epilogue(%s, %t, %e) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<clamp, min = 0.0, max = 6.0>], top.schedule = #mma}
     : (tensor<40x40xf16>, tensor<40x48xf16>, tensor<48xf16>, tensor<48xf16>, tensor<48xf16>, tensor<40x48xf16>) -> tensor<40x48xf16>
  return %c : tensor<40x48xf16>
}

// Two layers, whose kernels run one after the other.
func.func @chain(%a: tensor<33x64xf32>, %b: tensor<64x48xf32>, %c: tensor<48x40xf32>) -> tensor<33x40xf32> {
  %0 = top.MatMul %a, %b {epilogue = [#top.step<relu>]} : (tensor<33x64xf32>, tensor<64x48xf32>) -> tensor<33x48xf32>
  %1 = top.MatMul %0, %c : (tensor<33x48xf32>, tensor<48x40xf32>) -> tensor<33x40xf32>
  return %1 : tensor<33x40xf32>
}
