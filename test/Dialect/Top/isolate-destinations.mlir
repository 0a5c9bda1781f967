// RUN: top-opt %s --split-input-file --top-isolate-destinations | FileCheck %s
// RUN: top-opt %s --split-input-file --top-isolate-destinations --eliminate-empty-tensors --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s --check-prefix=BUFFER

// Each product starts from zeros of its own, so that each is computed in its
// part of the buffer. With one fill for both, the second would start from the
// first.
// CHECK-LABEL: func @shared_fill(
// CHECK:         %[[F0:.*]] = linalg.fill
// CHECK-NEXT:    %[[R0:.*]] = linalg.matmul {{.*}} outs(%[[F0]] : tensor<4x4xf32>)
// CHECK:         bufferization.materialize_in_destination %[[R0]] in restrict writable
// CHECK:         %[[F1:.*]] = linalg.fill
// CHECK-NEXT:    %[[R1:.*]] = linalg.matmul {{.*}} outs(%[[F1]] : tensor<4x4xf32>)
// CHECK:         bufferization.materialize_in_destination %[[R1]] in restrict writable
// BUFFER-LABEL: func @shared_fill(
// BUFFER-NOT:     memref.alloc
// BUFFER-NOT:     memref.copy
// BUFFER:         linalg.fill {{.*}} outs(%[[D0:.*]] : memref<4x4xf32,
// BUFFER:         linalg.matmul {{.*}} outs(%[[D0]] :
// BUFFER:         linalg.fill {{.*}} outs(%[[D1:.*]] : memref<4x4xf32,
// BUFFER:         linalg.matmul {{.*}} outs(%[[D1]] :
func.func @shared_fill(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>, %d: memref<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d0 = memref.subview %d[0, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  bufferization.materialize_in_destination %0 in restrict writable %d0 : (tensor<4x4xf32>, memref<4x4xf32, strided<[4, 1]>>) -> ()
  %1 = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d1 = memref.subview %d[4, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 16>>
  bufferization.materialize_in_destination %1 in restrict writable %d1 : (tensor<4x4xf32>, memref<4x4xf32, strided<[4, 1], offset: 16>>) -> ()
  return
}

// -----

// What both start from is no fill: it stays out of the destination.
// CHECK-LABEL: func @shared_start(
// CHECK-COUNT-2: bufferization.materialize_in_destination %{{.*}} in writable
// BUFFER-LABEL: func @shared_start(
// BUFFER:         %[[T:.*]] = memref.alloc
// BUFFER:         linalg.exp {{.*}} outs(%[[T]]
func.func @shared_start(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %s: tensor<4x4xf32>, %d: memref<4x4xf32>, %d1: memref<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.exp ins(%s : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %d : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %d1 : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

// A fill that is only read has no destination to be in; nothing changes.
// CHECK-LABEL: func @declines(
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT:     linalg.fill
func.func @declines(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%f, %f : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// The second write is computed first. In place, its result would be overwritten
// where the two overlap.
// CHECK-LABEL: func @computed_early(
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable
func.func @computed_early(%a: tensor<4xf32>, %d: memref<6xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.sqrt ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %d0 = memref.subview %d[0] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1]>>
  bufferization.materialize_in_destination %0 in restrict writable %d0 : (tensor<4xf32>, memref<4xf32, strided<[1]>>) -> ()
  %d1 = memref.subview %d[2] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 2>>
  bufferization.materialize_in_destination %1 in restrict writable %d1 : (tensor<4xf32>, memref<4xf32, strided<[1], offset: 2>>) -> ()
  return
}
