// Products on the GPU of the machine, between bands of NaN; the same bits in
// every run.

// REQUIRES: cuda-device
// RUN: top-run %s --function=odd --target=gpu --verify --guard=nan --repeats=5 | FileCheck %s
// RUN: top-run %s --function=batched --target=gpu --verify --guard=nan --fill=normal --repeats=5 | FileCheck %s
// RUN: top-run %s --function=chain --target=gpu --verify --guard=nan --repeats=5 | FileCheck %s
// RUN: top-run %s --function=odd --target=gpu --chip=sm_80 --verify --bench | FileCheck %s --check-prefix=BENCH
// CHECK: PASS {{.*}}, 5 runs equal
// BENCH: PASS
// BENCH: BENCH odd: 5 blocks, {{[0-9]+}} replays of {{[0-9]+}} calls on {{[0-9]+}} sets of buffers, fill normal
// BENCH-NEXT: ours: mean {{[0-9.]+}} us

// Nothing divides, and no row is aligned to 16 bytes.
func.func @odd(%a: tensor<67x45xf32>, %b: tensor<45x131xf32>, %bias: tensor<131xf32>) -> tensor<67x131xf32> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>]}
     : (tensor<67x45xf32>, tensor<45x131xf32>, tensor<131xf32>) -> tensor<67x131xf32>
  return %c : tensor<67x131xf32>
}

func.func @batched(%a: tensor<3x64x128xf16>, %b: tensor<3x256x128xf16>) -> tensor<3x64x256xf16> {
  %c = top.MatMul %a, %b {transpose_b = true}
     : (tensor<3x64x128xf16>, tensor<3x256x128xf16>) -> tensor<3x64x256xf16>
  return %c : tensor<3x64x256xf16>
}

// A workspace between two kernels, and a constant.
func.func @chain(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) -> tensor<2x2xf16> {
  %v = arith.constant dense<[[0.5, 1.0], [2.0, 0.25], [0.0, -1.0], [1.5, 3.0]]> : tensor<4x2xf16>
  %h = top.MatMul %x, %w {epilogue = [#top.step<relu>]} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  %y = top.MatMul %h, %v : (tensor<2x4xf16>, tensor<4x2xf16>) -> tensor<2x2xf16>
  return %y : tensor<2x2xf16>
}
