// A convolution with its input packed, windows that begin outside of images,
// boxes that end there, and parts of K: two packs, the products, the sum. Of the
// other kinds of mistake some are not noticed, and have not been looked at one by
// one: masks of copies behind the last step, and of columns that pad the parts.
// RUN: top-mutate %s --quiet --only='^(access|barrier|commit|copy-removed|grid|loop|matrix|remainder|ring|select|shared|slot-next|slot-wraps-late|slots|swizzle|wait|warp|zero)'

func.func @conv_packed(%x: tensor<3x8x5x7xf16>, %w: tensor<24x8x3x3xf16>) -> tensor<3x24x5x7xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 48, 16], warp = [16, 24], stages = 2, split_k = 2, repack = true, box = [2, 3, 8]>}
     : (tensor<3x8x5x7xf16>, tensor<24x8x3x3xf16>) -> tensor<3x24x5x7xf32>
  return %y : tensor<3x24x5x7xf32>
}
