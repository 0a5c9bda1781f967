// RUN: top-opt %s --tosa-to-top-pipeline | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: top-opt %s --tosa-to-top-pipeline="fold-constants=never" | FileCheck %s --check-prefixes=CHECK,NEVER
// RUN: not top-opt %s --tosa-to-top-pipeline="fold-constants=maybe" 2>&1 | FileCheck %s --check-prefix=MAYBE

// A scale behind a constant filter is computed into it, or not.

// MAYBE: Cannot find option named 'maybe'

// CHECK-LABEL: @scaled
// NEVER: dense<2.000000e+00> : tensor<1x2x1x1xf32>
// NEVER: top.Conv2D %{{.*}} {epilogue = [#top.step<mul>]}
// AUTO: dense<{{.*}}2.000000e+00{{.*}}6.000000e+00{{.*}}> : tensor<2x1x1x1xf32>
// AUTO-NOT: epilogue
func.func @scaled(%x: tensor<1x4x5x1xf32>) -> tensor<1x4x5x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %w = "tosa.const"() <{values = dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>}> : () -> tensor<2x1x1x1xf32>
  %scale = "tosa.const"() <{values = dense<2.0> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x5x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x5x2xf32>
  %1 = tosa.mul %0, %scale, %s : (tensor<1x4x5x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi8>) -> tensor<1x4x5x2xf32>
  return %1 : tensor<1x4x5x2xf32>
}
