// The same, copied at once: element by element where a row ends within.
// RUN: top-mutate %s --kernel='^repacked_one_slot(_kernel_1)?$' --quiet

func.func @repacked_one_slot(%a: tensor<40x41xf16>, %b: tensor<24x41xf16>) -> tensor<40x24xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 16, 32], warp = [16, 16], stages = 1, repack = true>}
     : (tensor<40x41xf16>, tensor<24x41xf16>) -> tensor<40x24xf32>
  return %c : tensor<40x24xf32>
}
