// RUN: top-opt %s --split-input-file --top-lower-layouts --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --cse | FileCheck %s

// Images that are channels last are read where they are, groups and all; the
// zeros round them stay in front.
// CHECK-DAG:   #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d3 + d5, d4 + d6, d1, d7)>
// CHECK-DAG:   #[[$TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d5, d6, d7)>
// CHECK-DAG:   #[[$SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d3, d4, d1, d2)>
// CHECK-LABEL: @groups(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x7x16xf16>
// CHECK-NOT:     linalg.transpose
// CHECK-DAG:     %[[G:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [1, 5, 7, 2, 8]
// CHECK-DAG:     %[[P:.*]] = tensor.pad %[[G]] low[0, 1, 1, 0, 0] high[0, 1, 1, 0, 0]
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$TAPS]], #[[$SUMS]]]{{.*}}} ins(%[[P]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<1x5x7x2x8xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<1x5x7x16xf32>) outs(%{{.*}} : tensor<1x5x7x16xf16>)
// CHECK:         return %[[R]]
!x = tensor<1x16x5x7xf16, #top.layout<channels_last>>
func.func @groups(%x: !x, %w: tensor<16x8x3x3xf16>) -> !x {
  %y = top.Conv2D %x, %w {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = true>} : (!x, tensor<16x8x3x3xf16>) -> !x
  return %y : !x
}

// -----

// Three channels stay three, in the filter too, which has them side by side
// already: nothing is packed.
// CHECK-LABEL: @three(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x7x3xf16>
// CHECK-SAME:    %[[W:.*]]: tensor<8x3x1x1xf16>
// CHECK-NOT:     linalg.pack
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2, 3]]
// CHECK:         %[[F:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1, 2, 3]] output_shape [8, 1, 1, 3]
// CHECK-NOT:     linalg.pack
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[F]] : tensor<1x5x7x3xf16>, tensor<8x1x1x3xf16>)
func.func @three(%x: tensor<1x3x5x7xf16, #top.layout<channels_last>>, %w: tensor<8x3x1x1xf16>) -> tensor<1x8x5x7xf16> {
  %y = top.Conv2D %x, %w {top.schedule = #top.schedule<repack = false>} : (tensor<1x3x5x7xf16, #top.layout<channels_last>>, tensor<8x3x1x1xf16>) -> tensor<1x8x5x7xf16>
  return %y : tensor<1x8x5x7xf16>
}

// -----

// A direct kernel has its channels first: kernels move them there and back.
// CHECK-LABEL: @depthwise(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x7x8xf32>
// CHECK:         %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2], [3]]
// CHECK:         %[[B:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1], [2, 3]] output_shape [1, 35, 1, 8]
// CHECK:         %[[P:.*]] = linalg.pack %[[B]] {{.*}} outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [35] {{.*}}top.schedule{{.*}} -> tensor<1x1x8x1x35xf32>
// CHECK:         linalg.depthwise_conv_2d_nchw_chw
// CHECK:         linalg.pack {{.*}} inner_tiles = [8] {{.*}} tensor<1x8x5x7xf32> -> tensor<1x5x7x1x8xf32>
func.func @depthwise(%x: tensor<1x8x5x7xf32, #top.layout<channels_last>>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x5x7xf32, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w {group = 8 : i64, top.schedule = #top.schedule<engine = direct>} : (tensor<1x8x5x7xf32, #top.layout<channels_last>>, tensor<8x1x1x1xf32>) -> tensor<1x8x5x7xf32, #top.layout<channels_last>>
  return %y : tensor<1x8x5x7xf32, #top.layout<channels_last>>
}

// -----

// With `repack` they become four, and the filter's with them: the images stay in
// their order, the zeros round them in front of what is filled up.
// CHECK-LABEL: @fill(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x7x3xf16> {{.*}}, %[[W:.*]]: tensor<8x3x3x3xf16>
// CHECK-DAG:     %[[P:.*]] = linalg.pack %[[X]] padding_value(%{{.*}} : f16) inner_dims_pos = [3] inner_tiles = [4] into %{{.*}} {top.schedule = {{.*}}} : tensor<1x5x7x3xf16> -> tensor<1x5x7x1x4xf16>
// CHECK-DAG:     %[[C:.*]] = tensor.collapse_shape %[[P]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK-DAG:     %[[Z:.*]] = tensor.pad %[[C]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK-DAG:     linalg.pack %[[W]] {{.*}} tensor<8x3x3x3xf16> -> tensor<8x3x3x1x4xf16>
// CHECK:         linalg.generic {{.*}} ins(%[[Z]], %{{.*}} : tensor<1x7x9x4xf16>, tensor<8x3x3x4xf16>)
func.func @fill(%x: tensor<1x3x5x7xf16, #top.layout<channels_last>>, %w: tensor<8x3x3x3xf16>) -> tensor<1x8x5x7xf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = true>} : (tensor<1x3x5x7xf16, #top.layout<channels_last>>, tensor<8x3x3x3xf16>) -> tensor<1x8x5x7xf16>
  return %y : tensor<1x8x5x7xf16>
}

// -----

// Of one tap with a stride the pixels that are kept; channels of groups apart.
// CHECK-LABEL: @fill_kept_groups(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x7x6xf16>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[X]] {{.*}} output_shape [1, 5, 7, 2, 3]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[G]][0, 0, 0, 0, 0] [1, 3, 4, 2, 3] [1, 2, 2, 1, 1]
// CHECK:         linalg.pack %[[S]] {{.*}} inner_dims_pos = [4] inner_tiles = [4] {{.*}} tensor<1x3x4x2x3xf16> -> tensor<1x3x4x2x1x4xf16>
func.func @fill_kept_groups(%x: tensor<1x6x5x7xf16, #top.layout<channels_last>>, %w: tensor<8x3x1x1xf16>) -> tensor<1x8x3x4xf16> {
  %y = top.Conv2D %x, %w {group = 2 : i64, strides = array<i64: 2, 2>, top.schedule = #top.schedule<repack = true>} : (tensor<1x6x5x7xf16, #top.layout<channels_last>>, tensor<8x3x1x1xf16>) -> tensor<1x8x3x4xf16>
  return %y : tensor<1x8x3x4xf16>
}
