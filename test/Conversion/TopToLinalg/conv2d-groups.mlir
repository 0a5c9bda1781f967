// RUN: top-opt %s --convert-top-to-linalg --split-input-file | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --split-input-file --verify-roundtrip -o /dev/null

// Groups are a dimension of the types. The padding comes first, so that the
// pads are those of the plain form.

// CHECK-LABEL: @groups
// CHECK-SAME: (%[[X:.*]]: tensor<1x6x7x7xf32>, %[[W:.*]]: tensor<4x3x3x3xf32>)
// CHECK: %[[P:.*]] = tensor.pad %[[X]]
// CHECK: %[[GX:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 2, 3, 9, 9]
// CHECK-NEXT: %[[GW:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2], [3], [4]] output_shape [2, 2, 3, 3, 3]
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<1x2x2x7x7xf32>)
// CHECK-NEXT: %[[SUMS:.*]] = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%[[GX]], %[[GW]] : {{.*}}) outs(%[[ZEROS]] : tensor<1x2x2x7x7xf32>)
// CHECK-NEXT: %[[Y:.*]] = tensor.collapse_shape %[[SUMS]] {{\[\[}}0], [1, 2], [3], [4]] : tensor<1x2x2x7x7xf32> into tensor<1x4x7x7xf32>
// CHECK-NEXT: return %[[Y]]
func.func @groups(%x: tensor<1x6x7x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x7x7xf32> {
  %y = top.Conv2D %x, %w {group = 2, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x6x7x7xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x7xf32>
  return %y : tensor<1x4x7x7xf32>
}

// -----

// The epilogue sees the result's four dimensions, and strides and dilations
// are as in the plain form.

// CHECK-LABEL: @groups_bias
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} {{.*}} outs(%{{.*}} : tensor<1x2x2x3x3xf32>)
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[SUMS]]
// CHECK: linalg.generic {{.*}} ins(%[[C]], %{{.*}} : tensor<1x4x3x3xf32>, tensor<4xf16>) outs(%{{.*}} : tensor<1x4x3x3xf16>)
func.func @groups_bias(%x: tensor<1x6x7x7xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<4xf16>) -> tensor<1x4x3x3xf16> {
  %y = top.Conv2D %x, %w, %b {group = 2, strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>} : (tensor<1x6x7x7xf16>, tensor<4x3x3x3xf16>, tensor<4xf16>) -> tensor<1x4x3x3xf16>
  return %y : tensor<1x4x3x3xf16>
}

// -----

// One filter a channel: the filter loses its channel dimension.

// CHECK-LABEL: @depthwise
// CHECK-SAME: (%[[X:.*]]: tensor<1x6x7x7xf16>, %[[W:.*]]: tensor<6x1x3x3xf16>)
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1], [2], [3]] : tensor<6x1x3x3xf16> into tensor<6x3x3xf16>
// CHECK: %[[SUMS:.*]] = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%[[X]], %[[F]] : {{.*}}) outs(%{{.*}} : tensor<1x6x3x3xf32>)
// CHECK-NEXT: return %[[SUMS]]
func.func @depthwise(%x: tensor<1x6x7x7xf16>, %w: tensor<6x1x3x3xf16>) -> tensor<1x6x3x3xf32> {
  %y = top.Conv2D %x, %w {group = 6, strides = array<i64: 1, 2>, dilations = array<i64: 2, 1>} : (tensor<1x6x7x7xf16>, tensor<6x1x3x3xf16>) -> tensor<1x6x3x3xf32>
  return %y : tensor<1x6x3x3xf32>
}

// -----

// Two filters a channel is not the depthwise op of linalg, which has one.

// CHECK-LABEL: @channel_multiplier
// CHECK: linalg.conv_2d_ngchw_gfchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x3x1x7x7xf32>, tensor<3x2x1x3x3xf32>) outs(%{{.*}} : tensor<1x3x2x5x5xf32>)
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x6x5x5xf32>
func.func @channel_multiplier(%x: tensor<1x3x7x7xf32>, %w: tensor<6x1x3x3xf32>) -> tensor<1x6x5x5xf32> {
  %y = top.Conv2D %x, %w {group = 3} : (tensor<1x3x7x7xf32>, tensor<6x1x3x3xf32>) -> tensor<1x6x5x5xf32>
  return %y : tensor<1x6x5x5xf32>
}

// -----

// One channel in one group is a plain convolution, not a depthwise one.

// CHECK-LABEL: @one_channel
// CHECK: linalg.conv_2d_nchw_fchw
func.func @one_channel(%x: tensor<1x1x7x7xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x5x5xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x1x7x7xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x5x5xf32>
  return %y : tensor<1x1x5x5xf32>
}

// -----

// Dynamic sizes pass through the change of shape.

// CHECK-LABEL: @dynamic_groups
// CHECK-SAME: (%[[X:.*]]: tensor<?x6x?x7xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[P:.*]] = tensor.pad %[[X]]
// CHECK: %[[PN:.*]] = tensor.dim %[[P]], %{{.*}}
// CHECK: %[[PH:.*]] = tensor.dim %[[P]], %{{.*}}
// CHECK: tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [%[[PN]], 2, 3, %[[PH]], 9] : tensor<?x6x?x9xf32> into tensor<?x2x3x?x9xf32>
// CHECK: linalg.conv_2d_ngchw_gfchw {{.*}} outs(%{{.*}} : tensor<?x2x2x?x7xf32>)
// CHECK: tensor.collapse_shape {{.*}} : tensor<?x2x2x?x7xf32> into tensor<?x4x?x7xf32>
func.func @dynamic_groups(%x: tensor<?x6x?x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x7xf32> {
  %y = top.Conv2D %x, %w {group = 2, pads = array<i64: 1, 1, 1, 1>} : (tensor<?x6x?x7xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x7xf32>
  return %y : tensor<?x4x?x7xf32>
}
