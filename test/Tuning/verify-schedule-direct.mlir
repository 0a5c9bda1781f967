// RUN: top-opt %s --split-input-file --verify-diagnostics --top-verify-schedule="chip=sm_86"

// What engine 'direct' cannot run is an error at the op, with a schedule that
// fits in a note.

func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error@+2 {{'top.MatMul' op needs a convolution for the engine 'direct', but it is a matrix product}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = }}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = direct>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

func.func @shared_memory(%x: tensor<1x64x56x56xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32> {
  // expected-error@+2 {{needs 118784 bytes of shared memory for the windows of a box, but 'sm_86' allows 101376}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = direct}}
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 64 : i64, top.schedule = #top.schedule<engine = direct, block = [8, 4096, 1], warp = [1, 1024], thread = [1, 32], box = [1, 56, 56]>} : (tensor<1x64x56x56xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}

// -----

func.func @form(%x: tensor<1x6x8x8xf32>, %w: tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32> {
  // expected-error@+2 {{needs a 'block' M of a multiple of the 2 output channels of a group, but it has 3}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = direct}}
  %y = top.Conv2D %x, %w {group = 3 : i64, top.schedule = #top.schedule<engine = direct, block = [3, 256, 2], warp = [3, 256], thread = [3, 8]>} : (tensor<1x6x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return %y : tensor<1x6x6x6xf32>
}

// -----

func.func @registers(%x: tensor<1x64x56x56xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32> {
  // expected-error@+2 {{registers a thread, but 'sm_86' allows 255; the rest would spill}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = direct}}
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 64 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 8192, 1], warp = [1, 8192], thread = [1, 256], box = [1, 64, 64]>} : (tensor<1x64x56x56xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}

// -----

func.func @parts(%x: tensor<1x64x56x56xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32> {
  // expected-error@+2 {{needs 2 parts of K, which kernels of engine 'direct' do not have}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = direct}}
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 64 : i64, top.schedule = #top.schedule<engine = direct, split_k = 2>} : (tensor<1x64x56x56xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}
