// Products of i8, and parts of K that a second kernel adds.
// RUN: top-mutate %s --quiet

func.func @bytes(%a: tensor<40x320xi8>, %b: tensor<46x320xi8>) -> tensor<40x46xi32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 64], warp = [16, 16], stages = 2, split_k = 2>}
     : (tensor<40x320xi8>, tensor<46x320xi8>) -> tensor<40x46xi32>
  return %c : tensor<40x46xi32>
}
