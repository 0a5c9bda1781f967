// A depthwise convolution: 256 images of 8 channels of 16 x 16, 3 x 3 taps. Of
// engine direct the report counts boxes with their halos, and the list has its
// schedules beside those of products.

// 4 channels of a box of 16 x 16 in each of 512 blocks. A block reads 4 x 18 x 18
// elements and 4 filters of 9, 5328 bytes in f32; the tensors hold 4096 of them.
// RUN: top-compile %s --chip=sm_80 --report -o %t.ptx | FileCheck %s
// CHECK: depthwise_kernel: 8 x 1 x 65536 x 9 f32 on sm_80 (a100), engine direct, block 4x256x1, warp 4x64, thread 1x8
// CHECK-SAME: intensity 3.5 FLOP/B, reads 2.7 MB (2.1 MB with L2), writes 2.1 MB, useful 100.0%, blocks 512 in 1 wave

// RUN: top-tune %s --chip=sm_80 --list | FileCheck %s --check-prefix=LIST
// LIST:     top.Conv2D in 'depthwise': 8 x 1 x 65536 x 9 f32 on sm_80 (a100): {{[0-9]+}} schedules fit
// LIST-DAG: fits #top.schedule<engine = direct, {{.*}}>: {{[0-9]+}} threads, {{[0-9]+}} bytes shared
// LIST-DAG: fits #top.schedule<engine = simt

func.func @depthwise(%x: tensor<256x8x16x16xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<256x8x16x16xf32> {
  %y = top.Conv2D %x, %w {group = 8 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = direct, block = [4, 256, 1], warp = [4, 64], thread = [1, 8], box = [1, 16, 16]>}
     : (tensor<256x8x16x16xf32>, tensor<8x1x3x3xf32>) -> tensor<256x8x16x16xf32>
  return %y : tensor<256x8x16x16xf32>
}
