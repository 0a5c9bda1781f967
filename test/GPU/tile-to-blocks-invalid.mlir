// RUN: top-opt %s --top-tile-to-blocks --split-input-file --verify-diagnostics

// What is asked for and cannot be done is one error at the op.

// Dynamic sizes, by name.
func.func @f(%a: tensor<?x16xf32>, %b: tensor<16x64xf32>, %e: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: M is dynamic; GPU kernels are made for static sizes}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<?x16xf32>, tensor<16x64xf32>) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %c : tensor<?x64xf32>
}

// -----

// 
func.func @f(%a: tensor<64x16xf32>, %b: tensor<16x?xf32>, %e: tensor<64x?xf32>) -> tensor<64x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x?xf32>) -> tensor<64x?xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: N is dynamic; GPU kernels are made for static sizes}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x16xf32>, tensor<16x?xf32>) outs(%init : tensor<64x?xf32>) -> tensor<64x?xf32>
  return %c : tensor<64x?xf32>
}

// -----

// 
func.func @f(%a: tensor<64x?xf32>, %b: tensor<?x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: K is dynamic; GPU kernels are made for static sizes}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x?xf32>, tensor<?x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Sums in a type of 16 bits.
func.func @f(%a: tensor<64x16xf16>, %b: tensor<16x64xf16>, %e: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f16
  %init = linalg.fill ins(%zero : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: expected sums in 'f32', got 'f16'}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x16xf16>, tensor<16x64xf16>) outs(%init : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// -----

// Types without kernels.
func.func @f(%a: tensor<64x16xf8E4M3FNUZ>, %b: tensor<16x64xf8E4M3FNUZ>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: expected operands of one type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got 'f8E4M3FNUZ' and 'f8E4M3FNUZ'}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x16xf8E4M3FNUZ>, tensor<16x64xf8E4M3FNUZ>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// i8 is summed in i32.
func.func @f(%a: tensor<64x16xi8>, %b: tensor<16x64xi8>, %e: tensor<64x64xf32>) -> tensor<64x64xi8> {
  %zero = arith.constant 0 : i8
  %empty = tensor.empty() : tensor<64x64xi8>
  %init = linalg.fill ins(%zero : i8) outs(%empty : tensor<64x64xi8>) -> tensor<64x64xi8>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: expected sums in 'i32', got 'i8'}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x16xi8>, tensor<16x64xi8>) outs(%init : tensor<64x64xi8>) -> tensor<64x64xi8>
  return %c : tensor<64x64xi8>
}

// -----

// A start other than zeros, of integers.
func.func @f(%a: tensor<64x16xi8>, %b: tensor<16x64xi8>) -> tensor<64x64xi32> {
  %one = arith.constant 1 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%one : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: expected 'outs' to be filled with 0}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x16xi8>, tensor<16x64xi8>) outs(%init : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

// A start other than zeros.
func.func @f(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 1.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: expected 'outs' to be filled with 0}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Engines without kernels.
func.func @f(%a: tensor<64x16xf16>, %b: tensor<16x64xf16>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: engine 'wgmma' has no kernels yet; use 'simt' or 'mma_sync'}}
  %c = linalg.matmul {top.schedule = #top.schedule<engine = wgmma>} ins(%a, %b : tensor<64x16xf16>, tensor<16x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Schedule fields that the engine does not take.
func.func @f(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: engine 'simt' takes 'cluster' = [1, 1]}}
  %c = linalg.matmul {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], cluster = [2, 1]>} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Batches, by name.
func.func @f(%a: tensor<?x64x16xf32>, %b: tensor<?x16x64xf32>, %e: tensor<?x64x64xf32>) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64x64xf32>) -> tensor<?x64x64xf32>
  // expected-error@+1 {{cannot be cut into block tiles: batch is dynamic; GPU kernels are made for static sizes}}
  %c = linalg.batch_matmul {top.schedule = #top.schedule<>} ins(%a, %b : tensor<?x64x16xf32>, tensor<?x16x64xf32>) outs(%init : tensor<?x64x64xf32>) -> tensor<?x64x64xf32>
  return %c : tensor<?x64x64xf32>
}

// -----

// A convolution's sums begin at zeros, too.
func.func @f(%a: tensor<1x3x8x8xf32>, %b: tensor<4x3x3x3xf32>, %e: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error@+1 {{cannot be cut into block tiles: expected 'outs' to be filled with 0}}
  %c = linalg.conv_2d_nchw_fchw {top.schedule = #top.schedule<>} ins(%a, %b : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %c : tensor<1x4x6x6xf32>
}

// -----

// Memrefs are too late.
func.func @f(%a: memref<64x16xf32>, %b: memref<16x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{'linalg.matmul' op cannot be cut into block tiles: expected tensors}}
  linalg.matmul {top.schedule = #top.schedule<>} ins(%a, %b : memref<64x16xf32>, memref<16x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// An elementwise op of other integers, and one of one dimension.
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<64x64xi16>) -> tensor<64x64xi16> {
  // expected-error@+1 {{cannot be cut into block tiles: expected a result of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i32, got 'tensor<64x64xi16>'}}
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x64xi16>) outs(%a : tensor<64x64xi16>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: i16, %y: i16):
    linalg.yield %x : i16
  } -> tensor<64x64xi16>
  return %c : tensor<64x64xi16>
}

// -----

func.func @f(%x: f32, %a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{cannot be cut into block tiles: expected a result of M x N or batch x M x N, got 'tensor<64xf32>'}}
  %c = linalg.fill {top.schedule = #top.schedule<>} ins(%x : f32) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

// A matrix that is neither K x M nor M x K.
#lhs = affine_map<(n, i, j, k) -> (i, n, k)>
#rhs = affine_map<(n, i, j, k) -> (k, j)>
#out = affine_map<(n, i, j, k) -> (n, i, j)>
func.func @f(%a: tensor<64x5x16xf32>, %b: tensor<16x64xf32>, %e: tensor<5x64x64xf32>) -> tensor<5x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x64x64xf32>) -> tensor<5x64x64xf32>
  // expected-error@+1 {{cannot be cut into block tiles: expected 'lhs' to be a matrix, or a batch of them in front, got map affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>}}
  %c = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x5x16xf32>, tensor<16x64xf32>) outs(%init : tensor<5x64x64xf32>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<5x64x64xf32>
  return %c : tensor<5x64x64xf32>
}

// -----

// What 'outs' had before is nothing that a kernel reads.
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error@+1 {{cannot be cut into block tiles: expected an elementwise op that does not read 'outs'}}
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
