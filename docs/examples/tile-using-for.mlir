// Upstream's driver on a convolution with pads.
module attributes {transform.with_named_sequence} {
  func.func @rows(%in: tensor<1x8x56x56xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8x56x56xf32> {
    %r = top.Conv2D %in, %w {pads = array<i64: 1, 1, 1, 1>}
     : (tensor<1x8x56x56xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x56x56xf32>
    return %r : tensor<1x8x56x56xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %c = transform.structured.match ops{["top.Conv2D"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %inner, %loop = transform.structured.tile_using_for %c tile_sizes [0, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
