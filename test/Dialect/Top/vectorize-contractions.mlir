// RUN: top-opt %s --split-input-file --top-vectorize-contractions="vector-bits=512" --canonicalize --cse | FileCheck %s
// RUN: top-opt %s --split-input-file --top-vectorize-contractions --canonicalize --cse | FileCheck %s --check-prefix=BITS256
// RUN: top-opt %s --split-input-file --top-vectorize-contractions="vector-bits=512" --remark-format=emitRemark --remarks-filter=top-vectorize-contractions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not top-opt %s --split-input-file --top-vectorize-contractions="vector-bits=96" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: expected 'vector-bits' to be a power of two of at least 64, got 96

// 8 filters by 2 vectors of a row; the reduction carries the accumulators and
// the result is written once. 21 columns are a vector and 5 lanes of one of 8.
// CHECK-LABEL: func @conv(
// CHECK-SAME:    %[[X:.*]]: memref<1x3x9x23xf32>, %[[W:.*]]: memref<16x3x3x3xf32>, %[[Y:.*]]: memref<1x16x7x21xf32>)
// CHECK-NOT:     linalg
// CHECK:         %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, false, false, false]>
// CHECK:         scf.for %[[F:.*]] = {{.*}} step %c8
// CHECK:           scf.for %[[OH:.*]] = 
// CHECK:             vector.load %[[Y]][%{{.*}}, %[[F]], %[[OH]], %{{.*}}] : memref<1x16x7x21xf32>, vector<16xf32>
// CHECK:             vector.maskedload %[[Y]]{{.*}} : memref<1x16x7x21xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK:             scf.for {{.*}} -> (vector<16xf32>, vector<8xf32>, vector<16xf32>,
// CHECK:               vector.load %[[X]]{{.*}} vector<16xf32>
// CHECK:               vector.maskedload %[[X]]{{.*}} vector<8xf32>
// CHECK:               %[[S:.*]] = memref.load %[[W]]
// CHECK:               %[[B:.*]] = vector.broadcast %[[S]] : f32 to vector<16xf32>
// CHECK:               %[[P:.*]] = arith.mulf %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK:               arith.addf %{{.*}}, %[[P]] fastmath<contract> : vector<16xf32>
// CHECK:               scf.yield
// CHECK:             vector.store %{{.*}}, %[[Y]]
// CHECK:             vector.maskedstore %[[Y]]
// BITS256-LABEL: func @conv(
// BITS256-NOT:     vector<16xf32>
// BITS256:         vector<8xf32>
// REMARK: [Passed] Contraction {{.*}} Function=conv {{.*}}8 x 2 vectors of 16 lanes in registers"
func.func @conv(%x: memref<1x3x9x23xf32>, %w: memref<16x3x3x3xf32>, %y: memref<1x16x7x21xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<1x3x9x23xf32>, memref<16x3x3x3xf32>) outs(%y : memref<1x16x7x21xf32>)
  return
}

// -----

// Stride 2: two loads and a shuffle give the even elements, and nothing behind
// the last one is read.
// CHECK-LABEL: func @stride2(
// CHECK:         %[[LOW:.*]] = vector.load %{{.*}} : memref<1x1x1x31xf32>, vector<16xf32>
// CHECK:         %[[HIGH:.*]] = vector.load %{{.*}}, %c15] : memref<1x1x1x31xf32>, vector<16xf32>
// CHECK:         vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31]
func.func @stride2(%x: memref<1x1x1x31xf32>, %w: memref<1x1x1x1xf32>, %y: memref<1x1x1x16xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<1x1x1x31xf32>, memref<1x1x1x1xf32>) outs(%y : memref<1x1x1x16xf32>)
  return
}

// -----

// bf16 is read as it is and summed in f32; a transposed operand with many uses
// is packed, in f32, in a buffer that is freed.
// CHECK-LABEL: func @packed(
// CHECK-SAME:    %[[A:.*]]: memref<64x32xbf16>, %[[B:.*]]: memref<128x32xbf16>, %{{.*}}: memref<64x128xf32>)
// CHECK:         %[[PANEL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<32x64xf32>
// CHECK:         scf.for %{{.*}} step %c64
// CHECK:           scf.for %[[K:.*]] = 
// CHECK:             vector.from_elements {{.*}} : vector<16xbf16>
// CHECK:             arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK:             vector.store %{{.*}}, %[[PANEL]][%[[K]], %{{.*}}]
// CHECK:           scf.for %{{.*}} step %c4
// CHECK:             scf.for
// CHECK:               vector.load %[[PANEL]]
// CHECK:         memref.dealloc %[[PANEL]]
// REMARK: [Passed] Contraction {{.*}} Function=packed {{.*}}4 x 4 vectors of 16 lanes in registers, one operand packed"
func.func @packed(%a: memref<64x32xbf16>, %b: memref<128x32xbf16>, %c: memref<64x128xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<64x32xbf16>, memref<128x32xbf16>) outs(%c : memref<64x128xf32>)
  return
}

// -----

