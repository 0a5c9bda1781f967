// RUN: top-opt %s --top-tile-to-blocks --split-input-file | FileCheck %s
// RUN: top-opt %s --top-tile-to-blocks --split-input-file --remark-format=emitRemark --remarks-filter=top-tile-to-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Blocks over M and N, a loop over K. What does not divide is a slice of the
// rest, of a dynamic size; tiles keep theirs.
// CHECK-DAG: #[[$M:.*]] = affine_map<(d0) -> (64, -d0 + 100)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0) -> (16, -d0 + 72)>
// CHECK-LABEL: func @edges
// CHECK-SAME: %[[A:.*]]: tensor<100x72xf32>, %[[B:.*]]: tensor<72x128xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<100x128xf32>
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (100, 128) step (64, 64) shared_outs(%[[O:.*]] = %[[E]])
// CHECK: %[[ROWS:.*]] = affine.min #[[$M]](%[[I]])
// CHECK: %[[ZERO:.*]] = top.tile_zero : !top.tile<block 64x64xf32>
// CHECK: %[[SUM:.*]] = scf.for %[[KK:.*]] = %c0 to %c72 step %c16 iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK: %[[DEPTH:.*]] = affine.min #[[$K]](%[[KK]])
// CHECK: %[[SA:.*]] = tensor.extract_slice %[[A]][%[[I]], %[[KK]]] [%[[ROWS]], %[[DEPTH]]] [1, 1] : tensor<100x72xf32> to tensor<?x?xf32>
// CHECK: %[[TA:.*]] = top.tile_load %[[SA]] : tensor<?x?xf32> -> !top.tile<block 64x16xf32>
// CHECK: %[[SB:.*]] = tensor.extract_slice %[[B]][%[[KK]], %[[J]]] [%[[DEPTH]], 64] [1, 1] : tensor<72x128xf32> to tensor<?x64xf32>
// CHECK: %[[TB:.*]] = top.tile_load %[[SB]] : tensor<?x64xf32> -> !top.tile<block 16x64xf32>
// CHECK: %[[P:.*]] = top.tile_mma %[[TA]], %[[TB]], %[[ACC]] :
// CHECK: scf.yield %[[P]]
// CHECK: %[[D:.*]] = tensor.extract_slice %[[O]][%[[I]], %[[J]]] [%[[ROWS]], 64]
// CHECK: %[[S:.*]] = top.tile_store %[[SUM]] into %[[D]] {
// CHECK: top.yield %{{.*}} : f32
// CHECK: tensor.parallel_insert_slice %[[S]] into %[[O]][%[[I]], %[[J]]]
// CHECK: mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = simt, block = [64, 64, 16]
// REMARK: [Passed] Blocks | Category:top-tile-to-blocks | Function=edges | Remark="4 blocks of 64x64, 16 along K a step"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @edges(%a: tensor<100x72xf32>, %b: tensor<72x128xf32>) -> tensor<100x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<100x128xf32>) -> tensor<100x128xf32>
  %c = linalg.matmul {top.schedule = #s} ins(%a, %b : tensor<100x72xf32>, tensor<72x128xf32>) outs(%init : tensor<100x128xf32>) -> tensor<100x128xf32>
  return %c : tensor<100x128xf32>
}

// -----

// Both transposed, a batch whose right side is shared, sums of 16-bit operands
// in f32; the bias and the rounding are fused into the store.
// CHECK-DAG: #[[$COL:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @batch
// CHECK-SAME: %[[A:.*]]: tensor<5x72x64xf16>, %[[B:.*]]: tensor<64x72xf16>, %[[BIAS:.*]]: tensor<64xf32>
// CHECK: scf.forall (%[[N:.*]], %[[I:.*]], %[[J:.*]]) = (0, 0, 0) to (5, 64, 64) step (1, 64, 64)
// CHECK: tensor.extract_slice %[[A]][%[[N]], %[[K:.*]], 0] [1, %{{.*}}, 64] [1, 1, 1] : tensor<5x72x64xf16> to tensor<?x64xf16>
// CHECK: top.tile_load {{.*}} -> !top.tile<block 16x64xf16>
// CHECK: tensor.extract_slice %[[B]][0, %[[K]]] [64, %{{.*}}] [1, 1]
// CHECK: top.tile_load {{.*}} -> !top.tile<block 64x16xf16>
// CHECK: top.tile_mma {{.*}} {transpose_a, transpose_b} : !top.tile<block 16x64xf16>, !top.tile<block 64x16xf16> -> !top.tile<block 64x64xf32>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[BIAS]][0] [64] [1]
// CHECK: top.tile_store %{{.*}} into %{{.*}} ins(%[[SLICE]] : tensor<64xf32>) maps [#[[$COL]]] {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK-NEXT: top.yield %[[R]] : f16
// CHECK: mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]
// REMARK: Function=batch | Remark="5 blocks of 64x64, 16 along K a step"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
#lhs = affine_map<(n, i, j, k) -> (n, k, i)>
#rhs = affine_map<(n, i, j, k) -> (j, k)>
#out = affine_map<(n, i, j, k) -> (n, i, j)>
#id = affine_map<(n, i, j) -> (n, i, j)>
#col = affine_map<(n, i, j) -> (j)>
func.func @batch(%a: tensor<5x72x64xf16>, %b: tensor<64x72xf16>, %bias: tensor<64xf32>) -> tensor<5x64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x64x64xf32>) -> tensor<5x64x64xf32>
  %c = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<5x72x64xf16>, tensor<64x72xf16>) outs(%init : tensor<5x64x64xf32>) attrs = {top.schedule = #s} {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %xx = arith.extf %x : f16 to f32
    %yy = arith.extf %y : f16 to f32
    %p = arith.mulf %xx, %yy : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<5x64x64xf32>
  %r = tensor.empty() : tensor<5x64x64xf16>
  %d = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %bias : tensor<5x64x64xf32>, tensor<64xf32>) outs(%r : tensor<5x64x64xf16>) {
  ^bb0(%x: f32, %y: f32, %z: f16):
    %p = arith.addf %x, %y : f32
    %q = arith.truncf %p : f32 to f16
    linalg.yield %q : f16
  } -> tensor<5x64x64xf16>
  return %d : tensor<5x64x64xf16>
}

// -----

// A product whose result is used twice keeps its kernel to itself; the elementwise
// op behind it has one of its own.
// CHECK-LABEL: func @two_users
// CHECK: %[[C:.*]] = scf.forall
// CHECK: %[[D:.*]] = scf.forall
// CHECK: return %[[C]], %[[D]]
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
#id = affine_map<(i, j) -> (i, j)>
func.func @two_users(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul {top.schedule = #s} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %q = arith.negf %x : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  return %c, %d : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// K = 0: a scheduled fill is a kernel that multiplies nothing.
// CHECK-LABEL: func @fill
// CHECK: scf.forall
// CHECK-NOT: top.tile_load
// CHECK-NOT: top.tile_mma
// CHECK: top.tile_map into %{{.*}} {
// CHECK: top.yield %cst : f32
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @fill() -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill {top.schedule = #s} ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %init : tensor<64x64xf32>
}

// -----

// Nothing is scheduled: nothing is done, and a remark says so.
// CHECK-LABEL: func @plain
// CHECK: linalg.matmul
// CHECK-NOT: scf.forall
// REMARK: [Missed] NoSchedule | Category:top-tile-to-blocks | Function=plain | Reason="no linalg op carries top.schedule"
func.func @plain(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
