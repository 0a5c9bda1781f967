// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{batch=1 height=32 form=loop},top-tile{height=4 width=16 form=loop}))" -o %t.loop.loop
// RUN: top-run %t.loop.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{batch=1 height=32 form=loop},top-tile{height=4 width=16 form=unroll}))" -o %t.loop.unroll
// RUN: top-run %t.loop.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{batch=1 height=32 form=unroll},top-tile{height=4 width=16 form=loop}))" -o %t.unroll.loop
// RUN: top-run %t.unroll.loop --reference=%s --target=cpu --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{batch=1 height=32 form=unroll},top-tile{height=4 width=16 form=unroll}))" -o %t.unroll.unroll
// RUN: top-run %t.unroll.unroll --reference=%s --target=cpu --verify --guard=nan | FileCheck %s

// A tile is cut again and the numbers stay.

// CHECK: PASS f

func.func @f(%x: tensor<2x16x66x66xf32>, %w: tensor<16x1x3x3xf32>) -> tensor<2x16x64x64xf32> {
  %y = top.Conv2D %x, %w {group = 16 : i64} : (tensor<2x16x66x66xf32>, tensor<16x1x3x3xf32>) -> tensor<2x16x64x64xf32>
  return %y : tensor<2x16x64x64xf32>
}
