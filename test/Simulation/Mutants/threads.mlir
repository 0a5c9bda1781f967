// Products by threads, copies of 4 bytes: a piece of each operand a thread.
// RUN: top-mutate %s --quiet

func.func @threads(%a: tensor<20x35xf32>, %b: tensor<21x35xf32>) -> tensor<20x21xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = simt, block = [16, 16, 8], warp = [4, 8], thread = [1, 1], stages = 3>}
     : (tensor<20x35xf32>, tensor<21x35xf32>) -> tensor<20x21xf32>
  return %c : tensor<20x21xf32>
}
