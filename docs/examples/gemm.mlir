// A product for a GPU: C[M,N] = relu(A[M,K] * B[K,N] + bias[N]).
func.func @gemm(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>, %bias: tensor<4096xf32>) -> tensor<4096x4096xf32> {
  %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>]}
     : (tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}
