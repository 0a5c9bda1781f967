// RUN: top-opt %s --top-tile="height=4 width=4 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=ones --fill=ones | FileCheck %s
// RUN: top-opt %s --top-tile="height=4 width=4 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=ones --fill=ones | FileCheck %s
// RUN: top-opt %s --top-tile="m=8 n=8 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=overflow --fill=const:60 | FileCheck %s
// RUN: top-opt %s --top-tile="m=8 n=8 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=overflow --fill=const:60 | FileCheck %s

// 4608 products of 1*1 are 4608 with an f32 accumulator; one of f16 stalls at
// 2048. Sums beyond the largest f16 become infinite in the last rounding only.

// CHECK: PASS {{ones|overflow}}

func.func @ones(%x: tensor<1x512x6x6xf16>, %w: tensor<4x512x3x3xf16>) -> tensor<1x4x4x4xf16> {
  %y = top.Conv2D %x, %w : (tensor<1x512x6x6xf16>, tensor<4x512x3x3xf16>) -> tensor<1x4x4x4xf16>
  return %y : tensor<1x4x4x4xf16>
}

func.func @overflow(%l: tensor<16x32xf16>, %r: tensor<32x16xf16>) -> tensor<16x16xf16> {
  %c = top.MatMul %l, %r : (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf16>
  return %c : tensor<16x16xf16>
}
