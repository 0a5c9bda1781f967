// RUN: top-opt %s --split-input-file --top-lower-layouts --convert-top-to-linalg --canonicalize --cse --test-top-fold-layouts --canonicalize --cse | FileCheck %s

// What the layouts of a chain of convolutions become once convolutions read and
// write channels last: between the two, nothing moves an element, although
// canonicalization has seen the ops that did.
// CHECK-DAG:   #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG:   #[[$FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG:   #[[$SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-DAG:   #[[$FIRST:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG:   #[[$PLAIN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-DAG:   #[[$GATE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, 0, 0)>
// CHECK-DAG:   #[[$LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
// CHECK-LABEL: @chain(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x5x8xf16> {{.*}}, %[[W:[a-z0-9]*]]: tensor<8x8x3x3xf16>, %[[B:[a-z0-9]*]]: tensor<8xf16>, %[[R:[a-z0-9]*]]: tensor<2x8x6x5xf16>, %[[G:.*]]: tensor<2x8x1x1xf16>)
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         tensor<2x6x5x8xf16> to tensor<2x8x7x8xf16>
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$FILTER]], #[[$SUMS]]]{{.*}}} ins(%[[P]], %[[W]] : {{.*}}) outs(%{{.*}} : tensor<2x6x5x8xf32>)
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$CHANNEL]], #[[$ID]], #[[$PLAIN]], #[[$GATE]], #[[$ID]]], {{.*}}} ins(%[[S]], %[[B]], %[[X]], %[[R]], %[[G]] :
// CHECK:         %[[Q:.*]] = tensor.pad %[[Y]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         %[[T:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$FILTER]], #[[$FIRST]]]{{.*}}} ins(%[[Q]], %[[W]] : {{.*}}) outs(%{{.*}} : tensor<2x8x6x5xf32>)
// A result that is channels first reads the others where they are.
// CHECK:         %[[Z:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$LAST]], #[[$ID]]], {{.*}}} ins(%[[T]], %[[Y]] :
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]], %[[Z]]
!last = tensor<2x8x6x5xf16, #top.layout<channels_last>>
func.func @chain(%x: !last, %w: tensor<8x8x3x3xf16>, %b: tensor<8xf16>, %r: tensor<2x8x6x5xf16>, %g: tensor<2x8x1x1xf16>) -> (!last, tensor<2x8x6x5xf16>) {
  %y = top.Conv2D %x, %w, %b epilogue(%x, %r, %g) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<add>, #top.step<mul>]}
     : (!last, tensor<8x8x3x3xf16>, tensor<8xf16>, !last, tensor<2x8x6x5xf16>, tensor<2x8x1x1xf16>) -> !last
  %z = top.Conv2D %y, %w epilogue(%y) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>]} : (!last, tensor<8x8x3x3xf16>, !last) -> tensor<2x8x6x5xf16>
  return %y, %z : !last, tensor<2x8x6x5xf16>
}

// -----

// Sums without an epilogue are the result.
// CHECK-LABEL: @sums(
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x3x8xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[S]]
func.func @sums(%x: tensor<1x8x4x3xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x3xf32, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w : (tensor<1x8x4x3xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x3xf32, #top.layout<channels_last>>
  return %y : tensor<1x8x4x3xf32, #top.layout<channels_last>>
}

// -----

// Plain layouts stay.
// CHECK-LABEL: @plain(
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @plain(%x: tensor<1x8x4x3xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x3xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x8x4x3xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x3xf32>
  return %y : tensor<1x8x4x3xf32>
}

// -----

// What raise-linalg-to-top makes of a channels-last network: transposes round
// its convolutions.
// CHECK-LABEL: @raised(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x3x8xf32>
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[X]], %{{.*}} :
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<1x4x3x8xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         return %[[R]]
func.func @raised(%x: tensor<1x4x3x8xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x4x3x8xf32> {
  %e = tensor.empty() : tensor<1x8x4x3xf32>
  %t = linalg.transpose ins(%x : tensor<1x4x3x8xf32>) outs(%e : tensor<1x8x4x3xf32>) permutation = [0, 3, 1, 2]
  %y = top.Conv2D %t, %w {epilogue = [#top.step<relu>]} : (tensor<1x8x4x3xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x3xf32>
  %f = tensor.empty() : tensor<1x4x3x8xf32>
  %r = linalg.transpose ins(%y : tensor<1x8x4x3xf32>) outs(%f : tensor<1x4x3x8xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<1x4x3x8xf32>
}

// -----

// Sums that are read elsewhere, and a pad by a value that is no constant, stay
// as they are.
// CHECK-LABEL: @declined(
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @declined(%x: tensor<1x4x3x8xf32>, %w: tensor<8x8x1x1xf32>, %p: f32) -> (tensor<1x8x6x5xf32>, tensor<1x6x5x8xf32>) {
  %e = tensor.empty() : tensor<1x8x4x3xf32>
  %t = linalg.transpose ins(%x : tensor<1x4x3x8xf32>) outs(%e : tensor<1x8x4x3xf32>) permutation = [0, 3, 1, 2]
  %q = tensor.pad %t low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    %v = tensor.extract %t[%n, %n, %n, %n] : tensor<1x8x4x3xf32>
    tensor.yield %v : f32
  } : tensor<1x8x4x3xf32> to tensor<1x8x6x5xf32>
  %y = top.Conv2D %q, %w : (tensor<1x8x6x5xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x6x5xf32>
  %f = tensor.empty() : tensor<1x6x5x8xf32>
  %r = linalg.transpose ins(%y : tensor<1x8x6x5xf32>) outs(%f : tensor<1x6x5x8xf32>) permutation = [0, 2, 3, 1]
  return %y, %r : tensor<1x8x6x5xf32>, tensor<1x6x5x8xf32>
}
