// Elementwise ops in front of convolutions write channels last themselves, on the
// simulated GPU, compared with the reference: no kernel packs the images.

// RUN: top-run %s --reference=%S/Inputs/write-channels-last.mlir --target=sim --function=normalized --verify --guard=nan --fill=normal | FileCheck %s
// RUN: top-run %s --reference=%S/Inputs/write-channels-last.mlir --target=sim --function=normalized --verify --guard=nan --fill=normal --chip=sm_90a --sim-mode=random | FileCheck %s
// RUN: top-run %s --reference=%S/Inputs/write-channels-last.mlir --target=sim --function=groups --verify --guard=nan --fill=normal | FileCheck %s
// RUN: top-run %s --reference=%S/Inputs/write-channels-last.mlir --target=sim --function=last --verify --guard=nan --fill=normal | FileCheck %s
// RUN: top-compile %s --chip=sm_80 --plan=%t.json -o %t.ptx
// RUN: %python %S/Inputs/count-steps.py %t.json | FileCheck %s --check-prefix=LAUNCHES

// CHECK: PASS {{normalized|groups|last}}: compared
// The elementwise op, and each convolution with a pack of its filter, but where
// that has one tap.
// LAUNCHES: normalized: 4 launches, 0 copies
// LAUNCHES: groups: 3 launches, 0 copies
// LAUNCHES: last: 3 launches, 0 copies

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

// What it makes of 0 is 1, and not the zero round the images.
func.func @normalized(%x: tensor<2x16x9x11xf32>, %b: tensor<16xf32>, %w: tensor<8x16x3x3xf32>, %v: tensor<8x16x1x1xf32>) -> (tensor<2x8x9x11xf32>, tensor<2x8x5x6xf32>) {
  %e = tensor.empty() : tensor<2x16x9x11xf32>
  %one = arith.constant 1.0 : f32
  %n = linalg.generic {indexing_maps = [#id, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : tensor<2x16x9x11xf32>, tensor<16xf32>) outs(%e : tensor<2x16x9x11xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.mulf %a, %m : f32
    %s = arith.addf %d, %one : f32
    linalg.yield %s : f32
  } -> tensor<2x16x9x11xf32>
  %0 = top.Conv2D %n, %w {pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<block = [16, 64, 16], warp = [16, 32], thread = [2, 8], repack = true>} : (tensor<2x16x9x11xf32>, tensor<8x16x3x3xf32>) -> tensor<2x8x9x11xf32>
  %1 = top.Conv2D %n, %v {strides = array<i64: 2, 2>, top.schedule = #top.schedule<block = [16, 64, 16], warp = [16, 32], thread = [2, 8], repack = true>} : (tensor<2x16x9x11xf32>, tensor<8x16x1x1xf32>) -> tensor<2x8x5x6xf32>
  return %0, %1 : tensor<2x8x9x11xf32>, tensor<2x8x5x6xf32>
}

func.func @groups(%x: tensor<2x16x9x11xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<2x8x9x11xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x16x9x11xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x9x11xf32>) outs(%e : tensor<2x16x9x11xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %one : f32
    linalg.yield %m : f32
  } -> tensor<2x16x9x11xf32>
  %0 = top.Conv2D %n, %w {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<block = [16, 64, 16], warp = [16, 32], thread = [2, 8], repack = true>} : (tensor<2x16x9x11xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x9x11xf32>
  return %0 : tensor<2x8x9x11xf32>
}

// One of its operands is channels last by itself, and read so.
func.func @last(%x: tensor<2x16x9x11xf32>, %l: tensor<2x9x11x16xf32>, %w: tensor<8x16x3x3xf32>) -> tensor<2x8x7x9xf32> {
  %e = tensor.empty() : tensor<2x16x9x11xf32>
  %t = linalg.transpose ins(%l : tensor<2x9x11x16xf32>) outs(%e : tensor<2x16x9x11xf32>) permutation = [0, 3, 1, 2]
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %t : tensor<2x16x9x11xf32>, tensor<2x16x9x11xf32>) outs(%e : tensor<2x16x9x11xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x16x9x11xf32>
  %0 = top.Conv2D %n, %w {top.schedule = #top.schedule<block = [16, 64, 16], warp = [16, 32], thread = [2, 8], repack = true>} : (tensor<2x16x9x11xf32>, tensor<8x16x3x3xf32>) -> tensor<2x8x7x9xf32>
  return %0 : tensor<2x8x7x9xf32>
}
