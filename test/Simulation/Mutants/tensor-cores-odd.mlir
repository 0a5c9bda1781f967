// No row is aligned: copies element by element, and stores one at a time.
// RUN: top-mutate %s --quiet

// SURVIVES: wait-removed.0: nothing is under way: no copy is asynchronous
// SURVIVES: wait-removed.1: nothing is under way: no copy is asynchronous
// SURVIVES: wait-too-few.0: nothing is under way: no copy is asynchronous
// SURVIVES: wait-too-few.1: nothing is under way: no copy is asynchronous
// SURVIVES: wait-behind-barrier.0: nothing is under way: no copy is asynchronous
// SURVIVES: wait-behind-barrier.1: nothing is under way: no copy is asynchronous
// SURVIVES: commit-removed.0: nothing is under way: no copy is asynchronous
// SURVIVES: commit-removed.1: nothing is under way: no copy is asynchronous
// SURVIVES: branch-always.5: the copies behind the last step are of zeros, and nothing reads that slot
// SURVIVES: branch-always.7: the copies behind the last step are of zeros, and nothing reads that slot
// SURVIVES: branch-always.10: the copies behind the last step are of zeros, and nothing reads that slot
// SURVIVES: compare-off-by-one.8: the copies behind the last step are of zeros, and nothing reads that slot

func.func @tensor_cores_odd(%a: tensor<37x77xf16>, %b: tensor<41x77xf16>) -> tensor<37x41xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 16], warp = [16, 8], stages = 2>}
     : (tensor<37x77xf16>, tensor<41x77xf16>) -> tensor<37x41xf32>
  return %c : tensor<37x41xf32>
}
