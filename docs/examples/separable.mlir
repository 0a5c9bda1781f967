// A depthwise-separable block of a MobileNetV2 as torch-mlir prints it, smaller:
// a depthwise convolution with stride 2, BatchNorm, relu6 in two ops, and a 1x1
// convolution with BatchNorm.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1)>
module attributes {torch.debug_module_name = "Separable"} {
  func.func @separable(%arg0: tensor<2x6x13x11xf32>, %arg1: tensor<6x1x3x3xf32>, %arg2: tensor<10x6x1x1xf32>) -> tensor<2x10x7x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 6.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant dense<[1.1250, 1.1875, 0.7500, 1.2500, 1.2500, 1.3750]> : tensor<6xf32>
    %cst_3 = arith.constant dense<[0.5000, -0.6250, 1.0000, 0.0625, 0.6875, -0.0625]> : tensor<6xf32>
    %cst_4 = arith.constant dense<[0.1875, 0.6875, 0.0000, 0.1875, 0.3125, -1.0000]> : tensor<6xf32>
    %cst_5 = arith.constant dense<[1.3125, 1.6250, 1.1250, 0.5000, 1.2500, 1.6875]> : tensor<6xf32>
    %cst_6 = arith.constant dense<[0.7500, 0.5625, 1.1250, 1.3750, 1.1875, 1.1875, 1.0000, 1.4375, 0.5000, 0.5625]> : tensor<10xf32>
    %cst_7 = arith.constant dense<[-0.9375, 0.4375, 0.0000, 0.8125, 0.1875, 0.2500, -0.3125, 0.4375, -0.3125, 0.2500]> : tensor<10xf32>
    %cst_8 = arith.constant dense<[0.4375, 0.0000, 0.1875, 0.5000, -0.6250, -0.9375, -0.5000, 0.1875, 1.0000, -0.1250]> : tensor<10xf32>
    %cst_9 = arith.constant dense<[1.7500, 1.0000, 0.9375, 1.1250, 0.8125, 1.8125, 1.3125, 1.7500, 1.8750, 0.6875]> : tensor<10xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %cst : f32
    } : tensor<2x6x13x11xf32> to tensor<2x6x15x13xf32>
    %collapsed = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<6x1x3x3xf32> into tensor<6x3x3xf32>
    %0 = tensor.empty() : tensor<2x6x7x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x7x6xf32>) -> tensor<2x6x7x6xf32>
    %2 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %collapsed : tensor<2x6x15x13xf32>, tensor<6x3x3xf32>) outs(%1 : tensor<2x6x7x6xf32>) -> tensor<2x6x7x6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %cst_2, %cst_3, %cst_4, %cst_5 : tensor<2x6x7x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%2 : tensor<2x6x7x6xf32>) {
    ^bb0(%in: f32, %gamma: f32, %beta: f32, %mean: f32, %var: f32, %out: f32):
      %a = arith.truncf %cst_1 : f64 to f32
      %b = arith.addf %var, %a : f32
      %c = math.rsqrt %b : f32
      %d = arith.subf %in, %mean : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.mulf %e, %gamma : f32
      %g = arith.addf %f, %beta : f32
      linalg.yield %g : f32
    } -> tensor<2x6x7x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x6x7x6xf32>) outs(%0 : tensor<2x6x7x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.cmpf ugt, %in, %cst : f32
      %b = arith.select %a, %in, %cst : f32
      linalg.yield %b : f32
    } -> tensor<2x6x7x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x6x7x6xf32>) outs(%0 : tensor<2x6x7x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.cmpf ult, %in, %cst_0 : f32
      %b = arith.select %a, %in, %cst_0 : f32
      linalg.yield %b : f32
    } -> tensor<2x6x7x6xf32>
    %6 = tensor.empty() : tensor<2x10x7x6xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x10x7x6xf32>) -> tensor<2x10x7x6xf32>
    %8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%5, %arg2 : tensor<2x6x7x6xf32>, tensor<10x6x1x1xf32>) outs(%7 : tensor<2x10x7x6xf32>) -> tensor<2x10x7x6xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %cst_6, %cst_7, %cst_8, %cst_9 : tensor<2x10x7x6xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) outs(%8 : tensor<2x10x7x6xf32>) {
    ^bb0(%in: f32, %gamma: f32, %beta: f32, %mean: f32, %var: f32, %out: f32):
      %a = arith.truncf %cst_1 : f64 to f32
      %b = arith.addf %var, %a : f32
      %c = math.rsqrt %b : f32
      %d = arith.subf %in, %mean : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.mulf %e, %gamma : f32
      %g = arith.addf %f, %beta : f32
      linalg.yield %g : f32
    } -> tensor<2x10x7x6xf32>
    return %9 : tensor<2x10x7x6xf32>
  }
}
