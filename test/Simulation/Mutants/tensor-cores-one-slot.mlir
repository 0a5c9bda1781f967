// One slot: a barrier on either side of the copy.
// RUN: top-mutate %s --quiet

// SURVIVES: barrier-removed.2: the loop ends in a barrier
// SURVIVES: remainder-dropped.3: only the lowest 5 bits of the number are used

func.func @tensor_cores_one_slot(%a: tensor<64x96xf16>, %b: tensor<64x96xf16>) -> tensor<64x64xf16> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 32], warp = [16, 16], stages = 1>}
     : (tensor<64x96xf16>, tensor<64x96xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}
