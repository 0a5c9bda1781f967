// Engine direct computes the right numbers: depthwise and grouped convolutions,
// every type, kernels from 1x1 to 31x31, strides, dilations and pads of any size,
// rows of any alignment, and steps along the channels.

// RUN: %python %S/Inputs/run-all.py %s --verify --sim-mode=eager | FileCheck %s
// RUN: %python %S/Inputs/run-all.py %s --verify --sim-mode=lazy --sim-seed=2 | FileCheck %s
// RUN: %python %S/Inputs/run-all.py %s --verify --sim-mode=random --sim-seed=3 --sim-workers=1 | FileCheck %s

// CHECK-COUNT-29: PASS {{.*}}: compared
// CHECK: 29 functions, 0 failed

func.func @dw3_f32(%x: tensor<2x5x9x11xf32>, %w: tensor<5x1x3x3xf32>) -> tensor<2x5x9x11xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 5 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<2x5x9x11xf32>, tensor<5x1x3x3xf32>) -> tensor<2x5x9x11xf32>
  return %y : tensor<2x5x9x11xf32>
}

func.func @dw3_f16_aligned(%x: tensor<2x8x12x16xf16>, %w: tensor<8x1x3x3xf16>, %b: tensor<8xf16>) -> tensor<2x8x12x16xf16> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 8 : i64, epilogue = [#top.step<relu>], top.schedule = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>} : (tensor<2x8x12x16xf16>, tensor<8x1x3x3xf16>, tensor<8xf16>) -> tensor<2x8x12x16xf16>
  return %y : tensor<2x8x12x16xf16>
}

func.func @dw3_f16_w14(%x: tensor<1x6x14x14xf16>, %w: tensor<6x1x3x3xf16>) -> tensor<1x6x14x14xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 6 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 112, 1], warp = [4, 112], thread = [1, 14], box = [1, 7, 14]>} : (tensor<1x6x14x14xf16>, tensor<6x1x3x3xf16>) -> tensor<1x6x14x14xf16>
  return %y : tensor<1x6x14x14xf16>
}

func.func @dw5_s2_bf16(%x: tensor<2x3x13x15xbf16>, %w: tensor<3x1x5x5xbf16>, %e0: tensor<3xbf16>, %e1: tensor<3xbf16>) -> tensor<2x3x7x8xbf16> {
  %y = top.Conv2D %x, %w epilogue(%e0, %e1) {strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 3 : i64, epilogue = [#top.step<affine>, #top.step<silu>], top.schedule = #top.schedule<engine = direct, block = [2, 512, 1], warp = [1, 512], thread = [1, 16], box = [1, 8, 16]>} : (tensor<2x3x13x15xbf16>, tensor<3x1x5x5xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> tensor<2x3x7x8xbf16>
  return %y : tensor<2x3x7x8xbf16>
}

func.func @dw7_f16(%x: tensor<1x4x14x14xf16>, %w: tensor<4x1x7x7xf16>, %e0: tensor<1x4x14x14xf16>) -> tensor<1x4x14x14xf16> {
  %y = top.Conv2D %x, %w epilogue(%e0) {strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, group = 4 : i64, epilogue = [#top.step<add>], top.schedule = #top.schedule<engine = direct, block = [8, 112, 1], warp = [8, 112], thread = [1, 28], box = [1, 8, 14]>} : (tensor<1x4x14x14xf16>, tensor<4x1x7x7xf16>, tensor<1x4x14x14xf16>) -> tensor<1x4x14x14xf16>
  return %y : tensor<1x4x14x14xf16>
}

func.func @dw3_s3_d2_f64(%x: tensor<2x3x17x19xf64>, %w: tensor<3x1x3x3xf64>) -> tensor<2x3x6x8xf64> {
  %y = top.Conv2D %x, %w {strides = array<i64: 3, 2>, pads = array<i64: 2, 3, 1, 0>, dilations = array<i64: 2, 3>, group = 3 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<2x3x17x19xf64>, tensor<3x1x3x3xf64>) -> tensor<2x3x6x8xf64>
  return %y : tensor<2x3x6x8xf64>
}

func.func @dw3_d5_large_pads(%x: tensor<1x2x6x5xf16>, %w: tensor<2x1x3x3xf16>) -> tensor<1x2x14x12xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 7, 9, 11, 8>, dilations = array<i64: 5, 5>, group = 2 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<1x2x6x5xf16>, tensor<2x1x3x3xf16>) -> tensor<1x2x14x12xf16>
  return %y : tensor<1x2x14x12xf16>
}

func.func @dw_odd_box(%x: tensor<3x3x10x37xf16>, %w: tensor<3x1x3x3xf16>, %e0: tensor<3x3x9x37xf16>) -> tensor<3x3x9x37xf16> {
  %y = top.Conv2D %x, %w epilogue(%e0) {strides = array<i64: 1, 1>, pads = array<i64: 0, 2, 1, 0>, dilations = array<i64: 1, 1>, group = 3 : i64, epilogue = [#top.step<mul>], top.schedule = #top.schedule<engine = direct, block = [1, 128, 1], warp = [1, 128], thread = [1, 4], box = [1, 4, 24]>} : (tensor<3x3x10x37xf16>, tensor<3x1x3x3xf16>, tensor<3x3x9x37xf16>) -> tensor<3x3x9x37xf16>
  return %y : tensor<3x3x9x37xf16>
}

func.func @dw_1x1_image(%x: tensor<2x7x1x1xf32>, %w: tensor<7x1x3x3xf32>) -> tensor<2x7x1x1xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 7 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>} : (tensor<2x7x1x1xf32>, tensor<7x1x3x3xf32>) -> tensor<2x7x1x1xf32>
  return %y : tensor<2x7x1x1xf32>
}

func.func @dw_rule(%x: tensor<1x12x15x15xf16>, %w: tensor<12x1x3x3xf16>, %e0: tensor<12xf16>, %e1: tensor<12xf16>, %e2: tensor<1x12x15x15xf16>) -> tensor<1x12x15x15xf16> {
  %y = top.Conv2D %x, %w epilogue(%e0, %e1, %e2) {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 12 : i64, epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>]} : (tensor<1x12x15x15xf16>, tensor<12x1x3x3xf16>, tensor<12xf16>, tensor<12xf16>, tensor<1x12x15x15xf16>) -> tensor<1x12x15x15xf16>
  return %y : tensor<1x12x15x15xf16>
}

func.func @dw_many_groups(%x: tensor<1x70x7x7xf16>, %w: tensor<70x1x3x3xf16>) -> tensor<1x70x7x7xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 70 : i64, top.schedule = #top.schedule<engine = direct, block = [32, 56, 1], warp = [32, 7], thread = [1, 7], box = [1, 8, 7]>} : (tensor<1x70x7x7xf16>, tensor<70x1x3x3xf16>) -> tensor<1x70x7x7xf16>
  return %y : tensor<1x70x7x7xf16>
}

