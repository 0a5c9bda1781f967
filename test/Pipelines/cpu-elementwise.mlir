// Arithmetic on whole tensors, as front ends print it between layer ops, runs.

// RUN: top-run %s --reference=%s --function=f32 --fill=normal | FileCheck %s
// RUN: top-run %s --reference=%s --function=bf16 --fill=eighths | FileCheck %s
// RUN: top-run %s --reference=%s --function=f16 --fill=eighths | FileCheck %s
// RUN: top-run %s --reference=%s --function=choose --fill=normal | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg -o %t.mlir
// RUN: top-run %s --reference=%t.mlir --function=layer --fill=int | FileCheck %s

// CHECK: PASS
func.func @f32(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = arith.addf %a, %b : tensor<3x5xf32>
  %1 = math.exp %0 : tensor<3x5xf32>
  %2 = math.erf %a : tensor<3x5xf32>
  %3 = arith.mulf %1, %2 : tensor<3x5xf32>
  return %3 : tensor<3x5xf32>
}

func.func @bf16(%a: tensor<7xbf16>, %b: tensor<7xbf16>) -> tensor<7xbf16> {
  %0 = arith.addf %a, %b : tensor<7xbf16>
  %1 = arith.mulf %0, %b : tensor<7xbf16>
  return %1 : tensor<7xbf16>
}

func.func @f16(%a: tensor<7xf16>, %b: tensor<7xf16>) -> tensor<7xf32> {
  %0 = arith.subf %a, %b : tensor<7xf16>
  %1 = arith.extf %0 : tensor<7xf16> to tensor<7xf32>
  return %1 : tensor<7xf32>
}

func.func @choose(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.cmpf ogt, %a, %b : tensor<4x4xf32>
  %1 = arith.select %0, %a, %b : tensor<4x4xi1>, tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Behind a layer op.
func.func @layer(%x: tensor<1x2x6x6xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %0 = top.Conv2D %x, %w : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = arith.addf %0, %0 : tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}
