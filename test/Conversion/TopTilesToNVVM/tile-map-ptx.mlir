// RUN: top-compile %s --chip=sm_90a -o - | FileCheck %s
// RUN: top-compile %s --chip=sm_80 -o - | FileCheck %s

// What elementwise kernels are in PTX: 16 bytes an access where rows allow it,
// all reads before the first write.

// The sum of 3 parts, with a bias; the result is f16.

// CHECK-LABEL: .entry sum_kernel_0(
// CHECK-NOT:     bra
// CHECK:         ld.global.nc.v4.b16
// CHECK-COUNT-3: ld.global.nc.v4.b32
// CHECK-NOT:     ld.global
// CHECK:         add.rn.f32
// CHECK-NOT:     ld.global
// CHECK:         st.global.v2.b32
// CHECK-NOT:     st.global
// CHECK:         ret;
func.func @sum(%a: tensor<64x96xf16>, %b: tensor<96x128xf16>, %bias: tensor<128xf16>) -> tensor<64x128xf16> {
  %0 = top.MatMul %a, %b, %bias {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], split_k = 3>} : (tensor<64x96xf16>, tensor<96x128xf16>, tensor<128xf16>) -> tensor<64x128xf16>
  return %0 : tensor<64x128xf16>
}

// Both operands of 64 rows of 51 x 2 bytes: single elements are read, 8 a piece
// with all of a thread's pieces under way, and 16 bytes written; single ones at
// the end of a row only, where 51 leaves 3 of 8 (the eighth never exists).

// CHECK-LABEL: .entry pad_kernel(
// CHECK-COUNT-8: ld.global.nc.b16
// CHECK-NOT:     ld.global
// CHECK:         st.global.v4.b32
// CHECK-NOT:     st.global
// CHECK-COUNT-7: ld.global.nc.b16
// CHECK-NOT:     ld.global
// CHECK-COUNT-7: st.global.b16
// CHECK-NOT:     st.global
// CHECK:         .entry
func.func @pad(%a: tensor<64x51xf16>, %b: tensor<51x64xf16>) -> tensor<64x64xf16> {
  %0 = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4], repack = true>} : (tensor<64x51xf16>, tensor<51x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// K = 0: bias and relu, f64.

// CHECK-LABEL: .entry none_kernel(
// CHECK:         ld.global.nc.v2.b64
// CHECK:         st.global.v2.b64
func.func @none(%a: tensor<64x0xf64>, %b: tensor<0x64xf64>, %bias: tensor<64xf64>) -> tensor<64x64xf64> {
  %0 = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>]} : (tensor<64x0xf64>, tensor<0x64xf64>, tensor<64xf64>) -> tensor<64x64xf64>
  return %0 : tensor<64x64xf64>
}
