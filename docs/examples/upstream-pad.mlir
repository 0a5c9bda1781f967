// Padding as upstream has it: a tensor.pad in front of the convolution, fused into
// the loop over its tiles.
module attributes {transform.with_named_sequence} {
  func.func @rows(%in: tensor<1x8x32x32xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8x32x32xf32> {
    %z = arith.constant 0.0 : f32
    %p = tensor.pad %in low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %z : f32
    } : tensor<1x8x32x32xf32> to tensor<1x8x34x34xf32>
    %e = tensor.empty() : tensor<1x8x32x32xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x32x32xf32>) -> tensor<1x8x32x32xf32>
    %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x8x34x34xf32>, tensor<8x8x3x3xf32>) outs(%f : tensor<1x8x32x32xf32>) -> tensor<1x8x32x32xf32>
    return %r : tensor<1x8x32x32xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %c = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %c tile_sizes [0, 0, 8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
