// The height is known at run time only.
func.func @dynamic(%in: tensor<1x3x?x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x?x16xf32> {
  %r = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<1x3x?x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x?x16xf32>
  return %r : tensor<1x8x?x16xf32>
}
