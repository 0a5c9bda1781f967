// No row is aligned: copies element by element, and stores one at a time.
// RUN: top-mutate %s --quiet

func.func @tensor_cores_odd(%a: tensor<37x45xf16>, %b: tensor<41x45xf16>) -> tensor<37x41xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 16], warp = [16, 8], stages = 2>}
     : (tensor<37x45xf16>, tensor<41x45xf16>) -> tensor<37x41xf32>
  return %c : tensor<37x41xf32>
}
