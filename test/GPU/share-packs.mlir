// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --cse | FileCheck %s
// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-pack-convolutions --remarks-filter='top-pack-convolutions' 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// No pack happens twice: neither for tiles nor for two who read the same.

!w = tensor<8x16x3x3xf16>
!x = tensor<1x16x8x8xf16>
!y = tensor<1x8x6x6xf16>

// Two convolutions of one image and of one filter: one pack of each.

// REMARK: PackedConvolution | {{.*}} Function=same | Remark="channels last: 2048 bytes of images and 2304 of filters are packed by kernels"
// REMARK: PackedConvolution | {{.*}} Function=same | Remark="channels last: 0 bytes of images and 0 of filters are packed by kernels"
// REMARK: [Passed] SharedPacks | {{.*}} Function=same | Remark="0 packs moved out of loops; 2 more, of 4352 bytes, equal to others and left out"
// CHECK-LABEL: @same(
// CHECK-SAME:    %[[X:.*]]: tensor<1x16x8x8xf16>, %[[W:.*]]: tensor<8x16x3x3xf16>
// CHECK:         %[[PX:.*]] = linalg.pack %[[X]]
// CHECK:         %[[CX:.*]] = tensor.collapse_shape %[[PX]]
// CHECK:         %[[PW:.*]] = linalg.pack %[[W]]
// CHECK:         %[[CW:.*]] = tensor.collapse_shape %[[PW]]
// CHECK-NOT:     {{linalg.pack|alloc_tensor}}
// CHECK:         linalg.generic {{.*}} ins(%[[CX]], %[[CW]] :
// CHECK-NOT:     {{linalg.pack|alloc_tensor}}
// CHECK:         %[[P:.*]] = tensor.pad %[[CX]]
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[CW]] :
func.func @same(%x: !x, %w: !w) -> (!y, tensor<1x8x8x8xf16>) {
  %0 = top.Conv2D %x, %w {top.schedule = #top.schedule<repack = true>} : (!x, !w) -> !y
  %1 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = true>} : (!x, !w) -> tensor<1x8x8x8xf16>
  return %0, %1 : !y, tensor<1x8x8x8xf16>
}

// -----

// The pixels that a stride keeps are the same where the strides are. A filter of
// one tap has its channels side by side already.

!v = tensor<8x16x1x1xf16>
!x = tensor<1x16x8x8xf16>
!y = tensor<1x8x4x4xf16>

