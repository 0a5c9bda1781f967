func.func @at_least_two(%a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %a, %zero : tensor<?xf32>
  %enough = arith.cmpi sge, %n, %two : index
  cf.assert %enough, "expected at least 2 elements"
  return %a : tensor<?xf32>
}