func.func @dw_batch0(%x: tensor<0x4x8x8xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<0x4x6x6xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 4 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>} : (tensor<0x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<0x4x6x6xf32>
  return %y : tensor<0x4x6x6xf32>
}

func.func @dw_wide_result(%x: tensor<1x4x8x16xf16>, %w: tensor<4x1x3x3xf16>, %b: tensor<4xf32>) -> tensor<1x4x8x16xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 4 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8]>} : (tensor<1x4x8x16xf16>, tensor<4x1x3x3xf16>, tensor<4xf32>) -> tensor<1x4x8x16xf32>
  return %y : tensor<1x4x8x16xf32>
}

func.func @dw_31x31(%x: tensor<1x2x12x12xf16>, %w: tensor<2x1x31x31xf16>) -> tensor<1x2x12x12xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 15, 15, 15, 15>, dilations = array<i64: 1, 1>, group = 2 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<1x2x12x12xf16>, tensor<2x1x31x31xf16>) -> tensor<1x2x12x12xf16>
  return %y : tensor<1x2x12x12xf16>
}

func.func @dw_1x9(%x: tensor<1x2x8x40xf32>, %w: tensor<2x1x1x9xf32>) -> tensor<1x2x8x40xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 4, 0, 4>, dilations = array<i64: 1, 1>, group = 2 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<1x2x8x40xf32>, tensor<2x1x1x9xf32>) -> tensor<1x2x8x40xf32>
  return %y : tensor<1x2x8x40xf32>
}

func.func @dw_long_kernel(%x: tensor<1x2x2x8xf32>, %w: tensor<2x1x1x401xf32>) -> tensor<1x2x2x8xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 200, 0, 200>, dilations = array<i64: 1, 1>, group = 2 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<1x2x2x8xf32>, tensor<2x1x1x401xf32>) -> tensor<1x2x2x8xf32>
  return %y : tensor<1x2x2x8xf32>
}

func.func @dw_stride9(%x: tensor<1x3x30x31xf16>, %w: tensor<3x1x2x2xf16>) -> tensor<1x3x4x5xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 9, 7>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 3 : i64, top.schedule = #top.schedule<engine = direct, block = [1, 256, 1], warp = [1, 256], thread = [1, 8]>} : (tensor<1x3x30x31xf16>, tensor<3x1x2x2xf16>) -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @mult2(%x: tensor<2x3x9x10xf32>, %w: tensor<6x1x3x3xf32>) -> tensor<2x6x9x10xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 3 : i64, top.schedule = #top.schedule<engine = direct, block = [6, 256, 1], warp = [2, 256], thread = [2, 8], box=[1, 8, 16]>} : (tensor<2x3x9x10xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x9x10xf32>
  return %y : tensor<2x6x9x10xf32>
}