// REMARK: PackedConvolution | {{.*}} Function=kept | Remark="channels last: 512 bytes of images and 0 of filters
// REMARK: PackedConvolution | {{.*}} Function=kept | Remark="channels last: 0 bytes of images and 0 of filters
// REMARK: PackedConvolution | {{.*}} Function=kept | Remark="channels last: 1024 bytes of images and 0 of filters
// CHECK-LABEL: @kept(
// CHECK-SAME:    %[[X:.*]]: tensor<1x16x8x8xf16>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 16, 4, 4] [1, 1, 2, 2]
// CHECK-COUNT-1: linalg.pack %[[S]]
// CHECK:         %[[T:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 16, 4, 8] [1, 1, 2, 1]
// CHECK-COUNT-1: linalg.pack %[[T]]
// CHECK-NOT:     linalg.pack
// CHECK:         return
func.func @kept(%x: !x, %w: !v, %v: !v) -> (!y, !y, tensor<1x8x4x8xf16>) {
  %0 = top.Conv2D %x, %w {strides = array<i64: 2, 2>, top.schedule = #top.schedule<repack = true>} : (!x, !v) -> !y
  %1 = top.Conv2D %x, %v {strides = array<i64: 2, 2>, top.schedule = #top.schedule<repack = true>} : (!x, !v) -> !y
  %2 = top.Conv2D %x, %v {strides = array<i64: 2, 1>, top.schedule = #top.schedule<repack = true>} : (!x, !v) -> tensor<1x8x4x8xf16>
  return %0, %1, %2 : !y, !y, tensor<1x8x4x8xf16>
}

// -----

// In two forms: groups of 8 channels, and 16 of them in one.

!x = tensor<1x16x8x8xf16>
!y = tensor<1x8x6x6xf16>

// CHECK-LABEL: @forms(
// CHECK:         linalg.pack {{.*}} : tensor<1x2x8x8x8xf16> -> tensor<1x2x8x8x1x8xf16>
// CHECK:         linalg.pack {{.*}} : tensor<1x16x8x8xf16> -> tensor<1x8x8x1x16xf16>
func.func @forms(%x: !x, %w: tensor<8x8x3x3xf16>, %v: tensor<8x16x3x3xf16>) -> (!y, !y) {
  %0 = top.Conv2D %x, %w {group = 2 : i64, top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x8x3x3xf16>) -> !y
  %1 = top.Conv2D %x, %v {top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>) -> !y
  return %0, %1 : !y, !y
}

// -----

// A filter in two nested loops leaves both. What depends on the outer one leaves
// the inner ones, with its slice, and meets its equal there. Images of the inner
// ones stay.

!w = tensor<16x16x3x3xf16>
!x = tensor<1x16x8x8xf16>
!y = tensor<1x8x6x6xf16>

// REMARK: [Passed] SharedPacks | {{.*}} Function=loops | Remark="3 packs moved out of loops; 2 more, of 4352 bytes, equal to others and left out"
// CHECK-LABEL: @loops(
// CHECK-SAME:    %[[X:.*]]: tensor<1x16x40x8xf16>, %[[W:.*]]: tensor<16x16x3x3xf16>, %[[V:.*]]: tensor<8x16x3x3xf16>
// CHECK:         %[[PV:.*]] = linalg.pack %[[V]]
// CHECK:         %[[CV:.*]] = tensor.collapse_shape %[[PV]]
// CHECK:         scf.for
// CHECK-NOT:       scf.for
// CHECK:           %[[S:.*]] = tensor.extract_slice %[[W]]
// CHECK:           %[[PS:.*]] = linalg.pack %[[S]]
// CHECK:           %[[CS:.*]] = tensor.collapse_shape %[[PS]]
// CHECK-NOT:       linalg.pack
// CHECK:           scf.for
// CHECK:             %[[I:.*]] = tensor.extract_slice %[[X]]
// CHECK:             %[[PI:.*]] = linalg.pack %[[I]]
// CHECK:             %[[CI:.*]] = tensor.collapse_shape %[[PI]]
// CHECK-NOT:         linalg.pack
// CHECK:             linalg.generic {{.*}} ins(%[[CI]], %[[CV]] :
// CHECK-NOT:         linalg.pack
// CHECK:             linalg.generic {{.*}} ins(%[[CI]], %[[CS]] :
// CHECK:           scf.for
// CHECK:             %[[J:.*]] = tensor.extract_slice %[[X]]
// CHECK:             %[[PJ:.*]] = linalg.pack %[[J]]
// CHECK:             %[[CJ:.*]] = tensor.collapse_shape %[[PJ]]
// CHECK-NOT:         linalg.pack
// CHECK:             linalg.generic {{.*}} ins(%[[CJ]], %[[CS]] :
func.func @loops(%x: tensor<1x16x40x8xf16>, %w: !w, %v: tensor<8x16x3x3xf16>, %init: !y) -> !y {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %r = scf.for %f = %c0 to %c16 step %c8 iter_args(%a = %init) -> !y {
    %p = scf.for %h = %c0 to %c40 step %c8 iter_args(%b = %a) -> !y {
      %i = tensor.extract_slice %x[0, 0, %h, 0] [1, 16, 8, 8] [1, 1, 1, 1] : tensor<1x16x40x8xf16> to !x
      %s = tensor.extract_slice %w[%f, 0, 0, 0] [8, 16, 3, 3] [1, 1, 1, 1] : !w to tensor<8x16x3x3xf16>
      %0 = top.Conv2D %i, %v epilogue(%b) {epilogue = [#top.step<add>], top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>, !y) -> !y
      %1 = top.Conv2D %i, %s epilogue(%0) {epilogue = [#top.step<add>], top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>, !y) -> !y
      scf.yield %1 : !y
    }
    %q = scf.for %h = %c0 to %c40 step %c8 iter_args(%b = %p) -> !y {
      %i = tensor.extract_slice %x[0, 0, %h, 0] [1, 16, 8, 8] [1, 1, 1, 1] : tensor<1x16x40x8xf16> to !x
      %s = tensor.extract_slice %w[%f, 0, 0, 0] [8, 16, 3, 3] [1, 1, 1, 1] : !w to tensor<8x16x3x3xf16>
      %0 = top.Conv2D %i, %s epilogue(%b) {epilogue = [#top.step<add>, #top.step<relu>], top.schedule = #top.schedule<repack = true>} : (!x, tensor<8x16x3x3xf16>, !y) -> !y
      scf.yield %0 : !y
    }
    scf.yield %q : !y
  }
  return %r : !y
}

// -----

// Neither dominates the other: both stay.

!w = tensor<8x16x3x3xf16>
!x = tensor<1x16x8x8xf16>
!y = tensor<1x8x6x6xf16>

// REMARK-NOT: SharedPacks {{.*}} Function=branches
// CHECK-LABEL: @branches(
// CHECK:         scf.if
// CHECK-COUNT-2: linalg.pack
// CHECK:         else
// CHECK-COUNT-2: linalg.pack
func.func @branches(%c: i1, %x: !x, %w: !w) -> !y {
  %r = scf.if %c -> !y {
    %0 = top.Conv2D %x, %w {top.schedule = #top.schedule<repack = true>} : (!x, !w) -> !y
    scf.yield %0 : !y
  } else {
    %0 = top.Conv2D %x, %w {epilogue = [#top.step<relu>], top.schedule = #top.schedule<repack = true>} : (!x, !w) -> !y
    scf.yield %0 : !y
  }
  return %r : !y
}
