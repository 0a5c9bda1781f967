// RUN: top-opt %s --convert-top-to-linalg --split-input-file | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --split-input-file --verify-roundtrip -o /dev/null

// The four transposes of a 2-D product. The plain one has linalg's own maps,
// which are not printed.

// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @plain
// CHECK-SAME: (%[[A:.*]]: tensor<3x5xf32>, %[[B:.*]]: tensor<5x7xf32>)
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<3x7xf32>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-NEXT: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]] : tensor<3x7xf32>)
// CHECK-NEXT: %[[C:.*]] = linalg.matmul ins(%[[A]], %[[B]] : tensor<3x5xf32>, tensor<5x7xf32>) outs(%[[ZEROS]] : tensor<3x7xf32>)
// CHECK-NEXT: return %[[C]]
func.func @plain(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}

// CHECK-LABEL: @transpose_a
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[$KM]], #[[$KN]], #[[$MN]]]
func.func @transpose_a(%a: tensor<5x3xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b {transpose_a = true} : (tensor<5x3xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}

// CHECK-LABEL: @transpose_b
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[$MK]], #[[$NK]], #[[$MN]]]
func.func @transpose_b(%a: tensor<3x5xf32>, %b: tensor<7x5xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<3x5xf32>, tensor<7x5xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}

// CHECK-LABEL: @transpose_both
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[$KM]], #[[$NK]], #[[$MN]]]
func.func @transpose_both(%a: tensor<5x3xf32>, %b: tensor<7x5xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<5x3xf32>, tensor<7x5xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}

// -----

// The same with a batch.