func.func @mult3_bf16(%x: tensor<1x4x9x10xbf16>, %w: tensor<12x1x3x3xbf16>) -> tensor<1x12x9x10xbf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 4 : i64, top.schedule = #top.schedule<engine = direct, block = [12, 64, 1], warp = [12, 64], thread = [3, 8]>} : (tensor<1x4x9x10xbf16>, tensor<12x1x3x3xbf16>) -> tensor<1x12x9x10xbf16>
  return %y : tensor<1x12x9x10xbf16>
}

func.func @group2(%x: tensor<2x4x10x12xf16>, %w: tensor<6x2x3x3xf16>, %b: tensor<6xf16>) -> tensor<2x6x10x12xf16> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 2 : i64, top.schedule = #top.schedule<engine = direct, block = [6, 128, 2], warp = [6, 128], thread = [3, 8]>} : (tensor<2x4x10x12xf16>, tensor<6x2x3x3xf16>, tensor<6xf16>) -> tensor<2x6x10x12xf16>
  return %y : tensor<2x6x10x12xf16>
}

func.func @group4x4(%x: tensor<1x16x9x14xf16>, %w: tensor<16x4x3x3xf16>) -> tensor<1x16x9x14xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 4 : i64, top.schedule = #top.schedule<engine = direct, block = [8, 112, 4], warp = [8, 112], thread = [4, 7], box = [1, 4, 14]>} : (tensor<1x16x9x14xf16>, tensor<16x4x3x3xf16>) -> tensor<1x16x9x14xf16>
  return %y : tensor<1x16x9x14xf16>
}

func.func @group5_in_parts(%x: tensor<1x10x9x11xf16>, %w: tensor<14x5x3x3xf16>) -> tensor<1x14x5x11xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 2 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 128, 2], warp = [4, 128], thread = [2, 8], stages = 2>} : (tensor<1x10x9x11xf16>, tensor<14x5x3x3xf16>) -> tensor<1x14x5x11xf16>
  return %y : tensor<1x14x5x11xf16>
}

func.func @group7_rule(%x: tensor<1x21x8x9xf16>, %w: tensor<15x7x3x3xf16>) -> tensor<1x15x8x9xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 3 : i64} : (tensor<1x21x8x9xf16>, tensor<15x7x3x3xf16>) -> tensor<1x15x8x9xf16>
  return %y : tensor<1x15x8x9xf16>
}

func.func @group3_rule_d(%x: tensor<1x9x11x13xf32>, %w: tensor<6x3x3x3xf32>) -> tensor<1x6x11x13xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>, group = 3 : i64} : (tensor<1x9x11x13xf32>, tensor<6x3x3x3xf32>) -> tensor<1x6x11x13xf32>
  return %y : tensor<1x6x11x13xf32>
}

func.func @group2_f64_rule(%x: tensor<2x4x7x9xf64>, %w: tensor<4x2x3x3xf64>) -> tensor<2x4x7x9xf64> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 2 : i64, epilogue = [#top.step<silu>]} : (tensor<2x4x7x9xf64>, tensor<4x2x3x3xf64>) -> tensor<2x4x7x9xf64>
  return %y : tensor<2x4x7x9xf64>
}

func.func @dense_f16(%x: tensor<2x19x10x11xf16>, %w: tensor<7x19x3x3xf16>) -> tensor<2x7x10x11xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, epilogue = [#top.step<relu>], top.schedule = #top.schedule<engine = direct, block = [4, 128, 8], warp = [4, 128], thread = [2, 8], stages = 3>} : (tensor<2x19x10x11xf16>, tensor<7x19x3x3xf16>) -> tensor<2x7x10x11xf16>
  return %y : tensor<2x7x10x11xf16>
}

func.func @dense_1x1(%x: tensor<1x9x6x8xf32>, %w: tensor<5x9x1x1xf32>) -> tensor<1x5x6x8xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 128, 4], warp = [4, 128], thread = [2, 8], stages = 2>} : (tensor<1x9x6x8xf32>, tensor<5x9x1x1xf32>) -> tensor<1x5x6x8xf32>
  return %y : tensor<1x5x6x8xf32>
}

func.func @stem(%x: tensor<1x3x18x20xf16>, %w: tensor<8x3x7x7xf16>) -> tensor<1x8x9x10xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, group = 1 : i64, top.schedule = #top.schedule<engine = direct, block = [8, 64, 3], warp = [8, 64], thread = [4, 4]>} : (tensor<1x3x18x20xf16>, tensor<8x3x7x7xf16>) -> tensor<1x8x9x10xf16>
  return %y : tensor<1x8x9x10xf16>
}

func.func @swizzled(%x: tensor<1x8x12x30xf16>, %w: tensor<8x1x3x3xf16>) -> tensor<1x8x12x30xf16> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 8 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 64, 1], warp = [4, 64], thread = [1, 8], swizzle = true>} : (tensor<1x8x12x30xf16>, tensor<8x1x3x3xf16>) -> tensor<1x8x12x30xf16>
  return %y : tensor<1x8x12x30xf16>
}
