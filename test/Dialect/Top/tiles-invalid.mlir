// RUN: top-opt %s --split-input-file --verify-diagnostics

// Types.

// expected-error@+1 {{expected 'block', 'warp' or 'thread', got 'grid'}}
func.func private @f(!top.tile<grid 8x8xf32>)

// -----

// expected-error@+1 {{expected 2 extents, got 1}}
func.func private @f(!top.tile<block 8xf32>)

// -----

// expected-error@+1 {{expected extents from 1 to 65536, got 0}}
func.func private @f(!top.tile<block 8x0xf32>)

// -----

// expected-error@+1 {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i32, got 'i16'}}
func.func private @f(!top.tile<block 8x8xi16>)

// -----

// expected-error@+1 {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i32, got 'f8E4M3FNUZ'}}
func.func private @f(!top.tile<block 8x8xf8E4M3FNUZ>)

// -----

// expected-error@+1 {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i32, got 'ui8'}}
func.func private @f(!top.ring<2x8x8xui8>)

// -----

// expected-error@+1 {{expected 3 extents, got 2}}
func.func private @f(!top.ring<8x8xf32>)

// -----

// expected-error@+1 {{expected extents from 1 to 65536, got 0}}
func.func private @f(!top.ring<0x8x8xf32>)

// -----

// expected-error@+1 {{expected extents from 1 to 65536, got 100000}}
func.func private @f(!top.ring<2x8x100000xf32>)

// -----

// expected-error@+1 {{expected rows of 2^n chunks of 16 bytes for a swizzle, got 96 bytes}}
func.func private @f(!top.ring<2x8x24xf32, swizzle>)

// -----

// expected-error@+1 {{expected rows of 2^n chunks of 16 bytes for a swizzle, got 8 bytes}}
func.func private @f(!top.ring<2x8x4xf16, swizzle>)

// -----

// Loads.

func.func @f(%a: tensor<8x16x4xf32>) {
  // expected-error@+1 {{'top.tile_load' op expected 'source' to have rank 2, got 'tensor<8x16x4xf32>'}}
  %t = top.tile_load %a : tensor<8x16x4xf32> -> !top.tile<block 8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x16xf16>) {
  // expected-error@+1 {{'top.tile_load' op expected 'source' of element type 'f32', got 'f16'}}
  %t = top.tile_load %a : tensor<8x16xf16> -> !top.tile<block 8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x17xf32>) {
  // expected-error@+1 {{'top.tile_load' op expected dimension 1 of 'source' to be at most 16, got 17}}
  %t = top.tile_load %a : tensor<8x17xf32> -> !top.tile<block 8x16xf32>
  return
}

// -----

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error@+1 {{'top.tile_load' op expected a block tile, got '!top.tile<warp 8x16xf32>'}}
  %t = top.tile_load %a : tensor<8x16xf32> -> !top.tile<warp 8x16xf32>
  return
}

// -----

// Copies.

func.func @f(%a: memref<8x16xf32>, %r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{'top.tile_copy' op expected 'vector_bytes' to be a power of 2 from the 4 bytes of an element to 16, got 12}}
  top.tile_copy %a into %r[%i] {vector_bytes = 12 : i64} : memref<8x16xf32>, !top.ring<1x8x16xf32>
  return
}

// -----

func.func @f(%a: memref<8x16xf32>, %r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'vector_bytes' to be a power of 2 from the 4 bytes of an element to 16, got 2}}
  top.tile_copy %a into %r[%i] {vector_bytes = 2 : i64} : memref<8x16xf32>, !top.ring<1x8x16xf32>
  return
}

// -----

func.func @f(%a: memref<8x16xf32>, %r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'vector_bytes' to be a power of 2 from the 4 bytes of an element to 16, got 32}}
  top.tile_copy %a into %r[%i] {vector_bytes = 32 : i64} : memref<8x16xf32>, !top.ring<1x8x16xf32>
  return
}

// -----

func.func @f(%a: memref<8x16xf32>, %r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'vector_bytes' to be a power of 2 from the 4 bytes of an element to 16, got -4}}
  top.tile_copy %a into %r[%i] {vector_bytes = -4 : i64} : memref<8x16xf32>, !top.ring<1x8x16xf32>
  return
}

// -----

func.func @f(%a: memref<8x6xf32>, %r: !top.ring<1x8x6xf32>, %i: index) {
  // expected-error@+1 {{'top.tile_copy' op expected 'vector_bytes' to divide the ring's rows of 24 bytes, got 16}}
  top.tile_copy %a into %r[%i] {vector_bytes = 16 : i64} : memref<8x6xf32>, !top.ring<1x8x6xf32>
  return
}

