// A bottleneck of ResNet-50: 256 channels to 64, 3 x 3, back to 256, and add.
!wide = tensor<32x256x56x56xf16>
!narrow = tensor<32x64x56x56xf16>
func.func @bottleneck(%x: !wide) -> !wide {
  %w1 = arith.constant dense<0.01> : tensor<64x256x1x1xf16>
  %w2 = arith.constant dense<0.02> : tensor<64x64x3x3xf16>
  %w3 = arith.constant dense<0.03> : tensor<256x64x1x1xf16>
  %1 = top.Conv2D %x, %w1 {epilogue = [#top.step<relu>]} : (!wide, tensor<64x256x1x1xf16>) -> !narrow
  %2 = top.Conv2D %1, %w2 {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]}
     : (!narrow, tensor<64x64x3x3xf16>) -> !narrow
  %3 = top.Conv2D %2, %w3 epilogue(%x) {epilogue = [#top.step<add>, #top.step<relu>]}
     : (!narrow, tensor<256x64x1x1xf16>, !wide) -> !wide
  return %3 : !wide
}
