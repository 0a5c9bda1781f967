// RUN: top-compile %s --chip=sm_80 -o - | FileCheck %s

// The loop over K in PTX: two steps of one instruction's depth, 4 x 8 products
// each, with one barrier between them. In front of the first products stand the
// reads of the second and then copies; what is read behind the barrier, for the
// next turn, comes before the last products. Copies of steps that K does not have
// are switched off by a predicate, so that the loop is one block.

// CHECK-LABEL: .entry loop_kernel(
// CHECK:         [[LOOP:\$L[A-Z0-9_]+]]:
// CHECK-COUNT-8: ldmatrix.sync.aligned.m8n8.x4
// CHECK-NOT:     ldmatrix
// CHECK:         @%p{{[0-9]+}} cp.async.cg.shared.global
// CHECK-NOT:     {{bra|bar}}{{[. ]}}
// CHECK:         cp.async.commit_group
// CHECK-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT:     mma.sync
// CHECK:         cp.async.wait_group 2
// CHECK-NEXT:    bar.sync
// CHECK-NOT:     {{bra|bar}}{{[. ]}}
// CHECK-COUNT-8: ldmatrix.sync.aligned.m8n8.x4
// CHECK-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT:     {{mma|bar}}.sync
// CHECK:         bra [[LOOP]];
func.func @loop(%a: tensor<512x2048xf16>, %b: tensor<2048x512xf16>) -> tensor<512x512xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [128, 128, 32], warp = [64, 64], stages = 4>} : (tensor<512x2048xf16>, tensor<2048x512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
