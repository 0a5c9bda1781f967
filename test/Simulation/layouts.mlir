// Convolutions on the simulated GPU that read and write channels last, each
// compared with the reference. What is channels last is read and written where
// it is: a plan has no kernel that moves it, unless the engine needs one.

// RUN: top-run %s --target=sim --function=chain --verify --guard=nan | FileCheck %s --check-prefix=CHAIN
// RUN: top-run %s --target=sim --function=chain --verify --guard=nan --fill=normal --chip=sm_90a --sim-mode=random | FileCheck %s --check-prefix=CHAIN
// RUN: top-run %s --target=sim --function=groups --verify --guard=nan | FileCheck %s --check-prefix=GROUPS
// RUN: top-run %s --target=sim --function=first --verify --guard=nan | FileCheck %s --check-prefix=FIRST
// RUN: top-run %s --target=sim --function=filled --verify --guard=nan | FileCheck %s --check-prefix=FILLED
// RUN: top-run %s --target=sim --function=filled_groups --verify --guard=nan --sim-mode=lazy | FileCheck %s --check-prefix=FILLED
// RUN: top-run %s --target=sim --function=depthwise --verify --guard=nan | FileCheck %s --check-prefix=DEPTHWISE
// RUN: top-run %s --target=sim --function=schedules --verify --guard=nan | FileCheck %s --check-prefix=SCHEDULES
// RUN: top-opt %s --pass-pipeline="builtin.module(func.func(top-assign-layouts))" | top-run - --target=sim --function=plain --reference=%s --guard=nan | FileCheck %s --check-prefix=PLAIN
// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python -c "import json, sys; [print(f['function'], sum('launch' in s for s in f['steps'])) for f in json.load(open(sys.argv[1]))['functions']]" %t.json | FileCheck %s --check-prefix=LAUNCHES

// The same by default, and without.
// RUN: top-compile %s --chip=sm_80 --stop-after=top-assign-schedule -o - | FileCheck %s --check-prefix=FLAG
// RUN: top-compile %s --chip=sm_80 --assign-layouts=false --stop-after=top-assign-schedule -o - | FileCheck %s --check-prefix=WITHOUT

// FLAG-LABEL: func.func @plain(
// FLAG: top.Conv2D {{.*}} -> tensor<1x64x5x7xf16, #top.layout<channels_last>>
// FLAG: top.Conv2D {{.*}} -> tensor<1x8x5x7xf16>
// WITHOUT-LABEL: func.func @plain(
// WITHOUT-NOT: #top.layout
// CHAIN: PASS chain: compared 1456 of 1456 elements
// GROUPS: PASS groups: compared 1120 of 1120 elements
// FIRST: PASS first: compared 560 of 560 elements
// FILLED: PASS {{filled|filled_groups}}: compared {{560|192}} of
// DEPTHWISE: PASS depthwise: compared 560 of 560 elements
// SCHEDULES: PASS schedules: compared 1680 of 1680 elements
// PLAIN: PASS plain: compared 280 of 280 elements
// Two convolutions and a pack of the filter of 3 x 3; one of each; one, with
// images that are filled up; a depthwise one, with its moves to channels first
// and back; two convolutions that take no pack but those of their filters.
// LAUNCHES: chain 3
// LAUNCHES: groups 2
// LAUNCHES: first 2
// LAUNCHES: filled 3
// LAUNCHES: filled_groups 3
// LAUNCHES: depthwise 3
// LAUNCHES: schedules 2
// LAUNCHES: plain 4

!x = tensor<2x16x5x7xf16, #top.layout<channels_last>>
!r = tensor<2x16x5x7xf16>

