// What top-mutate cannot compute a reference for is refused with the reason.
// RUN: not top-mutate %s 2>&1 | FileCheck %s
// CHECK: top-mutate: error: expected a function of plain top ops in '{{.*}}mutants-invalid.mlir', it contains 'arith.constant'

func.func @pack(%x: tensor<1x3x4x4xf16>) -> tensor<1x4x4x1x4xf16> {
  %z = arith.constant 0.0 : f16
  %e = bufferization.alloc_tensor() : tensor<1x4x4x1x4xf16>
  %p = linalg.pack %x padding_value(%z : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [4] into %e {top.schedule = #top.schedule<>} : tensor<1x3x4x4xf16> -> tensor<1x4x4x1x4xf16>
  return %p : tensor<1x4x4x1x4xf16>
}
