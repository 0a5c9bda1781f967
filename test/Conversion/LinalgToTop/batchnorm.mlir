// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// Form A of torch-mlir: one op of five inputs, whose 'outs' is the result of
// the convolution itself; an epsilon of f64. Parameters are arguments: scale and
// shift are computed at run time, on vectors.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>
#unit = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>

// CHECK-LABEL: @form_a
// CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK: math.rsqrt
// CHECK: %[[SHIFT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1 epilogue(%[[SCALE]], %[[SHIFT]]) {epilogue = [#top.step<affine>, #top.step<relu>]}
// CHECK-NEXT: return %[[Y]]
func.func @form_a(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %gamma: tensor<4xf32>, %beta: tensor<4xf32>, %mean: tensor<4xf32>, %var: tensor<4xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-05 : f64
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #c, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %gamma, %beta, %mean, %var : tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<1x4x6x6xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %0 = arith.truncf %eps : f64 to f32
    %1 = arith.addf %v, %0 : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.subf %in, %m : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1x4x6x6xf32>
  %r = linalg.generic {indexing_maps = [#unit, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n : tensor<1x4x6x6xf32>) outs(%e : tensor<1x4x6x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}

// -----

// Form B, of newer exports: the root on a vector of its own, parameters
// reshaped to C x 1 x 1, four ops with a map (d1, 0, 0). A bias in 'outs' too.

#v = affine_map<(d0) -> (d0)>
#c11 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @form_b
// CHECK: top.Conv2D %arg0, %arg1, %arg2 epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>]} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return
func.func @form_b(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %bias: tensor<4xf32>, %gamma: tensor<4xf32>, %beta: tensor<4xf32>, %mean: tensor<4xf32>, %var: tensor<4xf32>) -> tensor<2x4x6x6xf32> {
  %eps = arith.constant 1.0e-05 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %ev = tensor.empty() : tensor<4xf32>
  %z = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %v0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%var : tensor<4xf32>) outs(%ev : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %v1 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%v0 : tensor<4xf32>) outs(%ev : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.rsqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %m3 = tensor.expand_shape %mean [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %v3 = tensor.expand_shape %v1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %g3 = tensor.expand_shape %gamma [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %b3 = tensor.expand_shape %beta [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %n0 = linalg.generic {indexing_maps = [#id, #c11, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %m3 : tensor<2x4x6x6xf32>, tensor<4x1x1xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.subf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x6x6xf32>
  %n1 = linalg.generic {indexing_maps = [#id, #c11, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n0, %v3 : tensor<2x4x6x6xf32>, tensor<4x1x1xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.mulf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x6x6xf32>
  %n2 = linalg.generic {indexing_maps = [#id, #c11, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n1, %g3 : tensor<2x4x6x6xf32>, tensor<4x1x1xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.mulf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x6x6xf32>
  %n3 = linalg.generic {indexing_maps = [#id, #c11, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n2, %b3 : tensor<2x4x6x6xf32>, tensor<4x1x1xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.addf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x6x6xf32>
  return %n3 : tensor<2x4x6x6xf32>
}

// -----

// Form C, of TOSA: 1 x C x 1 x 1, sqrt and reciprocal, behind the transpose of
// a channels-last convolution.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

// CHECK-LABEL: @form_c
// CHECK: math.sqrt
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1 epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>]}
// CHECK-NEXT: return %[[Y]]
func.func @form_c(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %gamma: tensor<1x4x1x1xf32>, %beta: tensor<1x4x1x1xf32>, %mean: tensor<1x4x1x1xf32>, %var: tensor<1x4x1x1xf32>) -> tensor<2x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %ex = tensor.empty() : tensor<2x8x8x3xf32>
  %xt = linalg.transpose ins(%x : tensor<2x3x8x8xf32>) outs(%ex : tensor<2x8x8x3xf32>) permutation = [0, 2, 3, 1]
  %ew = tensor.empty() : tensor<4x3x3x3xf32>
  %wt = linalg.transpose ins(%w : tensor<4x3x3x3xf32>) outs(%ew : tensor<4x3x3x3xf32>) permutation = [0, 2, 3, 1]
  %ec = tensor.empty() : tensor<2x6x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xf32>
  %y0 = linalg.conv_2d_nhwc_fhwc ins(%xt, %wt : tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %y = linalg.transpose ins(%y0 : tensor<2x6x6x4xf32>) outs(%e : tensor<2x4x6x6xf32>) permutation = [0, 3, 1, 2]
  %e1 = tensor.empty() : tensor<1x4x1x1xf32>
  %s = linalg.generic {indexing_maps = [#c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%var : tensor<1x4x1x1xf32>) outs(%e1 : tensor<1x4x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %eps : f32
    %1 = math.sqrt %0 : f32
    %2 = arith.divf %one, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x4x1x1xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #c, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %mean, %s, %gamma, %beta : tensor<2x4x6x6xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%in: f32, %m: f32, %r: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %r : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %b : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x6x6xf32>
  return %n : tensor<2x4x6x6xf32>
}

// -----

// Form D, as StableHLO's batch_norm_inference is lowered: everything repeated to
// the full shape first.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @form_d
// CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1 epilogue(%[[SCALE]], %{{.*}}) {epilogue = [#top.step<affine>]}
// CHECK-NEXT: return %[[Y]]
func.func @form_d(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %gamma: tensor<4xf32>, %beta: tensor<4xf32>, %mean: tensor<4xf32>, %var: tensor<4xf32>) -> tensor<2x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %g = linalg.broadcast ins(%gamma : tensor<4xf32>) outs(%e : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %b = linalg.broadcast ins(%beta : tensor<4xf32>) outs(%e : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %m = linalg.broadcast ins(%mean : tensor<4xf32>) outs(%e : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %v = linalg.broadcast ins(%var : tensor<4xf32>) outs(%e : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %ep = linalg.fill ins(%eps : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %v0 = linalg.add ins(%v, %ep : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %v1 = linalg.sqrt ins(%v0 : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %c = linalg.sub ins(%y, %m : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %d = linalg.div ins(%c, %v1 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.mul ins(%d, %g : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %n = linalg.add ins(%s, %b : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  return %n : tensor<2x4x6x6xf32>
}
