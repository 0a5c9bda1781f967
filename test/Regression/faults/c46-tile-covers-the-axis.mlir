// RUN: top-opt %s --top-tile="height=100 width=2 batch=1 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="height=100 width=2 batch=1 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %t.loop --top-cpu-pipeline | FileCheck %s --check-prefix=BUF --implicit-check-not=memcpy --implicit-check-not=memrefCopy
// RUN: top-opt %t.unroll --top-cpu-pipeline | FileCheck %s --check-prefix=BUF --implicit-check-not=memcpy --implicit-check-not=memrefCopy

// A tile that covers an axis, or an axis of extent 1: results are written in
// place, with one allocation and no copy.

// CHECK: PASS f
// BUF-LABEL: llvm.func @f(
// BUF:         llvm.call @malloc
// BUF-NOT:     llvm.call @malloc
// BUF:         llvm.return
func.func @f(%x: tensor<2x2x1x8xf32>, %w: tensor<4x2x1x3xf32>) -> tensor<2x4x1x6xf32> {
  %y = top.Conv2D %x, %w : (tensor<2x2x1x8xf32>, tensor<4x2x1x3xf32>) -> tensor<2x4x1x6xf32>
  return %y : tensor<2x4x1x6xf32>
}
