// RUN: top-opt %s --top-tile="height=8 width=8 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d15p0 | FileCheck %s
// RUN: top-opt %s --top-tile="height=8 width=8 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d15p0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d15p1 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d15p1 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d15p2 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d15p2 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d16p0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d16p0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d16p1 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d16p1 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d16p2 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d16p2 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d17p0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d17p0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d17p1 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d17p1 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d17p2 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d17p2 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d32p0 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d32p0 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d32p1 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d32p1 | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=d32p2 | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=d32p2 | FileCheck %s

// Wrong for some sizes only, elsewhere: extents 15, 16, 17, 32 with pads 0 to 2.

// CHECK: PASS d{{[0-9]+}}p{{[0-9]}}

func.func @d15p0(%x: tensor<1x4x15x15xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x13x13xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x4x15x15xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x13x13xf32>
  return %y : tensor<1x4x13x13xf32>
}

func.func @d15p1(%x: tensor<1x4x15x15xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x15x15xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x15x15xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x15x15xf32>
  return %y : tensor<1x4x15x15xf32>
}

func.func @d15p2(%x: tensor<1x4x15x15xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x17x17xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 2, 2, 2, 2>} : (tensor<1x4x15x15xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x17x17xf32>
  return %y : tensor<1x4x17x17xf32>
}

func.func @d16p0(%x: tensor<1x4x16x16xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x14x14xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x4x16x16xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x14x14xf32>
  return %y : tensor<1x4x14x14xf32>
}

func.func @d16p1(%x: tensor<1x4x16x16xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x16x16xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x16x16xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x16x16xf32>
  return %y : tensor<1x4x16x16xf32>
}

func.func @d16p2(%x: tensor<1x4x16x16xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x18x18xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 2, 2, 2, 2>} : (tensor<1x4x16x16xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x18x18xf32>
  return %y : tensor<1x4x18x18xf32>
}

func.func @d17p0(%x: tensor<1x4x17x17xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x15x15xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x4x17x17xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x15x15xf32>
  return %y : tensor<1x4x15x15xf32>
}

func.func @d17p1(%x: tensor<1x4x17x17xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x17x17xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x17x17xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x17x17xf32>
  return %y : tensor<1x4x17x17xf32>
}

func.func @d17p2(%x: tensor<1x4x17x17xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x19x19xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 2, 2, 2, 2>} : (tensor<1x4x17x17xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x19x19xf32>
  return %y : tensor<1x4x19x19xf32>
}

func.func @d32p0(%x: tensor<1x4x32x32xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x30x30xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x4x32x32xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x30x30xf32>
  return %y : tensor<1x4x30x30xf32>
}

func.func @d32p1(%x: tensor<1x4x32x32xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x32x32xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x32x32xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x32x32xf32>
  return %y : tensor<1x4x32x32xf32>
}

func.func @d32p2(%x: tensor<1x4x32x32xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x34x34xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 2, 2, 2, 2>} : (tensor<1x4x32x32xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x34x34xf32>
  return %y : tensor<1x4x34x34xf32>
}
