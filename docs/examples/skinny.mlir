func.func @skinny(%a: tensor<64x7168xf16>, %b: tensor<7168x2112xf16>) -> tensor<64x2112xf16> {
  %c = top.MatMul %a, %b : (tensor<64x7168xf16>, tensor<7168x2112xf16>) -> tensor<64x2112xf16>
  return %c : tensor<64x2112xf16>
}