// -----

func.func @f(%a: memref<8x16xf16>, %r: !top.ring<1x8x16xf16>, %i: index) {
  // expected-error@+1 {{'top.tile_copy' op expected 'vector_bytes' of an asynchronous copy to be 4, 8 or 16, got 2}}
  top.tile_copy %a into %r[%i] async {vector_bytes = 2 : i64} : memref<8x16xf16>, !top.ring<1x8x16xf16>
  return
}

// -----

func.func @f(%a: memref<9x16xf32>, %r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{'top.tile_copy' op expected dimension 0 of 'source' to be at most 8, got 9}}
  top.tile_copy %a into %r[%i] {vector_bytes = 16 : i64} : memref<9x16xf32>, !top.ring<1x8x16xf32>
  return
}

// -----

func.func @f(%a: memref<8x16xf32, strided<[1, 8]>>, %r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{'top.tile_copy' op expected the elements of a row of 'source' to lie side by side, got 'memref<8x16xf32, strided<[1, 8]>>'}}
  top.tile_copy %a into %r[%i] {vector_bytes = 4 : i64} : memref<8x16xf32, strided<[1, 8]>>, !top.ring<1x8x16xf32>
  return
}

// -----

// Waits, views and parts.

func.func @f() {
  // expected-error@+1 {{'top.tile_wait' op attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  top.tile_wait {pending = -1 : i64}
  return
}

// -----

func.func @f(%r: !top.ring<1x8x16xf32>, %i: index) {
  // expected-error@+1 {{'top.tile_view' op expected the tile of a slot of '!top.ring<1x8x16xf32>', got '!top.tile<block 16x8xf32>'}}
  %v = top.tile_view %r[%i] : !top.ring<1x8x16xf32> -> !top.tile<block 16x8xf32>
  return
}

// -----

func.func @f(%t: !top.tile<warp 8x16xf32>, %i: index) {
  // expected-error@+1 {{'top.tile_slice' op expected a tile of the same or a lower level than '!top.tile<warp 8x16xf32>', got '!top.tile<block 8x16xf32>'}}
  %s = top.tile_slice %t[%i, %i] step [1, 1] : !top.tile<warp 8x16xf32> -> !top.tile<block 8x16xf32>
  return
}

// -----

func.func @f(%t: !top.tile<block 8x16xf32>, %i: index) {
  // expected-error@+1 {{expected element type 'f32', got 'f16'}}
  %s = top.tile_slice %t[%i, %i] step [1, 1] : !top.tile<block 8x16xf32> -> !top.tile<warp 8x16xf16>
  return
}

// -----

func.func @f(%t: !top.tile<block 8x16xf32>, %i: index) {
  // expected-error@+1 {{expected a part of '!top.tile<block 8x16xf32>', got '!top.tile<warp 4x16xf32>' with steps of 3 and 1}}
  %s = top.tile_slice %t[%i, %i] step [3, 1] : !top.tile<block 8x16xf32> -> !top.tile<warp 4x16xf32>
  return
}

// -----

func.func @f(%t: !top.tile<block 8x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'step' to be two positive numbers}}
  %s = top.tile_slice %t[%i, %i] step [0, 1] : !top.tile<block 8x16xf32> -> !top.tile<warp 4x16xf32>
  return
}

// -----

func.func @f(%t: !top.tile<block 8x16xf32>, %i: index) {
  // expected-error@+1 {{expected 'step' to be two positive numbers}}
  %s = top.tile_slice %t[%i, %i] step [1] : !top.tile<block 8x16xf32> -> !top.tile<warp 4x16xf32>
  return
}

// -----

// Products.

