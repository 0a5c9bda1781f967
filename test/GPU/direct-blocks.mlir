// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-tile-to-blocks --cse | FileCheck %s
// RUN: top-opt %s --split-input-file --convert-top-to-linalg --canonicalize --cse --top-tile-to-blocks --remark-format=emitRemark --remarks-filter=top-tile-to-blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A convolution of engine 'direct' becomes a kernel over images, groups, output
// channels and boxes of pixels, written for threads: each has its own pixels of
// the input's tile and its own box of the result.

// Depthwise: the padding is the load's; a row of the tile begins 8 columns in
// front of the image, where a 16-byte access can begin, of which the last is
// the windows' first. Four channels are a block, 2 rows of 8 pixels a thread.

// CHECK-DAG: #[[$ROW:.+]] = affine_map<()[s0, s1] -> (((s0 * 8 + s1) floordiv 7) * 2)>
// CHECK-DAG: #[[$LEFT:.+]] = affine_map<(d0) -> (d0 - 8)>
// CHECK-DAG: #[[$ABOVE:.+]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-LABEL: func @depthwise
// CHECK-SAME: (%[[X:.+]]: tensor<2x8x56x56xf16>, %[[W:[^:]+]]: tensor<8x1x3x3xf16>, %[[B:[^:]+]]: tensor<8xf16>
// CHECK-NOT: tensor.pad
// CHECK: scf.forall (%[[N:.+]], %[[G:.+]], %[[F:.+]], %[[H:.+]], %[[V:.+]]) = (0, 0, 0, 0, 0) to (2, 8, 1, 56, 56) step (1, 4, 1, 8, 56) shared_outs(%[[OUT:.+]] = %{{.+}})
// CHECK: %[[R:.+]] = affine.apply #[[$ROW]]()
// CHECK-DAG: %[[Y:.+]] = affine.apply #[[$ABOVE]](%[[H]])
// CHECK-DAG: %[[L:.+]] = affine.apply #[[$LEFT]](%[[V]])
// CHECK: %[[T:.+]] = top.tile_load %[[X]][%[[N]], %[[G]], %[[Y]], %[[L]]] dims <rows = [1, 4, 10], cols = [72], order = [0, 1, 2, 3]> : tensor<2x8x56x56xf16> -> !top.tile<block 40x72xf16>
// CHECK: %[[P:.+]] = top.tile_slice %[[T]][%{{.+}}, %c7] step [1, 1] : !top.tile<block 40x72xf16> -> !top.tile<thread 10x58xf16>
// CHECK: top.tile_conv %[[P]], %{{.+}}[%[[C:.+]], %[[R]], %{{.+}}], %{{.+}} window <box = [8, 56], kernel = [3, 3], strides = [1, 1], dilations = [1, 1], layout = channels_first> {run = 8 : i64} : !top.tile<thread 10x58xf16>, tensor<8x3x3xf16>, !top.tile<thread 1x16xf32>
// CHECK: tensor.extract_slice %[[OUT]][%[[N]], %[[C]], {{.*}} : tensor<2x8x56x56xf16> to tensor<1x1x?x8xf16>
// CHECK: tensor.extract_slice %[[B]][%[[C]]] [1] [1] : tensor<8xf16> to tensor<1xf16>
// CHECK: top.tile_store {{.*}} dims <rows = [1], cols = [1, 2, 8], order = [1, 0, 2, 3]> ins({{.*}} : tensor<1xf16>)
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: linalg
// REMARK: DirectBlocks {{.*}} Function=depthwise | Remark="28 blocks, each of 4 channels and 128 threads; 2880 elements of the input a step"
func.func @depthwise(%x: tensor<2x8x56x56xf16>, %w: tensor<8x1x3x3xf16>, %b: tensor<8xf16>) -> tensor<2x8x56x56xf16> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>, group = 8 : i64,
      top.schedule = #top.schedule<engine = direct, block = [4, 512, 1], warp = [4, 128], thread = [1, 16], box = [1, 8, 56]>}
    : (tensor<2x8x56x56xf16>, tensor<8x1x3x3xf16>, tensor<8xf16>) -> tensor<2x8x56x56xf16>
  return %y : tensor<2x8x56x56xf16>
}

// -----

// Groups of two channels each: no reshape is left, two groups are a block, and
// the filter is the one that came. Strides and dilations are the window's.

