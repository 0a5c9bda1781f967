// A function of channels-last tensors runs, is verified, and gives what the
// same function of plain tensors gives, bit by bit: inputs of a seed are the
// same numbers at N, C, H, W, and so are reports.

// RUN: sed 's/, #top.layout<channels_last>//g' %s > %t.plain.mlir
// RUN: top-run %s --function=block --verify --guard=nan --fill=normal --json=%t.last.json | FileCheck %s --check-prefix=BLOCK
// RUN: top-run %t.plain.mlir --function=block --verify --guard=nan --fill=normal --json=%t.plain.json | FileCheck %s --check-prefix=BLOCK
// RUN: %python -c "import json, sys; a, b = (json.load(open(f))['results'] for f in sys.argv[1:]); assert len(a) == 2 and a == b, (a, b)" %t.last.json %t.plain.json
// RUN: top-run %s --function=block --reference=%t.plain.mlir | FileCheck %s --check-prefix=BLOCK
// RUN: top-run %t.plain.mlir --function=block --reference=%s | FileCheck %s --check-prefix=BLOCK

// Lowered to memory, and with casts at the edges.
// RUN: top-run %s --function=casts --reference=%t.plain.mlir | FileCheck %s --check-prefix=CASTS
// RUN: top-run %s --function=constants --verify --print --fill=ones | FileCheck %s --check-prefix=CONSTANTS
// RUN: top-run %t.plain.mlir --function=constants --verify --print --fill=ones | FileCheck %s --check-prefix=CONSTANTS
// RUN: top-run %s --function=constants --verify --randomize-constants --json=%t.last.json | FileCheck %s --check-prefix=RANDOM
// RUN: top-run %t.plain.mlir --function=constants --verify --randomize-constants --json=%t.plain.json | FileCheck %s --check-prefix=RANDOM
// RUN: %python -c "import json, sys; a, b = (json.load(open(f))['results'] for f in sys.argv[1:]); assert a == b, (a, b)" %t.last.json %t.plain.json

// A fault is reported by N, C, H, W.
// RUN: sed '/^func.func @block/,/^}/s/#top.step<relu>/#top.step<clamp, min = 0.0, max = 1.0>/' %t.plain.mlir > %t.wrong.mlir
// RUN: not top-run %s --function=block --reference=%t.wrong.mlir > %t.fault
// RUN: not top-run %t.plain.mlir --function=block --reference=%t.wrong.mlir > %t.plain-fault
// RUN: diff %t.fault %t.plain-fault

// BLOCK: PASS block: compared 896 of 896 elements
// CASTS: PASS casts: compared 24 of 24 elements
// CONSTANTS: argument 0 1x1x2x2xf32 = {{.*}}1, 1
// CONSTANTS: result 0 1x2x2x2xf32 = {{\[\[\[\[}}11, 12], [13, 14]], {{\[\[}}21, 22], [23, 24]]]]
// CONSTANTS: PASS constants: compared 8 of 8 elements
// RANDOM: PASS constants: compared 8 of 8 elements

!x = tensor<2x3x5x7xf32, #top.layout<channels_last>>
!y = tensor<2x8x5x7xf32, #top.layout<channels_last>>

func.func @block(%x: !x, %u: tensor<8x3x3x3xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>, %g: tensor<2x8x1x1xf32>, %v: tensor<8x8x1x1xf32>) -> (tensor<2x8x5x7xf32, #top.layout<channels_last>>, tensor<2x8x3x7xf32>) {
  %0 = top.Conv2D %x, %u, %b {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]} : (!x, tensor<8x3x3x3xf32>, tensor<8xf32>) -> !y
  %1 = top.Conv2D %0, %w epilogue(%0, %g) {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<add>, #top.step<mul>]} : (!y, tensor<8x4x3x3xf32>, !y, tensor<2x8x1x1xf32>) -> !y
  %2 = top.Conv2D %1, %v {strides = array<i64: 2, 1>} : (!y, tensor<8x8x1x1xf32>) -> tensor<2x8x3x7xf32>
  return %1, %2 : !y, tensor<2x8x3x7xf32>
}

func.func @casts(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32, #top.layout<channels_last>> {
  %a = tensor.cast %x : tensor<1x2x3x4xf32> to tensor<1x2x3x4xf32, #top.layout<channels_last>>
  %b = arith.addf %a, %a : tensor<1x2x3x4xf32, #top.layout<channels_last>>
  %c = tensor.cast %b : tensor<1x2x3x4xf32, #top.layout<channels_last>> to tensor<1x2x3x4xf32>
  %d = arith.addf %c, %x : tensor<1x2x3x4xf32>
  %e = tensor.cast %d : tensor<1x2x3x4xf32> to tensor<1x2x3x4xf32, #top.layout<channels_last>>
  return %e : tensor<1x2x3x4xf32, #top.layout<channels_last>>
}

func.func @constants(%x: tensor<1x1x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = arith.constant dense<[[[[10.0]]], [[[20.0]]]]> : tensor<2x1x1x1xf32>
  %r = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x2x2x2xf32, #top.layout<channels_last>>
  %y = top.Conv2D %x, %w epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<1x2x2x2xf32, #top.layout<channels_last>>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
