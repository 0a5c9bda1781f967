// The plugin in the stock mlir-opt. Passes of a plugin are known only once it is
// loaded, after mlir-opt has set up its flags: they are named in
// --pass-pipeline, with all levels written out, not as flags of their own.
// UNSUPPORTED: sanitizers

// DEFINE: %{plugin} = %top_libs/TopPlugin%shlibext
// DEFINE: %{load} = --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin}

// RUN: mlir-opt %s --load-dialect-plugin=%{plugin} | FileCheck %s --check-prefix=PARSE
// RUN: mlir-opt %s %{load} --pass-pipeline="builtin.module(func.func(top-tile{batch=1 form=unroll}))" | FileCheck %s --check-prefix=TILE
// RUN: mlir-opt %s %{load} --pass-pipeline="builtin.module(top-tiling-pipeline{batch=1 form=unroll},convert-top-to-linalg)" | FileCheck %s --check-prefix=LINALG
// RUN: mlir-opt %s %{load} --transform-interpreter | FileCheck %s --check-prefix=TRANSFORM
// RUN: not mlir-opt %s %{load} --pass-pipeline="builtin.module(func.func(top-tile{form=spiral}))" 2>&1 | FileCheck %s --check-prefix=OPTION

// PARSE: top.Conv2D %{{.*}}, %{{.*}} {pads = array<i64: 1, 1, 1, 1>}
// TILE-COUNT-2: top.Conv2D {{.*}} -> tensor<1x8x16x16xf32>
// LINALG-COUNT-2: linalg.conv_2d_nchw_fchw
// LINALG-NOT: = top.Conv2D
// TRANSFORM-COUNT-2: top.Conv2D {{.*}} -> tensor<2x8x8x16xf32>
// OPTION: Cannot find option named 'spiral'

module attributes {transform.with_named_sequence} {
  func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> {
    %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>}
       : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32>
    return %y : tensor<2x8x16x16xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["top.Conv2D"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles = transform.top.tile %conv {height = 8, form = "unroll"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
