// RUN: top-opt %s --top-tile-to-blocks --split-input-file | FileCheck %s
// RUN: top-opt %s --top-tile-to-blocks --split-input-file --remark-format=emitRemark --remarks-filter=top-tile-to-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// K of 192 in 3 parts of 4 steps of 16: a loop over K round the blocks, in
// ranges of 64. All sizes are static. The epilogue is the second kernel's.

// CHECK-DAG:   #[[$SUM:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG:   #[[$PART:.*]] = affine_map<(d0) -> (d0 floordiv 64)>
// CHECK-LABEL: func @whole
// CHECK-SAME:  %[[A:.*]]: tensor<64x192xf16>, %[[B:.*]]: tensor<192x128xf16>, %[[BIAS:.*]]: tensor<128xf32>
// CHECK:       %[[SPACE:.*]] = tensor.empty() : tensor<3x64x128xf32>
// CHECK:       %[[PARTS:.*]] = scf.forall (%[[P:.*]], %[[I:.*]], %[[J:.*]]) = (0, 0, 0) to (192, 64, 128) step (64, 64, 64) shared_outs(%[[O:.*]] = %[[SPACE]])
// CHECK:         scf.for %[[KK:.*]] = %c0 to %c64 step %c16
// CHECK:           %[[K:.*]] = affine.apply #[[$SUM]](%[[P]], %[[KK]])
// CHECK:           tensor.extract_slice %[[A]][0, %[[K]]] [64, 16]
// CHECK:           tensor.extract_slice %[[B]][%[[K]], %[[J]]] [16, 64]
// CHECK:           top.tile_mma
// CHECK:         %[[NUMBER:.*]] = affine.apply #[[$PART]](%[[P]])
// CHECK:         %[[D:.*]] = tensor.extract_slice %[[O]][%[[NUMBER]], 0, %[[J]]] [1, 64, 64] [1, 1, 1] : tensor<3x64x128xf32> to tensor<64x64xf32>
// CHECK:         top.tile_store %{{.*}} into %[[D]] {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32):
// CHECK-NEXT:      top.yield %[[X]] : f32
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[NUMBER]], 0, %[[J]]] [1, 64, 64]
// CHECK:       mapping = [#gpu.block<linear_dim_0>, #gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<{{.*}}split_k = 3>
// CHECK:       %[[R:.*]] = scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (64, 128) step (8, 128)
// CHECK:         %[[ALL:.*]] = tensor.extract_slice %[[PARTS]][0, %[[I]], 0] [3, 8, 128] [1, 1, 1] : tensor<3x64x128xf32> to tensor<3x8x128xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[BIAS]][0] [128] [1]
// CHECK:         top.tile_map into %{{.*}} parts(%[[ALL]] : tensor<3x8x128xf32>) ins(%[[S]] : tensor<128xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK-NEXT:      arith.addf %[[X]], %[[Y]]
// CHECK-NEXT:      arith.truncf
// CHECK:       mapping = [#gpu.block<y>, #gpu.block<x>], top.schedule = #top.schedule<engine = simt, block = [8, 128, 1], warp = [1, 128], thread = [1, 4], stages = 1>
// CHECK:       return %[[R]]
// REMARK:      [Passed] Blocks | Category:top-tile-to-blocks | Function=whole | Remark="6 blocks of 64x64, 16 along K a step"
// REMARK:      [Passed] ElementwiseBlocks | Category:top-tile-to-blocks | Function=whole | Remark="8 blocks of 8x128, 4 columns side by side a thread, in 1 rows"
// REMARK:      [Passed] SplitK | Category:top-tile-to-blocks | Function=whole | Remark="3 parts of K, 98304 bytes of workspace"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 3>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
func.func @whole(%a: tensor<64x192xf16>, %b: tensor<192x128xf16>, %bias: tensor<128xf32>) -> tensor<64x128xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %c = linalg.matmul {top.schedule = #s} ins(%a, %b : tensor<64x192xf16>, tensor<192x128xf16>) outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = tensor.empty() : tensor<64x128xf16>
  %d = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<64x128xf32>, tensor<128xf32>) outs(%r : tensor<64x128xf16>) {
  ^bb0(%x: f32, %y: f32, %z: f16):
    %p = arith.addf %x, %y : f32
    %q = arith.truncf %p : f32 to f16
    linalg.yield %q : f16
  } -> tensor<64x128xf16>
  return %d : tensor<64x128xf16>
}

// -----

// A ragged last step: its size is what is left. Rows of the workspace are filled
// up to 16 bytes, a batch stands behind the parts, and transposed operands are
// cut along their own K.

