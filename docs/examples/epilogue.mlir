// A layer written by hand: a strided convolution with bias, a residual and relu.
func.func @epilogue(%x: tensor<1x3x15x15xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %res: tensor<1x4x8x8xf32>)
    -> tensor<1x4x8x8xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%res) {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>,
                                             epilogue = [#top.step<add>, #top.step<relu>]}
     : (tensor<1x3x15x15xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}
