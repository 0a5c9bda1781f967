// B has its rows along N, as ldmatrix transposes it; 4 slots, and more bands
// of sums than there is room for at once.
// RUN: top-mutate %s --quiet

// SURVIVES: shared-offset-short.10: the last rows of the band before it end in 32 bytes of padding

func.func @tensor_cores_kn(%a: tensor<72x80xbf16>, %b: tensor<80x64xbf16>) -> tensor<72x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [64, 32, 16], warp = [32, 16], stages = 4>}
     : (tensor<72x80xbf16>, tensor<80x64xbf16>) -> tensor<72x64xf32>
  return %c : tensor<72x64xf32>
}
