// Rounded to tf32; A has its rows along M, so that its fragments are read
// element by element.
// RUN: top-mutate %s --quiet

// SURVIVES: remainder-dropped.2: of threads that copy at all, the rows are below 8

func.func @tf32(%a: tensor<40x64xf32>, %b: tensor<36x40xf32>) -> tensor<64x36xf32> {
  %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true, allow_tf32, top.schedule = #top.schedule<engine = mma_sync, block = [32, 32, 8], warp = [16, 16], stages = 3>}
     : (tensor<40x64xf32>, tensor<36x40xf32>) -> tensor<64x36xf32>
  return %c : tensor<64x36xf32>
}