// Dynamic sizes: blocks, then vectors, then single columns; rows likewise.
// CHECK-DAG: #[[$BLOCKS:.*]] = affine_map<()[s0] -> ((s0 floordiv 32) * 32)>
// CHECK-DAG: #[[$VECTORS:.*]] = affine_map<()[s0] -> ((s0 floordiv 16) * 16)>
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %{{.*}}, %{{.*}}, %[[C:.*]]: memref<?x?xf32>)
// CHECK:         affine.apply #[[$BLOCKS]]
// CHECK:         affine.apply #[[$VECTORS]]
// CHECK:         scf.for {{.*}} step %c32
// CHECK:         scf.for {{.*}} step %c16
// CHECK:         scf.for {{.*}} step %c1{{ }}
// CHECK:           vector.store %{{.*}}, %[[C]]{{.*}} vector<1xf32>
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// CHECK-LABEL: func @columns_apart(
// CHECK:         linalg.matmul
// REMARK: [Missed] Contraction {{.*}} Function=columns_apart {{.*}}left to scalar loops: expected a result that is contiguous in its last dimension
func.func @columns_apart(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32, strided<[1, 4]>>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32, strided<[1, 4]>>)
  return
}

// -----

// CHECK-LABEL: func @not_a_product(
// CHECK:         linalg.pooling_nchw_max
// REMARK: [Missed] Contraction {{.*}} Function=not_a_product {{.*}}left to scalar loops: expected a sum of products
func.func @not_a_product(%x: memref<1x2x8x8xf32>, %w: memref<2x2xf32>, %y: memref<1x2x7x7xf32>) {
  linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x2x8x8xf32>, memref<2x2xf32>) outs(%y : memref<1x2x7x7xf32>)
  return
}

// -----

// CHECK-LABEL: func @f16_sum(
// CHECK:         linalg.matmul
// REMARK: [Missed] Contraction {{.*}} Function=f16_sum {{.*}}left to scalar loops: expected a result of f32, f64 or i32
func.func @f16_sum(%a: memref<4x4xf16>, %b: memref<4x4xf16>, %c: memref<4x4xf16>) {
  linalg.matmul ins(%a, %b : memref<4x4xf16>, memref<4x4xf16>) outs(%c : memref<4x4xf16>)
  return
}

// -----

// Bytes: loaded as such, extended with their sign, summed in i32.
// CHECK-LABEL: func @bytes(
// CHECK-SAME:    %[[A:.*]]: memref<4x8xi8>, %[[B:.*]]: memref<8x16xi8>, %[[C:.*]]: memref<4x16xi32>)
// CHECK-NOT:     linalg
// CHECK:         vector.load %[[C]]{{.*}} : memref<4x16xi32>, vector<16xi32>
// CHECK:         %[[ROW:.*]] = vector.load %[[B]]{{.*}} : memref<8x16xi8>, vector<16xi8>
// CHECK:         arith.extsi %[[ROW]] : vector<16xi8> to vector<16xi32>
// CHECK:         %[[X:.*]] = memref.load %[[A]]{{.*}} : memref<4x8xi8>
// CHECK:         arith.extsi %[[X]] : i8 to i32
// CHECK:         %[[P:.*]] = arith.muli {{.*}} : vector<16xi32>
// CHECK:         arith.addi %{{.*}}, %[[P]] : vector<16xi32>
// REMARK: [Passed] Contraction {{.*}} Function=bytes {{.*}}8 x 1 vectors of 16 lanes in registers"
func.func @bytes(%a: memref<4x8xi8>, %b: memref<8x16xi8>, %c: memref<4x16xi32>) {
  linalg.matmul ins(%a, %b : memref<4x8xi8>, memref<8x16xi8>) outs(%c : memref<4x16xi32>)
  return
}

// -----

// CHECK-LABEL: func @f8(
// CHECK-NOT:     linalg
// CHECK:         %[[ROW:.*]] = vector.maskedload {{.*}} : memref<8x13xf8E4M3FN>, vector<16xi1>, vector<16xf8E4M3FN> into vector<16xf8E4M3FN>
// CHECK:         arith.extf %[[ROW]] : vector<16xf8E4M3FN> to vector<16xf32>
// REMARK: [Passed] Contraction {{.*}} Function=f8
func.func @f8(%a: memref<4x8xf8E4M3FN>, %b: memref<8x13xf8E4M3FN>, %c: memref<4x13xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf8E4M3FN>, memref<8x13xf8E4M3FN>) outs(%c : memref<4x13xf32>)
  return
}

// -----

// Unsigned bytes are not what is extended here.
// CHECK-LABEL: func @unsigned(
// CHECK:         linalg.matmul
// REMARK: [Missed] Contraction {{.*}} Function=unsigned {{.*}}left to scalar loops: expected a sum of products
func.func @unsigned(%a: memref<4x4xi8>, %b: memref<4x4xi8>, %c: memref<4x4xi32>) {
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<4x4xi8>, memref<4x4xi8>) outs(%c : memref<4x4xi32>)
  return
}
