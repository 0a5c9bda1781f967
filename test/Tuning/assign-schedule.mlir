// RUN: top-opt %s --top-assign-schedule="chip=sm_80" | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: top-opt %s --top-assign-schedule | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: top-opt %s --top-assign-schedule="chip=sm_86" | FileCheck %s --check-prefixes=CHECK,SM86
// RUN: top-opt %s --top-assign-schedule="card=h200" | FileCheck %s --check-prefixes=CHECK,H200
// What is assigned can run, and a second run keeps it.
// RUN: top-opt %s --top-assign-schedule="chip=sm_86" --top-verify-schedule="chip=sm_86" --top-assign-schedule="chip=sm_86" | FileCheck %s --check-prefixes=CHECK,SM86
// RUN: top-opt %s --top-assign-schedule="chip=sm_80" --remark-format=emitRemark --remarks-filter=top-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: top-opt %s --top-assign-schedule="chip=sm_80 card=l4" --remark-format=emitRemark --remarks-filter-analyse=top-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOW

// The start of the rules, and what the chip makes of it.

// CHECK-LABEL: @square
// SM80: top.schedule = #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2>}
// SM86: top.schedule = #top.schedule<engine = simt, block = [128, 128, 16], warp = [32, 64], thread = [8, 8], stages = 3, order = grouped(8)>}
// H200: top.schedule = #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 3>}
// REMARK: [Passed] Assigned | Category:top-assign-schedule | Function=square | Remark="#top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2> (256 threads, 65536 bytes of shared memory, about 128 registers; 2 blocks an SM, by shared memory): the default of the engine"
func.func @square(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %c = top.MatMul %a, %b : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %c : tensor<2048x2048xf32>
}

// Two ops, each with its own: one row is no block of 128, and a K of 4 no step
// of 32.

// CHECK-LABEL: @small
// SM80: top.MatMul {{.*}}block = [1, 128, 32]
// SM80: top.MatMul {{.*}}block = [128, 128, 8], warp = [32, 64], thread = [8, 8], stages = 1>
// REMARK: Assigned {{.*}}Function=small | Remark="{{.*}}: rhs is read once, 128 columns a block"
// REMARK: Assigned {{.*}}Function=small | Remark="{{.*}}: 1 step of 8 and one stage for K = 4
func.func @small(%a: tensor<1x64xf32>, %b: tensor<64x16384xf32>, %p: tensor<4096x4xf32>, %q: tensor<4x4096xf32>) -> (tensor<1x16384xf32>, tensor<4096x4096xf32>) {
  %c = top.MatMul %a, %b : (tensor<1x64xf32>, tensor<64x16384xf32>) -> tensor<1x16384xf32>
  %r = top.MatMul %p, %q : (tensor<4096x4xf32>, tensor<4x4096xf32>) -> tensor<4096x4096xf32>
  return %c, %r : tensor<1x16384xf32>, tensor<4096x4096xf32>
}

// One that stands is kept, whatever the rules would have chosen.

// CHECK-LABEL: @kept
// CHECK: top.schedule = #top.schedule<engine = simt, block = [64, 64, 16], warp = [16, 32], thread = [4, 4], stages = 1, swizzle = false>
// REMARK: [Passed] Kept | Category:top-assign-schedule | Function=kept | Remark="256 threads, 8192 bytes of shared memory, about 64 registers; 4 blocks an SM, by registers"
func.func @kept(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 16], warp = [16, 32], thread = [4, 4], stages = 1, swizzle = false>}
     : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %c : tensor<2048x2048xf32>
}

// Code for sm_80 on an L4 has the L4's limits; a remark says what is left of it.

// LOW: [Analysis] LowOccupancy | Category:top-assign-schedule | Function=low | Remark="17% of the warps of an SM, bounded by shared memory"
func.func @low(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<>} : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %c : tensor<2048x2048xf32>
}

// No kernel, no schedule: a remark says why.

