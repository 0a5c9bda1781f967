// A residual bottleneck block of a ResNet as torch-mlir prints it, smaller:
// convolutions without bias, BatchNorm in one op with the epsilon in f64, relu
// by comparison, and the literal 0 that stands for a batch of 1 in maps.
#map = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module attributes {torch.debug_module_name = "Bottleneck"} {
  func.func @bottleneck(%arg0: tensor<1x16x12x14xf32>, %arg1: tensor<4x16x1x1xf32>, %arg2: tensor<4x4x3x3xf32>, %arg3: tensor<16x4x1x1xf32>) -> tensor<1x16x12x14xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant dense<[0.9375, 0.7500, 1.1875, 1.4375]> : tensor<4xf32>
    %cst_2 = arith.constant dense<[-0.7500, -1.0000, 0.8750, 0.0000]> : tensor<4xf32>
    %cst_3 = arith.constant dense<[-0.1250, -0.2500, 0.8750, 0.8750]> : tensor<4xf32>
    %cst_4 = arith.constant dense<[1.2500, 1.7500, 0.7500, 0.9375]> : tensor<4xf32>
    %cst_5 = arith.constant dense<[0.7500, 1.5000, 1.2500, 0.5000]> : tensor<4xf32>
    %cst_6 = arith.constant dense<[-0.7500, -0.3750, -0.8750, 0.1875]> : tensor<4xf32>
    %cst_7 = arith.constant dense<[-0.9375, 0.0625, 0.8750, 0.5000]> : tensor<4xf32>
    %cst_8 = arith.constant dense<[1.8750, 1.3125, 1.2500, 1.9375]> : tensor<4xf32>
    %cst_9 = arith.constant dense<[1.3750, 0.7500, 1.1875, 0.6875, 0.5625, 0.7500, 1.4375, 0.8750, 1.0000, 1.3125, 1.0625, 1.3125, 1.5000, 1.2500, 1.1875, 1.3125]> : tensor<16xf32>
    %cst_10 = arith.constant dense<[-0.1250, 0.3125, -0.9375, 0.0625, -0.3750, 0.2500, -0.6250, -0.1875, 0.0625, 0.1250, -0.5625, -0.7500, 0.8750, 0.8750, -0.6875, 0.3750]> : tensor<16xf32>
    %cst_11 = arith.constant dense<[-0.7500, 0.6250, -0.4375, -0.9375, 0.1250, 0.6875, 0.6250, -0.5625, -0.8750, -0.8750, 0.5000, 0.3125, 0.0625, 1.0000, -0.0625, -0.8750]> : tensor<16xf32>
    %cst_12 = arith.constant dense<[1.0625, 0.5000, 0.6250, 0.6875, 1.6875, 1.5625, 0.5625, 0.8750, 1.3125, 1.0625, 1.6875, 1.0000, 0.7500, 1.8750, 0.5625, 1.1250]> : tensor<16xf32>
    %0 = tensor.empty() : tensor<1x4x12x14xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x12x14xf32>) -> tensor<1x4x12x14xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x16x12x14xf32>, tensor<4x16x1x1xf32>) outs(%1 : tensor<1x4x12x14xf32>) -> tensor<1x4x12x14xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %cst_1, %cst_2, %cst_3, %cst_4 : tensor<1x4x12x14xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<1x4x12x14xf32>) {
    ^bb0(%in: f32, %gamma: f32, %beta: f32, %mean: f32, %var: f32, %out: f32):
      %a = arith.truncf %cst_0 : f64 to f32
      %b = arith.addf %var, %a : f32
      %c = math.rsqrt %b : f32
      %d = arith.subf %in, %mean : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.mulf %e, %gamma : f32
      %g = arith.addf %f, %beta : f32
      linalg.yield %g : f32
    } -> tensor<1x4x12x14xf32>
    %4 = tensor.empty() : tensor<1x4x12x14xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x4x12x14xf32>) outs(%4 : tensor<1x4x12x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.cmpf ugt, %in, %cst : f32
      %b = arith.select %a, %in, %cst : f32
      linalg.yield %b : f32
    } -> tensor<1x4x12x14xf32>
    %padded = tensor.pad %5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %cst : f32
    } : tensor<1x4x12x14xf32> to tensor<1x4x14x16xf32>
    %6 = tensor.empty() : tensor<1x4x12x14xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<1x4x12x14xf32>) -> tensor<1x4x12x14xf32>
    %8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg2 : tensor<1x4x14x16xf32>, tensor<4x4x3x3xf32>) outs(%7 : tensor<1x4x12x14xf32>) -> tensor<1x4x12x14xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %cst_5, %cst_6, %cst_7, %cst_8 : tensor<1x4x12x14xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<1x4x12x14xf32>) {
    ^bb0(%in: f32, %gamma: f32, %beta: f32, %mean: f32, %var: f32, %out: f32):
      %a = arith.truncf %cst_0 : f64 to f32
      %b = arith.addf %var, %a : f32
      %c = math.rsqrt %b : f32
      %d = arith.subf %in, %mean : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.mulf %e, %gamma : f32
      %g = arith.addf %f, %beta : f32
      linalg.yield %g : f32
    } -> tensor<1x4x12x14xf32>
    %10 = tensor.empty() : tensor<1x4x12x14xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x4x12x14xf32>) outs(%10 : tensor<1x4x12x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.cmpf ugt, %in, %cst : f32
      %b = arith.select %a, %in, %cst : f32
      linalg.yield %b : f32
    } -> tensor<1x4x12x14xf32>
    %12 = tensor.empty() : tensor<1x16x12x14xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<1x16x12x14xf32>) -> tensor<1x16x12x14xf32>
    %14 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%11, %arg3 : tensor<1x4x12x14xf32>, tensor<16x4x1x1xf32>) outs(%13 : tensor<1x16x12x14xf32>) -> tensor<1x16x12x14xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %cst_9, %cst_10, %cst_11, %cst_12 : tensor<1x16x12x14xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%14 : tensor<1x16x12x14xf32>) {
    ^bb0(%in: f32, %gamma: f32, %beta: f32, %mean: f32, %var: f32, %out: f32):
      %a = arith.truncf %cst_0 : f64 to f32
      %b = arith.addf %var, %a : f32
      %c = math.rsqrt %b : f32
      %d = arith.subf %in, %mean : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.mulf %e, %gamma : f32
      %g = arith.addf %f, %beta : f32
      linalg.yield %g : f32
    } -> tensor<1x16x12x14xf32>
    %16 = tensor.empty() : tensor<1x16x12x14xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %arg0 : tensor<1x16x12x14xf32>, tensor<1x16x12x14xf32>) outs(%16 : tensor<1x16x12x14xf32>) {
    ^bb0(%in: f32, %res: f32, %out: f32):
      %a = arith.addf %in, %res : f32
      linalg.yield %a : f32
    } -> tensor<1x16x12x14xf32>
    %18 = tensor.empty() : tensor<1x16x12x14xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x16x12x14xf32>) outs(%18 : tensor<1x16x12x14xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.cmpf ugt, %in, %cst : f32
      %b = arith.select %a, %in, %cst : f32
      linalg.yield %b : f32
    } -> tensor<1x16x12x14xf32>
    return %19 : tensor<1x16x12x14xf32>
  }
}
