#s = #top.schedule<engine = mma_sync, block = [128, 128, 32], warp = [64, 64], stages = 4>
func.func @gemm(%a: tensor<512x256xf16>, %b: tensor<256x512xf16>, %bias: tensor<512xf16>) -> tensor<512x512xf16> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>], top.schedule = #s} : (tensor<512x256xf16>, tensor<256x512xf16>, tensor<512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
