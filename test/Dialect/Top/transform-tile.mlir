// RUN: top-opt %s --split-input-file --transform-interpreter --verify-diagnostics | FileCheck %s

// The transform op does what the pass does, and hands on the tiles.

// CHECK-LABEL:   func.func @conv
// CHECK-COUNT-2: top.Conv2D {{.*}} {pads = array<i64: 1, 1, 1, 1>, tile} : (tensor<1x3x16x16xf32>
// CHECK:         return
module attributes {transform.with_named_sequence} {
  func.func @conv(%in: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
    %y = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
    return %y : tensor<2x8x16x16xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %conv = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles = transform.top.tile %conv {batch = 1, form = "unroll"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %tiles "tile" : !transform.any_op
    transform.yield
  }
}

// -----

// Tiles can be cut again, by this op or by upstream's.

// CHECK-LABEL: func.func @nested
// CHECK:       scf.for
// CHECK:         scf.forall (%{{.*}}) in (2)
// CHECK:           top.MatMul {{.*}} -> tensor<8x32xf32>
module attributes {transform.with_named_sequence} {
  func.func @nested(%a: tensor<64x24xf32>, %b: tensor<24x32xf32>) -> tensor<64x32xf32> {
    %c = top.MatMul %a, %b : (tensor<64x24xf32>, tensor<24x32xf32>) -> tensor<64x32xf32>
    return %c : tensor<64x32xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %product = transform.structured.match ops{["top.MatMul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles = transform.top.tile %product {m = 16} : (!transform.any_op) -> !transform.any_op
    %inner, %loop = transform.structured.tile_using_forall %tiles tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A failure is silenceable, and the payload is as it was.

// CHECK-LABEL: func.func @suppressed
// CHECK-NEXT:    top.Conv2D
// CHECK-NEXT:    return
module attributes {transform.with_named_sequence} {
  func.func @suppressed(%in: tensor<1x9x7x7xf32>, %w: tensor<9x3x3x3xf32>) -> tensor<1x9x5x5xf32> {
    %y = top.Conv2D %in, %w {group = 3 : i64} : (tensor<1x9x7x7xf32>, tensor<9x3x3x3xf32>) -> tensor<1x9x5x5xf32>
    return %y : tensor<1x9x5x5xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %conv = transform.structured.match ops{["top.Conv2D"]} in %arg : (!transform.any_op) -> !transform.any_op
      %tiles = transform.top.tile %conv {channels = 2} : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @reported(%in: tensor<1x9x7x7xf32>, %w: tensor<9x3x3x3xf32>) -> tensor<1x9x5x5xf32> {
    // expected-error @below {{'top.Conv2D' op expected 'height' to be at least 0, got -2}}
    %y = top.Conv2D %in, %w {group = 3 : i64} : (tensor<1x9x7x7xf32>, tensor<9x3x3x3xf32>) -> tensor<1x9x5x5xf32>
    return %y : tensor<1x9x5x5xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %conv = transform.structured.match ops{["top.Conv2D"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles = transform.top.tile %conv {height = -2} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{target op}}
  func.func @wrong_target() {
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected layer ops (top.Conv2D or top.MatMul) as target, got 'func.func'}}
    %tiles = transform.top.tile %f {height = 2} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    // expected-error @below {{'transform.top.tile' op expected 'form' to be "loop" or "unroll", got "spiral"}}
    %tiles = transform.top.tile %m {form = "spiral"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
