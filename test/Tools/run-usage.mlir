// Every refusal is one line on stderr and a status: 2 where the command line
// is wrong, 1 where the IR is, 3 where there is no device.

// RUN: %python %S/Inputs/expect-status.py 2 top-run 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: top-run: error: no input file; try --help
// RUN: %python %S/Inputs/expect-status.py 2 top-run %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: top-run: error: cannot open '{{.*}}.missing': No such file or directory
// MISSING-NOT: {{.}}
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --nonsense 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: top-run: error: Unknown command line argument '--nonsense'. Try: '{{.*}}top-run --help'
// FLAG-NOT: {{.}}
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --seed=x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: top-run: for the --seed option: 'x' value invalid for ulong argument!
// SEED-NOT: {{.}}
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: top-run: error: several functions in '{{.*}}', choose one with --function: plain, mixed, scalar, dynamic, number
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: top-run: error: no function 'none' in '{{.*}}', its public functions: plain, mixed, scalar, dynamic, number
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=mixed --verify 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: top-run: error: 'mixed' is not a function of plain top ops (it contains 'tensor.empty'), so that --verify needs --reference=FILE with the untiled or untouched function
// RUN: %python %S/Inputs/expect-status.py 1 top-run %s --function=mixed --reference=%s 2>&1 | FileCheck %s --check-prefix=MIXEDREF
// MIXEDREF: {{.*}}run-usage.mlir:[[#]]:[[#]]: error: the reference 'mixed' must consist of 'top' ops alone or have none, but it contains 'tensor.empty'; give the untouched file
// RUN: %python %S/Inputs/expect-status.py 1 top-run %s --function=scalar 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: {{.*}}run-usage.mlir:[[#]]:[[#]]: error: cannot run 'scalar': argument #1 has type 'f32', expected a ranked tensor of floats or integers
// RUN: %python %S/Inputs/expect-status.py 1 top-run %s --function=number 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: cannot run 'number': result #0 has type 'index', expected a ranked tensor of floats or integers

// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --chip=sm_80 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: top-run: error: '--chip' has no meaning with --target=cpu
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=gpu --baseline=cublas 2>&1 | FileCheck %s --check-prefix=BASELINE
// BASELINE: top-run: error: '--baseline' needs --bench
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=gpu --bench --baseline=foo 2>&1 | FileCheck %s --check-prefix=NOBASELINE
// NOBASELINE: top-run: error: unknown baseline 'foo', expected cublas
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --bench --baseline=cublas 2>&1 | FileCheck %s --check-prefix=CPUBASELINE
// CPUBASELINE: top-run: error: '--baseline' has no meaning with --target=cpu
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=mixed --target=gpu --bench --baseline=cublas 2>&1 | FileCheck %s --check-prefix=MIXEDBASELINE
// MIXEDBASELINE: top-run: error: 'mixed' has no baseline: it contains 'tensor.empty'; expected one top.MatMul of two arguments, without bias and epilogue
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --target=gpu --bench --baseline=cublas 2>&1 | FileCheck %s --check-prefix=CONVBASELINE
// CONVBASELINE: top-run: error: 'dynamic' has no baseline: it contains 'top.Conv2D'; expected
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=plain --target=gpu --bench --fill=const:0 2>&1 | FileCheck %s --check-prefix=ZEROS
// ZEROS: top-run: error: '--bench' on zeros says nothing of a GPU, which is faster on them; leave '--fill' out
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=plain --target=gpu --chip=sm_20 2>&1 | FileCheck %s --check-prefix=NOCHIP
// NOCHIP: top-run: error: unknown chip 'sm_20'
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=gpu --sim-seed=1 2>&1 | FileCheck %s --check-prefix=SIMSEED
// SIMSEED: top-run: error: '--sim-seed' has no meaning with --target=gpu
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --repeats=0 2>&1 | FileCheck %s --check-prefix=REPEATS
// REPEATS: top-run: error: expected '--repeats' to be at least 1, got 0
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --sim-report 2>&1 | FileCheck %s --check-prefix=SIMREPORT
// SIMREPORT: top-run: error: '--sim-report' has no meaning with --target=cpu
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --sim-workers=2 2>&1 | FileCheck %s --check-prefix=SIMWORKERS
// SIMWORKERS: top-run: error: '--sim-workers' has no meaning with --target=cpu
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=sim --sim-mode=late 2>&1 | FileCheck %s --check-prefix=SIMMODE
// SIMMODE: top-run: error: unknown mode 'late', expected eager, lazy or random
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=sim --bench 2>&1 | FileCheck %s --check-prefix=SIMBENCH
// SIMBENCH: top-run: error: '--bench' has no meaning with --target=sim: the time that a simulator takes says nothing of a GPU
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=sim --baseline=cublas 2>&1 | FileCheck %s --check-prefix=SIMBASELINE
// SIMBASELINE: top-run: error: '--baseline' has no meaning with --target=sim
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=sim --function=plain --chip=sm_20 2>&1 | FileCheck %s --check-prefix=SIMCHIP
// SIMCHIP: top-run: error: unknown chip 'sm_20'
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: top-run: error: unknown target 'tpu', expected cpu, sim or gpu
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --fill=random 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: top-run: error: unknown fill 'random', expected int, normal, eighths, ones or const:X
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --fill=const:two 2>&1 | FileCheck %s --check-prefix=CONST
// CONST: top-run: error: unknown fill 'const:two'
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --guard=zero 2>&1 | FileCheck %s --check-prefix=GUARD
// GUARD: top-run: error: unknown guard 'zero', expected nan
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --samples=0 2>&1 | FileCheck %s --check-prefix=SAMPLES
// SAMPLES: top-run: error: expected '--samples' to be at least 1, got 0
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=plain --reference=%t.missing 2>&1 | FileCheck %s --check-prefix=NOREF
// NOREF: top-run: error: cannot open '{{.*}}.missing': No such file or directory
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=plain --reference=%S/Inputs/conv-linalg.mlir 2>&1 | FileCheck %s --check-prefix=OTHERREF
// OTHERREF: top-run: error: no function 'plain' in the reference '{{.*}}conv-linalg.mlir'
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=plain --json=%t.none/out.json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: top-run: error: cannot write '{{.*}}out.json': No such file or directory

// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: top-run: error: argument 0 of 'dynamic' has type tensor<?x3x?x?xf32>, give its shape with --arg-shape=0:8x8x8x8
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --arg-shape=0:1x3x4 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: top-run: error: --arg-shape gives argument 0 rank 3, but its type is tensor<?x3x?x?xf32>
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --arg-shape=0:1x4x4x4 2>&1 | FileCheck %s --check-prefix=CONTRA
// CONTRA: top-run: error: --arg-shape contradicts the type of argument 0, tensor<?x3x?x?xf32>
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --arg-shape=2:1 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: top-run: error: --arg-shape names argument 2, but 'dynamic' takes 2 (counted from 0)
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --arg-shape=0:1x-3x4x4 2>&1 | FileCheck %s --check-prefix=READ
// READ: top-run: error: cannot read --arg-shape=0:1x-3x4x4, expected an argument's number and its extents as in 0:2x3x7x5
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --arg-shape=0:1x3x4x4 --arg-shape=0:1x3x4x4 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: top-run: error: --arg-shape gives argument 0 twice
// RUN: %python %S/Inputs/expect-status.py 2 top-run %s --function=dynamic --arg-shape=0:1000000000x3x1000000x4 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: top-run: error: argument 0 of 'dynamic' would need more than 1 TiB

func.func @plain(%a: tensor<2x1xf32>, %b: tensor<1x2xf32>) -> tensor<2x2xf32> {
  %c = top.MatMul %a, %b : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}

func.func @mixed(%a: tensor<2x1xf32>, %b: tensor<1x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %c = top.MatMul %a, %b : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %r = tensor.insert_slice %c into %e[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @scalar(%a: tensor<2xf32>, %b: f32) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}

func.func @dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32> {
  %y = top.Conv2D %x, %w : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32>
  return %y : tensor<?x4x?x?xf32>
}

func.func @number(%a: tensor<2xf32>) -> index {
  %c = arith.constant 0 : index
  return %c : index
}

func.func private @helper(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
