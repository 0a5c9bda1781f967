#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3, split_k = 8>
func.func @deep(%a: tensor<128x8192xf32>, %b: tensor<8192x128xf32>) -> tensor<128x128xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x8192xf32>, tensor<8192x128xf32>) -> tensor<128x128xf32>
  return %c : tensor<128x128xf32>
}
