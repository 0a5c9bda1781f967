// Two images and no bias: the batch can be cut without touching the pads.
func.func @batch(%in: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
  %r = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
  return %r : tensor<2x8x16x16xf32>
}
