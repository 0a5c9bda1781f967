// A schedule in IR: top's own tiling, then upstream's, on the same op.
module attributes {transform.with_named_sequence} {
  func.func @product(%a: tensor<64x24xf32>, %b: tensor<24x32xf32>) -> tensor<64x32xf32> {
    %c = top.MatMul %a, %b : (tensor<64x24xf32>, tensor<24x32xf32>) -> tensor<64x32xf32>
    return %c : tensor<64x32xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %product = transform.structured.match ops{["top.MatMul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %tiles = transform.top.tile %product {m = 16}
      : (!transform.any_op) -> !transform.any_op
    %inner, %loop = transform.structured.tile_using_forall %tiles tile_sizes [8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
