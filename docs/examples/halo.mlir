// The worked example of docs/Tiling.md: H = 9, KH = 3, stride 2, top pad 1.
func.func @halo(%in: tensor<1x1x9x9xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32> {
  %r = top.Conv2D %in, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>}
     : (tensor<1x1x9x9xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
  return %r : tensor<1x1x4x4xf32>
}
