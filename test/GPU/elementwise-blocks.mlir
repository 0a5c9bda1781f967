// RUN: top-opt %s --top-tile-to-blocks --split-input-file | FileCheck %s
// RUN: top-opt %s --top-tile-to-blocks --split-input-file --remark-format=emitRemark --remarks-filter=top-tile-to-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Elementwise ops with a schedule become kernels whose layout follows from shape
// and types, not from that schedule.

// 16 bytes a thread, and four pieces where there are enough threads without.

// CHECK-LABEL: func @large
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (4096, 4096) step (32, 128)
// CHECK:         top.tile_map into %{{.*}} ins(
// CHECK:       top.schedule = #top.schedule<engine = simt, block = [32, 128, 1], warp = [4, 128], thread = [4, 4], stages = 1>
// REMARK:      [Passed] ElementwiseBlocks | Category:top-tile-to-blocks | Function=large | Remark="4096 blocks of 32x128, 4 columns side by side a thread, in 4 rows"
#id = affine_map<(i, j) -> (i, j)>
func.func @large(%a: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %e = tensor.empty() : tensor<4096x4096xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4096x4096xf32>) outs(%e : tensor<4096x4096xf32>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f32, %z: f32):
    %p = arith.negf %x : f32
    linalg.yield %p : f32
  } -> tensor<4096x4096xf32>
  return %d : tensor<4096x4096xf32>
}

// -----

// One row: all warps side by side. f32 is read, so 4 columns, not 8.

// CHECK-LABEL: func @one_row
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (1, 8192) step (1, 1024)
// CHECK:       block = [1, 1024, 1], warp = [1, 128], thread = [1, 4]
#id = affine_map<(i, j) -> (i, j)>
func.func @one_row(%a: tensor<1x8192xf32>) -> tensor<1x8192xf16> {
  %e = tensor.empty() : tensor<1x8192xf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x8192xf32>) outs(%e : tensor<1x8192xf16>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f32, %z: f16):
    %p = arith.truncf %x : f32 to f16
    linalg.yield %p : f16
  } -> tensor<1x8192xf16>
  return %d : tensor<1x8192xf16>
}

// -----

// Narrow rows: 2 lanes side by side, 16 rows a warp.

// CHECK-LABEL: func @narrow
// CHECK:       step (128, 16)
// CHECK:       block = [128, 16, 1], warp = [16, 16], thread = [1, 8]
#id = affine_map<(i, j) -> (i, j)>
func.func @narrow(%a: tensor<1000x16xf16>) -> tensor<1000x16xf16> {
  %e = tensor.empty() : tensor<1000x16xf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1000x16xf16>) outs(%e : tensor<1000x16xf16>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f16, %z: f16):
    linalg.yield %x : f16
  } -> tensor<1000x16xf16>
  return %d : tensor<1000x16xf16>
}

// -----

// 33 pieces of 4 columns: 5 x 8 lanes leave fewer of them idle than 2 x 32. Rows of
// 132 x 4 bytes are aligned; those of 131 are not, and are written one by one.

// CHECK-LABEL: func @last_block
// CHECK:       block = [32, 32, 1], warp = [4, 32], thread = [1, 4]
// CHECK:       thread = [1, 1]
#id = affine_map<(i, j) -> (i, j)>
func.func @last_block(%a: tensor<64x132xf32>, %b: tensor<64x131xf32>) -> (tensor<64x132xf32>, tensor<64x131xf32>) {
  %e = tensor.empty() : tensor<64x132xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x132xf32>) outs(%e : tensor<64x132xf32>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<64x132xf32>
  %f = tensor.empty() : tensor<64x131xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<64x131xf32>) outs(%f : tensor<64x131xf32>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<64x131xf32>
  return %d, %g : tensor<64x132xf32>, tensor<64x131xf32>
}

// -----

// What is written is a part of something with longer rows: those count.

// CHECK-LABEL: func @part
// CHECK:       thread = [1, 8]
#id = affine_map<(i, j) -> (i, j)>
func.func @part(%a: tensor<64x51xf16>) -> tensor<64x56xf16> {
  %e = tensor.empty() : tensor<64x56xf16>
  %p = tensor.extract_slice %e[0, 0] [64, 51] [1, 1] : tensor<64x56xf16> to tensor<64x51xf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x51xf16>) outs(%p : tensor<64x51xf16>) attrs = {top.schedule = #top.schedule<>} {
  ^bb0(%x: f16, %z: f16):
    linalg.yield %x : f16
  } -> tensor<64x51xf16>
  %r = tensor.insert_slice %d into %e[0, 0] [64, 51] [1, 1] : tensor<64x51xf16> into tensor<64x56xf16>
  return %r : tensor<64x56xf16>
}
