// Pads larger than the kernel: whole tiles read nothing but zeros.
func.func @padding(%in: tensor<1x1x4x4xf32>, %w: tensor<2x1x1x1xf32>, %b: tensor<2xf32>) -> tensor<1x2x12x4xf32> {
  %r = top.Conv2D %in, %w, %b {pads = array<i64: 4, 0, 4, 0>}
     : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x12x4xf32>
  return %r : tensor<1x2x12x4xf32>
}
