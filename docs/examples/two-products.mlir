// Two layers: the second product has a constant right side.
func.func @mlp(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) -> tensor<2x2xf16> {
  %v = arith.constant dense<[[0.5, 1.0], [2.0, 0.25], [0.0, -1.0], [1.5, 3.0]]> : tensor<4x2xf16>
  %h = top.MatMul %x, %w {epilogue = [#top.step<relu>]} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  %y = top.MatMul %h, %v : (tensor<2x4xf16>, tensor<4x2xf16>) -> tensor<2x2xf16>
  return %y : tensor<2x2xf16>
}
