// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s

// A named convolution with a zero init, strides and dilations.

// CHECK-LABEL: @plain
// CHECK-NOT: linalg
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1 {dilations = array<i64: 2, 1>, strides = array<i64: 1, 2>} : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x12x7xf32>
// CHECK-NEXT: return %[[Y]]
func.func @plain(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x12x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x12x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x12x7xf32>) -> tensor<2x8x12x7xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : vector<2xi64>}
    ins(%x, %w : tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) outs(%z : tensor<2x8x12x7xf32>) -> tensor<2x8x12x7xf32>
  return %y : tensor<2x8x12x7xf32>
}

// -----

// Strides and dilations may be left out. Two convolutions share an init.

// CHECK-LABEL: @shared_init
// CHECK: %[[A:.*]] = top.Conv2D %arg0, %arg1 :
// CHECK: %[[B:.*]] = top.Conv2D %arg0, %arg2 :
// CHECK: return %[[A]], %[[B]]
func.func @shared_init(%x: tensor<1x3x8x8xf32>, %v: tensor<4x3x3x3xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %a, %b : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}

// -----

// A depthwise filter is F x 1 x KH x KW; the reshape in front of it goes.

// CHECK-LABEL: @depthwise
// CHECK-NOT: tensor.collapse_shape
// CHECK: top.Conv2D %arg0, %arg1 {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
func.func @depthwise(%x: tensor<1x4x8x8xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x6x6xf32>
  %v = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<4x1x3x3xf32> into tensor<4x3x3xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %v : tensor<1x4x8x8xf32>, tensor<4x3x3xf32>) outs(%zero : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// CHECK-LABEL: @depthwise_of_three_dims
// CHECK: %[[W:.*]] = tensor.expand_shape %arg1 {{\[}}[0], [1, 2], [3]] output_shape [4, 1, 3, 3] : tensor<4x3x3xf32> into tensor<4x1x3x3xf32>
// CHECK: top.Conv2D %arg0, %[[W]] {group = 4 : i64}
func.func @depthwise_of_three_dims(%x: tensor<1x4x8x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x6x6xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x4x8x8xf32>, tensor<4x3x3xf32>) outs(%zero : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// Groups, as torch-mlir prints them: reshaped round the convolution, the bias
// repeated and then reshaped, a pad in front of the reshape.

#bias = affine_map<(d0, d1, d2, d3) -> (d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @groups
// CHECK-NOT: tensor.expand_shape
// CHECK-NOT: linalg
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1, %arg2 {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x8x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @groups(%x: tensor<1x4x8x8xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>) -> tensor<1x6x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %xg = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 10, 10] : tensor<1x4x10x10xf32> into tensor<1x2x2x10x10xf32>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 3, 3] : tensor<6x2x3x3xf32> into tensor<2x3x2x3x3xf32>
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %bb = linalg.generic {indexing_maps = [#bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x8x8xf32>
  %eg = tensor.expand_shape %bb [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, 8, 8] : tensor<1x6x8x8xf32> into tensor<1x2x3x8x8xf32>
  %yg = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%xg, %wg : tensor<1x2x2x10x10xf32>, tensor<2x3x2x3x3xf32>) outs(%eg : tensor<1x2x3x8x8xf32>) -> tensor<1x2x3x8x8xf32>
  %y = tensor.collapse_shape %yg [[0], [1, 2], [3], [4]] : tensor<1x2x3x8x8xf32> into tensor<1x6x8x8xf32>
  return %y : tensor<1x6x8x8xf32>
}

// -----

// The same with casts to dynamic shapes in between.

// CHECK-LABEL: @groups_through_casts
// CHECK: %[[Y:.*]] = top.Conv2D %arg0, %arg1 {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x8x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @groups_through_casts(%x: tensor<1x4x8x8xf32>, %w: tensor<6x2x3x3xf32>) -> tensor<1x6x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %px = tensor.cast %p : tensor<1x4x10x10xf32> to tensor<1x4x?x?xf32>
  %xg = tensor.expand_shape %px [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, %c10, %c10] : tensor<1x4x?x?xf32> into tensor<1x2x2x?x?xf32>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 3, 3] : tensor<6x2x3x3xf32> into tensor<2x3x2x3x3xf32>
  %e = tensor.empty(%c8, %c8) : tensor<1x6x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x?x?xf32>) -> tensor<1x6x?x?xf32>
  %eg = tensor.expand_shape %f [[0], [1, 2], [3], [4]] output_shape [1, 2, 3, %c8, %c8] : tensor<1x6x?x?xf32> into tensor<1x2x3x?x?xf32>
  %yg = linalg.conv_2d_ngchw_gfchw ins(%xg, %wg : tensor<1x2x2x?x?xf32>, tensor<2x3x2x3x3xf32>) outs(%eg : tensor<1x2x3x?x?xf32>) -> tensor<1x2x3x?x?xf32>
  %yc = tensor.collapse_shape %yg [[0], [1, 2], [3], [4]] : tensor<1x2x3x?x?xf32> into tensor<1x6x?x?xf32>
  %y = tensor.cast %yc : tensor<1x6x?x?xf32> to tensor<1x6x8x8xf32>
  return %y : tensor<1x6x8x8xf32>
}

// -----

// f16 operands summed up in f32.

// CHECK-LABEL: @half
// CHECK: top.Conv2D %arg0, %arg1 : (tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>) -> tensor<1x4x6x6xf32>
func.func @half(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>) outs(%zero : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// A convolution written as a generic; the filter is the first operand.

#x = affine_map<(n, f, oh, ow, c, kh, kw) -> (n, c, oh * 2 + kh, ow * 2 + kw * 3)>
#w = affine_map<(n, f, oh, ow, c, kh, kw) -> (f, c, kh, kw)>
#y = affine_map<(n, f, oh, ow, c, kh, kw) -> (n, f, oh, ow)>

// CHECK-LABEL: @generic
// CHECK: top.Conv2D %arg0, %arg1 {dilations = array<i64: 1, 3>, strides = array<i64: 2, 2>} : (tensor<2x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x4x3xf32>
func.func @generic(%x: tensor<2x3x9x11xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x4x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x4x4x3xf32>
  %y = linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%w, %x : tensor<4x3x3x3xf32>, tensor<2x3x9x11xf32>) outs(%zero : tensor<2x4x4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %b, %a : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4x3xf32>
  return %y : tensor<2x4x4x3xf32>
}

// -----

// At batch 1 a printer writes a literal 0.

#x = affine_map<(n, f, oh, ow, c, kh, kw) -> (0, c, oh + kh, ow + kw)>
#w = affine_map<(n, f, oh, ow, c, kh, kw) -> (f, c, kh, kw)>
#y = affine_map<(n, f, oh, ow, c, kh, kw) -> (n, f, oh, ow)>

// CHECK-LABEL: @generic_batch_of_one
// CHECK: top.Conv2D %arg0, %arg1 : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
func.func @generic_batch_of_one(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x6x6xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%zero : tensor<1x4x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}
