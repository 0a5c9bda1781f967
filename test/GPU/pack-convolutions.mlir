// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --cse | FileCheck %s
// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --remarks-filter='top-pack-convolutions' 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// Channels behind rows and columns, filled up to 8 bytes; the filter, an
// argument, alike. The zeros round the images are added to what is packed, and
// are not written before a tile is loaded.

// REMARK: remark: [Passed] PackedConvolution | Category:top-pack-convolutions | Function=three_channels | Remark="channels last: 1024 bytes of images and 576 of filters are packed by kernels"
// CHECK-DAG:   #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d4, d3 + d5, d6)>
// CHECK-DAG:   #[[$TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG:   #[[$SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @three_channels(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x8x8xf16>, %[[W:.*]]: tensor<8x3x3x3xf16>
// CHECK:         %[[PX:.*]] = linalg.pack %[[X]] padding_value(%{{.*}} : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [4] into %{{.*}} : tensor<2x3x8x8xf16> -> tensor<2x8x8x1x4xf16>
// CHECK:         %[[CX:.*]] = tensor.collapse_shape %[[PX]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:         %[[P:.*]] = tensor.pad %[[CX]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         %[[PW:.*]] = linalg.pack %[[W]] {{.*}} inner_tiles = [4] {{.*}} tensor<8x3x3x3xf16> -> tensor<8x3x3x1x4xf16>
// CHECK:         %[[CW:.*]] = tensor.collapse_shape %[[PW]]
// CHECK:         linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$TAPS]], #[[$SUMS]]]{{.*}}} ins(%[[P]], %[[CW]] : tensor<2x10x10x4xf16>, tensor<8x3x3x4xf16>) outs(%{{.*}} : tensor<2x8x8x8xf32>)
func.func @three_channels(%x: tensor<2x3x8x8xf16>, %w: tensor<8x3x3x3xf16>) -> tensor<2x8x8x8xf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = true>} : (tensor<2x3x8x8xf16>, tensor<8x3x3x3xf16>) -> tensor<2x8x8x8xf16>
  return %y : tensor<2x8x8x8xf16>
}

// -----

// A constant filter is packed at once. One tap at every second pixel reads no
// other: only those are packed, and read one after the other.
// REMARK: remark: [Passed] PackedConvolution {{.*}} Remark="channels last: 512 bytes of images and 0 of filters are packed by kernels"
// CHECK-LABEL: @every_second(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x8x16xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 8, 2, 8] [1, 1, 4, 2] : tensor<1x8x8x16xf32> to tensor<1x8x2x8xf32>
// CHECK:         linalg.pack %[[S]]
// CHECK-NOT:     linalg.pack
// CHECK:         return
func.func @every_second(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x2x8xf32> {
  %w = arith.constant dense<0.5> : tensor<8x8x1x1xf32>
  %y = top.Conv2D %x, %w {strides = array<i64: 4, 2>, top.schedule = #top.schedule<repack = true>} : (tensor<1x8x8x16xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x2x8xf32>
  return %y : tensor<1x8x2x8xf32>
}

// -----

// The channels of each group apart.
// CHECK-LABEL: @groups(
// CHECK:         linalg.pack %{{.*}} outer_dims_perm = [0, 1, 3, 4, 2] inner_dims_pos = [2] inner_tiles = [8] into %{{.*}} : tensor<1x2x6x8x8xf16> -> tensor<1x2x8x8x1x8xf16>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x2x8x8x8xf16>, tensor<2x4x3x3x8xf16>)
func.func @groups(%x: tensor<1x12x8x8xf16>, %w: tensor<8x6x3x3xf16>) -> tensor<1x8x6x6xf16> {
  %y = top.Conv2D %x, %w {group = 2 : i64, top.schedule = #top.schedule<repack = true>} : (tensor<1x12x8x8xf16>, tensor<8x6x3x3xf16>) -> tensor<1x8x6x6xf16>
  return %y : tensor<1x8x6x6xf16>
}

// -----

// What was asked for and was not done is said.
// REMARK: remark: [Missed] NotPacked | {{.*}} Reason="has one channel in each group, or its channels last already"
func.func @depthwise(%x: tensor<1x8x8x8xf16>, %w: tensor<8x1x3x3xf16>) -> tensor<1x8x6x6xf16> {
  %y = top.Conv2D %x, %w {group = 8 : i64, top.schedule = #top.schedule<repack = true>} : (tensor<1x8x8x8xf16>, tensor<8x1x3x3xf16>) -> tensor<1x8x6x6xf16>
  return %y : tensor<1x8x6x6xf16>
}

// -----

// REMARK: remark: [Missed] NoConvolutionToPack | {{.*}} Reason="no convolution's schedule says 'repack'"
func.func @none() {
  return
}
