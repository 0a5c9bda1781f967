// RUN: top-compile %s --chip=sm_80 -o - | FileCheck %s

// How the sums of a warp get to global memory: by way of shared memory, through
// the epilogue, 16 bytes of the result at a time.

// The rings are waited for once more, since the stage lies where they did: of the
// barriers one is in front of the loop and one in each of its two steps, the
// fourth is behind all products. Then a warp exchanges rows with itself, without
// a barrier of the block. The bias is read like the result is written, 8 f16 by
// one access.

// CHECK-LABEL: .entry whole_kernel(
// CHECK-COUNT-4: bar.sync
// CHECK-NOT:     {{mma|bar}}.sync
// CHECK:         st.shared.v2.b32
// CHECK:         bar.warp.sync
// CHECK-NOT:     bar.sync
// CHECK:         ld.shared.v4.b32
// CHECK:         ld.global.nc.v4.b32
// CHECK-NOT:     {{(ld|st)}}.global{{(.nc)?}}.b16
// CHECK:         st.global.v4.b32
// CHECK-NOT:     {{(ld|st)}}.global{{(.nc)?}}.b16
// CHECK:         ret;
#s = #top.schedule<engine = mma_sync, block = [64, 64, 32], warp = [32, 32], stages = 2>
func.func @whole(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %bias: tensor<128xf16>) -> tensor<128x128xf16> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>], top.schedule = #s} : (tensor<128x64xf16>, tensor<64x128xf16>, tensor<128xf16>) -> tensor<128x128xf16>
  return %c : tensor<128x128xf16>
}

// At edges a run of 8 columns exists or not, as a whole: N is a multiple of 8.

// CHECK-LABEL: .entry edges_kernel(
// CHECK:         mma.sync
// CHECK-NOT:     st.global.b16
// CHECK:         @%p{{[0-9]+}} bra
// CHECK:         st.global.v4.b32
// CHECK-NOT:     st.global.b16
// CHECK:         ret;
func.func @edges(%a: tensor<67x64xf16>, %b: tensor<64x72xf16>) -> tensor<67x72xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<67x64xf16>, tensor<64x72xf16>) -> tensor<67x72xf16>
  return %c : tensor<67x72xf16>
}

// Rows of 41 f16 begin at multiples of 2 bytes: nothing wider is allowed.

// CHECK-LABEL: .entry odd_kernel(
// CHECK:         mma.sync
// CHECK-NOT:     st.global.v
// CHECK:         st.global.b16
// CHECK-NOT:     st.global.v
// CHECK:         ret;
func.func @odd(%a: tensor<64x64xf16>, %b: tensor<64x41xf16>) -> tensor<64x41xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x64xf16>, tensor<64x41xf16>) -> tensor<64x41xf16>
  return %c : tensor<64x41xf16>
}

// Results of f32: 4 columns are 16 bytes.

// CHECK-LABEL: .entry wide_kernel(
// CHECK:         mma.sync
// CHECK:         ld.shared.v4.b32
// CHECK:         st.global.v4.b32
// CHECK-NOT:     st.global.{{(v2.)?}}b
// CHECK:         ret;
func.func @wide(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
