// RUN: top-opt %s --top-tile="batch=1 m=8 n=8 form=loop" -o %t.loop
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=nn | FileCheck %s
// RUN: top-opt %s --top-tile="batch=1 m=8 n=8 form=unroll" -o %t.unroll
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=nn | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=tn | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=tn | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=nt | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=nt | FileCheck %s
// RUN: top-run %t.loop --reference=%s --target=cpu --verify --guard=nan --function=tt | FileCheck %s
// RUN: top-run %t.unroll --reference=%s --target=cpu --verify --guard=nan --function=tt | FileCheck %s

// All four transpose settings with a batch and prime extents.

// CHECK: PASS {{nn|tn|nt|tt}}

func.func @nn(%l: tensor<3x17x23xf32>, %r: tensor<3x23x19xf32>) -> tensor<3x17x19xf32> {
  %c = top.MatMul %l, %r : (tensor<3x17x23xf32>, tensor<3x23x19xf32>) -> tensor<3x17x19xf32>
  return %c : tensor<3x17x19xf32>
}

func.func @tn(%l: tensor<3x23x17xf32>, %r: tensor<3x23x19xf32>) -> tensor<3x17x19xf32> {
  %c = top.MatMul %l, %r {transpose_a = true} : (tensor<3x23x17xf32>, tensor<3x23x19xf32>) -> tensor<3x17x19xf32>
  return %c : tensor<3x17x19xf32>
}

func.func @nt(%l: tensor<3x17x23xf32>, %r: tensor<3x19x23xf32>) -> tensor<3x17x19xf32> {
  %c = top.MatMul %l, %r {transpose_b = true} : (tensor<3x17x23xf32>, tensor<3x19x23xf32>) -> tensor<3x17x19xf32>
  return %c : tensor<3x17x19xf32>
}

func.func @tt(%l: tensor<3x23x17xf32>, %r: tensor<3x19x23xf32>) -> tensor<3x17x19xf32> {
  %c = top.MatMul %l, %r {transpose_a = true, transpose_b = true} : (tensor<3x23x17xf32>, tensor<3x19x23xf32>) -> tensor<3x17x19xf32>
  return %c : tensor<3x17x19xf32>
}
