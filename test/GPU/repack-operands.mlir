// RUN: top-opt %s --split-input-file --top-repack-operands | FileCheck %s
// RUN: top-opt %s --split-input-file --top-repack-operands --remark-format=emitRemark --remarks-filter=top-repack-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Rows of 51 x 2 bytes begin at multiples of 2 bytes; those of the copy, of
// 56 x 2, at multiples of 16. The right side's rows of 64 x 2 do already.

// CHECK-LABEL: func.func @lhs
// CHECK-SAME:    %[[A:.*]]: tensor<64x51xf16>, %[[B:.*]]: tensor<51x64xf16>
// CHECK:         %[[SPACE:.*]] = bufferization.alloc_tensor() : tensor<64x56xf16>
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[SPACE]][0, 0] [64, 51] [1, 1]
// CHECK:         %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<64x51xf16>) outs(%[[PART]] : tensor<64x51xf16>) attrs = {top.schedule
// CHECK:         %[[WHOLE:.*]] = tensor.insert_slice %[[COPY]] into %[[SPACE]][0, 0] [64, 51] [1, 1]
// CHECK:         %[[A2:.*]] = tensor.extract_slice %[[WHOLE]][0, 0] [64, 51] [1, 1]
// CHECK:         linalg.matmul {{.*}} ins(%[[A2]], %[[B]]
// REMARK: remark: [Passed] Repacked | Category:top-repack-operands | Function=lhs | Remark="1 operands copied to rows that begin at multiples of 16 bytes"
func.func @lhs(%a: tensor<64x51xf16>, %b: tensor<51x64xf16>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<64x51xf16>, tensor<51x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Both, and a batch.

// CHECK-LABEL: func.func @both
// CHECK:         bufferization.alloc_tensor() : tensor<3x7x12xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK:         bufferization.alloc_tensor() : tensor<3x9x8xf32>
// REMARK: [Passed] Repacked | {{.*}}Function=both | Remark="2 operands
func.func @both(%a: tensor<3x7x9xf32>, %b: tensor<3x9x5xf32>, %init: tensor<3x7x5xf32>) -> tensor<3x7x5xf32> {
  %c = linalg.batch_matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<3x7x9xf32>, tensor<3x9x5xf32>) outs(%init : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  return %c : tensor<3x7x5xf32>
}

// -----

// Not where the schedule does not ask for it, nor where rows are aligned.

// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     bufferization.alloc_tensor
// REMARK: [Missed] NothingToRepack | {{.*}}Function=narrow | Reason="no schedule asks for it for an operand of unaligned rows"
func.func @narrow(%a: tensor<64x51xf16>, %b: tensor<51x64xf16>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = linalg.matmul {top.schedule = #top.schedule<>} ins(%a, %b : tensor<64x51xf16>, tensor<51x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func.func @aligned
// CHECK-NOT:     bufferization.alloc_tensor
// REMARK: [Missed] NothingToRepack | {{.*}}Function=aligned
func.func @aligned(%a: tensor<64x48xf16>, %b: tensor<48x64xf16>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<64x48xf16>, tensor<48x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// Bytes: rows of 51 become rows of 64.

// CHECK-LABEL: func.func @bytes
// CHECK:         bufferization.alloc_tensor() : tensor<64x64xi8>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<64x51xi8>) outs(%{{.*}} : tensor<64x51xi8>) attrs = {top.schedule
// REMARK: [Passed] Repacked | {{.*}}Function=bytes | Remark="1 operands
func.func @bytes(%a: tensor<64x51xi8>, %b: tensor<51x64xi8>, %init: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %c = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<64x51xi8>, tensor<51x64xi8>) outs(%init : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

// CHECK-LABEL: func.func @short_floats
// CHECK:         bufferization.alloc_tensor() : tensor<17x16xf8E5M2>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<17x9xf8E5M2>)
// REMARK: [Passed] Repacked | {{.*}}Function=short_floats | Remark="1 operands
func.func @short_floats(%a: tensor<17x9xf8E5M2>, %b: tensor<9x64xf8E5M2>, %init: tensor<17x64xf32>) -> tensor<17x64xf32> {
  %d = linalg.matmul {top.schedule = #top.schedule<repack = true>} ins(%a, %b : tensor<17x9xf8E5M2>, tensor<9x64xf8E5M2>) outs(%init : tensor<17x64xf32>) -> tensor<17x64xf32>
  return %d : tensor<17x64xf32>
}
