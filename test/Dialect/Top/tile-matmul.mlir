// RUN: top-opt %s --split-input-file --top-tile="m=16 n=32 batch=1" | FileCheck %s --implicit-check-not=scf.if --implicit-check-not=affine.min --implicit-check-not='?'
// RUN: top-opt %s --split-input-file --top-tile="m=16 n=32 batch=1 form=unroll" | FileCheck %s --check-prefix=UNROLL

// M = 40 in 16, 16, 8; N = 64 in 32, 32: two nests, static shapes in both. K is
// never cut at this level.

// CHECK-LABEL: func.func @plain
// CHECK-SAME:    %[[A:[a-z0-9_]+]]: tensor<40x24xf32>, %[[B:[a-z0-9_]+]]: tensor<24x64xf32>, %[[BIAS:[a-z0-9_]+]]: tensor<64xf32>
// CHECK:       scf.for %[[M:[a-z0-9_]+]] = %c0 to %c32 step %c16
// CHECK:         scf.for %[[N:[a-z0-9_]+]] = %c0 to %c64 step %c32
// CHECK-DAG:       %[[AT:[a-z0-9_]+]] = tensor.extract_slice %[[A]][%[[M]], 0] [16, 24]
// CHECK-DAG:       %[[BT:[a-z0-9_]+]] = tensor.extract_slice %[[B]][0, %[[N]]] [24, 32]
// CHECK-DAG:       %[[BIAST:[a-z0-9_]+]] = tensor.extract_slice %[[BIAS]][%[[N]]] [32]
// CHECK:           top.MatMul %[[AT]], %[[BT]], %[[BIAST]] : {{.*}} -> tensor<16x32xf32>
// CHECK:       scf.for %[[N:[a-z0-9_]+]] = %c0 to %c64 step %c32
// CHECK:         tensor.extract_slice %[[A]][32, 0] [8, 24]
// CHECK:         top.MatMul {{.*}} -> tensor<8x32xf32>

// UNROLL-LABEL:   func.func @plain
// UNROLL-COUNT-6: top.MatMul
// UNROLL-NOT:     top.MatMul
// UNROLL:         return
func.func @plain(%a: tensor<40x24xf32>, %b: tensor<24x64xf32>, %bias: tensor<64xf32>) -> tensor<40x64xf32> {
  %c = top.MatMul %a, %b, %bias : (tensor<40x24xf32>, tensor<24x64xf32>, tensor<64xf32>) -> tensor<40x64xf32>
  return %c : tensor<40x64xf32>
}

// -----

// Both transposed, batched, with a right side shared by the batch.

// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    %[[A:[a-z0-9_]+]]: tensor<3x24x16xf16>, %[[B:[a-z0-9_]+]]: tensor<64x24xf16>
// CHECK:       scf.for %[[I:[a-z0-9_]+]] = %c0 to %c3 step %c1
// M = 16 is one tile; no loop.
// CHECK:         scf.for %[[N:[a-z0-9_]+]] = %c0 to %c64 step %c32
// CHECK-DAG:       tensor.extract_slice %[[A]][%[[I]], 0, 0] [1, 24, 16]
// CHECK-DAG:       tensor.extract_slice %[[B]][%[[N]], 0] [32, 24]
// CHECK:           top.MatMul {{.*}} {transpose_a = true, transpose_b = true} : (tensor<1x24x16xf16>, tensor<32x24xf16>) -> tensor<1x16x32xf32>
func.func @transposed(%a: tensor<3x24x16xf16>, %b: tensor<64x24xf16>) -> tensor<3x16x64xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<3x24x16xf16>, tensor<64x24xf16>) -> tensor<3x16x64xf32>
  return %c : tensor<3x16x64xf32>
}

// -----

// An empty result is left alone.

// CHECK-LABEL: func.func @empty
// CHECK-NOT:   scf.for
// CHECK:       top.MatMul
func.func @empty(%a: tensor<0x24xf32>, %b: tensor<24x64xf32>) -> tensor<0x64xf32> {
  %c = top.MatMul %a, %b : (tensor<0x24xf32>, tensor<24x64xf32>) -> tensor<0x64xf32>
  return %c : tensor<0x64xf32>
}

// -----

// Without depth each tile is its bias (tensors of extent 0 have no slices).

// CHECK-LABEL: func.func @no_depth
// CHECK-SAME:    %[[BIAS:[a-z0-9_]+]]: tensor<64xf32>)
// CHECK:         scf.for
// CHECK:           %[[T:[a-z0-9_]+]] = tensor.extract_slice %[[BIAS]]
// CHECK:           linalg.generic {{.*}} ins(%[[T]] : tensor<32xf32>) outs(%{{.*}} : tensor<16x32xf32>)
func.func @no_depth(%a: tensor<32x0xf32>, %b: tensor<0x64xf32>, %bias: tensor<64xf32>) -> tensor<32x64xf32> {
  %c = top.MatMul %a, %b, %bias : (tensor<32x0xf32>, tensor<0x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
  return %c : tensor<32x64xf32>
}