func.func @chain(%x: !x, %w: tensor<16x16x3x3xf16>, %v: tensor<8x16x1x1xf16>, %b: tensor<16xf16>, %r: !r, %g: tensor<2x16x1x1xf16>, %s: tensor<2x8x3x7xf16, #top.layout<channels_last>>) -> (!x, tensor<2x8x3x7xf16>) {
  %0 = top.Conv2D %x, %w, %b epilogue(%x, %r, %g) {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<add>, #top.step<mul>]} : (!x, tensor<16x16x3x3xf16>, tensor<16xf16>, !x, !r, tensor<2x16x1x1xf16>) -> !x
  %1 = top.Conv2D %0, %v epilogue(%s) {strides = array<i64: 2, 1>, epilogue = [#top.step<add>, #top.step<relu>]} : (!x, tensor<8x16x1x1xf16>, tensor<2x8x3x7xf16, #top.layout<channels_last>>) -> tensor<2x8x3x7xf16>
  return %0, %1 : !x, tensor<2x8x3x7xf16>
}

func.func @groups(%x: !x, %w: tensor<16x8x3x3xf16>, %b: tensor<16xf16>) -> !x {
  %0 = top.Conv2D %x, %w, %b {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (!x, tensor<16x8x3x3xf16>, tensor<16xf16>) -> !x
  return %0 : !x
}

func.func @first(%x: tensor<2x3x5x7xf16, #top.layout<channels_last>>, %w: tensor<8x3x3x3xf16>) -> tensor<2x8x5x7xf16, #top.layout<channels_last>> {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x3x5x7xf16, #top.layout<channels_last>>, tensor<8x3x3x3xf16>) -> tensor<2x8x5x7xf16, #top.layout<channels_last>>
  return %0 : tensor<2x8x5x7xf16, #top.layout<channels_last>>
}

// Three channels are filled up where the schedule says so, each group's apart.
func.func @filled(%x: tensor<2x3x5x7xf16, #top.layout<channels_last>>, %w: tensor<8x3x3x3xf16>) -> tensor<2x8x5x7xf16, #top.layout<channels_last>> {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x3x5x7xf16, #top.layout<channels_last>>, tensor<8x3x3x3xf16>) -> tensor<2x8x5x7xf16, #top.layout<channels_last>>
  return %0 : tensor<2x8x5x7xf16, #top.layout<channels_last>>
}

func.func @filled_groups(%x: tensor<2x6x5x7xf16, #top.layout<channels_last>>, %w: tensor<8x3x1x1xf16>) -> tensor<2x8x3x4xf16> {
  %0 = top.Conv2D %x, %w {group = 2 : i64, strides = array<i64: 2, 2>, top.schedule = #top.schedule<engine = mma_sync, block = [16, 64, 32], warp = [16, 32], repack = true>} : (tensor<2x6x5x7xf16, #top.layout<channels_last>>, tensor<8x3x1x1xf16>) -> tensor<2x8x3x4xf16>
  return %0 : tensor<2x8x3x4xf16>
}

func.func @depthwise(%x: tensor<2x8x5x7xf32, #top.layout<channels_last>>, %w: tensor<8x1x3x3xf32>) -> tensor<2x8x5x7xf32, #top.layout<channels_last>> {
  %0 = top.Conv2D %x, %w {group = 8 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]} : (tensor<2x8x5x7xf32, #top.layout<channels_last>>, tensor<8x1x3x3xf32>) -> tensor<2x8x5x7xf32, #top.layout<channels_last>>
  return %0 : tensor<2x8x5x7xf32, #top.layout<channels_last>>
}

// A plain image without a pack, and a result that is channels last; and an image
// that is, where the schedule does not ask for a pack.
func.func @schedules(%x: !r, %w: tensor<16x16x3x3xf16>, %v: tensor<8x16x1x1xf16>) -> (!x, tensor<2x8x5x7xf16>) {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<repack = false>} : (!r, tensor<16x16x3x3xf16>) -> !x
  %1 = top.Conv2D %0, %v {top.schedule = #top.schedule<engine = mma_sync, block = [64, 64, 32], warp = [32, 32]>} : (!x, tensor<8x16x1x1xf16>) -> tensor<2x8x5x7xf16>
  return %0, %1 : !x, tensor<2x8x5x7xf16>
}

func.func @plain(%x: tensor<1x8x5x7xf16>, %w: tensor<64x8x3x3xf16>, %v: tensor<8x64x3x3xf16>) -> tensor<1x8x5x7xf16> {
  %0 = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x5x7xf16>, tensor<64x8x3x3xf16>) -> tensor<1x64x5x7xf16>
  %1 = top.Conv2D %0, %v {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x5x7xf16>, tensor<8x64x3x3xf16>) -> tensor<1x8x5x7xf16>
  return %1 : tensor<1x8x5x7xf16>
}
