// RUN: top-opt %s --top-tile="batch=1 m=8 n=8 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=k0 | FileCheck %s
// RUN: top-opt %s --top-tile="batch=1 m=8 n=8 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=k0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=batched_k0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=batched_k0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=m0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=m0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=n0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=n0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=b0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=b0 | FileCheck %s

// K = 0 gives the bias, written in full; empty results are legal.

// CHECK: PASS {{k0|batched_k0|m0|n0|b0}}

func.func @k0(%l: tensor<16x0xf32>, %r: tensor<0x16xf32>, %b: tensor<16xf32>) -> tensor<16x16xf32> {
  %c = top.MatMul %l, %r, %b : (tensor<16x0xf32>, tensor<0x16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

func.func @batched_k0(%l: tensor<10x1x0xf32>, %r: tensor<10x0x432xf32>) -> tensor<10x1x432xf32> {
  %c = top.MatMul %l, %r : (tensor<10x1x0xf32>, tensor<10x0x432xf32>) -> tensor<10x1x432xf32>
  return %c : tensor<10x1x432xf32>
}

func.func @m0(%l: tensor<0x7xbf16>, %r: tensor<7x9xbf16>) -> tensor<0x9xbf16> {
  %c = top.MatMul %l, %r : (tensor<0x7xbf16>, tensor<7x9xbf16>) -> tensor<0x9xbf16>
  return %c : tensor<0x9xbf16>
}

func.func @n0(%l: tensor<5x7xf32>, %r: tensor<7x0xf32>) -> tensor<5x0xf32> {
  %c = top.MatMul %l, %r : (tensor<5x7xf32>, tensor<7x0xf32>) -> tensor<5x0xf32>
  return %c : tensor<5x0xf32>
}

func.func @b0(%l: tensor<0x5x9xf32>, %r: tensor<0x9x7xf32>) -> tensor<0x5x7xf32> {
  %c = top.MatMul %l, %r : (tensor<0x5x9xf32>, tensor<0x9x7xf32>) -> tensor<0x5x7xf32>
  return %c : tensor<0x5x7xf32>
}
