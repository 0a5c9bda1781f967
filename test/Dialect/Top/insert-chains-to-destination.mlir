// RUN: top-opt %s --split-input-file --top-insert-chains-to-destination | FileCheck %s
// RUN: top-opt %s --split-input-file --top-insert-chains-to-destination="min-length=3" | FileCheck %s --check-prefix=MIN3
// RUN: top-opt %s --split-input-file --top-insert-chains-to-destination --remark-format=emitRemark --remarks-filter=top-insert-chains-to-destination -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not top-opt %s --split-input-file --top-insert-chains-to-destination="min-length=0" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: expected 'min-length' to be at least 1, got 0

// Each source is written to its place, in order, and the result is the buffer.
// CHECK-LABEL: func @straight(
// CHECK-SAME:    %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK:         %[[M:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         %[[S0:.*]] = memref.subview %[[M]][0] [4] [1]
// CHECK:         bufferization.materialize_in_destination %[[A]] in restrict writable %[[S0]]
// CHECK:         %[[S1:.*]] = memref.subview %[[M]][4] [4] [1]
// CHECK:         bufferization.materialize_in_destination %[[B]] in restrict writable %[[S1]]
// CHECK:         %[[R:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return %[[R]]
// REMARK: [Passed] Chain {{.*}} Function=straight {{.*}}a chain of 2 tensor.insert_slice writes into one buffer
// MIN3-LABEL: func @straight(
// MIN3-COUNT-2: tensor.insert_slice
// MIN3-NOT:     memref.alloc
func.func @straight(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// A loop nest that hands the value on is a link; it keeps its other values and
// loses this one.
// CHECK-LABEL: func @through_loops(
// CHECK:         %[[M:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK:         bufferization.materialize_in_destination
// CHECK:         %[[N:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (index)
// CHECK:           scf.for %[[J:.*]] = {{[^(]*}} {
// CHECK:             %[[S:.*]] = memref.subview %[[M]][%{{.*}}, %[[J]]] [1, 2] [1, 1]
// CHECK:             bufferization.materialize_in_destination %{{.*}} in restrict writable %[[S]]
// CHECK:         %[[R:.*]] = bufferization.to_tensor %[[M]]
// CHECK:         return %[[R]], %[[N]]
func.func @through_loops(%a: tensor<1x8xf32>, %x: tensor<1x2xf32>) -> (tensor<8x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
  %1:2 = scf.for %i = %c1 to %c8 step %c1 iter_args(%p = %0, %n = %c0) -> (tensor<8x8xf32>, index) {
    %2 = scf.for %j = %c0 to %c8 step %c2 iter_args(%q = %p) -> (tensor<8x8xf32>) {
      %t = linalg.exp ins(%x : tensor<1x2xf32>) outs(%x : tensor<1x2xf32>) -> tensor<1x2xf32>
      %3 = tensor.insert_slice %t into %q[%i, %j] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<8x8xf32>
      scf.yield %3 : tensor<8x8xf32>
    }
    %m = arith.addi %n, %c1 : index
    scf.yield %2, %m : tensor<8x8xf32>, index
  }
  return %1#0, %1#1 : tensor<8x8xf32>, index
}

// -----

// A tile that was tiled again is computed in the buffer of the whole.
// CHECK-LABEL: func @chain_in_chain(
// CHECK:         %[[M:.*]] = memref.alloc() : memref<8x4xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %[[I:.*]] = 
// CHECK:           %[[T:.*]] = memref.subview %[[M]][%[[I]], 0] [2, 4] [1, 1]
// CHECK:           memref.subview %[[T]][0, 0] [1, 4] [1, 1]
// CHECK:           bufferization.materialize_in_destination
// CHECK:           memref.subview %[[T]][1, 0] [1, 4] [1, 1]
// CHECK:           bufferization.materialize_in_destination
// CHECK:         memref.subview %[[M]][6, 0] [1, 4] [1, 1]
// CHECK-NEXT:    bufferization.materialize_in_destination
// CHECK-NEXT:    bufferization.to_tensor %[[M]]
func.func @chain_in_chain(%a: tensor<1x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = scf.for %i = %c0 to %c6 step %c2 iter_args(%p = %e) -> (tensor<8x4xf32>) {
    %f = tensor.empty() : tensor<2x4xf32>
    %1 = tensor.insert_slice %a into %f[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
    %2 = tensor.insert_slice %a into %1[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
    %3 = tensor.insert_slice %2 into %p[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
    scf.yield %3 : tensor<8x4xf32>
  }
  %4 = tensor.insert_slice %a into %0[6, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}

// -----

// The second write of the outer chain overlaps the place of the inner chain,
// whose own writes must stay behind it: no forwarding.
// CHECK-LABEL: func @overlap(
// CHECK-COUNT-2: memref.alloc
func.func @overlap(%a: tensor<2xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %1 = tensor.insert_slice %a into %f[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %0 = tensor.insert_slice %b into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %a into %1[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %3 = tensor.insert_slice %2 into %0[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// Reading a value between ends the chain there, and two that are left are too
// short.
// CHECK-LABEL: func @read_between(
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT:     memref.alloc
// REMARK: [Missed] Chain {{.*}} Function=read_between {{.*}}a chain of 1 tensor.insert_slice is left to bufferization: 'min-length' is 2
func.func @read_between(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<2xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %s = tensor.extract_slice %0[1] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1, %s : tensor<8xf32>, tensor<2xf32>
}

// -----

// A source with other uses may not be computed in the buffer, which later ops
// may overwrite: no 'restrict'.
// CHECK-LABEL: func @source_is_used(
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable
func.func @source_is_used(%a: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %t into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %t into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1, %t : tensor<8xf32>, tensor<4xf32>
}

// -----

// Sizes that are not static come from the tensor.empty; ranks may be reduced.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %{{.*}}: tensor<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK:         %[[B:.*]] = memref.alloc(%[[M]]) : memref<2x?xf32>
// CHECK:         memref.subview %[[B]][0, 0] [1, %[[N]]] [1, 1] : memref<2x?xf32> to memref<?xf32, strided<[1]>>
// CHECK:         memref.subview %[[B]][1, 0] [1, %[[N]]] [1, 1] : memref<2x?xf32> to memref<?xf32, strided<[1], offset: ?>>
func.func @dynamic(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<2x?xf32> {
  %e = tensor.empty(%m) : tensor<2x?xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<2x?xf32>
  %1 = tensor.insert_slice %a into %0[1, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}

// -----

// A start with values would be copied, which a short chain is not worth; the
// loop reads what it is handed, so that it is no link.
// CHECK-LABEL: func @starts_from_values(
// CHECK-NOT:     memref.alloc
// REMARK: [Missed] Chain {{.*}} Function=starts_from_values {{.*}}a chain of 2 tensor.insert_slice is left to bufferization: it starts from values that would have to be copied
func.func @starts_from_values(%d: tensor<8xf32>, %a: tensor<4xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.insert_slice %a into %d[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %a into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %1) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %p[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %3 = tensor.insert_slice %s into %p[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  return %2 : tensor<8xf32>
}

// -----

// An encoding has no buffer type of ours.
// CHECK-LABEL: func @encoding(
// CHECK-NOT:     memref.alloc
func.func @encoding(%a: tensor<4xf32>) -> tensor<8xf32, "packed"> {
  %e = tensor.empty() : tensor<8xf32, "packed">
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32, "packed">
  %1 = tensor.insert_slice %a into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32, "packed">
  return %1 : tensor<8xf32, "packed">
}
