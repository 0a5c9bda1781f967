// A batch of f64 products with both operands transposed, on tiles of
// threads.
// RUN: top-mutate %s --quiet

func.func @threads_batch(%a: tensor<2x20x32xf64>, %b: tensor<2x18x20xf64>) -> tensor<2x32x18xf64> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true, top.schedule = #top.schedule<engine = simt, block = [16, 16, 8], warp = [8, 16], thread = [2, 2], stages = 2, order = column>}
     : (tensor<2x20x32xf64>, tensor<2x18x20xf64>) -> tensor<2x32x18xf64>
  return %c : tensor<2x32x18xf64>
}
