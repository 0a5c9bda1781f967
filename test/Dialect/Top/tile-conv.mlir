// RUN: top-opt %s | top-opt | FileCheck %s
// RUN: top-opt %s --mlir-print-op-generic | top-opt | FileCheck %s

#window = #top.window<box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first>

// CHECK-LABEL: func @f
// CHECK: top.tile_conv %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}], %{{.+}} window <box = [8, 16], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first> {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x2x3x3xf16>, !top.tile<thread 2x16xf32>
// CHECK: top.tile_conv {{.*}} : !top.tile<block 20x24xf16>, memref<4x3x3xf16>, !top.tile<thread 2x16xf32>
func.func @f(%image: memref<20x24xf16>, %filter: memref<4x2x3x3xf16>, %depthwise: memref<4x3x3xf16>, %f: index, %h: index, %w: index) {
  %x = top.tile_load %image : memref<20x24xf16> -> !top.tile<block 20x24xf16>
  %zero = top.tile_zero : !top.tile<thread 2x16xf32>
  %a = top.tile_conv %x, %filter[%f, %h, %w], %zero window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x2x3x3xf16>, !top.tile<thread 2x16xf32>
  %b = top.tile_conv %x, %depthwise[%f, %h, %w], %a window #window {run = 8 : i64} : !top.tile<block 20x24xf16>, memref<4x3x3xf16>, !top.tile<thread 2x16xf32>
  return
}
