// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=2" | FileCheck %s
// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=2" --canonicalize --top-lower-layouts | FileCheck %s --check-prefix=LOWERED

// LOWERED-NOT: #top.layout<channels_last>>

// CHECK-LABEL: @dynamic(
// CHECK:       tensor.empty(%{{.*}}) : tensor<?x4x?x5xf32, #top.layout<channels_last>>
// CHECK:       tensor.pad
// CHECK:       #top.layout<channels_last>> to tensor<?x2x?x5xf32, #top.layout<channels_last>>
// CHECK:       top.Conv2D {{.*}} #top.layout<channels_last>>, tensor<4x2x3x3xf32>) -> tensor<?x4x?x5xf32, #top.layout<channels_last>>
func.func @dynamic(%x: tensor<?x2x?x5xf32, #top.layout<channels_last>>, %w: tensor<4x2x3x3xf32>) -> tensor<?x4x?x5xf32, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<?x2x?x5xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>) -> tensor<?x4x?x5xf32, #top.layout<channels_last>>
  return %y : tensor<?x4x?x5xf32, #top.layout<channels_last>>
}
