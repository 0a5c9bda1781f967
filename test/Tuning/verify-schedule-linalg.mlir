// RUN: top-opt %s --split-input-file --verify-diagnostics --top-verify-schedule="chip=sm_90a"

// On what a layer op becomes, the shape and the types come from the linalg op.

func.func @matmul(%a: tensor<256x130xf16>, %b: tensor<130x256xf16>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // expected-error@+2 {{'linalg.matmul' op needs rows of 'lhs' that are a multiple of 16 bytes, for TMA, but they have 260}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %d = linalg.matmul {top.schedule = #top.schedule<engine = wgmma>} ins(%a, %b : tensor<256x130xf16>, tensor<130x256xf16>) outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %d : tensor<256x256xf32>
}

// -----

func.func @tf32(%a: tensor<256x256xf32>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // The f32 of one that allows tf32 has a shape; without, it has none.
  %d = linalg.matmul {top.allow_tf32, top.schedule = #top.schedule<engine = mma_sync>} ins(%a, %a : tensor<256x256xf32>, tensor<256x256xf32>) outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
  // expected-error@+2 {{needs an MMA shape for f32}}
  // expected-note@+1 {{the nearest schedule that fits is}}
  %e = linalg.matmul {top.schedule = #top.schedule<engine = mma_sync>} ins(%a, %a : tensor<256x256xf32>, tensor<256x256xf32>) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %e : tensor<256x256xf32>
}

// -----

func.func @integers(%a: tensor<256x256xi32>, %c: tensor<256x256xi32>) -> tensor<256x256xi32> {
  // expected-error@+1 {{'linalg.matmul' op has operands of type 'i32', expected f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8 for a GPU kernel}}
  %d = linalg.matmul {top.schedule = #top.schedule<>} ins(%a, %a : tensor<256x256xi32>, tensor<256x256xi32>) outs(%c : tensor<256x256xi32>) -> tensor<256x256xi32>
  return %d : tensor<256x256xi32>
}

// -----

func.func @sums_in_bytes(%a: tensor<256x256xi8>) -> tensor<256x256xi8> {
  // expected-error@+1 {{'linalg.matmul' op multiplies 'i8' by 'i8' to 'i8', expected operands of one type and a result of i32 for a GPU kernel}}
  %d = linalg.matmul {top.schedule = #top.schedule<>} ins(%a, %a : tensor<256x256xi8>, tensor<256x256xi8>) outs(%a : tensor<256x256xi8>) -> tensor<256x256xi8>
  return %d : tensor<256x256xi8>
}

// -----

func.func @no_product(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'linalg.add' op carries a schedule, but kernels exist for matrix products only}}
  %d = linalg.add {top.schedule = #top.schedule<>} ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// -----

func.func @dot(%a: tensor<8xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'linalg.dot' op is no product of two matrices}}
  %d = linalg.dot {top.schedule = #top.schedule<>} ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %d : tensor<f32>
}

// -----

func.func @matvec(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.matvec' op is no product of two matrices}}
  %d = linalg.matvec {top.schedule = #top.schedule<>} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

func.func @mixed(%a: tensor<4x8xf32>, %b: tensor<8x4xf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'linalg.matmul' op multiplies 'f32' by 'f16' to 'f32', expected operands of one type and a result of floats for a GPU kernel}}
  %d = linalg.matmul {top.schedule = #top.schedule<>} ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf16>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

func.func @dynamic(%a: tensor<4x?xf32>, %b: tensor<?x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'linalg.matmul' op has a dynamic size K, expected static sizes for a GPU kernel}}
  %d = linalg.matmul {top.schedule = #top.schedule<>} ins(%a, %b : tensor<4x?xf32>, tensor<?x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}
