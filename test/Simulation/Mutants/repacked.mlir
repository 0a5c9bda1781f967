// Rows of 101 elements that were copied to rows of 104: pieces of 16 bytes
// that end within.
// RUN: top-mutate %s --kernel='^repacked(_kernel_1)?$' --quiet

// SURVIVES: compare-off-by-one.21: the copies behind the last step have no bytes, since all are beyond K

func.func @repacked(%a: tensor<40x101xf16>, %b: tensor<24x101xf16>) -> tensor<40x24xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 16, 16], warp = [16, 16], stages = 3, repack = true>}
     : (tensor<40x101xf16>, tensor<24x101xf16>) -> tensor<40x24xf32>
  return %c : tensor<40x24xf32>
}
