// Two convolutions on images whose channels lie side by side.
!image = tensor<2x8x9x9xf32, #top.layout<channels_last>>
func.func @block(%x: !image, %w: tensor<8x8x3x3xf32>, %v: tensor<4x8x1x1xf32>) -> tensor<2x4x9x9xf32> {
  %y = top.Conv2D %x, %w epilogue(%x) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<relu>]}
     : (!image, tensor<8x8x3x3xf32>, !image) -> !image
  %z = top.Conv2D %y, %v : (!image, tensor<4x8x1x1xf32>) -> tensor<2x4x9x9xf32>
  return %z : tensor<2x4x9x9xf32>
}
