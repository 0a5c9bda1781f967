// RUN: top-opt %s --split-input-file | FileCheck %s
// RUN: top-opt %s --split-input-file | top-opt --split-input-file | FileCheck %s
// RUN: top-opt %s --verify-roundtrip --split-input-file -o %t
// RUN: top-opt %s --split-input-file --convert-top-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: top-opt %s --split-input-file --top-tile='m=64 height=4' | FileCheck %s --check-prefix=TILE
// Linalg ops raised to layer ops bring theirs along.
// RUN: top-opt %s --split-input-file --pass-pipeline='builtin.module(convert-top-to-linalg,func.func(raise-linalg-to-top))' | FileCheck %s

// What is left out has the default of the engine; the fields come in any order.

// CHECK-LABEL: @defaults
// LINALG-LABEL: @defaults
func.func @defaults(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>) -> tensor<128x256xf32> {
  // CHECK: top.schedule = #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2>}
  // The linalg op that multiplies carries it; no other op does.
  // LINALG-NOT: top.schedule
  // LINALG: linalg.matmul {top.schedule = #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2>}
  // LINALG-NOT: top.schedule
  // LINALG: return
  %c = top.MatMul %a, %b {epilogue = [#top.step<relu>], top.schedule = #top.schedule<>} : (tensor<128x64xf32>, tensor<64x256xf32>) -> tensor<128x256xf32>
  return %c : tensor<128x256xf32>
}

// -----

// CHECK-LABEL: @mma_sync
func.func @mma_sync(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>) -> tensor<128x256xf16> {
  // CHECK: #top.schedule<engine = mma_sync, block = [128, 128, 32], warp = [64, 64], stages = 2>
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync>} : (tensor<128x64xf16>, tensor<64x256xf16>) -> tensor<128x256xf16>
  return %c : tensor<128x256xf16>
}

// -----

// CHECK-LABEL: @wgmma
func.func @wgmma(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>) -> tensor<128x256xf16> {
  // CHECK: #top.schedule<engine = wgmma, block = [128, 256, 64], warp = [64, 256], stages = 4>
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = wgmma>} : (tensor<128x64xf16>, tensor<64x256xf16>) -> tensor<128x256xf16>
  return %c : tensor<128x256xf16>
}

// -----

// Every field at a value of its own, in another order than it is printed.
// Tiles keep the schedule of the op they are cut from.

// CHECK-LABEL: @all_fields
// TILE-LABEL: @all_fields
func.func @all_fields(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>) -> tensor<128x256xf32> {
  // CHECK: #top.schedule<engine = simt, block = [64, 96, 16], warp = [32, 48], thread = [4, 12], stages = 3, swizzle = false, cluster = [2, 4], split_k = 5, order = grouped(7)>
  // TILE: top.MatMul {{.*}}top.schedule = #top.schedule<engine = simt, block = [64, 96, 16], warp = [32, 48], thread = [4, 12], stages = 3, swizzle = false, cluster = [2, 4], split_k = 5, order = grouped(7)>
  // TILE-SAME: tensor<64x256xf32>
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<order = grouped(7), split_k = 5, cluster = [2, 4], swizzle = false, stages = 3,
                          thread = [4, 12], warp = [32, 48], block = [64, 96, 16], engine = simt>}
     : (tensor<128x64xf32>, tensor<64x256xf32>) -> tensor<128x256xf32>
  return %c : tensor<128x256xf32>
}

// -----

// Written out, a default is the same as left out.

// CHECK-LABEL: @written_defaults
func.func @written_defaults(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x14x14xf32> {
  // CHECK: top.Conv2D {{.*}} {top.schedule = #top.schedule<engine = simt, block = [128, 128, 32], warp = [32, 64], thread = [8, 8], stages = 2, order = column>}
  // LINALG: linalg.conv_2d_nchw_fchw {{{.*}}top.schedule = #top.schedule<engine = simt
  // TILE: top.Conv2D {{.*}}top.schedule = #top.schedule<engine = simt
  %y = top.Conv2D %x, %w {top.schedule = #top.schedule<engine = simt, swizzle = true, cluster = [1, 1], split_k = 1, order = column>}
     : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x14x14xf32>
  return %y : tensor<1x8x14x14xf32>
}
