func.func @stem(%x: tensor<8x3x32x32xf16>, %b: tensor<16xf16>) -> tensor<8x16x16x16xf16> {
  %w = arith.constant dense<0.125> : tensor<16x3x3x3xf16>
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>],
       top.schedule = #top.schedule<engine = mma_sync, block = [16, 128, 16], warp = [16, 32], stages = 3, repack = true, box = [1, 8, 16]>}
     : (tensor<8x3x32x32xf16>, tensor<16x3x3x3xf16>, tensor<16xf16>) -> tensor<8x16x16x16xf16>
  return %y : tensor<8x16x16x16xf16>
}
