// Constants: large ones are passed in (LLVM would take seconds for this file),
// weights that are splats or elided can be replaced, in both files alike.

// RUN: top-opt %s --top-tile="m=1 n=700" -o %t.mlir
// RUN: top-run %t.mlir --reference=%s --function=large | FileCheck %s --check-prefix=LARGE
// RUN: top-run %t.mlir --reference=%s --function=large --randomize-constants --fill=normal | FileCheck %s --check-prefix=LARGE
// RUN: not top-run %s --function=elided 2>&1 | FileCheck %s --check-prefix=ELIDED
// RUN: not top-run %s --function=elided --verify 2>&1 | FileCheck %s --check-prefix=ELIDED
// RUN: top-run %t.mlir --reference=%s --function=elided --randomize-constants | FileCheck %s --check-prefix=RANDOM
// RUN: top-run %s --function=splat --verify --fill=ones --print | FileCheck %s --check-prefix=SPLAT
// RUN: top-run %s --function=splat --verify --fill=ones --print --randomize-constants | FileCheck %s --check-prefix=OTHER
// The order and the number of constants differ in the reference, whose weights
// are the same.
// RUN: top-run %s --function=splat --reference=%S/Inputs/splat-linalg.mlir --randomize-constants | FileCheck %s --check-prefix=UPSTREAM
// Weights that were folded are not those of the reference any more.
// RUN: sed -e 's/dense<2.0> : tensor<4x3xf32>/dense<2.5> : tensor<4x3xf32>/' %s > %t.folded.mlir
// RUN: not top-run %t.folded.mlir --reference=%s --function=splat --randomize-constants | FileCheck %s --check-prefix=FOLDED

// 1024 x 1500 f32 are 6 MB.
// LARGE: PASS large: compared 3000 of 3000 elements
func.func @large(%x: tensor<2x1024xf32>) -> tensor<2x1500xf32> {
  %w = arith.constant dense<0.5> : tensor<1024x1500xf32>
  %y = top.MatMul %x, %w : (tensor<2x1024xf32>, tensor<1024x1500xf32>) -> tensor<2x1500xf32>
  return %y : tensor<2x1500xf32>
}

// ELIDED: {{.*}}constants.mlir:[[#]]:[[#]]: error: constant of type 'tensor<4x4xf32>' has no data: resource '__elided__' is missing; use a file that holds its weights, or --randomize-constants
// ELIDED-NOT: {{.}}
// RANDOM: PASS elided: compared 8 of 8 elements
func.func @elided(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = arith.constant dense_resource<__elided__> : tensor<4x4xf32>
  %y = top.MatMul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// SPLAT: result 0 1x3xf32 = {{\[\[}}12, 12, 12]]
// SPLAT: PASS splat: compared 3 of 3
// OTHER-NOT: result 0 1x3xf32 = {{\[\[}}12
// OTHER: PASS splat: compared 3 of 3
// FOLDED: note: 1 of the weights that were randomized in the reference are not in '{{.*}}'; compare a file whose constants were not folded
// FOLDED-NEXT: FAIL splat result 0
// UPSTREAM: PASS splat: compared 3 of 3 elements with the reference lowered by upstream passes
func.func @splat(%x: tensor<1x4xf32>) -> tensor<1x3xf32> {
  %w = arith.constant dense<2.0> : tensor<4x3xf32>
  %b = arith.constant dense<4.0> : tensor<3xf32>
  %y = top.MatMul %x, %w, %b : (tensor<1x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}
