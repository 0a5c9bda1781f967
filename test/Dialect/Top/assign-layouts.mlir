// RUN: top-opt %s --split-input-file --top-assign-layouts | FileCheck %s
// RUN: top-opt %s --split-input-file --top-assign-layouts --remark-format=emitRemark --remarks-filter=top-assign-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A residual block: both values go to convolutions alone, and the one that is
// added is added to a result that is channels last. The edges stay.
// CHECK-LABEL: @block(
// CHECK-SAME:    tensor<1x3x8x8xf16>
// CHECK:         %[[A:.*]] = top.Conv2D {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         %[[B:.*]] = top.Conv2D %[[A]], {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         %[[C:.*]] = top.Conv2D %[[B]], %{{.*}} epilogue(%[[A]]) {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         %[[D:.*]] = top.Conv2D %[[C]], {{.*}} -> tensor<1x8x8x8xf16>
// CHECK:         return %[[D]]
// REMARK:        [Passed] ChannelsLast {{.*}}Function=block {{.*}}the result is channels last for 2 uses
// REMARK:        [Passed] ChannelsLast {{.*}}the result is channels last for 1 uses
// REMARK:        [Passed] ChannelsLast {{.*}}the result is channels last for 1 uses
func.func @block(%x: tensor<1x3x8x8xf16>, %u: tensor<8x3x1x1xf16>, %w: tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16> {
  %a = top.Conv2D %x, %u : (tensor<1x3x8x8xf16>, tensor<8x3x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w epilogue(%a) {epilogue = [#top.step<add>]} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>, tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
  %d = top.Conv2D %c, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  return %d : tensor<1x8x8x8xf16>
}

// -----

// The last result is the function's, so that what is added to it stays, too:
// one value by its own use, the next since that one stays.
// CHECK-LABEL: @chain(
// CHECK-NOT:     -> tensor<1x8x8x8xf16, #top
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=chain {{.*}}Reason="the result stays channels first: a 'top.Conv2D' that is not channels last takes it as operand #2"
// REMARK:        [Missed] NotChannelsLast {{.*}}Reason="the result stays channels first: 'func.return' uses it"
func.func @chain(%x: tensor<1x3x8x8xf16>, %u: tensor<8x3x1x1xf16>, %w: tensor<8x8x1x1xf16>) -> (tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16>) {
  %a = top.Conv2D %x, %u : (tensor<1x3x8x8xf16>, tensor<8x3x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %w epilogue(%a) {epilogue = [#top.step<add>]} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>, tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  return %b, %c : tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16>
}

// -----

// What does not pack its input leaves it, and what it writes, as it is.
// CHECK-LABEL: @depthwise(
// CHECK-NOT:     #top.layout
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=depthwise {{.*}}a 'top.Conv2D' that reads it has groups of 1 input channels, not a multiple of 8
// REMARK:        [Missed] NotChannelsLast {{.*}}the op has groups of 1 input channels, not a multiple of 8
func.func @depthwise(%x: tensor<1x8x8x8xf16>, %w: tensor<8x8x1x1xf16>, %d: tensor<8x1x1x1xf16>) -> tensor<1x8x8x8xf16> {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %d {group = 8 : i64} : (tensor<1x8x8x8xf16>, tensor<8x1x1x1xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  return %c : tensor<1x8x8x8xf16>
}

// -----

// Groups of 8 channels fill rows of 16 bytes.
// CHECK-LABEL: @grouped(
// CHECK:         top.Conv2D {{.*}} -> tensor<1x16x8x8xf16, #top.layout<channels_last>>
func.func @grouped(%x: tensor<1x8x8x8xf16>, %w: tensor<16x8x1x1xf16>, %g: tensor<16x8x1x1xf16>) -> tensor<1x16x8x8xf16> {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf16>, tensor<16x8x1x1xf16>) -> tensor<1x16x8x8xf16>
  %b = top.Conv2D %a, %g {group = 2 : i64} : (tensor<1x16x8x8xf16>, tensor<16x8x1x1xf16>) -> tensor<1x16x8x8xf16>
  return %b : tensor<1x16x8x8xf16>
}

// -----

// A schedule decides.
// CHECK-LABEL: @schedules(
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16>
// REMARK:        [Passed] ChannelsLast {{.*}}Function=schedules
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' that reads it has a schedule with repack = false
func.func @schedules(%x: tensor<1x8x8x8xf16>, %w: tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16> {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %w {top.schedule = #top.schedule<repack = true>} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w {top.schedule = #top.schedule<repack = false>} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  return %c : tensor<1x8x8x8xf16>
}

// -----

// Another op, and a filter, need the elements in order. Broadcast operands do,
// too.
// CHECK-LABEL: @others(
// CHECK-NOT:     #top.layout
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=others {{.*}}'tensor.extract_slice' uses it
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' that is not channels last takes it as operand #1
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' that is not channels last takes it as operand #2
func.func @others(%x: tensor<8x8x1x1xf16>, %w: tensor<8x8x1x1xf16>, %z: tensor<1x8x4x4xf16>) -> (tensor<1x8x1x1xf16>, tensor<8x8x1x1xf16>, tensor<8x8x1x1xf16>, tensor<1x8x1x1xf16>, tensor<1x8x4x4xf16>) {
  %a = top.Conv2D %x, %w : (tensor<8x8x1x1xf16>, tensor<8x8x1x1xf16>) -> tensor<8x8x1x1xf16>
  %b = tensor.extract_slice %a[0, 0, 0, 0] [1, 8, 1, 1] [1, 1, 1, 1] : tensor<8x8x1x1xf16> to tensor<1x8x1x1xf16>
  %c = top.Conv2D %a, %w : (tensor<8x8x1x1xf16>, tensor<8x8x1x1xf16>) -> tensor<8x8x1x1xf16>
  %d = top.Conv2D %x, %w : (tensor<8x8x1x1xf16>, tensor<8x8x1x1xf16>) -> tensor<8x8x1x1xf16>
  %e = top.Conv2D %d, %d : (tensor<8x8x1x1xf16>, tensor<8x8x1x1xf16>) -> tensor<8x8x1x1xf16>
  %f = top.Conv2D %b, %w : (tensor<1x8x1x1xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x1x1xf16>
  %g = top.Conv2D %f, %w : (tensor<1x8x1x1xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x1x1xf16>
  %h = top.Conv2D %z, %w epilogue(%f) {epilogue = [#top.step<mul>]} : (tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16>, tensor<1x8x1x1xf16>) -> tensor<1x8x4x4xf16>
  return %b, %c, %e, %g, %h : tensor<1x8x1x1xf16>, tensor<8x8x1x1xf16>, tensor<8x8x1x1xf16>, tensor<1x8x1x1xf16>, tensor<1x8x4x4xf16>
}