// CHECK-DAG: #[[$BKM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$BMK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$BNK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: @batch
// CHECK: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<2x3x5xf32>, tensor<2x5x7xf32>) outs(%{{.*}} : tensor<2x3x7xf32>)
func.func @batch(%a: tensor<2x3x5xf32>, %b: tensor<2x5x7xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b : (tensor<2x3x5xf32>, tensor<2x5x7xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @batch_transpose_a
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BKM]], #[[$BKN]], #[[$BMN]]]
func.func @batch_transpose_a(%a: tensor<2x5x3xf32>, %b: tensor<2x5x7xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_a = true} : (tensor<2x5x3xf32>, tensor<2x5x7xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @batch_transpose_b
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BMK]], #[[$BNK]], #[[$BMN]]]
func.func @batch_transpose_b(%a: tensor<2x3x5xf32>, %b: tensor<2x7x5xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<2x3x5xf32>, tensor<2x7x5xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @batch_transpose_both
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BKM]], #[[$BNK]], #[[$BMN]]]
func.func @batch_transpose_both(%a: tensor<2x5x3xf32>, %b: tensor<2x7x5xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<2x5x3xf32>, tensor<2x7x5xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// -----

// A shared rhs is read through a map without batch, and never copied.

// CHECK-DAG: #[[$BKM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$BMK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: @shared
// CHECK-SAME: (%[[A:.*]]: tensor<2x3x5xf32>, %[[B:.*]]: tensor<5x7xf32>)
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BMK]], #[[$KN]], #[[$BMN]]] ins(%[[A]], %[[B]] :
func.func @shared(%a: tensor<2x3x5xf32>, %b: tensor<5x7xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b : (tensor<2x3x5xf32>, tensor<5x7xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @shared_transpose_a
// CHECK-SAME: (%[[A:.*]]: tensor<2x5x3xf32>, %[[B:.*]]: tensor<5x7xf32>)
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BKM]], #[[$KN]], #[[$BMN]]] ins(%[[A]], %[[B]] :
func.func @shared_transpose_a(%a: tensor<2x5x3xf32>, %b: tensor<5x7xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_a = true} : (tensor<2x5x3xf32>, tensor<5x7xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @shared_transpose_b
// CHECK-SAME: (%[[A:.*]]: tensor<2x3x5xf16>, %[[B:.*]]: tensor<7x5xf16>)
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.contract indexing_maps = [#[[$BMK]], #[[$NK]], #[[$BMN]]] ins(%[[A]], %[[B]] : {{.*}}) outs(%{{.*}} : tensor<2x3x7xf32>)
func.func @shared_transpose_b(%a: tensor<2x3x5xf16>, %b: tensor<7x5xf16>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<2x3x5xf16>, tensor<7x5xf16>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @shared_transpose_both
// CHECK-SAME: (%[[A:.*]]: tensor<2x5x3xf32>, %[[B:.*]]: tensor<7x5xf32>)
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.contract indexing_maps = [#[[$BKM]], #[[$NK]], #[[$BMN]]] ins(%[[A]], %[[B]] :
func.func @shared_transpose_both(%a: tensor<2x5x3xf32>, %b: tensor<7x5xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<2x5x3xf32>, tensor<7x5xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// -----

// f32 sums of 16-bit products; bias along the columns; one rounding.

// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$N:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @bf16_bias
// CHECK-SAME: %[[B:[^:]*]]: tensor<7xf32>)
// CHECK: %[[SUMS:.*]] = linalg.matmul ins({{.*}} : tensor<3x5xbf16>, tensor<5x7xbf16>) outs(%{{.*}} : tensor<3x7xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[$MN]], #[[$N]], #[[$MN]]], {{.*}}} ins(%[[SUMS]], %[[B]] : {{.*}}) outs(%{{.*}} : tensor<3x7xbf16>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[V:.*]]: f32, %{{.*}}: bf16):
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[S]], %[[V]] : f32
// CHECK-NEXT: arith.truncf %[[R]] : f32 to bf16
func.func @bf16_bias(%a: tensor<3x5xbf16>, %b: tensor<5x7xbf16>, %v: tensor<7xf32>) -> tensor<3x7xbf16> {
  %c = top.MatMul %a, %b, %v : (tensor<3x5xbf16>, tensor<5x7xbf16>, tensor<7xf32>) -> tensor<3x7xbf16>
  return %c : tensor<3x7xbf16>
}

// -----

// CHECK-LABEL: @f64
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<3x7xf64>)
func.func @f64(%a: tensor<3x5xf64>, %b: tensor<5x7xf64>) -> tensor<3x7xf64> {
  %c = top.MatMul %a, %b : (tensor<3x5xf64>, tensor<5x7xf64>) -> tensor<3x7xf64>
  return %c : tensor<3x7xf64>
}

// -----

// K = 0 is zeros ...

// CHECK-LABEL: @empty_sum
// CHECK-NOT: linalg.matmul
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f16
// CHECK: %[[C:.*]] = linalg.fill ins(%[[ZERO]] : f16) outs(%{{.*}} : tensor<3x7xf16>)
// CHECK: return %[[C]]
func.func @empty_sum(%a: tensor<3x0xf16>, %b: tensor<0x7xf16>) -> tensor<3x7xf16> {
  %c = top.MatMul %a, %b : (tensor<3x0xf16>, tensor<0x7xf16>) -> tensor<3x7xf16>
  return %c : tensor<3x7xf16>
}

// ... or the bias and what the steps make of it.

// CHECK-LABEL: @empty_sum_bias
// CHECK-SAME: %[[B:[^:]*]]: tensor<7xf16>)
// CHECK-NOT: linalg.batch_matmul
// CHECK: linalg.generic {{.*}} ins(%[[B]] : tensor<7xf16>) outs(%{{.*}} : tensor<2x3x7xf16>)
// CHECK: arith.maximumf
func.func @empty_sum_bias(%a: tensor<2x3x0xf16>, %b: tensor<2x0x7xf16>, %v: tensor<7xf16>) -> tensor<2x3x7xf16> {
  %c = top.MatMul %a, %b, %v {epilogue = [#top.step<relu>]} : (tensor<2x3x0xf16>, tensor<2x0x7xf16>, tensor<7xf16>) -> tensor<2x3x7xf16>
  return %c : tensor<2x3x7xf16>
}

// -----

// M or N of 0 needs no case of its own.

// CHECK-LABEL: @empty_result
// CHECK: linalg.matmul ins({{.*}}) outs(%{{.*}} : tensor<0x7xf32>)
func.func @empty_result(%a: tensor<0x5xf32>, %b: tensor<5x7xf32>) -> tensor<0x7xf32> {
  %c = top.MatMul %a, %b : (tensor<0x5xf32>, tensor<5x7xf32>) -> tensor<0x7xf32>
  return %c : tensor<0x7xf32>
}
