// Parts of K that a second kernel adds, in a loop as well.
// RUN: top-mutate %s --quiet

func.func @threads_parts(%a: tensor<20x296xf32>, %b: tensor<20x296xf32>) -> tensor<20x20xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = simt, block = [16, 16, 8], warp = [16, 16], thread = [2, 4], stages = 2, split_k = 18, order = grouped(2)>}
     : (tensor<20x296xf32>, tensor<20x296xf32>) -> tensor<20x20xf32>
  return %c : tensor<20x20xf32>
}
