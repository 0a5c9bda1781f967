// What top-compile writes, level by level.
// RUN: top-compile %s --chip=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: top-compile %s --chip=sm_90a | FileCheck %s --check-prefix=SM90
// RUN: top-compile %s --card=l4 --ptx-version=83 | FileCheck %s --check-prefix=L4
// RUN: top-compile %s --chip=sm_80 --emit=top | FileCheck %s --check-prefix=TOP
// RUN: top-compile %s --chip=sm_80 --emit=linalg | FileCheck %s --check-prefix=LINALG
// RUN: top-compile %s --chip=sm_80 --emit=tiles | FileCheck %s --check-prefix=TILES
// RUN: top-compile %s --chip=sm_80 --emit=nvvm | FileCheck %s --check-prefix=NVVM
// RUN: top-compile %s --chip=sm_80 --emit=llvm | FileCheck %s --check-prefix=LLVM
// PTX: .version 8.0
// PTX: .target sm_80
// PTX: .visible .entry f_kernel(
// PTX: .reqntid 128
// PTX: fma.rn.f32
// SM90: .target sm_90a
// L4: .version 8.3
// L4: .target sm_89
// TOP: top.MatMul {{.*}} {top.schedule = #top.schedule<engine = simt, block = [64, 64, 16]
// LINALG: linalg.matmul {top.schedule = #top.schedule<engine = simt, block = [64, 64, 16]
// LINALG-NOT: top.MatMul
// TILES: scf.forall
// TILES: top.tile_mma {{.*}} -> !top.tile<thread 8x4xf32>
// NVVM: gpu.launch_func @top_kernels::@f_kernel
// NVVM: gpu.module @top_kernels
// NVVM: nvvm.cp.async.shared.global
// LLVM-NOT: func.func
// LLVM: gpu.module @top_kernels
// LLVM: llvm.func @f_kernel
// LLVM-NOT: scf.
// LLVM-NOT: arith.

// Stops behind each pass that it names.
// RUN: top-compile %s --chip=sm_80 --stop-after=top-tile-to-blocks | FileCheck %s --check-prefix=BLOCKS
// RUN: top-compile %s --chip=sm_80 --stop-after=top-verify-pipeline -o - | FileCheck %s --check-prefix=TILES
// RUN: top-compile %s --chip=sm_80 --tile="m=32" --stop-after=top-tile | FileCheck %s --check-prefix=TILED
// BLOCKS: scf.forall {{.*}} shared_outs
// BLOCKS: top.tile_load
// TILED: scf.for
// TILED: top.MatMul {{.*}} -> tensor<32x80xf32>

// What an op has no schedule of its own for is chosen.
// RUN: sed 's/{top.schedule = #s}//' %s | top-compile - --chip=sm_80 --emit=top | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: top.MatMul {{.*}} {top.schedule = #top.schedule<engine = simt,

// The plan, the report, and several outputs at once.
// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %python -c "import json, sys; p = json.load(open(sys.argv[1])); f = p['functions'][0]; print(f['chip'], f['function'], [b['shape'] for b in f['buffers']], [s['launch'] for s in f['steps']])" %t.json | FileCheck %s --check-prefix=PLAN
// PLAN: sm_80 f {{\[}}[96, 72], [72, 80], [96, 80]] ['f_kernel']
// RUN: rm -f %t.ptx && top-compile %s --chip=sm_80 --report -o %t.ptx | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: top-compile %s --chip=sm_80 --report | FileCheck %s --check-prefix=REPORT
// REPORT: f_kernel: 96 x 80 x 72 f32 on sm_80 (a100), engine simt, block 64x64x16, warp 32x32, thread 8x4, stages 3, threads 128, shared 24576 B
// REPORT-NOT: .visible

