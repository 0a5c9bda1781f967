// Tiles, slices, destinations, fills and pads of encoded tensors have the
// encodings of what they are parts of, in every form; so do those of upstream's
// drivers. Lowering to plain tensors takes them all.

// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=2 width=3 form=unroll" | FileCheck %s --check-prefixes=CHECK,UNROLL
// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=2 width=3" | FileCheck %s --check-prefixes=CHECK,LOOP
// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=2 width=3" --top-lower-layouts | FileCheck %s --check-prefix=LOWERED
// RUN: top-opt %s --split-input-file --top-tile="batch=1 height=1 width=1 channels=2" --canonicalize --cse --top-lower-layouts --convert-top-to-linalg --canonicalize -o /dev/null

// LOWERED-NOT: #top.layout<channels_last>>

// CHECK-LABEL: @conv(
// CHECK:       tensor.empty() : tensor<2x4x5x7xf32, #top.layout<channels_last>>
// UNROLL:      tensor.extract_slice {{.*}} : tensor<2x2x5x7xf32, #top.layout<channels_last>> to tensor<1x2x3x4xf32, #top.layout<channels_last>>
// UNROLL:      tensor.extract_slice {{.*}} : tensor<2x4x5x7xf32> to tensor<1x4x2x3xf32>
// UNROLL-NOT:  tensor<1x2x{{.}}x{{.}}xf32>
// UNROLL:      top.Conv2D {{.*}} : (tensor<1x2x3x4xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>, tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32, #top.layout<channels_last>>
// UNROLL:      tensor.insert_slice {{.*}} : tensor<1x4x2x3xf32, #top.layout<channels_last>> into tensor<2x4x5x7xf32, #top.layout<channels_last>>
// LOOP:        scf.for {{.*}} -> (tensor<2x4x5x7xf32, #top.layout<channels_last>>)
// LOOP-NOT:    tensor<1x2x{{.}}x{{.}}xf32>
// LOOP-NOT:    tensor<{{.*}}x4x{{.}}x{{.}}xf32> into
func.func @conv(%x: tensor<2x2x5x7xf32, #top.layout<channels_last>>, %w: tensor<4x2x3x3xf32>, %r: tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w epilogue(%r) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>]}
     : (tensor<2x2x5x7xf32, #top.layout<channels_last>>, tensor<4x2x3x3xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32, #top.layout<channels_last>>
  return %y : tensor<2x4x5x7xf32, #top.layout<channels_last>>
}

// -----

// Tiles that read padding alone are the residual, in the result's layout.
// CHECK-LABEL: @fills(
// CHECK:       linalg.generic {{.*}} ins(%{{.*}} : tensor<{{.*}}xf32, #top.layout<channels_last>>) outs(%{{.*}} : tensor<{{.*}}xf32, #top.layout<channels_last>>)
// CHECK:       top.Conv2D {{.*}} -> tensor<{{.*}}xf32, #top.layout<channels_last>>
func.func @fills(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %r: tensor<1x2x12x12xf32, #top.layout<channels_last>>) -> tensor<1x2x12x12xf32, #top.layout<channels_last>> {
  %y = top.Conv2D %x, %w epilogue(%r) {pads = array<i64: 4, 4, 4, 4>, epilogue = [#top.step<add>]}
     : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x12x12xf32, #top.layout<channels_last>>) -> tensor<1x2x12x12xf32, #top.layout<channels_last>>
  return %y : tensor<1x2x12x12xf32, #top.layout<channels_last>>
}

// -----

// More than 8 border tiles a side: a loop that pads slices.
// LOOP-LABEL: @borders(
// LOOP:       tensor.pad
// LOOP:       : tensor<1x2x?x{{.*}}xf32, #top.layout<channels_last>> to tensor<1x2x{{[0-9]+}}x{{.*}}xf32, #top.layout<channels_last>>
func.func @borders(%x: tensor<1x2x40x3xf32, #top.layout<channels_last>>, %w: tensor<2x2x41x1xf32>) -> tensor<1x2x40x3xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 20, 0, 20, 0>}
     : (tensor<1x2x40x3xf32, #top.layout<channels_last>>, tensor<2x2x41x1xf32>) -> tensor<1x2x40x3xf32>
  return %y : tensor<1x2x40x3xf32>
}
