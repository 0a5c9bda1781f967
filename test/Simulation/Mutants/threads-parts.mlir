// Parts of K that a second kernel adds, in a loop; in its blocks at the edge
// one element at a time.
// RUN: top-mutate %s --quiet

// SURVIVES: branch-always.9: the branch around it asks the same
// SURVIVES: condition-dropped.8: rows of the parts are padded, and what is written there is not read
// SURVIVES: condition-dropped.16: rows of the parts are padded, and what is written there is not read
// SURVIVES: compare-off-by-one.6: rows of the parts are padded, and what is written there is not read
// SURVIVES: clamp-removed.3: a thread at the edge does not store its last element
// SURVIVES: bound-removed.5: no position is below a negative extent either
// SURVIVES: sum-dropped.55: a thread at the edge does not store its last element
// SURVIVES: sum-dropped.59: a thread at the edge does not store its last element
// SURVIVES: sum-dropped.63: a thread at the edge does not store its last element
// SURVIVES: sum-dropped.67: a thread at the edge does not store its last element
// SURVIVES: sum-dropped.71: a thread at the edge does not store its last element

func.func @threads_parts(%a: tensor<20x296xf32>, %b: tensor<19x296xf32>, %bias: tensor<19xf32>) -> tensor<20x19xf32> {
  %c = top.MatMul %a, %b, %bias {transpose_b = true, top.schedule = #top.schedule<engine = simt, block = [16, 16, 8], warp = [16, 16], thread = [2, 4], stages = 2, split_k = 18, order = grouped(2)>}
     : (tensor<20x296xf32>, tensor<19x296xf32>, tensor<19xf32>) -> tensor<20x19xf32>
  return %c : tensor<20x19xf32>
}