// Refusals: 2 for the command line, 1 for the file.
// RUN: %python %S/Inputs/expect-status.py 2 top-compile 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: top-compile: error: no input file; try --help
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s 2>&1 | FileCheck %s --check-prefix=NOCHIP
// NOCHIP: top-compile: error: expected --chip=CHIP or --card=CARD
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: top-compile: error: unknown chip 'sm_75', expected one of sm_80, sm_86, sm_89, sm_90, sm_90a
// CHIP-NOT: {{.}}
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --card=b200 2>&1 | FileCheck %s --check-prefix=CARD
// CARD: top-compile: error: unknown card 'b200', expected one of a100, a10, l4, h100-sxm, h200
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --ptx-version=60 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: top-compile: error: PTX version 6.0 does not know 'sm_80', which needs 7.0 or later
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --ptx-version=99 2>&1 | FileCheck %s --check-prefix=NEW
// NEW: top-compile: error: PTX version 9.9 cannot be written, expected one from 7.0 to
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --stop-after=top-tile 2>&1 | FileCheck %s --check-prefix=STOP
// STOP: top-compile: error: no pass 'top-tile' is run; '--stop-after' takes one of: {{.*}}top-tile-to-warps, top-prefetch-fragments, top-verify-pipeline, convert-top-tiles-to-nvvm{{$}}
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --without=top-swizzle --stop-after=top-swizzle 2>&1 | FileCheck %s --check-prefix=LEFTOUT
// LEFTOUT: top-compile: error: no pass 'top-swizzle' is run
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --without=top-verify-pipeline 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: top-compile: error: cannot leave out 'top-verify-pipeline', expected top-promote-shared, top-multi-buffer, top-swizzle, top-tile-to-warps or top-prefetch-fragments
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --tile=nonsense=1 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: top-compile: error: cannot read the options of '--tile': {{.*}}nonsense
// TILE-NOT: {{.}}
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 '--tile=m=8},canonicalize{' 2>&1 | FileCheck %s --check-prefix=INJECT
// INJECT: top-compile: error: cannot read the options of '--tile'
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --emit=sass 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: top-compile: for the --emit option: Cannot find option named 'sass'!
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --nonsense 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: top-compile: error: Unknown command line argument '--nonsense'
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %t.missing --chip=sm_80 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: top-compile: error: cannot open '{{.*}}.missing': No such file or directory
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 -o %t.none/x 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: %python %S/Inputs/expect-status.py 2 top-compile %s --chip=sm_80 --plan=%t.none/x 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: top-compile: error: cannot open output file '{{.*}}.none/x': No such file or directory

// RUN: echo 'nonsense' | %python %S/Inputs/expect-status.py 1 top-compile - --chip=sm_80 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: custom op 'nonsense' is unknown
// RUN: sed 's/96x/?x/g' %s | %python %S/Inputs/expect-status.py 1 top-compile - --chip=sm_80 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: 'top.MatMul' op has a dynamic size M, expected static sizes for a GPU kernel
// RUN: sed 's/stages = 3/stages = 0/' %s | %python %S/Inputs/expect-status.py 1 top-compile - --chip=sm_80 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: expected 'stages' to be between 1 and 65536, got 0
// RUN: sed 's/stages = 3/stages = -1/' %s | %python %S/Inputs/expect-status.py 1 top-compile - --chip=sm_80 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: expected 'stages' to be between 1 and 65536, got -1
// RUN: sed 's/stages = 3/stages = 40/' %s | %python %S/Inputs/expect-status.py 1 top-compile - --chip=sm_80 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: 'top.MatMul' op needs 327680 bytes of shared memory, but 'sm_80' allows 166912
// MANY: note: the nearest schedule that fits is
// RUN: echo 'func.func @g(%%x: tensor<2x3x16x16xf32>, %%w: tensor<8x3x3x3xf32>) -> tensor<2x8x14x14xf32> { %%y = top.Conv2D %%x, %%w : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x14x14xf32> return %%y : tensor<2x8x14x14xf32> }' > %t.conv
// RUN: top-compile %t.conv --chip=sm_80 | FileCheck %s --check-prefix=CONV
// CONV: .visible .entry g_kernel(

#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], stages = 3>
func.func @f(%a: tensor<96x72xf32>, %b: tensor<72x80xf32>) -> tensor<96x80xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<96x72xf32>, tensor<72x80xf32>) -> tensor<96x80xf32>
  return %c : tensor<96x80xf32>
}

// A file without anything to compile is no success with empty PTX.
// RUN: echo 'func.func @g() { return }' > %t.nothing.mlir
// RUN: not top-compile %t.nothing.mlir --chip=sm_80 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: top-compile: error: '{{.*}}nothing.mlir' has no layer op (top.MatMul or top.Conv2D)
// NOTHING-NOT: .version
