// Copies of 16 bytes into a ring of 3 slots, 7 steps along K, fragments
// ahead of their products, sums through shared memory; tails along M and N.
// Rows of both operands are along K, so that what is read beyond M or N is
// beyond the buffer.
// RUN: top-mutate %s --quiet

func.func @tensor_cores(%a: tensor<40x112xf16>, %b: tensor<40x112xf16>, %bias: tensor<40xf16>) -> tensor<40x40xf16> {
  %c = top.MatMul %a, %b, %bias {transpose_b = true, epilogue = [#top.step<relu>], top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 16], warp = [16, 16], stages = 3>}
     : (tensor<40x112xf16>, tensor<40x112xf16>, tensor<40xf16>) -> tensor<40x40xf16>
  return %c : tensor<40x40xf16>
}
