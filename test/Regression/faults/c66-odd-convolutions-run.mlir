// RUN: top-run %s --function=dynamic_width --target=cpu --verify --arg-shape=0:1x2x5x9 | FileCheck %s
// RUN: top-run %s --function=flat_kernel --target=cpu --verify | FileCheck %s

// Shapes on which vectorisers have been seen to assert: a dynamic W, a kernel
// of one row.

// CHECK: PASS {{dynamic_width|flat_kernel}}
func.func @dynamic_width(%x: tensor<1x2x5x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x3x?xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x2x5x?xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x3x?xf32>
  return %y : tensor<1x3x3x?xf32>
}
func.func @flat_kernel(%x: tensor<1x2x5x9xf32>, %w: tensor<3x2x1x3xf32>) -> tensor<1x3x5x7xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x2x5x9xf32>, tensor<3x2x1x3xf32>) -> tensor<1x3x5x7xf32>
  return %y : tensor<1x3x5x7xf32>
}
