func.func @f(%x: tensor<1x3x9x9xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x9x9xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x3x9x9xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x9x9xf32>
  return %y : tensor<1x8x9x9xf32>
}