// CHECK-LABEL: func @groups
// CHECK-SAME: (%[[X:.+]]: tensor<1x8x20x21xf32>, %[[W:[^:]+]]: tensor<12x2x3x3xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: scf.forall {{.*}} to (1, 4, 3, 9, 17) step (1, 2, 3, 9, 24)
// CHECK: top.tile_load %[[X]]{{.*}} dims <rows = [1, 4, 21], cols = [28], order = [0, 1, 2, 3]>
// CHECK: top.tile_slice {{.*}} -> !top.tile<thread 42x28xf32>
// CHECK: top.tile_conv %{{.+}}, %[[W]][{{.*}} window <box = [9, 24], kernel = [3, 3], strides = [2, 1], dilations = [2, 2], layout = channels_first> {run = 8 : i64} : !top.tile<thread 42x28xf32>, tensor<12x2x3x3xf32>, !top.tile<thread 3x8xf32>
// CHECK: top.tile_store {{.*}} dims <rows = [3], cols = [1, 1, 8], order = [1, 0, 2, 3]>
// CHECK: } : !top.tile<thread 3x8xf32>, tensor<1x3x?x?xf32>
// CHECK-NOT: tensor.collapse_shape
func.func @groups(%x: tensor<1x8x20x21xf32>, %w: tensor<12x2x3x3xf32>) -> tensor<1x12x9x17xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 1>, dilations = array<i64: 2, 2>, group = 4 : i64,
      top.schedule = #top.schedule<engine = direct, block = [6, 256, 2], warp = [6, 128], thread = [3, 8], box = [1, 9, 24]>}
    : (tensor<1x8x20x21xf32>, tensor<12x2x3x3xf32>) -> tensor<1x12x9x17xf32>
  return %y : tensor<1x12x9x17xf32>
}

// -----

// One group of many channels is read in steps, of which the last is shorter: its
// filter has the channels that are left.

// CHECK-LABEL: func @steps
// CHECK: scf.for %[[K:.+]] = %c0{{.*}} to %c10{{.*}} step %c4
// CHECK: %[[C:.+]] = affine.apply #{{.+}}(%{{.+}}, %[[K]])
// CHECK: top.tile_load %{{.+}}[%{{.+}}, %[[C]], {{.*}} dims <rows = [1, 4, 10], cols = [16]
// CHECK: %[[W:.+]] = tensor.extract_slice %{{.+}}[0, %[[K]], 0, 0] {{.*}} : tensor<4x10x3x3xf32> to tensor<4x?x3x3xf32>
// CHECK: top.tile_conv %{{.+}}, %[[W]]
func.func @steps(%x: tensor<1x10x8x8xf32>, %w: tensor<4x10x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>,
      top.schedule = #top.schedule<engine = direct, block = [4, 128, 4], warp = [4, 128], thread = [2, 8], stages = 2, box = [1, 8, 8]>}
    : (tensor<1x10x8x8xf32>, tensor<4x10x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// A filter that is constant has its groups as a dimension: that of the thread is
// taken out of it.

// CHECK-LABEL: func @constant_filter
// CHECK: tensor.extract_slice %{{.+}}[%{{.+}}, 0, 0, 0, 0] [1, 2, 2, 1, 1] [1, 1, 1, 1, 1] : tensor<2x2x2x1x1xf32> to tensor<2x2x1x1xf32>
// CHECK: top.tile_conv
func.func @constant_filter(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]], [[[5.0]], [[6.0]]], [[[7.0]], [[8.0]]]]> : tensor<4x2x1x1xf32>
  %y = top.Conv2D %x, %w {group = 2 : i64,
      top.schedule = #top.schedule<engine = direct, block = [4, 128, 2], warp = [4, 128], thread = [2, 8], box = [1, 8, 8]>}
    : (tensor<1x4x8x8xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}

// -----

// Padding that two convolutions have in common is absorbed by both.
// CHECK-LABEL: func @shared_padding
// CHECK-NOT:     tensor.pad
// CHECK-COUNT-2: top.tile_conv
// CHECK:         return
func.func @shared_padding(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x3x3xf32>, %v: tensor<8x1x3x3xf32>) -> (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) {
  %0 = top.Conv2D %x, %w {group = 8 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = direct>} : (tensor<1x8x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x8x8xf32>
  %1 = top.Conv2D %x, %v {group = 8 : i64, pads = array<i64: 1, 1, 1, 1>, top.schedule = #top.schedule<engine = direct>} : (tensor<1x8x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x8x8xf32>
  return %0, %1 : tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>
}

// -----

// Of two in a row with as many groups the second reads the first one's sums as
// they are, once canonicalized: both are without reshapes in the end.
// CHECK-LABEL: func @groups_in_a_row
// CHECK: %[[A:.+]] = scf.forall {{.*}} -> (tensor<1x8x6x6xf32>)
// CHECK-NOT: {{expand_shape|collapse_shape}}
// CHECK: scf.forall {{.*}} -> (tensor<1x8x4x4xf32>)
// CHECK: top.tile_load %[[A]]
// CHECK-NOT: {{expand_shape|collapse_shape}}
// CHECK: return
func.func @groups_in_a_row(%x: tensor<1x8x8x8xf32>, %w: tensor<8x2x3x3xf32>) -> tensor<1x8x4x4xf32> {
  %0 = top.Conv2D %x, %w {group = 4 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 64, 2], warp = [4, 64], thread = [2, 4]>} : (tensor<1x8x8x8xf32>, tensor<8x2x3x3xf32>) -> tensor<1x8x6x6xf32>
  %1 = top.Conv2D %0, %w {group = 4 : i64, top.schedule = #top.schedule<engine = direct, block = [4, 64, 2], warp = [4, 64], thread = [2, 4]>} : (tensor<1x8x6x6xf32>, tensor<8x2x3x3xf32>) -> tensor<1x8x4x4xf32>
  return %1 : tensor<1x8x4x4xf32>
}