// CHECK-DAG:   #[[$LEFT:.*]] = affine_map<(d0, d1) -> (16, -d0 - d1 + 60)>
// CHECK-LABEL: func @ragged
// CHECK-SAME:  %[[A:.*]]: tensor<5x60x7xf64>, %[[B:.*]]: tensor<9x60xf64>
// CHECK:       tensor.empty() : tensor<2x5x7x10xf64>
// CHECK:       scf.forall (%[[P:.*]], %[[N:.*]], %[[I:.*]], %[[J:.*]]) = (0, 0, 0, 0) to (60, 5, 7, 9) step (32, 1, 64, 64)
// CHECK:         scf.for %[[KK:.*]] = %c0 to %c32 step %c16
// CHECK:           %[[SIZE:.*]] = affine.min #[[$LEFT]](%[[P]], %[[KK]])
// CHECK-NOT:       affine.max
// CHECK:           tensor.extract_slice %[[A]][%[[N]], %{{.*}}, 0] [1, %[[SIZE]], 7]
// CHECK:           tensor.extract_slice %[[B]][0, %{{.*}}] [9, %[[SIZE]]]
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %[[N]], 0, 0] [1, 1, 7, 9]
// CHECK:       mapping = [#gpu.block<linear_dim_0>, #gpu.block<z>, #gpu.block<y>, #gpu.block<x>]
// CHECK:       scf.forall
// CHECK:         tensor.extract_slice %{{.*}}[0, %[[N:.*]], 0, 0] [2, 1, 7, 9] [1, 1, 1, 1] : tensor<2x5x7x10xf64> to tensor<2x7x9xf64>
// CHECK:         top.tile_map into %{{.*}} parts(%{{.*}} : tensor<2x7x9xf64>) {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT:      top.yield %[[X]] : f64
// REMARK:      Function=ragged | Remark="2 parts of K, 5600 bytes of workspace"
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 2>
#lhs = affine_map<(n, i, j, k) -> (n, k, i)>
#rhs = affine_map<(n, i, j, k) -> (j, k)>
#out = affine_map<(n, i, j, k) -> (n, i, j)>
func.func @ragged(%a: tensor<5x60x7xf64>, %b: tensor<9x60xf64>) -> tensor<5x7x9xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<5x7x9xf64>
  %init = linalg.fill ins(%zero : f64) outs(%e : tensor<5x7x9xf64>) -> tensor<5x7x9xf64>
  %c = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<5x60x7xf64>, tensor<9x60xf64>) outs(%init : tensor<5x7x9xf64>) attrs = {top.schedule = #s} {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %p = arith.mulf %x, %y : f64
    %q = arith.addf %z, %p : f64
    linalg.yield %q : f64
  } -> tensor<5x7x9xf64>
  return %c : tensor<5x7x9xf64>
}

// -----

// 7 steps in 3 parts: 3, 3 and 1. The steps that the last part does not have are
// of size 0, so that its loop has the bounds of the others.

// CHECK-DAG:   #[[$LEFT:.*]] = affine_map<(d0, d1) -> (16, -d0 - d1 + 112)>
// CHECK-DAG:   #[[$NONE:.*]] = affine_map<({{.*}}) -> (0, {{.*}})>
// CHECK-LABEL: func @missing_steps
// CHECK:       scf.forall (%[[P:.*]], %{{.*}}, %{{.*}}) = (0, 0, 0) to (112, 64, 64) step (48, 64, 64)
// CHECK:         scf.for %[[KK:.*]] = %c0 to %c48 step %c16
// CHECK:           %[[SOME:.*]] = affine.min #[[$LEFT]](%[[P]], %[[KK]])
// CHECK:           %[[SIZE:.*]] = affine.max #[[$NONE]](%[[SOME]])
// CHECK:           tensor.extract_slice %{{.*}} [64, %[[SIZE]]]
// REMARK:      Function=missing_steps | Remark="3 parts of K
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 3>
func.func @missing_steps(%a: tensor<64x112xf32>, %b: tensor<112x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul {top.schedule = #s} ins(%a, %b : tensor<64x112xf32>, tensor<112x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// 8 steps in 5 parts are 4 parts of 2 steps: none is empty.

// CHECK-LABEL: func @fewer_parts
// CHECK:       tensor.empty() : tensor<4x64x64xf32>
// CHECK:       scf.forall {{.*}} to (128, 64, 64) step (32, 64, 64)
// REMARK:      Function=fewer_parts | Remark="4 parts of K
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 5>
func.func @fewer_parts(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul {top.schedule = #s} ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -----

// A K of one step has no parts: one kernel, as without `split_k`.

// CHECK-LABEL: func @one_step
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (64, 64)
// CHECK-NOT:   scf.forall (
// CHECK-NOT:   top.tile_map
// CHECK:       return
// REMARK-NOT:  SplitK {{.*}}Function=one_step
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 2>
func.func @one_step(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul {top.schedule = #s} ins(%a, %b : tensor<64x16xf32>, tensor<16x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
