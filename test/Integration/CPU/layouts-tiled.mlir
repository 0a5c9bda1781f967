// Tiles of channels-last tensors, of static and of dynamic sizes.

// RUN: sed 's/, #top.layout<channels_last>//g' %s > %t.plain.mlir
// RUN: sed "/^func.func @dynamic/,/^}/d" %s | top-opt --top-tile="batch=1 height=2 width=2 form=unroll" | top-run - --function=block --reference=%s --guard=nan | FileCheck %s --check-prefix=BLOCK
// RUN: top-opt %s --top-tile="batch=1 height=2 width=2" --canonicalize | top-run - --function=block --reference=%s --guard=nan | FileCheck %s --check-prefix=BLOCK
// RUN: top-opt %s --top-tile="height=1 width=3 channels=2" | top-run - --function=dynamic --reference=%s --guard=nan --arg-shape=0:2x3x5x4 --arg-shape=2:2x6x5x4 | FileCheck %s --check-prefix=DYNAMIC
// RUN: top-run %s --function=dynamic --reference=%t.plain.mlir --guard=nan --arg-shape=0:2x3x5x4 --arg-shape=2:2x6x5x4 | FileCheck %s --check-prefix=DYNAMIC

// BLOCK: PASS block: compared 896 of 896 elements
// DYNAMIC: PASS dynamic: compared 240 of 240 elements

!x = tensor<2x3x5x7xf32, #top.layout<channels_last>>
!y = tensor<2x8x5x7xf32, #top.layout<channels_last>>

func.func @block(%x: !x, %u: tensor<8x3x3x3xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>, %g: tensor<2x8x1x1xf32>, %v: tensor<8x8x1x1xf32>) -> (tensor<2x8x5x7xf32, #top.layout<channels_last>>, tensor<2x8x3x7xf32>) {
  %0 = top.Conv2D %x, %u, %b {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]} : (!x, tensor<8x3x3x3xf32>, tensor<8xf32>) -> !y
  %1 = top.Conv2D %0, %w epilogue(%0, %g) {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<mul>]} : (!y, tensor<8x4x3x3xf32>, !y, tensor<2x8x1x1xf32>) -> !y
  %2 = top.Conv2D %1, %v {strides = array<i64: 2, 1>} : (!y, tensor<8x8x1x1xf32>) -> tensor<2x8x3x7xf32>
  return %1, %2 : !y, tensor<2x8x3x7xf32>
}

func.func @dynamic(%x: tensor<?x3x?x?xf16, #top.layout<channels_last>>, %w: tensor<6x3x3x3xf16>, %r: tensor<?x6x?x?xf16, #top.layout<channels_last>>) -> tensor<?x6x?x?xf16, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w epilogue(%r) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>]} : (tensor<?x3x?x?xf16, #top.layout<channels_last>>, tensor<6x3x3x3xf16>, tensor<?x6x?x?xf16, #top.layout<channels_last>>) -> tensor<?x6x?x?xf16, #top.layout<channels_last>>
  return %y : tensor<?x6x?x?xf16, #top.layout<channels_last>>
}
