// RUN: top-opt %s --split-input-file --top-outline-tiles | FileCheck %s
// RUN: top-opt %s --split-input-file --top-outline-tiles="min-count=3" | FileCheck %s --check-prefix=MIN3
// RUN: top-opt %s --split-input-file --top-outline-tiles --remark-format=emitRemark --remarks-filter=top-outline-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not top-opt %s --split-input-file --top-outline-tiles="min-count=0" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: expected 'min-count' to be at least 1, got 0

// Two rows that differ only in where they lie share a function; the third has
// another pad. Slices are passed as views with the strides of the whole.
// CHECK-LABEL: func private @f_tile_0(
// CHECK-SAME:    %[[X:.*]]: memref<1x2x3x5xf32, strided<[40, 20, 5, 1], offset: ?>>,
// CHECK-SAME:    %[[W:.*]]: memref<4x2x3x3xf32>,
// CHECK-SAME:    %[[D:.*]]: memref<1x4x1x3xf32, strided<[24, 6, 3, 1], offset: ?>>)
// CHECK-SAME:    no_inline
// CHECK:         %[[XT:.*]] = bufferization.to_tensor %[[X]] restrict :
// CHECK:         %[[WT:.*]] = bufferization.to_tensor %[[W]] restrict :
// CHECK:         %[[R:.*]] = top.Conv2D %[[XT]], %[[WT]]
// CHECK:         bufferization.materialize_in_destination %[[R]] in restrict writable %[[D]]
// CHECK-LABEL: func @f(
// CHECK-SAME:    %[[IN:.*]]: tensor<1x2x4x5xf32>, %[[FILTER:.*]]: tensor<4x2x3x3xf32>, %[[DEST:.*]]: memref<1x4x2x3xf32>)
// CHECK:         %[[S0:.*]] = tensor.extract_slice %[[IN]][0, 0, 0, 0]
// CHECK:         %[[D0:.*]] = memref.subview %[[DEST]][0, 0, 0, 0]
// CHECK:         %[[B0:.*]] = bufferization.to_buffer %[[S0]] read_only
// CHECK:         %[[BW:.*]] = bufferization.to_buffer %[[FILTER]] read_only
// CHECK:         %[[C0:.*]] = memref.cast %[[D0]]
// CHECK:         call @f_tile_0(%[[B0]], %[[BW]], %[[C0]])
// CHECK:         call @f_tile_0(
// CHECK:         top.Conv2D {{.*}}pads = array<i64: 0, 0, 1, 0>
// CHECK-NOT:     call
// REMARK: [Passed] Tiles {{.*}} Function=f {{.*}}2 equal tiles call the function 'f_tile_0'
// REMARK: [Missed] Tiles {{.*}} Function=f {{.*}}1 equal tiles stay where they are: 'min-count' is 2
// MIN3-LABEL: func @f(
// MIN3-COUNT-3: top.Conv2D
// MIN3-NOT:     call
func.func @f(%x: tensor<1x2x4x5xf32>, %w: tensor<4x2x3x3xf32>, %d: memref<1x4x2x3xf32>) {
  %s0 = tensor.extract_slice %x[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : tensor<1x2x4x5xf32> to tensor<1x2x3x5xf32>
  %r0 = top.Conv2D %s0, %w : (tensor<1x2x3x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x1x3xf32>
  %d0 = memref.subview %d[0, 0, 0, 0] [1, 4, 1, 3] [1, 1, 1, 1] : memref<1x4x2x3xf32> to memref<1x4x1x3xf32, strided<[24, 6, 3, 1]>>
  bufferization.materialize_in_destination %r0 in restrict writable %d0 : (tensor<1x4x1x3xf32>, memref<1x4x1x3xf32, strided<[24, 6, 3, 1]>>) -> ()
  %s1 = tensor.extract_slice %x[0, 0, 1, 0] [1, 2, 3, 5] [1, 1, 1, 1] : tensor<1x2x4x5xf32> to tensor<1x2x3x5xf32>
  %r1 = top.Conv2D %s1, %w : (tensor<1x2x3x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x1x3xf32>
  %d1 = memref.subview %d[0, 0, 1, 0] [1, 4, 1, 3] [1, 1, 1, 1] : memref<1x4x2x3xf32> to memref<1x4x1x3xf32, strided<[24, 6, 3, 1], offset: 3>>
  bufferization.materialize_in_destination %r1 in restrict writable %d1 : (tensor<1x4x1x3xf32>, memref<1x4x1x3xf32, strided<[24, 6, 3, 1], offset: 3>>) -> ()
  %s2 = tensor.extract_slice %x[0, 0, 2, 0] [1, 2, 2, 5] [1, 1, 1, 1] : tensor<1x2x4x5xf32> to tensor<1x2x2x5xf32>
  %r2 = top.Conv2D %s2, %w {pads = array<i64: 0, 0, 1, 0>} : (tensor<1x2x2x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x1x3xf32>
  %d2 = memref.subview %d[0, 0, 1, 0] [1, 4, 1, 3] [1, 1, 1, 1] : memref<1x4x2x3xf32> to memref<1x4x1x3xf32, strided<[24, 6, 3, 1], offset: 3>>
  bufferization.materialize_in_destination %r2 in restrict writable %d2 : (tensor<1x4x1x3xf32>, memref<1x4x1x3xf32, strided<[24, 6, 3, 1], offset: 3>>) -> ()
  return
}

// -----

// The name is taken, by a function with another body.
// CHECK:       func private @g_tile_0_0(
// CHECK-LABEL: func @g(
// CHECK-COUNT-2: call @g_tile_0_0(
// CHECK-LABEL: func private @g_tile_0()
func.func @g(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %d: memref<2x3xf32>, %e: memref<2x3xf32>) {
  %0 = top.MatMul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  bufferization.materialize_in_destination %0 in restrict writable %d : (tensor<2x3xf32>, memref<2x3xf32>) -> ()
  %1 = top.MatMul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  bufferization.materialize_in_destination %1 in restrict writable %e : (tensor<2x3xf32>, memref<2x3xf32>) -> ()
  return
}
func.func private @g_tile_0()

// -----

// A result that is used elsewhere, or stays a tensor, is left alone.
// CHECK-LABEL: func @declines(
// CHECK-COUNT-2: top.MatMul
// CHECK-NOT:     call
func.func @declines(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %d: memref<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = top.MatMul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  bufferization.materialize_in_destination %0 in restrict writable %d : (tensor<2x3xf32>, memref<2x3xf32>) -> ()
  %1 = top.MatMul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