// CHECK-LABEL: @dynamic
// CHECK-NOT: top.schedule
// REMARK: [Missed] NotAssigned | Category:top-assign-schedule | Function=dynamic | Reason="has a dynamic size K, expected static sizes for a GPU kernel"
func.func @dynamic(%a: tensor<8x?xf32>, %b: tensor<?x8xf32>) -> tensor<8x8xf32> {
  %c = top.MatMul %a, %b : (tensor<8x?xf32>, tensor<?x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// Without K there is still a result to store.

// CHECK-LABEL: @empty
// CHECK: top.schedule
// REMARK: Assigned {{.*}}Function=empty {{.*}}nothing is multiplied
func.func @empty(%a: tensor<8x0xf32>, %b: tensor<0x8xf32>) -> tensor<8x8xf32> {
  %c = top.MatMul %a, %b : (tensor<8x0xf32>, tensor<0x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// CHECK-LABEL: @conv
// CHECK: top.schedule = #top.schedule<engine = simt
// REMARK: Assigned {{.*}}Function=conv |
func.func @conv(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x14x14xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x14x14xf32>
  return %y : tensor<1x8x14x14xf32>
}

// Rows of 1001 x 4 bytes, each read by 8 blocks or more: copied first.

// CHECK-LABEL: @unaligned
// CHECK: repack = true
// REMARK: Assigned {{.*}}Function=unaligned {{.*}}repacked, since both operands are read by 8 blocks or more
func.func @unaligned(%a: tensor<2048x1001xf32>, %b: tensor<1001x2049xf32>) -> tensor<2048x2049xf32> {
  %c = top.MatMul %a, %b : (tensor<2048x1001xf32>, tensor<1001x2049xf32>) -> tensor<2048x2049xf32>
  return %c : tensor<2048x2049xf32>
}

// Read by few: narrow accesses.

// CHECK-LABEL: @unaligned_small
// CHECK-NOT: repack
// CHECK: return
func.func @unaligned_small(%a: tensor<33x101xf32>, %b: tensor<101x35xf32>) -> tensor<33x35xf32> {
  %c = top.MatMul %a, %b : (tensor<33x101xf32>, tensor<101x35xf32>) -> tensor<33x35xf32>
  return %c : tensor<33x35xf32>
}

// The tensor cores, where they have the type: what the model of time finds
// fastest, and why.

// CHECK-LABEL: @tensor_cores
// SM80: top.schedule = #top.schedule<engine = mma_sync
// H200: top.schedule = #top.schedule<engine = mma_sync, block = [128, 256, 32], warp = [64, 64], stages = 4, order = grouped(16)>
// SM86: top.schedule = #top.schedule<engine = mma_sync
// REMARK: Assigned {{.*}}Function=tensor_cores | Remark="{{.*}}: fastest of {{[0-9]+}} by the model, {{[0-9.]+}} us, bound by the tensor cores; bands of
func.func @tensor_cores(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %c = top.MatMul %a, %b : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %c : tensor<4096x4096xf16>
}

// CHECK-LABEL: @deep
// CHECK: engine = mma_sync{{.*}}split_k = {{[0-9]+}}, repack = true
// REMARK: Assigned {{.*}}Function=deep | Remark="{{.*}} parts of K, since {{[0-9]+}} blocks for 108 SMs would take {{.*}}; repacked, since rows of lhs do not begin at multiples of 16 bytes"
func.func @deep(%a: tensor<256x16385xbf16>, %b: tensor<16385x256xbf16>) -> tensor<256x256xf32> {
  %c = top.MatMul %a, %b : (tensor<256x16385xbf16>, tensor<16385x256xbf16>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// A few rows of f32: the other operand is streamed.

// CHECK-LABEL: @streamed
// CHECK: engine = simt, block = [4, 128, 32], warp = [4, 32], thread = [4, 1]
// REMARK: Assigned {{.*}}Function=streamed | Remark="{{.*}}: rhs is read once, 128 columns a block, in {{[0-9]+}} parts of K"
func.func @streamed(%a: tensor<3x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<3x4096xf32> {
  %c = top.MatMul %a, %b : (tensor<3x4096xf32>, tensor<4096x4096xf32>) -> tensor<3x4096xf32>
  return %c : tensor<3x4096xf32>
}
