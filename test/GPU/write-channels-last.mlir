// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --cse | FileCheck %s
// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --remarks-filter='top-pack-convolutions' 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// An elementwise op that only packed convolutions read writes channels last, and
// there is nothing to pack. Its zeros are not those round it.

// REMARK: [Passed] WrittenChannelsLast | {{.*}} Function=normalized | Remark="1 elementwise ops write images channels last, which are not packed then"
// REMARK: PackedConvolution | {{.*}} Function=normalized | Remark="channels last: 0 bytes of images and 2304 of filters are packed by kernels"
// REMARK: PackedConvolution | {{.*}} Function=normalized | Remark="channels last: 0 bytes of images and 0 of filters are packed by kernels"
// CHECK-DAG:   #[[$IMAGES:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-DAG:   #[[$CHANNELS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: @normalized(
// CHECK-SAME:    %[[X:.*]]: tensor<2x16x8x8xf32>, %[[B:.*]]: tensor<16xf32>
// CHECK:         %[[S:.*]] = bufferization.alloc_tensor() : tensor<2x8x8x16xf16>
// CHECK:         %[[E:.*]] = linalg.generic {indexing_maps = [#[[$IMAGES]], #[[$CHANNELS]], #[[$ID]]]{{.*}}} ins(%[[X]], %[[B]] : {{.*}}) outs(%[[S]] : tensor<2x8x8x16xf16>)
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[P:.*]] = tensor.pad %[[E]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK-COUNT-1: linalg.pack
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<2x10x10x16xf16>, tensor<8x3x3x16xf16>)
// CHECK-NOT:     linalg.pack
// CHECK:         linalg.generic {{.*}} ins(%[[E]], %{{.*}} : tensor<2x8x8x16xf16>, tensor<8x1x1x16xf16>)
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @normalized(%x: tensor<2x16x8x8xf32>, %b: tensor<16xf32>, %w: tensor<8x16x3x3xf16>, %v: tensor<8x16x1x1xf16>) -> (tensor<2x8x8x8xf16>, tensor<2x8x4x4xf16>) {
  %e = tensor.empty() : tensor<2x16x8x8xf16>
  %n = linalg.generic {indexing_maps = [#id, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf16>) {
  ^bb0(%a: f32, %m: f32, %o: f16):
    %d = arith.subf %a, %m : f32
    %t = arith.truncf %d : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x16x8x8xf16>
  %0 = top.Conv2D %n, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = true>} : (tensor<2x16x8x8xf16>, tensor<8x16x3x3xf16>) -> tensor<2x8x8x8xf16>
  %1 = top.Conv2D %n, %v {strides = array<i64: 2, 2>, top.schedule = #top.schedule<repack = true>} : (tensor<2x16x8x8xf16>, tensor<8x16x1x1xf16>) -> tensor<2x8x4x4xf16>
  return %0, %1 : tensor<2x8x8x8xf16>, tensor<2x8x4x4xf16>
}

// -----

// REMARK: WrittenChannelsLast | {{.*}} Function=groups
// Channels of groups are read where they are.

// CHECK-LABEL: @groups(
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8x8x16xf16>)
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[E]] {{.*}} into tensor<2x8x8x2x8xf16>
// CHECK:         tensor.pad %[[G]] low[0, 1, 1, 0, 0] high[0, 1, 1, 0, 0]
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @groups(%x: tensor<2x16x8x8xf16>, %w: tensor<8x8x3x3xf16>) -> tensor<2x8x8x8xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x16x8x8xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x8x8xf16>) outs(%e : tensor<2x16x8x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.maximumf %a, %zero : f16
    linalg.yield %m : f16
  } -> tensor<2x16x8x8xf16>
  %0 = top.Conv2D %n, %w {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = true>} : (tensor<2x16x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<2x8x8x8xf16>
  return %0 : tensor<2x8x8x8xf16>
}

// -----

// Others that stay as they are: one whose channels are filled up, one that the
// function returns, one of which another convolution reads planes, and an
// epilogue, which the kernel in front computes.

// REMARK-NOT: WrittenChannelsLast
// CHECK-LABEL: @others(
// CHECK-NOT:     linalg.generic {{.*}}outs(%{{.*}} : tensor<2x8x8x
// CHECK:         return
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
!x = tensor<2x16x8x8xf16>
!y = tensor<2x8x6x6xf16>
func.func @others(%x: !x, %z: tensor<2x3x8x8xf16>, %w: tensor<8x16x3x3xf16>, %v: tensor<8x3x3x3xf16>, %u: tensor<16x16x1x1xf16>) -> (!y, !x, !y, !y, !y, !y) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : !x
  %f = tensor.empty() : tensor<2x3x8x8xf16>
  %three = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%z : tensor<2x3x8x8xf16>) outs(%f : tensor<2x3x8x8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.addf %a, %a : f16
    linalg.yield %m : f16
  } -> tensor<2x3x8x8xf16>
  %returned = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : !x) outs(%e : !x) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.addf %a, %a : f16
    linalg.yield %m : f16
  } -> !x
  %planes = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : !x) outs(%e : !x) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.mulf %a, %a : f16
    linalg.yield %m : f16
  } -> !x
  %0 = top.Conv2D %three, %v {top.schedule = #top.schedule<repack = true>} : (tensor<2x3x8x8xf16>, tensor<8x3x3x3xf16>) -> !y
  %1 = top.Conv2D %returned, %w {top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>) -> !y
  %2 = top.Conv2D %planes, %w {top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>) -> !y
  %3 = top.Conv2D %planes, %w {top.schedule = #top.schedule<repack = false>} : (!x, tensor<8x16x3x3xf16>) -> !y
  %4 = top.Conv2D %x, %u {epilogue = [#top.step<relu>], top.schedule = #top.schedule<repack = false>} : (!x, tensor<16x16x1x1xf16>) -> !x
  %5 = top.Conv2D %4, %w {top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>) -> !y
  return %0, %returned, %1, %2, %3, %5 : !y, !x, !y, !y, !y, !y
}
