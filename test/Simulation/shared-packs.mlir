// Packs that are shared by tiles, and by two convolutions, on the simulated GPU:
// a plan has one launch for each, and nothing is copied.

// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=6 width=7}))" -o %t.loop.mlir
// RUN: top-run %t.loop.mlir --reference=%s --function=filter --target=sim --verify --guard=nan | FileCheck %s
// RUN: top-run %t.loop.mlir --reference=%s --function=groups --target=sim --verify --guard=nan --sim-mode=lazy | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=6 width=7 form=unroll}))" -o %t.unrolled.mlir
// RUN: top-run %t.unrolled.mlir --reference=%s --function=filter --target=sim --verify --guard=nan --sim-mode=random | FileCheck %s
// RUN: top-run %t.unrolled.mlir --reference=%s --function=groups --target=sim --verify --guard=nan | FileCheck %s
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-tile{height=8 channels=8}))" -o %t.channels.mlir
// RUN: top-run %t.channels.mlir --reference=%s --function=filter --target=sim --verify --guard=nan | FileCheck %s
// RUN: top-run %s --function=images --target=sim --verify --guard=nan | FileCheck %s
// RUN: top-run %s --function=images --target=sim --verify --guard=nan --fill=normal --chip=sm_90a --sim-mode=random | FileCheck %s
// RUN: top-run %s --function=kept --target=sim --verify --guard=nan | FileCheck %s
// CHECK: PASS {{filter|groups|images|kept}}: compared

// RUN: top-compile %t.loop.mlir --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/count-steps.py %t.json | FileCheck %s --check-prefix=TILES
// RUN: top-compile %t.unrolled.mlir --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/count-steps.py %t.json | FileCheck %s --check-prefix=TILES
// RUN: top-compile %t.channels.mlir --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/count-steps.py %t.json | FileCheck %s --check-prefix=CHANNELS
// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/count-steps.py %t.json | FileCheck %s --check-prefix=WHOLE

// 4 x 3 tiles, each with a pack of its images, and one of the filter.
// TILES: filter: 25 launches, 0 copies
// TILES: groups: 25 launches, 0 copies
// 3 x 2 tiles, with a pack of the images for each two; of the filter's halves,
// where a loop takes one after the other, for each tile.
// CHANNELS: filter: 15 launches, 0 copies
// WHOLE: filter: 3 launches, 0 copies
// WHOLE: groups: 3 launches, 0 copies
// WHOLE: images: 4 launches, 0 copies
// WHOLE: kept: 6 launches, 0 copies

func.func @filter(%x: tensor<1x16x20x20xf16>, %w: tensor<16x16x3x3xf16>) -> tensor<1x16x20x20xf16> {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<1x16x20x20xf16>, tensor<16x16x3x3xf16>) -> tensor<1x16x20x20xf16>
  return %0 : tensor<1x16x20x20xf16>
}

func.func @groups(%x: tensor<1x12x20x20xf32>, %w: tensor<8x6x3x3xf32>) -> tensor<1x8x20x20xf32> {
  %0 = top.Conv2D %x, %w {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>], top.schedule = #top.schedule<block = [16, 64, 16], warp = [16, 32], thread = [2, 8], repack = true>} : (tensor<1x12x20x20xf32>, tensor<8x6x3x3xf32>) -> tensor<1x8x20x20xf32>
  return %0 : tensor<1x8x20x20xf32>
}

// One pack of the images and one of the filter, and two convolutions.
func.func @images(%x: tensor<2x16x9x11xf16>, %w: tensor<8x16x3x3xf16>) -> (tensor<2x8x9x11xf16>, tensor<2x8x7x9xf16>) {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x16x9x11xf16>, tensor<8x16x3x3xf16>) -> tensor<2x8x9x11xf16>
  %1 = top.Conv2D %x, %w {epilogue = [#top.step<relu>], top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x16x9x11xf16>, tensor<8x16x3x3xf16>) -> tensor<2x8x7x9xf16>
  return %0, %1 : tensor<2x8x9x11xf16>, tensor<2x8x7x9xf16>
}

// A pack of the pixels that are kept by two, one of all pixels, that of the one
// filter of more than one tap, and three convolutions.
func.func @kept(%x: tensor<2x16x9x11xf16>, %w: tensor<8x16x1x1xf16>, %v: tensor<8x16x1x1xf16>, %u: tensor<8x16x3x3xf16>) -> (tensor<2x8x5x6xf16>, tensor<2x8x5x6xf16>, tensor<2x8x4x5xf16>) {
  %0 = top.Conv2D %x, %w {strides = array<i64: 2, 2>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x16x9x11xf16>, tensor<8x16x1x1xf16>) -> tensor<2x8x5x6xf16>
  %1 = top.Conv2D %x, %v {strides = array<i64: 2, 2>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x16x9x11xf16>, tensor<8x16x1x1xf16>) -> tensor<2x8x5x6xf16>
  %2 = top.Conv2D %x, %u {strides = array<i64: 2, 2>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x16x9x11xf16>, tensor<8x16x3x3xf16>) -> tensor<2x8x4x5xf16>
  return %0, %1, %2 : tensor<2x8x5x6xf16>, tensor<2x8x5x6xf16>, tensor<2x8x4x5xf16>
}
