// What top-mutate makes of a kernel with copies under way, on the tensor cores:
// each kind of mistake, and some of them applied.

// RUN: top-mutate %s --chip=sm_80 --list | FileCheck %s --check-prefix=LIST
// RUN: top-mutate %s --list --only='^(wait|barrier)-removed' | FileCheck %s --check-prefix=ONLY
// RUN: top-mutate %s --print=wait-too-few.1 | FileCheck %s --check-prefix=WAIT
// RUN: top-mutate %s --print=wait-behind-barrier.0 | FileCheck %s --check-prefix=BEHIND
// RUN: top-mutate %s --print=zero-fill-lost.4 | FileCheck %s --check-prefix=FILL
// RUN: top-mutate %s --print=copy-always.4 | FileCheck %s --check-prefix=ALWAYS
// RUN: top-mutate %s --print=compare-off-by-one.3 | FileCheck %s --check-prefix=STEP
// RUN: top-mutate %s --print=bound-removed.2 | FileCheck %s --check-prefix=BOUND
// RUN: top-mutate %s --print=ring-short.0 | FileCheck %s --check-prefix=RING
// RUN: top-mutate %s --print=slots-overlap.0 | FileCheck %s --check-prefix=OVERLAP
// RUN: top-mutate %s --print=matrix-transposed.0 | FileCheck %s --check-prefix=TRANSPOSED

// LIST: wait-removed.0: matmul_kernel, op {{[0-9]+}}: nvvm.cp.async.wait.group 1
// LIST-NEXT: wait-removed.1: matmul_kernel, op {{[0-9]+}} in a loop: nvvm.cp.async.wait.group 1
// LIST-NEXT: wait-too-few.0:
// LIST: barrier-removed.2: matmul_kernel, op {{[0-9]+}}: nvvm.barrier0
// LIST-NEXT: commit-removed.0:
// LIST: warp-sync-removed.0: matmul_kernel, op {{[0-9]+}}: nvvm.bar.warp.sync
// LIST: copy-removed.5: matmul_kernel, op {{[0-9]+}} in a loop: llvm.inline_asm {{.*}}cp.async
// LIST: copy-always.0:
// LIST: zero-fill-lost.0:
// LIST: branch-always.0: matmul_kernel, op {{[0-9]+}}: scf.if
// LIST: select-constant.0: matmul_kernel, op {{[0-9]+}}: {{.*}} = arith.select
// LIST: condition-dropped.0: matmul_kernel, op {{[0-9]+}} in a loop: {{.*}} = arith.andi
// LIST: compare-off-by-one.0:
// LIST: clamp-removed.0: matmul_kernel, op {{[0-9]+}}: {{.*}} = arith.minsi
// LIST: bound-removed.0: matmul_kernel, op {{[0-9]+}}: {{.*}} = affine.min
// LIST: loop-one-fewer.0:
// LIST: loop-one-more.0:
// LIST: sum-dropped.0: matmul_kernel, op {{[0-9]+}}: {{.*}} = arith.addf
// LIST: zero-lost.0:
// LIST: grid-one-fewer.0: matmul, op {{[0-9]+}}: gpu.launch_func
// LIST: shared-bytes-short.0: matmul, op {{[0-9]+}}: gpu.launch_func
// LIST: slot-next.0:
// LIST: slot-wraps-early.0:
// LIST: slot-wraps-late.0:
// LIST: ring-short.0:
// LIST-NEXT: slot-stride-short.0:
// LIST: slots-overlap.0:
// LIST-NEXT: shared-offset-short.0:
// LIST: swizzle-dropped.0: matmul_kernel, op {{[0-9]+}}: {{.*}} = arith.xori
// LIST: remainder-dropped.0:
// LIST: access-misaligned.0:
// LIST: matrix-transposed.0: matmul_kernel, op {{[0-9]+}}: {{.*}} = nvvm.ldmatrix
// Of 128 threads, number / 64 % 2 is number / 64.
// LIST: {{^[0-9]+}} mutants, 1 more are the same kernel by the ranges of its values

// ONLY: wait-removed.0
// ONLY-NEXT: wait-removed.1
// ONLY-NEXT: barrier-removed.0
// ONLY-NEXT: barrier-removed.1
// ONLY-NEXT: barrier-removed.2
// ONLY-NEXT: 5 mutants

// WAIT: nvvm.cp.async.wait.group 1
// WAIT: scf.for
// WAIT: nvvm.cp.async.wait.group 2

// BEHIND: nvvm.cp.async.commit.group
// BEHIND: nvvm.cp.async.commit.group
// BEHIND-NEXT: nvvm.barrier0
// BEHIND-NEXT: nvvm.cp.async.wait.group 1

// FILL: scf.for
// FILL: llvm.ptrtoint
// FILL-NEXT: %[[ALL:.*]] = arith.constant 16 : i32
// FILL-NEXT: llvm.inline_asm {{.*}} "b,r,l,r,~{memory}" %{{.*}}, %{{.*}}, %{{.*}}, %[[ALL]] :

// ALWAYS: scf.for
// ALWAYS: llvm.ptrtoint
// ALWAYS-NEXT: %[[TRUE:.*]] = arith.constant true
// ALWAYS-NEXT: llvm.inline_asm {{.*}} "b,r,l,r,~{memory}" %[[TRUE]],

// 7 steps of 16, of which the last 2 copy nothing: the limit is one step later.
// STEP: scf.for %[[K:[^ ]*]] =
// STEP: %[[STEP:.*]] = arith.constant 16 : index
// STEP: %[[LIMIT:.*]] = arith.addi %{{.*}}, %[[STEP]]
// STEP-NEXT: arith.cmpi slt, %[[K]], %[[LIMIT]]

// BOUND: affine_map<(d0) -> (16)>

// RING-NOT: mod 3
// RING: affine_map<(d0) -> ((d0 floordiv 16) mod 2)>
// RING-NOT: mod 3

// Slots of 1024 bytes, two filled ahead of the loop: each begins 16 bytes a
// slot too low, wherever it is computed.
// OVERLAP: llvm.func
// OVERLAP: nvvm.cp.async.commit.group
// OVERLAP: llvm.getelementptr %{{.*}}[1008]
// OVERLAP: llvm.getelementptr %{{.*}}[1008]
// OVERLAP: scf.for
// OVERLAP: %[[BYTES:.*]] = arith.constant 1008 : index
// OVERLAP-NEXT: arith.muli %{{.*}}, %[[BYTES]] : index
// OVERLAP: nvvm.barrier0
// OVERLAP: %[[BYTES1:.*]] = arith.constant 1008 : index
// OVERLAP-NEXT: arith.muli %{{.*}}, %[[BYTES1]] : index

// TRANSPOSED: nvvm.ldmatrix {{.*}}mma_layout<col>
// TRANSPOSED: nvvm.ldmatrix {{.*}}mma_layout<col>
// TRANSPOSED: scf.for
// TRANSPOSED: nvvm.ldmatrix {{.*}}mma_layout<row>
// TRANSPOSED: nvvm.ldmatrix {{.*}}mma_layout<col>

func.func @matmul(%a: tensor<40x104xf16>, %b: tensor<104x40xf16>, %bias: tensor<40xf16>) -> tensor<40x40xf16> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>], top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 16], warp = [16, 16], stages = 3>}
     : (tensor<40x104xf16>, tensor<104x40xf16>, tensor<40xf16>) -> tensor<40x40xf16>
  return %c : tensor<40x40xf16>
}
