// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: top-opt %s --raise-linalg-to-top="fold-constants=never" --split-input-file | FileCheck %s --check-prefixes=CHECK,NEVER
// RUN: top-opt %s --raise-linalg-to-top="fold-constants=always" --split-input-file | FileCheck %s --check-prefixes=CHECK,ALWAYS

// Scale 2 and 3, shift 10 and 20, all constant: the filter's values of each
// channel are scaled, the shift is the bias.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: @values
// AUTO-DAG: %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]], {{\[\[\[}}9.000000e+00]], {{\[\[}}1.200000e+01]]]]> : tensor<2x2x1x1xf32>
// AUTO-DAG: %[[B:.*]] = arith.constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
// AUTO: top.Conv2D %arg0, %[[W]], %[[B]] {epilogue = [#top.step<relu>]}
// NEVER: top.Conv2D %arg0, %{{.*}} epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>, #top.step<relu>]}
// ALWAYS: top.Conv2D %arg0, %{{.*}}, %{{.*}} {epilogue = [#top.step<relu>]}
func.func @values(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %scale = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %shift = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) outs(%z : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %scale, %shift : tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %t : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<1x2x4x4xf32>
  return %n : tensor<1x2x4x4xf32>
}

// -----

// A splat stands for weights that the file leaves out. A bias in front is
// scaled with the filter: (x * w + 1) * 2 + 10.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: @splat
// AUTO: top.Conv2D %arg0, %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>]}
// NEVER: top.Conv2D %arg0, %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>]}
// ALWAYS-DAG: %[[W:.*]] = arith.constant dense<5.000000e-01> : tensor<2x2x1x1xf32>
// ALWAYS-DAG: %[[B:.*]] = arith.constant dense<1.200000e+01> : tensor<2xf32>
// ALWAYS: top.Conv2D %arg0, %[[W]], %[[B]] :
func.func @splat(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = arith.constant dense<0.25> : tensor<2x2x1x1xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %scale = arith.constant dense<2.0> : tensor<2xf32>
  %shift = arith.constant dense<10.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %z = linalg.broadcast ins(%one : tensor<2xf32>) outs(%e : tensor<1x2x4x4xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) outs(%z : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %scale, %shift : tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x4x4xf32>
  return %n : tensor<1x2x4x4xf32>
}

// -----

// Never into 16-bit filters, which would be rounded once more; and not where
// one of the numbers is an argument.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: @half
// CHECK: {epilogue = [#top.step<mul>]}
func.func @half(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf16>
  %scale = arith.constant dense<[2.0, 3.0]> : tensor<2xf16>
  %e = tensor.empty() : tensor<1x2x4x4xf16>
  %z = arith.constant dense<0.0> : tensor<1x2x4x4xf16>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16>) outs(%z : tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16>
  %n = linalg.generic {indexing_maps = [#id, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %scale : tensor<1x2x4x4xf16>, tensor<2xf16>) outs(%e : tensor<1x2x4x4xf16>) {
  ^bb0(%in: f16, %s: f16, %out: f16):
    %0 = arith.mulf %in, %s : f16
    linalg.yield %0 : f16
  } -> tensor<1x2x4x4xf16>
  return %n : tensor<1x2x4x4xf16>
}

// CHECK-LABEL: @argument
// CHECK: epilogue(%{{.*}}, %arg1) {epilogue = [#top.step<affine>]}
func.func @argument(%x: tensor<1x2x4x4xf32>, %shift: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %scale = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) outs(%z : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %scale, %shift : tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x4x4xf32>
  return %n : tensor<1x2x4x4xf32>
}
