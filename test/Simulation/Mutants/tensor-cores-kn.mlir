// B has its rows along N, as ldmatrix transposes it; 4 slots, and more warps
// than bands of sums have room for.
// RUN: top-mutate %s --quiet

func.func @tensor_cores_kn(%a: tensor<72x72xbf16>, %b: tensor<72x40xbf16>) -> tensor<72x40xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [64, 32, 16], warp = [32, 16], stages = 4>}
     : (tensor<72x72xbf16>, tensor<72x40xbf16>) -> tensor<72x40xf32>
  return %c : tensor<72x40xf32>
}
