// RUN: top-opt %s --split-input-file --verify-diagnostics --top-verify-schedule="chip=sm_86"
// RUN: top-opt %s --split-input-file --verify-diagnostics --top-assign-schedule="chip=sm_86"

// What cannot run is an error at the op: what was needed, what the chip has, and
// the nearest schedule that fits. A schedule that is there is not replaced
// either.

func.func @shared_memory(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  // expected-error@+2 {{'top.MatMul' op needs 131072 bytes of shared memory, but 'sm_86' allows 101376}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 3, order = grouped(4)>}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<stages = 4, order = grouped(4)>} : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}

// -----

func.func @registers(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  // expected-error@+2 {{'top.MatMul' op needs about 128 registers for each of 1024 threads, but 'sm_86' has 65536 for all}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = simt, block = [256, 128, 16], warp = [32, 64], thread = [8, 8], stages = 2>}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [256, 256, 16]>} : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}

// -----

func.func @spills(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  // expected-error@+2 {{'top.MatMul' op needs about 352 registers a thread, but 'sm_86' allows 255; the rest would spill}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<warp = [64, 128], thread = [16, 16]>} : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}

// -----

func.func @mma_shape(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // expected-error@+2 {{'top.MatMul' op needs an MMA shape for f32, which the engine 'mma_sync' of 'sm_86' does not have; 'allow_tf32' permits tf32}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync>} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// -----

func.func @engine(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<256x256xf16> {
  // expected-error@+2 {{'top.MatMul' op needs the engine 'wgmma', which 'sm_86' does not have; 'sm_90a' has}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = wgmma>} : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  return %c : tensor<256x256xf16>
}

// -----

func.func @cluster(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // expected-error@+2 {{'top.MatMul' op needs clusters of 2 blocks, but 'sm_86' allows 1}}
  // expected-note@+1 {{the nearest schedule that fits is #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2>}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<cluster = [1, 2]>} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// -----

func.func @split_k(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // expected-error@+2 {{'top.MatMul' op needs 9 parts of K, but K of 256 has 8 steps of 32}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<split_k = 9>} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// -----

// The linalg op of a batch of 2^31 and of one row each has more blocks than a
// launch; larger blocks do not help.
func.func @grid(%a: tensor<2147483648x1x8xf32>, %b: tensor<8x8xf32>) -> tensor<2147483648x1x8xf32> {
  // expected-error@+1 {{'top.MatMul' op needs 2147483648 blocks along grid x, but a launch allows 2147483647; enlarge 'block'}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [8, 64, 8], warp = [8, 64], thread = [4, 4]>} : (tensor<2147483648x1x8xf32>, tensor<8x8xf32>) -> tensor<2147483648x1x8xf32>
  return %c : tensor<2147483648x1x8xf32>
}

// -----

func.func @dynamic(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>) -> tensor<?x8xf32> {
  // expected-error@+1 {{'top.MatMul' op has a dynamic size M, expected static sizes for a GPU kernel}}
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<>} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}

// -----

// K of a convolution goes over taps and channels.
func.func @conv(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x14x14xf32> {
  // expected-error@+2 {{'top.Conv2D' op needs 64 parts of K, but K of 27 has 1 steps of 32}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %y = top.Conv2D %x, %w {top.schedule = #top.schedule<split_k = 64>} : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x14x14xf32>
  return %y : tensor<1x8x14x14xf32>
}