func.func @f(%a: !top.tile<block 8x16xf16>, %b: !top.tile<block 16x8xbf16>, %c: !top.tile<block 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected 'lhs' and 'rhs' of one element type, got '!top.tile<block 8x16xf16>' and '!top.tile<block 16x8xbf16>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf16>, !top.tile<block 16x8xbf16> -> !top.tile<block 8x8xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xf16>, %b: !top.tile<block 16x8xf16>, %c: !top.tile<block 8x8xf16>) {
  // expected-error@+1 {{'top.tile_mma' op expected accumulators of type 'f32', got '!top.tile<block 8x8xf16>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf16>, !top.tile<block 16x8xf16> -> !top.tile<block 8x8xf16>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xf64>, %b: !top.tile<block 16x8xf64>, %c: !top.tile<block 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected accumulators of type 'f64', got '!top.tile<block 8x8xf32>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf64>, !top.tile<block 16x8xf64> -> !top.tile<block 8x8xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xf32>, %b: !top.tile<block 8x16xf32>, %c: !top.tile<block 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected 'lhs' and 'rhs' of one depth K, got 16 and 8}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf32>, !top.tile<block 8x16xf32> -> !top.tile<block 8x8xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 16x8xf32>, %b: !top.tile<block 16x8xf32>, %c: !top.tile<block 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected 'lhs' and 'rhs' of one depth K, got 16 and 8}}
  %m = top.tile_mma %a, %b, %c {transpose_a, transpose_b} : !top.tile<block 16x8xf32>, !top.tile<block 16x8xf32> -> !top.tile<block 8x8xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xf32>, %b: !top.tile<block 16x4xf32>, %c: !top.tile<block 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected accumulators of 8x4, got '!top.tile<block 8x8xf32>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf32>, !top.tile<block 16x4xf32> -> !top.tile<block 8x8xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xf32>, %b: !top.tile<block 16x8xf32>, %c: !top.tile<thread 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected tiles of one level, got '!top.tile<block 8x16xf32>', '!top.tile<block 16x8xf32>' and '!top.tile<thread 8x8xf32>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf32>, !top.tile<block 16x8xf32> -> !top.tile<thread 8x8xf32>
  return
}

// -----

