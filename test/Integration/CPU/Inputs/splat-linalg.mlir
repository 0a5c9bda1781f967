func.func @splat(%x: tensor<1x4xf32>) -> tensor<1x3xf32> {
  %b = arith.constant dense<4.0> : tensor<3xf32>
  %zero = arith.constant dense<0.0> : tensor<1x3xf32>
  %w = arith.constant dense<2.0> : tensor<4x3xf32>
  %p = linalg.matmul ins(%x, %w : tensor<1x4xf32>, tensor<4x3xf32>) outs(%zero : tensor<1x3xf32>) -> tensor<1x3xf32>
  %e = tensor.empty() : tensor<1x3xf32>
  %bb = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<1x3xf32>) dimensions = [0]
  %y = arith.addf %p, %bb : tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}
