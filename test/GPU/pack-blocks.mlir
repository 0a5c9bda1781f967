// RUN: top-opt %s --top-tile-to-blocks --split-input-file | FileCheck %s
// RUN: top-opt %s --top-tile-to-blocks --split-input-file --remark-format=emitRemark --remarks-filter=top-tile-to-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A linalg.pack with a schedule becomes a kernel whose blocks follow from shape
// and element type, not from that schedule.

// Two rows of 56 pixels, and 64 channels: a line of each pixel, 128 bytes.

// CHECK-LABEL: func @large
// CHECK-SAME:    %[[X:.*]]: tensor<64x64x56x56xf16>
// CHECK:       %[[E:.*]] = tensor.empty()
// CHECK:       scf.forall (%[[N:.*]], %[[H:.*]], %{{.*}}, %{{.*}}) = (0, 0, 0, 0) to (64, 56, 56, 64) step (1, 2, 56, 64) shared_outs(%[[O:.*]] = %[[E]])
// CHECK:         %[[FROM:.*]] = tensor.extract_slice %[[X]][%[[N]], 0, %[[H]], 0] [1, 64, 2, 56] [1, 1, 1, 1] : tensor<64x64x56x56xf16> to tensor<64x2x56xf16>
// CHECK:         %[[INTO:.*]] = tensor.extract_slice %[[O]][%[[N]], %[[H]], 0, 0, 0] [1, 2, 56, 1, 64] [1, 1, 1, 1, 1]
// CHECK:         top.tile_pack %[[FROM]] into %[[INTO]] : tensor<64x2x56xf16>, tensor<2x56x64xf16> -> tensor<2x56x64xf16>
// CHECK:         tensor.parallel_insert_slice
// CHECK:       top.schedule = #top.schedule<engine = simt, block = [64, 128, 1], {{.*}}stages = 1, {{.*}}box = [1, 2, 56]
// REMARK:      [Passed] PackBlocks | Category:top-tile-to-blocks | Function=large | Remark="1792 blocks of 2x56 pixels and 64 channels, 14336 bytes each"
func.func @large(%x: tensor<64x64x56x56xf16>) -> tensor<64x56x56x1x64xf16> {
  %e = tensor.empty() : tensor<64x56x56x1x64xf16>
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [64] into %e {top.schedule = #top.schedule<engine = mma_sync, block = [128, 128, 32], warp = [64, 64]>} : tensor<64x64x56x56xf16> -> tensor<64x56x56x1x64xf16>
  return %r : tensor<64x56x56x1x64xf16>
}

// -----

// Small images whole, with more channels: one run of all.

// CHECK-LABEL: func @small
// CHECK:       scf.forall {{.*}} to (256, 7, 7, 512) step (1, 7, 7, 128)
// REMARK:      Function=small | Remark="1024 blocks of 7x7 pixels and 128 channels, 12544 bytes each"
func.func @small(%x: tensor<256x512x7x7xf16>) -> tensor<256x7x7x1x512xf16> {
  %e = tensor.empty() : tensor<256x7x7x1x512xf16>
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [512] into %e {top.schedule = #top.schedule<>} : tensor<256x512x7x7xf16> -> tensor<256x7x7x1x512xf16>
  return %r : tensor<256x7x7x1x512xf16>
}

// -----

// So few of them that blocks of 4096 bytes are not two for each SM.

// CHECK-LABEL: func @few_images
// CHECK:       scf.forall {{.*}} to (2, 16, 16, 320) step (1, 2, 16, 64)
// REMARK:      Function=few_images | Remark="80 blocks of 2x16 pixels and 64 channels, 4096 bytes each"
func.func @few_images(%x: tensor<2x320x16x16xf16>) -> tensor<2x16x16x1x320xf16> {
  %e = tensor.empty() : tensor<2x16x16x1x320xf16>
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [320] into %e {top.schedule = #top.schedule<>} : tensor<2x320x16x16xf16> -> tensor<2x16x16x1x320xf16>
  return %r : tensor<2x16x16x1x320xf16>
}

// -----

// Few channels: more pixels. The last box has fewer rows.

// CHECK:       #[[$LEFT:.*]] = affine_map<(d0) -> (4, -d0 + 225)>
// CHECK-LABEL: func @few_channels
// CHECK:       scf.forall (%{{.*}}, %[[H:.*]], %{{.*}}, %{{.*}}) = (0, 0, 0, 0) to (16, 225, 224, 8) step (1, 4, 224, 8)
// CHECK:         affine.min #[[$LEFT]](%[[H]])
// CHECK:         tensor<3x?x224xf16>
// CHECK:         top.tile_pack {{.*}} tensor<3x?x224xf16>, tensor<?x224x8xf16>
// REMARK:      Function=few_channels | Remark="912 blocks of 4x224 pixels and 8 channels, 14336 bytes each"
func.func @few_channels(%x: tensor<16x3x225x224xf16>) -> tensor<16x225x224x1x8xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x225x224x1x8xf16>
  %r = linalg.pack %x padding_value(%zero : f16) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e {top.schedule = #top.schedule<>} : tensor<16x3x225x224xf16> -> tensor<16x225x224x1x8xf16>
  return %r : tensor<16x225x224x1x8xf16>
}

// -----

// Channel blocks with fewer channels in the source, and one with none: C' is
// much more than C.

// CHECK-LABEL: func @padding
// CHECK:       scf.forall (%{{.*}}, %{{.*}}, %{{.*}}, %[[C:.*]]) = (0, 0, 0, 0) to (16, 64, 64, 128) step (1, 2, 64, 32)
// CHECK:         %[[MIN:.*]] = affine.min {{.*}}(%[[C]])
// CHECK:         %[[MAX:.*]] = affine.max {{.*}}(%[[MIN]])
// CHECK:         tensor.extract_slice %{{.*}} [1, %[[MAX]], 2, 64] [1, 1, 1, 1]
// CHECK:         top.tile_pack {{.*}} : tensor<?x2x64xf32>, tensor<2x64x32xf32>
func.func @padding(%x: tensor<16x40x64x64xf32>) -> tensor<16x64x64x1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64x64x1x128xf32>
  %r = linalg.pack %x padding_value(%zero : f32) outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [128] into %e {top.schedule = #top.schedule<>} : tensor<16x40x64x64xf32> -> tensor<16x64x64x1x128xf32>
  return %r : tensor<16x64x64x1x128xf32>
}

// -----

// Groups are one more dimension in front; a wide row is cut, at multiples of 16
// bytes.

// CHECK-LABEL: func @groups
// CHECK:       scf.forall {{.*}} to (8, 4, 9, 1030, 16) step (1, 1, 1, 344, 16)
func.func @groups(%x: tensor<8x4x16x9x1030xf16>) -> tensor<8x4x9x1030x1x16xf16> {
  %e = tensor.empty() : tensor<8x4x9x1030x1x16xf16>
  %r = linalg.pack %x outer_dims_perm = [0, 1, 3, 4, 2] inner_dims_pos = [2] inner_tiles = [16] into %e {top.schedule = #top.schedule<>} : tensor<8x4x16x9x1030xf16> -> tensor<8x4x9x1030x1x16xf16>
  return %r : tensor<8x4x9x1030x1x16xf16>
}

// -----

// Every second pixel of a slice: what lies between passes through shared memory
// as well, so that boxes are smaller. The slice is a view.

// CHECK-LABEL: func @strided
// CHECK:       %[[S:.*]] = tensor.extract_slice {{.*}} [1, 1, 2, 2]
// CHECK:       scf.forall {{.*}} to (64, 28, 28, 256) step (1, 2, 28, 64)
// CHECK:         tensor.extract_slice %[[S]]
func.func @strided(%x: tensor<64x256x56x56xf16>) -> tensor<64x28x28x1x256xf16> {
  %s = tensor.extract_slice %x[0, 0, 0, 0] [64, 256, 28, 28] [1, 1, 2, 2] : tensor<64x256x56x56xf16> to tensor<64x256x28x28xf16>
  %e = tensor.empty() : tensor<64x28x28x1x256xf16>
  %r = linalg.pack %s outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [256] into %e {top.schedule = #top.schedule<>} : tensor<64x256x28x28xf16> -> tensor<64x28x28x1x256xf16>
  return %r : tensor<64x28x28x1x256xf16>
}

// -----

// No schedule, no kernel.

// CHECK-LABEL: func @without
// CHECK:       linalg.pack
// REMARK:      [Missed] NoSchedule | Category:top-tile-to-blocks | Function=without
func.func @without(%x: tensor<1x8x4x4xf16>, %e: tensor<1x4x4x1x8xf16>) -> tensor<1x4x4x1x8xf16> {
  %r = linalg.pack %x outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [1] inner_tiles = [8] into %e : tensor<1x8x4x4xf16> -> tensor<1x4x4x1x8xf16>
  return %r : tensor<1x4x4x1x8xf16>
}

// -----

// Channels that are last already, and filled up: 3 rows of pixels with all their
// channels a block, which tile_pack takes as rows x columns x channels.

// CHECK-LABEL: func @fill
// CHECK-SAME:    %[[X:.*]]: tensor<16x224x224x3xf16>
// CHECK:       scf.forall (%[[N:.*]], %[[H:.*]], %{{.*}}, %{{.*}}) = (0, 0, 0, 0) to (16, 224, 224, 4) step (1, 3, 224, 4)
// CHECK:         %[[ROWS:.*]] = affine.min {{.*}}(%[[H]])
// CHECK:         tensor.extract_slice %[[X]][%[[N]], %[[H]], 0, 0] [1, %[[ROWS]], 224, 3] [1, 1, 1, 1] : tensor<16x224x224x3xf16> to tensor<?x224x3xf16>
// CHECK:         top.tile_pack {{.*}} : tensor<?x224x3xf16>, tensor<?x224x1x4xf16> -> tensor<?x224x1x4xf16>
func.func @fill(%x: tensor<16x224x224x3xf16>) -> tensor<16x224x224x1x4xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x224x224x1x4xf16>
  %r = linalg.pack %x padding_value(%zero : f16) inner_dims_pos = [3] inner_tiles = [4] into %e {top.schedule = #top.schedule<>} : tensor<16x224x224x3xf16> -> tensor<16x224x224x1x4xf16>
  return %r : tensor<16x224x224x1x4xf16>
}
