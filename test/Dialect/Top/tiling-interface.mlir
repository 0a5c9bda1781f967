// RUN: top-opt %s --split-input-file --transform-interpreter --canonicalize --cse --verify-diagnostics | FileCheck %s

// Upstream's tiling and fusion drivers on the layer ops. No pass of ours takes
// part: what is tested is TilingInterface.

// Along the batch nothing is shared: pads stay, and no arithmetic is made.
// CHECK-LABEL: @conv_batch
//  CHECK-SAME: (%[[X:.*]]: tensor<2x3x16x16xf32>, %[[W:.*]]: tensor<8x3x3x3xf32>, %[[B:.*]]: tensor<8xf32>)
//   CHECK-NOT: affine
//       CHECK: scf.for %[[N:.*]] = %c0 to %c2 step %c1
//  CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[X]][%[[N]], 0, 0, 0] [1, 3, 16, 16]
//  CHECK-NEXT: %[[T:.*]] = top.Conv2D %[[S]], %[[W]], %[[B]] {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
//  CHECK-SAME: -> tensor<1x8x8x8xf32>
//  CHECK-NEXT: tensor.insert_slice %[[T]] into %{{.*}}[%[[N]], 0, 0, 0] [1, 8, 8, 8]
func.func @conv_batch(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// H with padding, at an offset that is not a constant: a clamped slice, padded
// to the window of 2*2 + 3 - 2 = 5 rows, and no pads on H in the tile. W is not
// split and keeps its pads. Epilogue operands are sliced like the result, but
// for the dimensions of 1; every attribute is kept.
//     CHECK-DAG: #[[$RAW:.*]] = affine_map<(d0) -> (0, d0 * 2 - 1)>
//     CHECK-DAG: #[[$LO:.*]] = affine_map<(d0) -> (16, d0)>
//     CHECK-DAG: #[[$HI:.*]] = affine_map<(d0, d1) -> (d1, d0 * 2 + 4)>
//     CHECK-DAG: #[[$SIZE:.*]] = affine_map<(d0, d1) -> (d0 - d1)>
//     CHECK-DAG: #[[$PAD:.*]] = affine_map<(d0) -> (d0 * -2 + 1, 0)>
//     CHECK-DAG: #[[$SPAN:.*]] = affine_map<(d0) -> (5, d0)>
//     CHECK-DAG: #[[$REST:.*]] = affine_map<(d0, d1, d2) -> (-d0 + d1 - d2 + 5)>
//     CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0) -> (15, d0)>
//   CHECK-LABEL: @conv_height
//    CHECK-SAME: (%[[X:.*]]: tensor<1x3x16x16xf32>, %[[W:.*]]: tensor<8x3x3x3xf32>, %[[B:.*]]: tensor<8xf32>, %[[R:.*]]: tensor<1x8x8x8xf32>, %[[G:.*]]: tensor<1x8x1x1xf32>)
//         CHECK: scf.for %[[H:.*]] = %c0 to %c8 step %c2
//     CHECK-DAG:   %[[RAW:.*]] = affine.max #[[$RAW]](%[[H]])
//     CHECK-DAG:   %[[LO:.*]] = affine.min #[[$LO]](%[[RAW]])
//     CHECK-DAG:   %[[END:.*]] = affine.max #[[$HI]](%[[H]], %[[LO]])
//     CHECK-DAG:   %[[HI:.*]] = affine.min #[[$LO]](%[[END]])
//     CHECK-DAG:   %[[SIZE:.*]] = affine.apply #[[$SIZE]](%[[HI]], %[[LO]])
//     CHECK-DAG:   %[[BEFORE:.*]] = affine.max #[[$PAD]](%[[H]])
//     CHECK-DAG:   %[[LOW:.*]] = affine.min #[[$SPAN]](%[[BEFORE]])
//     CHECK-DAG:   %[[HIGH:.*]] = affine.apply #[[$REST]](%[[HI]], %[[LO]], %[[LOW]])
//     CHECK-DAG:   %[[AT:.*]] = affine.min #[[$LAST]](%[[RAW]])
//     CHECK-DAG:   %[[RT:.*]] = tensor.extract_slice %[[R]][0, 0, %[[H]], 0] [1, 8, 2, 8]
//     CHECK-DAG:   %[[S:.*]] = tensor.extract_slice %[[X]][0, 0, %[[AT]], 0] [1, 3, %[[SIZE]], 16]
//         CHECK:   %[[P:.*]] = tensor.pad %[[S]] low[0, 0, %[[LOW]], 0] high[0, 0, %[[HIGH]], 0]
//         CHECK:   tensor<1x3x?x16xf32> to tensor<1x3x5x16xf32>
//         CHECK:   top.Conv2D %[[P]], %[[W]], %[[B]] epilogue(%[[RT]], %[[G]])
//    CHECK-SAME:     {allow_tf32, epilogue = [#top.step<add>, #top.step<mul>, #top.step<relu>], pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>, test.tag = "kept"}
//    CHECK-SAME:     -> tensor<1x8x2x8xf32>
func.func @conv_height(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>, %r: tensor<1x8x8x8xf32>, %g: tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%r, %g) {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>,
                                               epilogue = [#top.step<add>, #top.step<mul>, #top.step<relu>], allow_tf32, test.tag = "kept"}
     : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1x8x8x8xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 0, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Without padding the slice is exact, and the tile is static.
// CHECK-LABEL: @conv_no_pads
//   CHECK-NOT: affine
//       CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0, %[[H:.*]], %[[W:.*]]] [1, 3, 6, 10]
//  CHECK-NEXT: top.Conv2D %[[S]], %{{.*}} : (tensor<1x3x6x10xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x4x8xf32>
func.func @conv_no_pads(%x: tensor<1x3x18x18xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x3x18x18xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
  return %y : tensor<1x8x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %op tile_sizes [0, 0, 4, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The loop's bounds prove that no tile reads padding: with stride 4 the row of
// padding at the bottom is never read.
// CHECK-LABEL: @conv_interior
//   CHECK-NOT: tensor.pad
//       CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0, %{{.*}}, 0] [1, 3, 3, 16]
//  CHECK-NEXT: top.Conv2D %[[S]], %{{.*}} {pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 4, 1>}
//  CHECK-SAME: (tensor<1x3x3x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x1x16xf32>
func.func @conv_interior(%x: tensor<1x3x8x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x2x16xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 0, 1, 1, 1>, strides = array<i64: 4, 1>} : (tensor<1x3x8x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x2x16xf32>
  return %y : tensor<1x8x2x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The same in an scf.for, whose last induction variable is not its bound.
// CHECK-LABEL: @conv_interior_for
//   CHECK-NOT: tensor.pad
//       CHECK: top.Conv2D %{{.*}} (tensor<1x3x3x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x1x16xf32>
func.func @conv_interior_for(%x: tensor<1x3x8x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x2x16xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 0, 1, 1, 1>, strides = array<i64: 4, 1>} : (tensor<1x3x8x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x2x16xf32>
  return %y : tensor<1x8x2x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A size that does not divide: the last tile is smaller, so sizes are dynamic.
// CHECK-LABEL: @conv_uneven
//       CHECK: scf.for %[[H:.*]] = %c0 to %c12 step %c5
//       CHECK:   %[[SIZE:.*]] = affine.min #{{.*}}(%[[H]])
//       CHECK:   tensor.pad
//       CHECK:   top.Conv2D %{{.*}} {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x3x?x12xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x?x12xf32>
//       CHECK:   tensor.insert_slice %{{.*}}[0, 0, %[[H]], 0] [1, 8, %[[SIZE]], 12]
func.func @conv_uneven(%x: tensor<1x3x12x12xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x12x12xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x12x12xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x12x12xf32>
  return %y : tensor<1x8x12x12xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 0, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Tiles larger than the extent are the whole op.
// CHECK-LABEL: @conv_one_tile
//   CHECK-NOT: tensor.pad
//       CHECK: top.Conv2D %{{.*}}, %{{.*}} {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x12x12xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x12x12xf32>
func.func @conv_one_tile(%x: tensor<1x3x12x12xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x12x12xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x12x12xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x12x12xf32>
  return %y : tensor<1x8x12x12xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 0, 12, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A parallel loop over N, F and W at once.
// CHECK-LABEL: @conv_forall
//       CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (2, 2, 2)
//   CHECK-DAG:   %[[P:.*]] = tensor.pad
//   CHECK-DAG:   %[[W:.*]] = tensor.extract_slice %{{.*}} [4, 3, 3, 3] [1, 1, 1, 1]
//       CHECK:   top.Conv2D %[[P]], %[[W]] {pads = array<i64: 1, 0, 1, 0>} : (tensor<2x3x16x10xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x16x8xf32>
//       CHECK:   tensor.parallel_insert_slice
func.func @conv_forall(%x: tensor<4x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<4x8x16x16xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<4x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<4x8x16x16xf32>
  return %y : tensor<4x8x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [2, 4, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Given a number of threads, offsets are multiples of what a thread gets.
// CHECK-LABEL: @conv_threads
//       CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 7)
//       CHECK:   top.Conv2D %{{.*}} : (tensor<2x3x4x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x2x14xf32>
func.func @conv_threads(%x: tensor<4x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<4x8x14x14xf32> {
  %y = top.Conv2D %x, %w : (tensor<4x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<4x8x14x14xf32>
  return %y : tensor<4x8x14x14xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op num_threads [2, 0, 7]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Dynamic N and H: the slice is clamped to the extent that the input has.
//  CHECK-DAG: #[[$LAST:.*]] = affine_map<()[s0] -> (0, s0 - 1)>
// CHECK-LABEL: @conv_dynamic
//  CHECK-SAME: (%[[X:.*]]: tensor<?x3x?x16xf32>
//   CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
//   CHECK-DAG: %[[H:.*]] = tensor.dim %[[X]], %c2
//       CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c1
//       CHECK: scf.for %[[J:.*]] = %c0 to %[[H]] step %c4
//       CHECK: affine.max #[[$LAST]]()[%[[H]]]
//       CHECK: tensor.extract_slice %[[X]][%[[I]], 0, %{{.*}}, 0] [1, 3, %{{.*}}, 16]
//       CHECK: tensor.pad
//       CHECK: top.Conv2D %{{.*}} : (tensor<1x3x?x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x?x14xf32>
func.func @conv_dynamic(%x: tensor<?x3x?x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<?x8x?x14xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 0, 1, 0>} : (tensor<?x3x?x16xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x14xf32>
  return %y : tensor<?x8x?x14xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %op tile_sizes [1, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A dynamic axis that is not split keeps its pads, whatever its formula.
// CHECK-LABEL: @conv_dynamic_batch
//   CHECK-NOT: tensor.pad
//       CHECK: top.Conv2D %{{.*}} {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 1>} : (tensor<1x3x?x?xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x?x?xf32>
func.func @conv_dynamic_batch(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 1>} : (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32>
  return %y : tensor<?x8x?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Along F: filter, bias and channel vectors are sliced, the input is not.
// CHECK-LABEL: @conv_channels
//  CHECK-SAME: (%[[X:.*]]: tensor<1x4x8x8xf32>, %[[W:.*]]: tensor<8x4x3x3xf32>, %[[B:.*]]: tensor<8xf32>, %[[V:.*]]: tensor<8xf32>)
//   CHECK-DAG: %[[BT:.*]] = tensor.extract_slice %[[B]][%[[F:.*]]] [4]
//   CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[F]]] [4]
//   CHECK-DAG: %[[WT:.*]] = tensor.extract_slice %[[W]][%[[F]], 0, 0, 0] [4, 4, 3, 3]
//       CHECK: top.Conv2D %[[X]], %[[WT]], %[[BT]] epilogue(%[[VT]], %[[VT]])
func.func @conv_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>, %s: tensor<8xf32>) -> tensor<1x8x6x6xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%s, %s) {epilogue = [#top.step<affine>]} : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Groups do not hinder tiles along the other dimensions.
// CHECK-LABEL: @conv_groups
//       CHECK: top.Conv2D %{{.*}} {group = 4 : i64} : (tensor<1x4x5x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x3x6xf32>
func.func @conv_groups(%x: tensor<1x4x8x8xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32> {
  %y = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 0, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Along F they do, at an offset that is not a constant: the reason comes first,
// upstream's own errors after it.
func.func @conv_groups_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32> {
  // expected-error@+3 {{'top.Conv2D' op cannot be tiled along F at an offset that is not a constant with 'group' 4: the input channels to read are not known}}
  // expected-error@+2 {{tile operation}}
  // expected-error@+1 {{failed to generate tiling loops}}
  %y = top.Conv2D %x, %w {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The filter must stay static, so F cannot have tiles of two sizes in a loop.
func.func @conv_uneven_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32> {
  // expected-error@+3 {{'top.Conv2D' op cannot be tiled along F by a size that is not a constant: the filter must be static}}
  // expected-error@+2 {{tile operation}}
  // expected-error@+1 {{failed to generate tiling loops}}
  %y = top.Conv2D %x, %w : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// No input rows: every tile is its bias and epilogue.
// CHECK-LABEL: @conv_no_rows
//   CHECK-NOT: top.Conv2D
//       CHECK: scf.for
//       CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2xf32>) outs(%{{.*}} : tensor<1x2x2x2xf32>)
//   CHECK-NOT: top.Conv2D
//       CHECK: return
func.func @conv_no_rows(%x: tensor<1x2x0x4xf32>, %w: tensor<2x2x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x4x2xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 3, 0, 3, 0>} : (tensor<1x2x0x4xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x4x2xf32>
  return %y : tensor<1x2x4x2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [0, 0, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A product of depth 0.
// CHECK-LABEL: @matmul_no_depth
//       CHECK: scf.for
//       CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x6xf32>)
func.func @matmul_no_depth(%x: tensor<4x0xf32>, %w: tensor<0x6xf32>) -> tensor<4x6xf32> {
  %y = top.MatMul %x, %w : (tensor<4x0xf32>, tensor<0x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.MatMul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:1 = transform.structured.tile_using_for %op tile_sizes [2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// M and N; the transposed right side is sliced along its rows.
// CHECK-LABEL: @matmul
//  CHECK-SAME: (%[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<48x32xf32>, %[[BIAS:.*]]: tensor<48xf32>, %[[R:.*]]: tensor<64x48xf32>)
//       CHECK: scf.for %[[M:.*]] = %c0 to %c64 step %c16
//       CHECK: scf.for %[[N:.*]] = %c0 to %c48 step %c8
//   CHECK-DAG:   %[[BIAST:.*]] = tensor.extract_slice %[[BIAS]][%[[N]]] [8]
//   CHECK-DAG:   %[[RT:.*]] = tensor.extract_slice %[[R]][%[[M]], %[[N]]] [16, 8]
//   CHECK-DAG:   %[[AT:.*]] = tensor.extract_slice %[[A]][%[[M]], 0] [16, 32]
//   CHECK-DAG:   %[[BT:.*]] = tensor.extract_slice %[[B]][%[[N]], 0] [8, 32]
//       CHECK:   top.MatMul %[[AT]], %[[BT]], %[[BIAST]] epilogue(%[[RT]]) {epilogue = [#top.step<add>], transpose_b = true}
//  CHECK-SAME:   -> tensor<16x8xf32>
func.func @matmul(%a: tensor<64x32xf32>, %b: tensor<48x32xf32>, %bias: tensor<48xf32>, %r: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %c = top.MatMul %a, %b, %bias epilogue(%r) {transpose_b = true, epilogue = [#top.step<add>]}
     : (tensor<64x32xf32>, tensor<48x32xf32>, tensor<48xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  return %c : tensor<64x48xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.MatMul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %op tile_sizes [16, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Batched and dynamic, lhs transposed, the right side shared by the batch.
// CHECK-LABEL: @matmul_dynamic
//  CHECK-SAME: (%[[A:.*]]: tensor<4x?x?xf32>, %[[B:.*]]: tensor<?x?xf32>)
//       CHECK: scf.forall (%[[I:.*]], %{{.*}}, %{{.*}}) in (4, %{{.*}}, %{{.*}})
//   CHECK-DAG:   %[[M0:.*]] = affine.apply
//   CHECK-DAG:   %[[M:.*]] = affine.min
//       CHECK:   tensor.extract_slice %[[A]][%[[I]], 0, %{{.*}}] [1, %{{.*}}, %{{.*}}]
//       CHECK:   tensor.extract_slice %[[B]][0, %{{.*}}] [%{{.*}}, %{{.*}}]
//       CHECK:   top.MatMul %{{.*}} {transpose_a = true} : (tensor<1x?x?xf32>, tensor<?x?xf32>) -> tensor<1x?x?xf32>
func.func @matmul_dynamic(%a: tensor<4x?x?xf32>, %b: tensor<?x?xf32>) -> tensor<4x?x?xf32> {
  %c = top.MatMul %a, %b {transpose_a = true} : (tensor<4x?x?xf32>, tensor<?x?xf32>) -> tensor<4x?x?xf32>
  return %c : tensor<4x?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["top.MatMul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Producer fusion of two convolutions: four rows of the second read eight of
// the first, which read ten of the input.
// CHECK-LABEL: @fuse_conv_into_conv
//  CHECK-SAME: (%[[X:.*]]: tensor<1x3x16x16xf32>
//   CHECK-NOT: top.Conv2D
//       CHECK: scf.forall (%{{.*}}) in (3)
//       CHECK:   tensor.extract_slice %[[X]]
//       CHECK:   tensor.pad
//       CHECK:   tensor<1x3x?x16xf32> to tensor<1x3x10x16xf32>
//       CHECK:   %[[T:.*]] = top.Conv2D %{{.*}} {pads = array<i64: 0, 1, 0, 1>} : {{.*}} -> tensor<1x8x8x16xf32>
//       CHECK:   top.Conv2D %[[T]], %{{.*}} {dilations = array<i64: 2, 1>, pads = array<i64: 0, 1, 0, 1>} : {{.*}} -> tensor<1x4x4x16xf32>
//       CHECK: return
func.func @fuse_conv_into_conv(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %v: tensor<4x8x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x4x12x16xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<1x8x16x16xf32>
  %z = top.Conv2D %y, %v {pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 2, 1>} : (tensor<1x8x16x16xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x12x16xf32>
  return %z : tensor<1x4x12x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %loop = transform.structured.tile_using_forall %second tile_sizes [0, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %first into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A padded consumer may read no row of the producer at all. Its tile then has
// size 0 at run time, and the window of a producer with stride 2 and a 1x1
// filter is clamped so as not to be -1.
//   CHECK-DAG: #[[$SPAN:.*]] = affine_map<(d0, d1) -> (0, d0 * 2 - d1 * 2 - 1)>
// CHECK-LABEL: @fuse_strided_conv_into_padded_conv
//       CHECK: scf.for
//       CHECK:   %[[SPAN:.*]] = affine.max #[[$SPAN]]
//       CHECK:   tensor.extract_slice %{{.*}} [1, 3, %[[SPAN]], 16]
//       CHECK:   %[[T:.*]] = top.Conv2D %{{.*}} {strides = array<i64: 2, 2>} : (tensor<1x3x?x16xf32>, tensor<8x3x1x1xf32>) -> tensor<1x8x?x8xf32>
//       CHECK:   %[[P:.*]] = tensor.pad %[[T]]
//       CHECK:   top.Conv2D %[[P]], %{{.*}} {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x8x4x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x2x8xf32>
func.func @fuse_strided_conv_into_padded_conv(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x1x1xf32>, %v: tensor<4x8x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 2, 2>} : (tensor<1x3x16x16xf32>, tensor<8x3x1x1xf32>) -> tensor<1x8x8x8xf32>
  %z = top.Conv2D %y, %v {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %z : tensor<1x4x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %loops:1 = transform.structured.fuse %second tile_sizes [0, 0, 2] interchange [0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tensor.pad fused into the tiles of the convolution that reads it.
// CHECK-LABEL: @fuse_pad_into_conv
//  CHECK-SAME: (%[[X:.*]]: tensor<1x3x16x16xf32>
//   CHECK-NOT: tensor.pad
//       CHECK: scf.forall
//       CHECK:   tensor.extract_slice %[[X]]
//       CHECK:   tensor.pad
//       CHECK:   top.Conv2D %{{.*}} : (tensor<1x3x6x18xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x4x16xf32>
func.func @fuse_pad_into_conv(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %v: f32) -> tensor<1x8x16x16xf32> {
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %v : f32
  } : tensor<1x3x16x16xf32> to tensor<1x3x18x18xf32>
  %z = top.Conv2D %p, %w : (tensor<1x3x18x18xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
  return %z : tensor<1x8x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %pad into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A convolution fused into the tiles of an elementwise op.
// CHECK-LABEL: @fuse_conv_into_elementwise
//   CHECK-NOT: top.Conv2D
//       CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 4)
//       CHECK:   %[[T:.*]] = top.Conv2D %{{.*}} : (tensor<1x3x6x18xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x16xf32>
//       CHECK:   linalg.exp ins(%[[T]] : tensor<1x4x4x16xf32>)
//       CHECK: return
func.func @fuse_conv_into_elementwise(%x: tensor<1x3x18x18xf32>, %w: tensor<8x3x3x3xf32>, %o: tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> {
  %y = top.Conv2D %x, %w : (tensor<1x3x18x18xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x16x16xf32>
  %e = linalg.exp ins(%y : tensor<1x8x16x16xf32>) outs(%o : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  return %e : tensor<1x8x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %conv = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 4, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %conv into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A product, with the driver that fuses all producers.
// CHECK-LABEL: @fuse_matmul_into_elementwise
//   CHECK-NOT: top.MatMul
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK:   %[[T:.*]] = top.MatMul %{{.*}} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
//       CHECK:   linalg.exp ins(%[[T]] : tensor<4x8xf32>)
//       CHECK: return
func.func @fuse_matmul_into_elementwise(%a: tensor<16x8xf32>, %b: tensor<8x24xf32>, %o: tensor<16x24xf32>) -> tensor<16x24xf32> {
  %c = top.MatMul %a, %b : (tensor<16x8xf32>, tensor<8x24xf32>) -> tensor<16x24xf32>
  %e = linalg.exp ins(%c : tensor<16x24xf32>) outs(%o : tensor<16x24xf32>) -> tensor<16x24xf32>
  return %e : tensor<16x24xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.fuse %op tile_sizes [4, 8] interchange [0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
