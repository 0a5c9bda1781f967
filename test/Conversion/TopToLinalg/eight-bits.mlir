// The named products extend their operands to the type of the sums: i8 with its
// sign, 8-bit floats to f32.

// RUN: top-opt %s --convert-top-to-linalg | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --linalg-generalize-named-ops | FileCheck %s --check-prefix=BODY

// CHECK-LABEL: @i8
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : i32) outs(%{{.*}} : tensor<3x7xi32>)
// CHECK: %[[C:.*]] = linalg.matmul indexing_maps = {{.*}} ins(%{{.*}}, %{{.*}} : tensor<5x3xi8>, tensor<7x5xi8>) outs(%[[ZEROS]] : tensor<3x7xi32>)
// CHECK: return %[[C]]
// BODY-LABEL: @i8
// BODY: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[C:.*]]: i32):
// BODY-NEXT: %[[WA:.*]] = arith.extsi %[[A]] : i8 to i32
// BODY-NEXT: %[[WB:.*]] = arith.extsi %[[B]] : i8 to i32
// BODY-NEXT: %[[P:.*]] = arith.muli %[[WA]], %[[WB]] : i32
// BODY-NEXT: arith.addi %[[C]], %[[P]] : i32
func.func @i8(%a: tensor<5x3xi8>, %b: tensor<7x5xi8>) -> tensor<3x7xi32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<5x3xi8>, tensor<7x5xi8>) -> tensor<3x7xi32>
  return %c : tensor<3x7xi32>
}

// Steps in the order of the attribute, in integers.
// CHECK-LABEL: @steps
// CHECK: linalg.batch_matmul
// CHECK: ^bb0(%[[X:.*]]: i32, %[[BIAS:.*]]: i32, %[[SCALE:.*]]: i32, %[[SHIFT:.*]]: i32, %[[T:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[X0:.*]] = arith.addi %[[X]], %[[BIAS]] : i32
// CHECK-NEXT: %[[X1:.*]] = arith.muli %[[X0]], %[[SCALE]] : i32
// CHECK-NEXT: %[[X2:.*]] = arith.addi %[[X1]], %[[SHIFT]] : i32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[X3:.*]] = arith.maxsi %[[X2]], %[[ZERO]] : i32
// CHECK-NEXT: %[[X4:.*]] = arith.muli %[[X3]], %[[T]] : i32
// CHECK-NEXT: %[[LOW:.*]] = arith.constant -100 : i32
// CHECK-NEXT: %[[X5:.*]] = arith.maxsi %[[X4]], %[[LOW]] : i32
// CHECK-NEXT: %[[HIGH:.*]] = arith.constant 200 : i32
// CHECK-NEXT: %[[X6:.*]] = arith.minsi %[[X5]], %[[HIGH]] : i32
// CHECK-NEXT: linalg.yield %[[X6]] : i32
func.func @steps(%a: tensor<2x3x5xi8>, %b: tensor<2x5x7xi8>, %c: tensor<7xi32>, %s: tensor<7xi32>, %h: tensor<7xi32>, %t: tensor<2x3x7xi32>) -> tensor<2x3x7xi32> {
  %y = top.MatMul %a, %b, %c epilogue(%s, %h, %t) {epilogue = [#top.step<affine>, #top.step<relu>, #top.step<mul>, #top.step<clamp, min = -100.0, max = 200.0>]}
     : (tensor<2x3x5xi8>, tensor<2x5x7xi8>, tensor<7xi32>, tensor<7xi32>, tensor<7xi32>, tensor<2x3x7xi32>) -> tensor<2x3x7xi32>
  return %y : tensor<2x3x7xi32>
}

// CHECK-LABEL: @f8
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3x5xf8E4M3FN>, tensor<7x5xf8E4M3FN>) outs(%{{.*}} : tensor<2x3x7xf32>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// BODY-LABEL: @f8
// BODY: arith.extf %{{.*}} : f8E4M3FN to f32
// BODY: arith.extf %{{.*}} : f8E4M3FN to f32
// BODY: arith.mulf %{{.*}} : f32
func.func @f8(%a: tensor<2x3x5xf8E4M3FN>, %b: tensor<7x5xf8E4M3FN>) -> tensor<2x3x7xbf16> {
  %c = top.MatMul %a, %b {transpose_b = true} : (tensor<2x3x5xf8E4M3FN>, tensor<7x5xf8E4M3FN>) -> tensor<2x3x7xbf16>
  return %c : tensor<2x3x7xbf16>
}
