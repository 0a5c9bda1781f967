// One slot: a barrier on either side of the copy.
// RUN: top-mutate %s --quiet

func.func @tensor_cores_one_slot(%a: tensor<40x96xf16>, %b: tensor<40x96xf16>) -> tensor<40x40xf16> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 1>}
     : (tensor<40x96xf16>, tensor<40x96xf16>) -> tensor<40x40xf16>
  return %c : tensor<40x40xf16>
}
