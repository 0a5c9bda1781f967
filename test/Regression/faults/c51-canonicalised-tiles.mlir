// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=1 width=1 form=unroll},canonicalize,cse,canonicalize))" -o %t.0
// RUN: top-run %t.0 --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=1 width=5 form=loop},canonicalize,cse,canonicalize))" -o %t.1
// RUN: top-run %t.1 --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// Tiles of c12 stay legal when offsets become constants: sizes are never
// negative at the source.

// CHECK: PASS f

func.func @f(%x: tensor<5x2x11x14xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<5x3x17x20xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 4, 4, 4, 4>} : (tensor<5x2x11x14xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<5x3x17x20xf32>
  return %y : tensor<5x3x17x20xf32>
}
