// RUN: top-opt %s --top-tile="batch=4 height=1 width=2 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --top-tile="batch=4 height=1 width=2 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// Pads larger than the kernel in f16: coordinates start at -3, and an unsigned
// bounds test would let them pass.

// CHECK: PASS f

func.func @f(%x: tensor<8x8x4x4xf16>, %w: tensor<8x8x2x2xf16>) -> tensor<8x8x3x4xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 3, 2, 0, 0>, dilations = array<i64: 1, 2>} : (tensor<8x8x4x4xf16>, tensor<8x8x2x2xf16>) -> tensor<8x8x3x4xf16>
  return %y : tensor<8x8x3x4xf16>
}
