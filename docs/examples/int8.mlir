// A product of bytes with a bias, cut to what an unsigned byte holds.
func.func @int8(%a: tensor<33x50xi8>, %b: tensor<17x50xi8>, %bias: tensor<17xi32>) -> tensor<33x17xi32> {
  %c = top.MatMul %a, %b, %bias {transpose_b = true, epilogue = [#top.step<relu>, #top.step<clamp, min = 0.0, max = 255.0>]}
     : (tensor<33x50xi8>, tensor<17x50xi8>, tensor<17xi32>) -> tensor<33x17xi32>
  return %c : tensor<33x17xi32>
}
