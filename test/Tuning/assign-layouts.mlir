// RUN: top-opt %s --split-input-file --top-assign-layouts | FileCheck %s
// RUN: not top-opt %s --split-input-file --top-assign-layouts=chip=sm_70 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: top-opt %s --split-input-file --top-assign-layouts --remark-format=emitRemark --remarks-filter=top-assign-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHIP: error: unknown chip 'sm_70', expected

// A residual block: both values go to convolutions alone, and the one that is
// added is added to a result that is channels last. The edges stay.
// CHECK-LABEL: @block(
// CHECK-SAME:    tensor<1x3x8x8xf16>
// CHECK:         %[[A:.*]] = top.Conv2D {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         %[[B:.*]] = top.Conv2D %[[A]], {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         %[[C:.*]] = top.Conv2D %[[B]], %{{.*}} epilogue(%[[A]]) {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         %[[D:.*]] = top.Conv2D %[[C]], {{.*}} -> tensor<1x8x8x8xf16>
// CHECK:         return %[[D]]
// REMARK:        [Passed] ChannelsLast {{.*}}Function=block {{.*}}the result is channels last: the convolutions that write and read it take {{[0-9.]+}} us, else {{[0-9.]+}}
// REMARK-COUNT-2: [Passed] ChannelsLast {{.*}}the result is channels last
func.func @block(%x: tensor<1x3x8x8xf16>, %u: tensor<8x3x1x1xf16>, %w: tensor<8x8x3x3xf16>) -> tensor<1x8x8x8xf16> {
  %a = top.Conv2D %x, %u : (tensor<1x3x8x8xf16>, tensor<8x3x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w epilogue(%a) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>]} : (tensor<1x8x8x8xf16>, tensor<8x8x3x3xf16>, tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
  %d = top.Conv2D %c, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<1x8x8x8xf16>
  return %d : tensor<1x8x8x8xf16>
}

// -----

// The last result is the function's. What is added to it could become channels
// last for the convolution that reads it, and would have to be moved for the add.
// CHECK-LABEL: @chain(
// CHECK-NOT:     -> tensor<1x8x8x8xf16, #top
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=chain {{.*}}Reason="the result stays channels first: the convolutions that write and read it take {{[0-9.]+}} us, else {{[0-9.]+}}"
// REMARK:        [Missed] NotChannelsLast {{.*}}Reason="the result stays channels first: 'func.return' uses it"
func.func @chain(%x: tensor<1x3x8x8xf16>, %u: tensor<8x3x1x1xf16>, %w: tensor<8x8x1x1xf16>) -> (tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16>) {
  %a = top.Conv2D %x, %u : (tensor<1x3x8x8xf16>, tensor<8x3x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %w epilogue(%a) {epilogue = [#top.step<add>]} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>, tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  return %b, %c : tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16>
}

// -----

// A depthwise kernel is channels first on either side: moves would cost more
// than the pack for the last convolution.
// CHECK-LABEL: @depthwise(
// CHECK-NOT:     #top.layout
// REMARK-COUNT-2: [Missed] NotChannelsLast {{.*}}Function=depthwise {{.*}}the convolutions that write and read it take
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
func.func @grouped(%x: tensor<1x8x8x8xf16>, %w: tensor<16x8x1x1xf16>, %g: tensor<16x8x3x3xf16>) -> tensor<1x16x6x6xf16> {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf16>, tensor<16x8x1x1xf16>) -> tensor<1x16x8x8xf16>
  %b = top.Conv2D %a, %g {group = 2 : i64} : (tensor<1x16x8x8xf16>, tensor<16x8x3x3xf16>) -> tensor<1x16x6x6xf16>
  return %b : tensor<1x16x6x6xf16>
}

// -----

// A schedule decides: whether the input is read channels last, and whether
// stores of the result suit it.
// CHECK-LABEL: @schedules(
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16, #top.layout<channels_last>>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16>
// CHECK:         top.Conv2D {{.*}} -> tensor<1x8x8x8xf16>
// REMARK:        [Passed] ChannelsLast {{.*}}Function=schedules
// REMARK:        [Passed] ChannelsLast {{.*}}Function=schedules
// REMARK:        [Missed] NotChannelsLast {{.*}}the op has a schedule with pixels = columns
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' that reads it has a schedule with repack = false
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' that reads it has a schedule with engine = direct
func.func @schedules(%x: tensor<1x8x8x8xf16>, %w: tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16> {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %b = top.Conv2D %a, %w {top.schedule = #top.schedule<pixels = rows, repack = true>} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %c = top.Conv2D %b, %w {top.schedule = #top.schedule<repack = true>} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %d = top.Conv2D %c, %w : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %e = top.Conv2D %d, %w {top.schedule = #top.schedule<pixels = rows, repack = false>} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  %f = top.Conv2D %e, %w {top.schedule = #top.schedule<engine = direct>} : (tensor<1x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x8x8xf16>
  return %f : tensor<1x8x8x8xf16>
}

// -----

// Another op, and a filter, need the elements in order. Broadcast operands do,
// too.
// CHECK-LABEL: @others(
// CHECK-NOT:     #top.layout
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=others {{.*}}'tensor.extract_slice' uses it
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' takes it as operand #1
// REMARK:        [Missed] NotChannelsLast {{.*}}a 'top.Conv2D' takes it as operand #2
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

// -----

// What is not for the tensor cores has no time to compare, and of sizes that
// are not known neither.
// CHECK-LABEL: @unknown(
// CHECK-NOT:     #top.layout
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=unknown {{.*}}the op has kernels of engine simt, whose time is not known
// REMARK:        [Missed] NotChannelsLast {{.*}}the op has a dynamic size H, expected static sizes for a GPU kernel
func.func @unknown(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x1x1xf32>, %y: tensor<1x8x?x8xf16>, %v: tensor<8x8x1x1xf16>) -> (tensor<1x8x8x8xf32>, tensor<1x8x?x8xf16>) {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %b = top.Conv2D %a, %w : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %c = top.Conv2D %y, %v : (tensor<1x8x?x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x?x8xf16>
  %d = top.Conv2D %c, %v : (tensor<1x8x?x8xf16>, tensor<8x8x1x1xf16>) -> tensor<1x8x?x8xf16>
  return %b, %d : tensor<1x8x8x8xf32>, tensor<1x8x?x8xf16>
}

// -----

// Nothing takes no time in any layout.
// CHECK-LABEL: @empty(
// CHECK-NOT:     #top.layout
// REMARK:        [Missed] NotChannelsLast {{.*}}Function=empty {{.*}}the convolutions that write and read it take 0.0 us, else 0.0
func.func @empty(%x: tensor<0x8x8x8xf16>, %w: tensor<8x8x3x3xf16>) -> tensor<0x8x8x8xf16> {
  %a = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<0x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<0x8x8x8xf16>
  %b = top.Conv2D %a, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<0x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<0x8x8x8xf16>
  return %b : tensor<0x8x8x8xf16>
}

// -----

// REMARK:        [Missed] NoLayoutToChoose {{.*}}Function=alone {{.*}}no convolution reads the result of another
func.func @alone(%x: tensor<1x8x8x8xf16>, %w: tensor<8x8x3x3xf16>) -> tensor<1x8x6x6xf16> {
  %a = top.Conv2D %x, %w : (tensor<1x8x8x8xf16>, tensor<8x8x3x3xf16>) -> tensor<1x8x6x6xf16>
  return %a : tensor<1x8x6x6xf16>
}