// Stores.

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected 'dest' to have rank 2, got 'memref<8xf32>'}}
  top.tile_store %t into %c {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: tensor<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected a result exactly where 'dest' is a tensor, of the same type}}
  top.tile_store %t into %c {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, tensor<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected a result exactly where 'dest' is a tensor, of the same type}}
  %r = top.tile_store %t into %c {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected 2 offsets or none, got 1}}
  top.tile_store %t into %c[%i] {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected 'step' to be two positive numbers}}
  top.tile_store %t into %c step [0, 1] {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected one indexing map an input, got 0 for 1}}
  top.tile_store %t into %c ins(%c : memref<8x4xf32>) maps [] {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected a region of 1 arguments, got 2}}
  top.tile_store %t into %c {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected indexing map #0 from 2 dimensions to 2, got affine_map<(d0, d1) -> (d0)>}}
  top.tile_store %t into %c ins(%c : memref<8x4xf32>) maps [affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected region argument #1 of type 'f32', got 'f16'}}
  top.tile_store %t into %c ins(%c : memref<8x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>] {
  ^bb0(%x: f32, %y: f16):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf16>) {
  // expected-error@+1 {{'top.tile_store' op expected the region to yield one 'f16'}}
  top.tile_store %t into %c {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf16>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>, %d: tensor<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected inputs to be tensors exactly where 'dest' is one, got 'tensor<8x4xf32>'}}
  top.tile_store %t into %c ins(%d : tensor<8x4xf32>) maps [affine_map<(d0, d1) -> (d0, d1)>] {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected indexing map #0 of dimensions and zeros, got affine_map<(d0, d1) -> (1, d1)>}}
  top.tile_store %t into %c ins(%c : memref<8x4xf32>) maps [affine_map<(d0, d1) -> (1, d1)>] {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected indexing map #0 of dimensions and zeros, got affine_map<(d0, d1) -> (d0 floordiv 2, d1)>}}
  top.tile_store %t into %c ins(%c : memref<8x4xf32>) maps [affine_map<(d0, d1) -> (d0 floordiv 2, d1)>] {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f(%t: !top.tile<thread 8x4xf32>, %i: index, %c: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_store' op expected indexing map #0 of dimensions and zeros, got affine_map<(d0, d1) -> (d0 + d1, d1)>}}
  top.tile_store %t into %c ins(%c : memref<8x4xf32>) maps [affine_map<(d0, d1) -> (d0 + d1, d1)>] {
  ^bb0(%x: f32, %y: f32):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<8x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+2 {{'top.yield' op expects parent op to be one of 'top.tile_store, top.tile_map'}}
  %x = arith.constant 0.0 : f32
  top.yield %x : f32
}

// -----

// Elementwise ops. What they have in common with stores is checked there.

func.func @f(%c: memref<8x4xf32>, %p: memref<8x4xf32>) {
  // expected-error@+1 {{'top.tile_map' op expected 'parts' to be a static number of what has the shape of 'dest', got 'memref<8x4xf32>' for 'memref<8x4xf32>'}}
  top.tile_map into %c parts(%p : memref<8x4xf32>) {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : memref<8x4xf32>
  return
}

// -----

func.func @f(%c: memref<8x4xf32>, %p: memref<2x8x5xf32>) {
  // expected-error@+1 {{expected 'parts' to be a static number of what has the shape of 'dest', got 'memref<2x8x5xf32>'}}
  top.tile_map into %c parts(%p : memref<2x8x5xf32>) {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : memref<8x4xf32>
  return
}

// -----

func.func @f(%c: memref<8x4xf32>, %p: memref<?x8x4xf32>) {
  // expected-error@+1 {{expected 'parts' to be a static number of what has the shape of 'dest', got 'memref<?x8x4xf32>'}}
  top.tile_map into %c parts(%p : memref<?x8x4xf32>) {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : memref<8x4xf32>
  return
}

// -----

func.func @f(%c: memref<8x4xf32>, %p: tensor<2x8x4xf32>) {
  // expected-error@+1 {{expected 'parts' to be a tensor exactly where 'dest' is one, got 'tensor<2x8x4xf32>'}}
  top.tile_map into %c parts(%p : tensor<2x8x4xf32>) {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : memref<8x4xf32>
  return
}

// -----

func.func @f(%c: memref<8x4xf32>, %p: memref<2x8x4xi16>) {
  // expected-error@+1 {{expected 'parts' of floats or i32, got 'memref<2x8x4xi16>'}}
  top.tile_map into %c parts(%p : memref<2x8x4xi16>) {
  ^bb0(%x: i16):
    %y = arith.constant 0.0 : f32
    top.yield %y : f32
  } : memref<8x4xf32>
  return
}

// -----

func.func @f(%c: memref<8x4xf32>, %p: memref<2x8x4xf32>) {
  // expected-error@+1 {{expected a region of 1 arguments, got 0}}
  top.tile_map into %c parts(%p : memref<2x8x4xf32>) {
    %y = arith.constant 0.0 : f32
    top.yield %y : f32
  } : memref<8x4xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xi8>, %b: !top.tile<block 16x8xi8>, %c: !top.tile<block 8x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected accumulators of type 'i32', got '!top.tile<block 8x8xf32>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xi8>, !top.tile<block 16x8xi8> -> !top.tile<block 8x8xf32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xf8E5M2>, %b: !top.tile<block 16x8xf8E5M2>, %c: !top.tile<block 8x8xi32>) {
  // expected-error@+1 {{'top.tile_mma' op expected accumulators of type 'f32', got '!top.tile<block 8x8xi32>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xf8E5M2>, !top.tile<block 16x8xf8E5M2> -> !top.tile<block 8x8xi32>
  return
}

// -----

func.func @f(%a: !top.tile<block 8x16xi32>, %b: !top.tile<block 16x8xi32>, %c: !top.tile<block 8x8xi32>) {
  // expected-error@+1 {{'top.tile_mma' op expected operands of f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got '!top.tile<block 8x16xi32>'}}
  %m = top.tile_mma %a, %b, %c : !top.tile<block 8x16xi32>, !top.tile<block 16x8xi32> -> !top.tile<block 8x8xi32>
  return
}

// -----

// Registers belong to one warp.
func.func @f(%a: !top.tile<block 16x16xf16>) {
  // expected-error@+1 {{'top.tile_fragment' op expected the tile of a warp, got '!top.tile<block 16x16xf16>'}}
  %l = top.tile_fragment %a : !top.tile<block 16x16xf16>
  return
}

// -----

func.func @f(%a: !top.tile<thread 8x16xf16>) {
  // expected-error@+1 {{'top.tile_fragment' op expected the tile of a warp, got '!top.tile<thread 8x16xf16>'}}
  %l = top.tile_fragment %a : !top.tile<thread 8x16xf16>
  return
}

// -----

// Doubles and sums are no operands of the tensor cores.
func.func @f(%a: !top.tile<warp 16x4xf64>) {
  // expected-error@+1 {{'top.tile_fragment' op expected an operand of f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got '!top.tile<warp 16x4xf64>'}}
  %l = top.tile_fragment %a : !top.tile<warp 16x4xf64>
  return
}

// -----

func.func @f(%a: !top.tile<warp 16x8xi32>) {
  // expected-error@+1 {{expected an operand of f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, got '!top.tile<warp 16x8xi32>'}}
  %l = top.tile_fragment %a : !top.tile<warp 16x8xi32>
  return
}

// -----

// tf32 is what f32 is rounded to.
func.func @f(%a: !top.tile<warp 16x16xf16>, %b: !top.tile<warp 16x8xf16>, %c: !top.tile<warp 16x8xf32>) {
  // expected-error@+1 {{'top.tile_mma' op expected f32 operands for 'allow_tf32', got '!top.tile<warp 16x16xf16>'}}
  %m = top.tile_mma %a, %b, %c {allow_tf32} : !top.tile<warp 16x16xf16>, !top.tile<warp 16x8xf16> -> !top.tile<warp 16x8xf32>
  return
}

// -----

// Parts of a copy: three numbers, of which the first two are a range of shares.
func.func @f(%a: memref<64x16xf16>, %i: index) {
  %r = top.tile_ring : !top.ring<1x64x16xf16>
  // expected-error@+1 {{'top.tile_copy' op expected 'part' to be [begin, end, count] with 0 <= begin < end <= count}}
  top.tile_copy %a into %r[%i] {part = array<i64: 0, 1>, vector_bytes = 16 : i64} : memref<64x16xf16>, !top.ring<1x64x16xf16>
  return
}

// -----

func.func @f(%a: memref<64x16xf16>, %i: index) {
  %r = top.tile_ring : !top.ring<1x64x16xf16>
  // expected-error@+1 {{'top.tile_copy' op expected 'part' to be [begin, end, count] with 0 <= begin < end <= count}}
  top.tile_copy %a into %r[%i] {part = array<i64: -1, 1, 2>, vector_bytes = 16 : i64} : memref<64x16xf16>, !top.ring<1x64x16xf16>
  return
}

// -----

func.func @f(%a: memref<64x16xf16>, %i: index) {
  %r = top.tile_ring : !top.ring<1x64x16xf16>
  // expected-error@+1 {{'top.tile_copy' op expected 'part' to be [begin, end, count] with 0 <= begin < end <= count}}
  top.tile_copy %a into %r[%i] {part = array<i64: 1, 1, 2>, vector_bytes = 16 : i64} : memref<64x16xf16>, !top.ring<1x64x16xf16>
  return
}

// -----

func.func @f(%a: memref<64x16xf16>, %i: index) {
  %r = top.tile_ring : !top.ring<1x64x16xf16>
  // expected-error@+1 {{'top.tile_copy' op expected 'part' to be [begin, end, count] with 0 <= begin < end <= count}}
  top.tile_copy %a into %r[%i] {part = array<i64: 0, 3, 2>, vector_bytes = 16 : i64} : memref<64x16xf16>, !top.ring<1x64x16xf16>
  return
}

// -----

func.func @f(%a: memref<64x16xf16>, %i: index) {
  %r = top.tile_ring : !top.ring<1x64x16xf16>
  // expected-error@+1 {{'top.tile_copy' op expected 'part' to be [begin, end, count] with 0 <= begin < end <= count}}
  top.tile_copy %a into %r[%i] {part = array<i64: 1, 0, 2>, vector_bytes = 16 : i64} : memref<64x16xf16>, !top.ring<1x64x16xf16>
  return
}

// -----

func.func @f(%x: memref<4x8x3xf16>, %y: memref<4x8x2x4xf16>) {
  // expected-error@+1 {{expected 'source' and 'dest' of rank 3, or 'dest' of TH x TW x 1 x C', and one element type that tiles have, got 'memref<4x8x3xf16>' and 'memref<4x8x2x4xf16>'}}
  top.tile_pack %x into %y : memref<4x8x3xf16>, memref<4x8x2x4xf16>
  return
}

// -----

func.func @f(%x: memref<3x4x8xf16>, %y: memref<4x8x1x4xf16>) {
  // expected-error@+1 {{expected as many rows and columns of pixels in 'source' as in 'dest', got 'memref<3x4x8xf16>' and 'memref<4x8x1x4xf16>'}}
  top.tile_pack %x into %y : memref<3x4x8xf16>, memref<4x8x1x4xf16>
  return
}

// -----

func.func @f(%x: memref<4x8x5xf16>, %y: memref<4x8x1x4xf16>) {
  // expected-error@+1 {{expected no more channels in 'source' than in 'dest', got 'memref<4x8x5xf16>' and 'memref<4x8x1x4xf16>'}}
  top.tile_pack %x into %y : memref<4x8x5xf16>, memref<4x8x1x4xf16>
  return
}
