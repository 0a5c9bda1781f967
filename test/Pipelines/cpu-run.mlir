// What the pipeline makes runs under the stock mlir-runner, without any runtime
// library, and gives the numbers worked out by hand.

// RUN: top-opt %s --top-cpu-pipeline | mlir-runner -e main --entry-point-result=f32 | FileCheck %s
// RUN: top-opt %s --top-cpu-pipeline="vector-bits=512" | mlir-runner -O3 -e main --entry-point-result=f32 | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=2 width=3 form=unroll}),top-cpu-pipeline)" | mlir-runner -e main --entry-point-result=f32 | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=2 width=3 form=loop}),top-cpu-pipeline)" | mlir-runner -e main --entry-point-result=f32 | FileCheck %s

func.func @conv(%x: tensor<1x1x5x7xf32>, %w: tensor<1x1x3x3xf32>, %b: tensor<1xf32>) -> tensor<1x1x5x7xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x5x7xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>) -> tensor<1x1x5x7xf32>
  return %y : tensor<1x1x5x7xf32>
}

// x[h][w] = 10*h + w. The filter takes the element to the right (weight 2) and
// the one below (weight 1): y[h][w] = 2*x[h][w+1] + x[h+1][w] + 0.5, without
// what is outside.
func.func @main() -> f32 {
  %x = arith.constant dense<[[[
    [ 0.0,  1.0,  2.0,  3.0,  4.0,  5.0,  6.0], [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0],
    [20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0], [30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0],
    [40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0]]]]> : tensor<1x1x5x7xf32>
  %w = arith.constant dense<[[[[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 1.0, 0.0]]]]> : tensor<1x1x3x3xf32>
  %b = arith.constant dense<0.5> : tensor<1xf32>
  %y = func.call @conv(%x, %w, %b) : (tensor<1x1x5x7xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>) -> tensor<1x1x5x7xf32>
  // 1000 * y[2][3] + y[4][6]: 1000 * (48 + 33 + 0.5) + 0.5.
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %inside = tensor.extract %y[%c0, %c0, %c2, %c3] : tensor<1x1x5x7xf32>
  %corner = tensor.extract %y[%c0, %c0, %c4, %c6] : tensor<1x1x5x7xf32>
  %k = arith.constant 1000.0 : f32
  %scaled = arith.mulf %inside, %k : f32
  %sum = arith.addf %scaled, %corner : f32
  return %sum : f32
}
// CHECK: 8.150050e+04
