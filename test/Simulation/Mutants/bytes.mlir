// Products of i8, and parts of K that a second kernel adds.
// RUN: top-mutate %s --quiet

// SURVIVES: branch-always.5: the branch around it asks the same
// SURVIVES: compare-off-by-one.4: rows of the parts are padded, and what is written there is not read
// SURVIVES: clamp-removed.3: a thread at the edge does not store its last element
// SURVIVES: sum-dropped.10: a thread at the edge does not store its last two elements
// SURVIVES: sum-dropped.11: a thread at the edge does not store its last two elements
// SURVIVES: sum-dropped.14: a thread at the edge does not store its last two elements
// SURVIVES: sum-dropped.15: a thread at the edge does not store its last two elements

func.func @bytes(%a: tensor<40x384xi8>, %b: tensor<46x384xi8>, %bias: tensor<46xi32>) -> tensor<40x46xi32> {
  %c = top.MatMul %a, %b, %bias {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 64], warp = [16, 16], stages = 2, split_k = 2>}
     : (tensor<40x384xi8>, tensor<46x384xi8>, tensor<46xi32>) -> tensor<40x46xi32>
  return %c : tensor<40x46xi32>
}
