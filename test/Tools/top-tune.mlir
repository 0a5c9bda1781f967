// RUN: top-tune %s --chip=sm_86 --list > %t
// RUN: FileCheck %s < %t
// What fits and what cannot run are all there is, and as many as the head says.
// RUN: grep -c '^fits ' %t > %t.fits && grep -c '^cannot run ' %t > %t.not
// RUN: %python -c "import re, sys; text = open(sys.argv[1]).read(); heads = re.findall(r': (\d+) schedules fit, (\d+) cannot', text); print(sum(int(h[0]) for h in heads)); print(sum(int(h[1]) for h in heads))" %t > %t.heads
// RUN: cat %t.fits %t.not | diff - %t.heads
// A line that fits is a schedule that top-verify-schedule takes.
// RUN: sed -n '/^fits /{p;q;}' %t | grep -o '#top.schedule<[^>]*>' > %t.one
// RUN: %python -c "import sys; print(open(sys.argv[1]).read().replace('top.MatMul %%a, %%b', 'top.MatMul %%a, %%b {top.schedule = ' + open(sys.argv[2]).read().strip() + '}'))" %s %t.one | top-opt --top-verify-schedule="chip=sm_86" -o /dev/null
// RUN: top-tune %s --card=h200 --list | FileCheck %s --check-prefix=H200

// CHECK: top.MatMul in 'f': 1024 x 1024 x 512 f32 on sm_86 (a10): {{[0-9]+}} schedules fit, {{[0-9]+}} cannot run
// CHECK-NEXT: chosen #top.schedule<engine = simt,
// CHECK: fits #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2>: 256 threads, 65536 bytes shared, about 128 registers, 1 blocks/SM, occupancy 17%
// CHECK-DAG: cannot run #top.schedule<engine = simt, block = [128, 128, 64], warp = [32, 64], thread = [8, 8], stages = 2>: shared memory: needs 131072 bytes of shared memory, but 'sm_86' allows 101376
// CHECK-DAG: cannot run #top.schedule<engine = simt, block = [256, 256, 8], warp = [32, 64], thread = [8, 8], stages = 1>: registers: needs about 128 registers for each of 1024 threads, but 'sm_86' has 65536 for all
// CHECK-DAG: cannot run #top.schedule<engine = simt, block = [256, 256, 8], warp = [16, 32], thread = [4, 4], stages = 1>: threads: needs 4096 threads in a block, but 'sm_86' allows 1024
// CHECK-DAG: cannot run #top.schedule<engine = mma_sync, {{.*}}: MMA shape: needs an MMA shape for f32
// CHECK-DAG: cannot run #top.schedule<engine = wgmma, {{.*}}: engine: needs the engine 'wgmma', which 'sm_86' does not have
// H200: top.MatMul in 'f': 1024 x 1024 x 512 f32 on sm_90a (h200)
// H200: top.MatMul in 'f': 2 x 8 x 8 x 8 f16 on sm_90a (h200)
func.func @f(%a: tensor<1024x512xf32>, %b: tensor<512x1024xf32>, %p: tensor<2x8x8xf16>) -> (tensor<1024x1024xf32>, tensor<2x8x8xf16>) {
  %c = top.MatMul %a, %b : (tensor<1024x512xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
  %q = top.MatMul %p, %p : (tensor<2x8x8xf16>, tensor<2x8x8xf16>) -> tensor<2x8x8xf16>
  return %c, %q : tensor<1024x1024xf32>, tensor<2x8x8xf16>
}

// Refusals: 2 for the command line, 1 for the file.
// RUN: %python %S/Inputs/expect-status.py 2 top-tune 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: top-tune: error: no input file; try --help
// RUN: %python %S/Inputs/expect-status.py 2 top-tune %s --chip=sm_80 2>&1 | FileCheck %s --check-prefix=NOLIST
// NOLIST: top-tune: error: expected --list, which is all that this tool does as yet
// RUN: %python %S/Inputs/expect-status.py 2 top-tune %s --list 2>&1 | FileCheck %s --check-prefix=NOCHIP
// NOCHIP: top-tune: error: expected --chip=CHIP or --card=CARD
// RUN: %python %S/Inputs/expect-status.py 2 top-tune %s --chip=sm_12 --list 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: top-tune: error: unknown chip 'sm_12', expected one of sm_80, sm_86, sm_89, sm_90, sm_90a
// CHIP-NOT: {{.}}
// RUN: %python %S/Inputs/expect-status.py 2 top-tune %s --chip=sm_80 --list --nonsense 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: top-tune: error: Unknown command line argument '--nonsense'
// RUN: %python %S/Inputs/expect-status.py 2 top-tune %t.missing --chip=sm_80 --list 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: top-tune: error: cannot open '{{.*}}.missing': No such file or directory
// RUN: echo 'func.func private @g()' > %t.none
// RUN: %python %S/Inputs/expect-status.py 1 top-tune %t.none --chip=sm_80 --list 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: top-tune: error: '{{.*}}.none' has no layer op (top.MatMul or top.Conv2D)
// RUN: echo 'func.func @g(%%a: tensor<?x8xf32>, %%b: tensor<8x8xf32>) -> tensor<?x8xf32> { %%c = top.MatMul %%a, %%b : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32> return %%c : tensor<?x8xf32> }' > %t.dynamic
// RUN: %python %S/Inputs/expect-status.py 1 top-tune %t.dynamic --chip=sm_80 --list 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: 'top.MatMul' op has a dynamic size M, expected static sizes for a GPU kernel
// RUN: echo 'nonsense' > %t.broken
// RUN: %python %S/Inputs/expect-status.py 1 top-tune %t.broken --chip=sm_80 --list 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: custom op 'nonsense' is unknown
