// RUN: top-opt %s --raise-linalg-to-top --split-input-file --remark-format=emitRemark --remarks-filter=raise-linalg-to-top 2>&1 | FileCheck %s
// RUN: top-opt %s --raise-linalg-to-top --split-input-file | FileCheck %s --check-prefix=IR

// What is left, and the text that says so. The order of the two streams is that
// of the functions: a remark stands in front of its function.

// Integers, also with zero points.

// CHECK: NotRaised | {{.*}}Function=int8 | {{.*}}Remark="raised 0 of 2 convolutions and products; 0 of 0 elementwise ops behind them are in their epilogues; left: 1 x linalg.matmul: element type i8 is not supported; 1 x linalg.quantized_matmul: element type i8 is not supported"
// IR-LABEL: @int8
// IR: linalg.matmul
// IR: linalg.quantized_matmul
func.func @int8(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %z: i32, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %y = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  %q = linalg.quantized_matmul ins(%a, %b, %z, %z : tensor<4x8xi8>, tensor<8x6xi8>, i32, i32) outs(%y : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %q : tensor<4x6xi32>
}

// -----

// One spatial axis, and three.

// CHECK: NotRaised | {{.*}}Function=other_ranks | {{.*}}Remark="raised 0 of 2 convolutions and products; {{.*}}left: 1 x linalg.conv_1d_ncw_fcw: 1-D convolutions have no layer op; 1 x linalg.conv_3d_ncdhw_fcdhw: 3-D convolutions have no layer op"
// IR-LABEL: @other_ranks
// IR: linalg.conv_1d_ncw_fcw
// IR: linalg.conv_3d_ncdhw_fcdhw
func.func @other_ranks(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>, %c: tensor<1x4x6xf32>, %u: tensor<1x3x8x8x8xf32>, %v: tensor<4x3x3x3x3xf32>, %d: tensor<1x4x6x6x6xf32>) -> (tensor<1x4x6xf32>, tensor<1x4x6x6x6xf32>) {
  %y = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x8xf32>, tensor<4x3x3xf32>) outs(%c : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %z = linalg.conv_3d_ncdhw_fcdhw ins(%u, %v : tensor<1x3x8x8x8xf32>, tensor<4x3x3x3x3xf32>) outs(%d : tensor<1x4x6x6x6xf32>) -> tensor<1x4x6x6x6xf32>
  return %y, %z : tensor<1x4x6xf32>, tensor<1x4x6x6x6xf32>
}

// -----

// A pooling is none, nor is a sum; the function has no candidate.

// CHECK: NotRaised | {{.*}}Function=pooling | {{.*}}Remark="raised 0 of 0 convolutions and products; 0 of 0 elementwise ops behind them are in their epilogues"
// IR-LABEL: @pooling
// IR: linalg.pooling_nchw_max
func.func @pooling(%x: tensor<1x3x8x8xf32>, %c: tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %y = linalg.pooling_nchw_max ins(%x, %w : tensor<1x3x8x8xf32>, tensor<3x3xf32>) outs(%c : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  return %y : tensor<1x3x6x6xf32>
}

// -----

// A pad of a number other than zero stays a pad in front of the convolution.

// CHECK: Raised | {{.*}}Function=pad_value | {{.*}}Remark="raised 1 of 1 convolutions and products
// IR-LABEL: @pad_value
// IR: %[[P:.*]] = tensor.pad
// IR: top.Conv2D %[[P]], %arg1 : (tensor<1x3x10x10xf32>,
func.func @pad_value(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x4x8x8xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// Channels that are padded are no pads of a convolution.

// CHECK: Raised | {{.*}}Function=pad_channels
// IR-LABEL: @pad_channels
// IR: %[[P:.*]] = tensor.pad
// IR: top.Conv2D %[[P]], %arg1 : (tensor<1x4x8x8xf32>,
func.func @pad_channels(%x: tensor<1x3x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x4x6x6xf32>
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// A product of another body, and one whose destination has no values.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK: NotRaised | {{.*}}Function=bodies | {{.*}}left: 1 x linalg.generic: its body is not a sum of products; 1 x linalg.matmul: 'outs' holds no values to add to"
// IR-LABEL: @bodies
// IR: linalg.generic
// IR: linalg.matmul
func.func @bodies(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %x = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = math.absf %l : f32
    %1 = arith.mulf %0, %r : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %x, %y : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// Behind a layer: a value that something else uses, an op without a step, and
// what follows it. The mean of a row is no elementwise op of one element.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK: Raised | {{.*}}Function=behind | {{.*}}Remark="raised 2 of 2 convolutions and products; 0 of 3 elementwise ops behind them are in their epilogues; left behind: 1 x linalg.generic: a value in between has other uses; 1 x linalg.generic: 'math.tanh' has no epilogue step; 1 x linalg.generic: it follows an op that is left"
// IR-LABEL: @behind
// IR-COUNT-2: top.MatMul
func.func @behind(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %s: tensor<4xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %x = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %used = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.addf %in, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %centred = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %m: f32, %o: f32):
    %0 = arith.subf %in, %m : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %y = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = math.tanh %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%tanh : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %x, %used, %centred, %relu : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}
