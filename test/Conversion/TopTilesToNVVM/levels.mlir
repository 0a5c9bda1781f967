// The ladder: each level may be left out, and what then does its work is another.
// RUN: top-compile %s --chip=sm_80 --emit=nvvm | FileCheck %s --check-prefix=ALL
// RUN: top-compile %s --chip=sm_80 --emit=nvvm --without=top-promote-shared | FileCheck %s --check-prefix=GLOBAL
// RUN: top-compile %s --chip=sm_80 --emit=nvvm --without=top-multi-buffer | FileCheck %s --check-prefix=SINGLE
// RUN: top-compile %s --chip=sm_80 --emit=nvvm --without=top-swizzle | FileCheck %s --check-prefix=PLAIN
// RUN: top-compile %s --chip=sm_80 --emit=nvvm --without=top-tile-to-warps | FileCheck %s --check-prefix=BLOCK

// A thread owns 8 x 4 sums; addresses in shared memory are permuted.
// ALL: llvm.func
// ALL: nvvm.cp.async.shared.global
// ALL: scf.for {{.*}} -> ([[SUMS:f32(, f32){31}]])
// ALL: arith.xori

// Operands are read where they lie; nobody waits.
// GLOBAL: dynamic_shared_memory_size
// GLOBAL: llvm.func
// GLOBAL-NOT: top_shared_memory
// GLOBAL-NOT: nvvm.cp.async
// GLOBAL-NOT: nvvm.barrier0
// GLOBAL: math.fma

// Copies through registers, two barriers a step.
// SINGLE: llvm.func
// SINGLE-NOT: nvvm.cp.async
// SINGLE: scf.for
// SINGLE: nvvm.barrier0
// SINGLE: math.fma
// SINGLE: nvvm.barrier0
// SINGLE: scf.yield

// PLAIN: llvm.func
// PLAIN-NOT: arith.xori
// PLAIN: math.fma

// 64 * 64 sums over 128 threads, element after element.
// BLOCK: llvm.func
// BLOCK: scf.for {{.*}} -> ([[SUMS:f32(, f32){31}]])
// BLOCK: math.fma
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @f(%a: tensor<128x72xf32>, %b: tensor<72x128xf32>) -> tensor<128x128xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x72xf32>, tensor<72x128xf32>) -> tensor<128x128xf32>
  return %c : tensor<128x128xf32>
}
