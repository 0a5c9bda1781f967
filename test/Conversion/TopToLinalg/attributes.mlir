// RUN: top-opt %s --convert-top-to-linalg | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --verify-roundtrip -o /dev/null
// The pass runs on a function as well.
// RUN: top-opt %s --pass-pipeline='builtin.module(func.func(convert-top-to-linalg))' | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// Discardable attributes go to the op that multiplies, and to no other;
// allow_tf32 becomes one of them.

// CHECK-LABEL: @conv
// CHECK-NOT: test.note
// CHECK: linalg.conv_2d_nchw_fchw {{{.*}}strides = dense<1> : tensor<2xi64>, test.note = 7 : i64, top.allow_tf32}
// CHECK-NOT: test.note
// CHECK: return
// Every op that the lowering makes has the layer op's place.
// LOC-LABEL: @conv
// LOC-NOT: loc("elsewhere")
// LOC: tensor.empty() {{.*}} loc("here")
// LOC: linalg.fill {{.*}} loc("here")
// LOC: linalg.conv_2d_nchw_fchw {{.*}} loc("here")
// LOC: linalg.generic
// LOC: arith.addf {{.*}} loc("here")
// LOC: return {{.*}} loc("elsewhere")
func.func @conv(%x: tensor<1x3x7x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x5x5xf32> {
  %y = top.Conv2D %x, %w, %b {allow_tf32, test.note = 7 : i64} : (tensor<1x3x7x7xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x5x5xf32> loc("here")
  return %y : tensor<1x4x5x5xf32> loc("elsewhere")
}

// CHECK-LABEL: @grouped
// CHECK: linalg.conv_2d_ngchw_gfchw {{{.*}}test.note = 7 : i64}
func.func @grouped(%x: tensor<1x6x7x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x5x5xf32> {
  %y = top.Conv2D %x, %w {group = 2, test.note = 7 : i64} : (tensor<1x6x7x7xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %y : tensor<1x4x5x5xf32>
}

// CHECK-LABEL: @depthwise
// CHECK: linalg.depthwise_conv_2d_nchw_chw {{{.*}}test.note = 7 : i64}
func.func @depthwise(%x: tensor<1x4x7x7xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x4x5x5xf32> {
  %y = top.Conv2D %x, %w {group = 4, test.note = 7 : i64} : (tensor<1x4x7x7xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %y : tensor<1x4x5x5xf32>
}

// CHECK-LABEL: @matmul
// CHECK: linalg.matmul {test.note = 7 : i64} ins
func.func @matmul(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b {test.note = 7 : i64} : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}

// CHECK-LABEL: @batch
// CHECK: linalg.batch_matmul {test.note = 7 : i64} ins
func.func @batch(%a: tensor<2x3x5xf32>, %b: tensor<2x5x7xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {test.note = 7 : i64} : (tensor<2x3x5xf32>, tensor<2x5x7xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// CHECK-LABEL: @shared
// CHECK: linalg.contract {{.*}} {test.note = 7 : i64, top.allow_tf32} ins
func.func @shared(%a: tensor<2x3x5xf32>, %b: tensor<7x5xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, allow_tf32, test.note = 7 : i64} : (tensor<2x3x5xf32>, tensor<7x5xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// Nothing of `top`: nothing happens.

// CHECK-LABEL: @other
// CHECK-NEXT: %[[C:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x5xf32>, tensor<5x7xf32>) outs(%{{.*}} : tensor<3x7xf32>)
// CHECK-NEXT: return %[[C]]
func.func @other(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %o: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%o : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}
