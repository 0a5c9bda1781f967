// RUN: top-opt %s | top-opt | FileCheck %s
// RUN: top-opt %s --mlir-print-op-generic | top-opt | FileCheck %s

// Types: the level of a tile, the slots of a ring and its layout.
// CHECK-LABEL: func private @types(!top.tile<block 128x32xf16>, !top.tile<warp 64x32xbf16>, !top.tile<thread 8x4xf64>, !top.ring<3x128x32xf16>, !top.ring<1x16x64xf32, swizzle>)
func.func private @types(!top.tile<block 128x32xf16>, !top.tile<warp 64x32xbf16>, !top.tile<thread 8x4xf64>, !top.ring<3x128x32xf16>, !top.ring<1x16x64xf32, swizzle>)

// CHECK-LABEL: func @shared
// CHECK: %[[R:.*]] = top.tile_ring : !top.ring<2x64x16xf16, swizzle>
// CHECK: top.tile_copy %arg0 into %[[R]][%c0] async {vector_bytes = 16 : i64} : memref<?x16xf16, strided<[64, 1], offset: ?>>, !top.ring<2x64x16xf16, swizzle>
// CHECK: top.tile_copy %arg0 into %[[R]][%c1] {vector_bytes = 2 : i64} :
// CHECK: top.tile_commit
// CHECK: top.tile_wait {pending = 1 : i64}
// CHECK: %[[V:.*]] = top.tile_view %[[R]][%c0] : !top.ring<2x64x16xf16, swizzle> -> !top.tile<block 64x16xf16>
// CHECK: %[[W:.*]] = top.tile_slice %[[V]][%c1, %c0] step [1, 1] : !top.tile<block 64x16xf16> -> !top.tile<warp 32x16xf16>
// CHECK: %[[T:.*]] = top.tile_slice %[[W]][%c1, %c0] step [4, 1] : !top.tile<warp 32x16xf16> -> !top.tile<thread 8x16xf16>
// CHECK: %[[Z:.*]] = top.tile_zero : !top.tile<thread 8x8xf32>
// CHECK: top.tile_mma %[[T]], %[[T]], %[[Z]] {transpose_b} : !top.tile<thread 8x16xf16>, !top.tile<thread 8x16xf16> -> !top.tile<thread 8x8xf32>
func.func @shared(%a: memref<?x16xf16, strided<[64, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = top.tile_ring : !top.ring<2x64x16xf16, swizzle>
  top.tile_copy %a into %r[%c0] async {vector_bytes = 16 : i64} : memref<?x16xf16, strided<[64, 1], offset: ?>>, !top.ring<2x64x16xf16, swizzle>
  top.tile_copy %a into %r[%c1] {vector_bytes = 2 : i64} : memref<?x16xf16, strided<[64, 1], offset: ?>>, !top.ring<2x64x16xf16, swizzle>
  top.tile_commit
  top.tile_wait {pending = 1 : i64}
  %v = top.tile_view %r[%c0] : !top.ring<2x64x16xf16, swizzle> -> !top.tile<block 64x16xf16>
  %w = top.tile_slice %v[%c1, %c0] step [1, 1] : !top.tile<block 64x16xf16> -> !top.tile<warp 32x16xf16>
  %t = top.tile_slice %w[%c1, %c0] step [4, 1] : !top.tile<warp 32x16xf16> -> !top.tile<thread 8x16xf16>
  %z = top.tile_zero : !top.tile<thread 8x8xf32>
  %m = top.tile_mma %t, %t, %z {transpose_b} : !top.tile<thread 8x16xf16>, !top.tile<thread 8x16xf16> -> !top.tile<thread 8x8xf32>
  return
}

// On tensors a store has a result, on memrefs not; offsets, steps, inputs and
// their maps may each be there or not.
// CHECK-LABEL: func @stores
// CHECK: %[[L:.*]] = top.tile_load %arg0 : tensor<?x16xf32> -> !top.tile<block 64x16xf32>
// CHECK: %[[S:.*]] = top.tile_store %[[L]] into %arg0 {
// CHECK: } : !top.tile<block 64x16xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
// CHECK: top.tile_store %{{.*}} into %arg1[%c0, %c1] step [4, 8] ins(%arg2, %arg3 : memref<64xf32>, memref<f16>) maps [#{{.*}}, #{{.*}}] {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %{{.*}}: f16):
// CHECK-NEXT: top.yield %[[X]] : f32
// CHECK-NEXT: } : !top.tile<thread 8x4xf32>, memref<64x64xf32>
func.func @stores(%a: tensor<?x16xf32>, %b: memref<64x64xf32>, %bias: memref<64xf32>, %s: memref<f16>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = top.tile_load %a : tensor<?x16xf32> -> !top.tile<block 64x16xf32>
  %r = top.tile_store %l into %a {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : !top.tile<block 64x16xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
  %z = top.tile_zero : !top.tile<thread 8x4xf32>
  top.tile_store %z into %b[%c0, %c1] step [4, 8] ins(%bias, %s : memref<64xf32>, memref<f16>) maps [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>] {
  ^bb0(%x: f32, %y: f32, %h: f16):
    top.yield %x : f32
  } : !top.tile<thread 8x4xf32>, memref<64x64xf32>
  return %r : tensor<?x16xf32>
}

// An elementwise op may have parts, inputs, both or neither.
// CHECK-LABEL: func @maps
// CHECK: %[[R:.*]] = top.tile_map into %arg0 parts(%arg1 : tensor<3x?x16xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32):
// CHECK: } : tensor<?x16xf32> -> tensor<?x16xf32>
// CHECK: top.tile_map into %arg2 parts(%{{.*}} : memref<2x64x64xf64>) ins(%arg3 : memref<64xf16>) maps [#{{.*}}] {
// CHECK-NEXT: ^bb0(%{{.*}}: f64, %[[H:.*]]: f16):
// CHECK-NEXT: top.yield %[[H]] : f16
// CHECK-NEXT: } : memref<64x64xf16>
// CHECK: top.tile_map into %arg2 {
func.func @maps(%a: tensor<?x16xf32>, %p: tensor<3x?x16xf32>, %b: memref<64x64xf16>, %bias: memref<64xf16>, %q: memref<2x64x64xf64>) -> tensor<?x16xf32> {
  %r = top.tile_map into %a parts(%p : tensor<3x?x16xf32>) {
  ^bb0(%x: f32):
    top.yield %x : f32
  } : tensor<?x16xf32> -> tensor<?x16xf32>
  top.tile_map into %b parts(%q : memref<2x64x64xf64>) ins(%bias : memref<64xf16>) maps [affine_map<(d0, d1) -> (d1)>] {
  ^bb0(%x: f64, %h: f16):
    top.yield %h : f16
  } : memref<64x64xf16>
  %c = arith.constant 1.0 : f16
  top.tile_map into %b {
    top.yield %c : f16
  } : memref<64x64xf16>
  return %r : tensor<?x16xf32>
}

// Channels put last, and channels that are last and are filled up.

// CHECK-LABEL: func.func @packs
// CHECK: top.tile_pack %{{.*}} into %{{.*}} : tensor<3x?x8xf16>, tensor<?x8x4xf16> -> tensor<?x8x4xf16>
// CHECK: top.tile_pack %{{.*}} into %{{.*}} : memref<4x8x3xf16>, memref<4x8x1x4xf16>
func.func @packs(%a: tensor<3x?x8xf16>, %b: tensor<?x8x4xf16>, %c: memref<4x8x3xf16>, %d: memref<4x8x1x4xf16>) -> tensor<?x8x4xf16> {
  %r = top.tile_pack %a into %b : tensor<3x?x8xf16>, tensor<?x8x4xf16> -> tensor<?x8x4xf16>
  top.tile_pack %c into %d : memref<4x8x3xf16>, memref<4x8x1x4xf16>
  return %r : tensor<?x8x4xf16>
}

// Eight bits: rings of bytes, sums in i32 and f32.

// CHECK-LABEL: func.func @eight_bits
// CHECK: top.tile_mma %{{.*}}, %{{.*}}, %{{.*}} : !top.tile<block 16x64xi8>, !top.tile<block 64x16xi8> -> !top.tile<block 16x16xi32>
// CHECK: top.tile_mma %{{.*}}, %{{.*}}, %{{.*}} : !top.tile<block 16x64xf8E4M3FN>, !top.tile<block 64x16xf8E4M3FN> -> !top.tile<block 16x16xf32>
// CHECK: top.tile_mma %{{.*}}, %{{.*}}, %{{.*}} : !top.tile<block 16x64xf8E5M2>, !top.tile<block 64x16xf8E5M2> -> !top.tile<block 16x16xf32>
// CHECK: top.yield %{{.*}} : i32
// CHECK: top.tile_ring : !top.ring<3x16x64xi8, swizzle>
// CHECK: top.tile_ring : !top.ring<1x16x64xf8E5M2>
func.func @eight_bits(%a: tensor<16x64xi8>, %b: tensor<64x16xi8>, %p: tensor<16x64xf8E4M3FN>, %q: tensor<64x16xf8E4M3FN>, %u: tensor<16x64xf8E5M2>, %v: tensor<64x16xf8E5M2>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %0 = top.tile_load %a : tensor<16x64xi8> -> !top.tile<block 16x64xi8>
  %1 = top.tile_load %b : tensor<64x16xi8> -> !top.tile<block 64x16xi8>
  %i = top.tile_zero : !top.tile<block 16x16xi32>
  %2 = top.tile_mma %0, %1, %i : !top.tile<block 16x64xi8>, !top.tile<block 64x16xi8> -> !top.tile<block 16x16xi32>
  %3 = top.tile_load %p : tensor<16x64xf8E4M3FN> -> !top.tile<block 16x64xf8E4M3FN>
  %4 = top.tile_load %q : tensor<64x16xf8E4M3FN> -> !top.tile<block 64x16xf8E4M3FN>
  %z = top.tile_zero : !top.tile<block 16x16xf32>
  %5 = top.tile_mma %3, %4, %z : !top.tile<block 16x64xf8E4M3FN>, !top.tile<block 64x16xf8E4M3FN> -> !top.tile<block 16x16xf32>
  %6 = top.tile_load %u : tensor<16x64xf8E5M2> -> !top.tile<block 16x64xf8E5M2>
  %7 = top.tile_load %v : tensor<64x16xf8E5M2> -> !top.tile<block 64x16xf8E5M2>
  %8 = top.tile_mma %6, %7, %5 : !top.tile<block 16x64xf8E5M2>, !top.tile<block 64x16xf8E5M2> -> !top.tile<block 16x16xf32>
  %r = top.tile_store %2 into %c {
  ^bb0(%x: i32):
    top.yield %x : i32
  } : !top.tile<block 16x16xi32>, tensor<16x16xi32> -> tensor<16x16xi32>
  %s = top.tile_ring : !top.ring<3x16x64xi8, swizzle>
  %t = top.tile_ring : !top.ring<1x16x64xf8E5M2>
  return %r : tensor<16x16xi32>
}

// Operands of a warp in its registers: the left one and the right one, either
// to be read as transposed, and products that may round f32 operands to tf32.
// CHECK-LABEL: func @fragments
// CHECK: %[[L:.*]] = top.tile_fragment %arg0 : !top.tile<warp 16x16xf32>
// CHECK: %[[R:.*]] = top.tile_fragment %arg1 {rhs, transposed} : !top.tile<warp 8x16xf32>
// CHECK: top.tile_mma %[[L]], %[[R]], %arg2 {allow_tf32, transpose_b} : !top.tile<warp 16x16xf32>, !top.tile<warp 8x16xf32> -> !top.tile<warp 16x8xf32>
func.func @fragments(%a: !top.tile<warp 16x16xf32>, %b: !top.tile<warp 8x16xf32>, %acc: !top.tile<warp 16x8xf32>) {
  %l = top.tile_fragment %a : !top.tile<warp 16x16xf32>
  %r = top.tile_fragment %b {rhs, transposed} : !top.tile<warp 8x16xf32>
  %m = top.tile_mma %l, %r, %acc {allow_tf32, transpose_b} : !top.tile<warp 16x16xf32>, !top.tile<warp 8x16xf32> -> !top.tile<warp 16x8xf32>
  return
}

// A copy of whole pieces, and one of a part of a tile. The whole part is the
// default, and not printed.
// CHECK-LABEL: func @parts
// CHECK: top.tile_copy %arg0 into %{{.*}}[%c0] async {part = array<i64: 1, 3, 4>, vector_bytes = 16 : i64, whole} :
// CHECK: top.tile_copy %arg0 into %{{.*}}[%c0] async {vector_bytes = 16 : i64, whole} :
func.func @parts(%a: memref<64x16xf16>) {
  %c0 = arith.constant 0 : index
  %r = top.tile_ring : !top.ring<2x64x16xf16>
  top.tile_copy %a into %r[%c0] async {part = array<i64: 1, 3, 4>, vector_bytes = 16 : i64, whole} : memref<64x16xf16>, !top.ring<2x64x16xf16>
  top.tile_copy %a into %r[%c0] async {part = array<i64: 0, 1, 1>, vector_bytes = 16 : i64, whole} : memref<64x16xf16>, !top.ring<2x64x16xf16>
  return
}
