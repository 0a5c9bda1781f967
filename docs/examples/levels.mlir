#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @gemm(%a: tensor<256x128xf32>, %b: tensor<128x256xf32>) -> tensor<256x256xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
