// RUN: top-opt %s --split-input-file | top-opt --split-input-file | FileCheck %s
// RUN: top-opt %s --split-input-file --mlir-print-op-generic | top-opt --split-input-file | FileCheck %s
// RUN: top-opt %s --split-input-file --verify-roundtrip -o %t
// RUN: top-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=CANON

!last = tensor<2x8x6x5xf32, #top.layout<channels_last>>

// Input, result and operands of the result's shape each have a layout of their
// own.
// CHECK-LABEL: @layouts
// CHECK: top.Conv2D %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}) {epilogue = [#top.step<add>, #top.step<mul>], pads = array<i64: 1, 1, 1, 1>}
// CHECK-SAME: : (tensor<2x8x6x5xf32, #top.layout<channels_last>>, tensor<8x8x3x3xf32>, tensor<2x8x6x5xf32>, tensor<2x8x6x5xf32, #top.layout<channels_last>>) -> tensor<2x8x6x5xf32, #top.layout<channels_last>>
// CHECK: top.Conv2D {{.*}} : (tensor<2x8x6x5xf32, #top.layout<channels_last>>, tensor<4x8x1x1xf32>) -> tensor<2x4x6x5xf32>
// CHECK: top.Conv2D {{.*}} : (tensor<2x4x6x5xf32>, tensor<8x4x1x1xf32>) -> tensor<2x8x6x5xf32, #top.layout<channels_last>>
func.func @layouts(%x: !last, %w: tensor<8x8x3x3xf32>, %v: tensor<4x8x1x1xf32>, %u: tensor<8x4x1x1xf32>, %r: tensor<2x8x6x5xf32>) -> !last {
  %0 = top.Conv2D %x, %w epilogue(%r, %x) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<mul>]}
     : (!last, tensor<8x8x3x3xf32>, tensor<2x8x6x5xf32>, !last) -> !last
  %1 = top.Conv2D %0, %v : (!last, tensor<4x8x1x1xf32>) -> tensor<2x4x6x5xf32>
  %2 = top.Conv2D %1, %u : (tensor<2x4x6x5xf32>, tensor<8x4x1x1xf32>) -> !last
  return %2 : !last
}

// -----

// Of a dynamic extent nobody knows whether it is 1.
// CHECK-LABEL: @dynamic
// CHECK: -> tensor<?x4x?x3xf16, #top.layout<channels_last>>
func.func @dynamic(%x: tensor<?x8x?x5xf16, #top.layout<channels_last>>, %w: tensor<4x8x3x3xf16>, %r: tensor<1x4x?x3xf16, #top.layout<channels_last>>) -> tensor<?x4x?x3xf16, #top.layout<channels_last>> {
  %0 = top.Conv2D %x, %w epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<?x8x?x5xf16, #top.layout<channels_last>>, tensor<4x8x3x3xf16>, tensor<1x4x?x3xf16, #top.layout<channels_last>>) -> tensor<?x4x?x3xf16, #top.layout<channels_last>>
  return %0 : tensor<?x4x?x3xf16, #top.layout<channels_last>>
}

// -----

// Canonicalization keeps the layout of the result, whatever that of the input.
// CANON-LABEL: @pad
// CANON-SAME: (%[[X:.*]]: tensor<1x2x4x4xf32, #top.layout<channels_last>>
// CANON-NEXT: %[[Y:.*]] = top.Conv2D %[[X]], %{{.*}} {pads = array<i64: 1, 0, 1, 0>} : (tensor<1x2x4x4xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>) -> tensor<1x4x4x2xf32>
// CANON-NEXT: return %[[Y]]
func.func @pad(%x: tensor<1x2x4x4xf32, #top.layout<channels_last>>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<1x2x4x4xf32, #top.layout<channels_last>> to tensor<1x2x6x4xf32, #top.layout<channels_last>>
  %y = top.Conv2D %p, %w : (tensor<1x2x6x4xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>) -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}

// CANON-LABEL: @cast
// CANON: %[[Y:.*]] = top.Conv2D %{{.*}}, %{{.*}} : (tensor<1x2x4x4xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>) -> tensor<1x4x2x2xf32, #top.layout<channels_last>>
// CANON-NEXT: tensor.cast %[[Y]] : tensor<1x4x2x2xf32, #top.layout<channels_last>> to tensor<?x4x2x2xf32, #top.layout<channels_last>>
func.func @cast(%x: tensor<1x2x4x4xf32, #top.layout<channels_last>>, %w: tensor<4x2x3x3xf32>) -> tensor<?x4x2x2xf32, #top.layout<channels_last>> {
  %c = tensor.cast %x : tensor<1x2x4x4xf32, #top.layout<channels_last>> to tensor<?x2x4x4xf32, #top.layout<channels_last>>
  %y = top.Conv2D %c, %w : (tensor<?x2x4x4xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>) -> tensor<?x4x2x2xf32, #top.layout<channels_last>>
  return %y : tensor<?x4x2x2xf32, #top.layout<channels_last>>
}

// A filter never has one, so that the cast stays.
// CANON-LABEL: @filter_cast
// CANON: tensor.cast
// CANON: top.Conv2D
func.func @filter_cast(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x3x3xf32, #top.layout<channels_last>>) -> tensor<1x4x2x2xf32> {
  %c = tensor.cast %w : tensor<4x2x3x3xf32, #top.layout<channels_last>> to tensor<4x2x3x3xf32>
  %y = top.Conv2D %x, %c : (tensor<1x2x4x4xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x2x2xf32>
  return %y : tensor<1x4x2x2xf32>
}
