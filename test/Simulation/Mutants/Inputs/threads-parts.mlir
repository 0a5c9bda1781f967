// Parts of K that a second kernel adds, in a loop; in its blocks at the edge
// one element at a time.
// RUN: top-mutate %s --quiet

func.func @threads_parts(%a: tensor<20x296xf32>, %b: tensor<19x296xf32>) -> tensor<20x19xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = simt, block = [16, 16, 8], warp = [16, 16], thread = [2, 4], stages = 2, split_k = 18, order = grouped(2)>}
     : (tensor<20x296xf32>, tensor<19x296xf32>) -> tensor<20x19xf32>
  return %c : tensor<20x19xf32>
}
