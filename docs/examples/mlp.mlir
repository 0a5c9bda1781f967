// The MLP of a transformer block as torch-mlir prints it, smaller: each weight is
// transposed and repeated along the batch, gelu is the erf form, and the input
// is added at the end.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
module attributes {torch.debug_module_name = "MLP"} {
  func.func @mlp(%arg0: tensor<2x7x12xf32>, %arg1: tensor<20x12xf32>, %arg2: tensor<20xf32>, %arg3: tensor<12x20xf32>, %arg4: tensor<12xf32>) -> tensor<2x7x12xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<12x20xf32>
    %t20 = linalg.transpose ins(%arg1 : tensor<20x12xf32>) outs(%0 : tensor<12x20xf32>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<2x12x20xf32>
    %w20 = linalg.broadcast ins(%t20 : tensor<12x20xf32>) outs(%1 : tensor<2x12x20xf32>) dimensions = [0]
    %2 = tensor.empty() : tensor<2x7x20xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x7x20xf32>) -> tensor<2x7x20xf32>
    %4 = linalg.batch_matmul ins(%arg0, %w20 : tensor<2x7x12xf32>, tensor<2x12x20xf32>) outs(%3 : tensor<2x7x20xf32>) -> tensor<2x7x20xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %arg2 : tensor<2x7x20xf32>, tensor<20xf32>) outs(%2 : tensor<2x7x20xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %a = arith.addf %in, %bias : f32
      linalg.yield %a : f32
    } -> tensor<2x7x20xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x7x20xf32>) outs(%2 : tensor<2x7x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.divf %in, %cst_2 : f32
      %b = math.erf %a : f32
      %c = arith.addf %b, %cst_1 : f32
      %d = arith.mulf %c, %cst_0 : f32
      %e = arith.mulf %in, %d : f32
      linalg.yield %e : f32
    } -> tensor<2x7x20xf32>
    %7 = tensor.empty() : tensor<20x12xf32>
    %t12 = linalg.transpose ins(%arg3 : tensor<12x20xf32>) outs(%7 : tensor<20x12xf32>) permutation = [1, 0]
    %8 = tensor.empty() : tensor<2x20x12xf32>
    %w12 = linalg.broadcast ins(%t12 : tensor<20x12xf32>) outs(%8 : tensor<2x20x12xf32>) dimensions = [0]
    %9 = tensor.empty() : tensor<2x7x12xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x7x12xf32>) -> tensor<2x7x12xf32>
    %11 = linalg.batch_matmul ins(%6, %w12 : tensor<2x7x20xf32>, tensor<2x20x12xf32>) outs(%10 : tensor<2x7x12xf32>) -> tensor<2x7x12xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %arg4 : tensor<2x7x12xf32>, tensor<12xf32>) outs(%9 : tensor<2x7x12xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %a = arith.addf %in, %bias : f32
      linalg.yield %a : f32
    } -> tensor<2x7x12xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg0 : tensor<2x7x12xf32>, tensor<2x7x12xf32>) outs(%9 : tensor<2x7x12xf32>) {
    ^bb0(%in: f32, %res: f32, %out: f32):
      %a = arith.addf %in, %res : f32
      linalg.yield %a : f32
    } -> tensor<2x7x12xf32>
    return %13 : tensor<2x7x12xf32>
  }
}
