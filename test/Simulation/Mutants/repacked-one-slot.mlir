// Rows of 41 elements in rows of 48, copied at once: element by element
// where a row ends within a piece.
// RUN: top-mutate %s --kernel='^repacked_one_slot(_kernel_1)?$' --quiet

// SURVIVES: barrier-removed.2: the loop ends in a barrier
// SURVIVES: clamp-removed.19: a larger count has the piece copied element by element
// SURVIVES: clamp-removed.20: no element is below a negative count either
// SURVIVES: loop-one-more.0: the step behind the last adds zeros
// SURVIVES: remainder-dropped.12: only the lowest 5 bits of the number are used

func.func @repacked_one_slot(%a: tensor<40x41xf16>, %b: tensor<24x41xf16>) -> tensor<40x24xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [32, 16, 32], warp = [16, 16], stages = 1, repack = true>}
     : (tensor<40x41xf16>, tensor<24x41xf16>) -> tensor<40x24xf32>
  return %c : tensor<40x24xf32>
}
