// A depthwise-separable block of a MobileNet in TOSA, as the TFLite converter
// prints it: channels-last throughout, bias in the convolution, relu6 as a
// clamp, and pads of which one side is larger, since TOSA wants the last window
// to end with the input.
module attributes {tfl.description = "MLIR Converted."} {
  func.func @separable(%arg0: tensor<1x10x13x6xf32>, %arg1: tensor<3x3x6x1xf32>, %arg2: tensor<6xf32>, %arg3: tensor<10x1x1x6xf32>, %arg4: tensor<10xf32>) -> tensor<1x5x6x10xf32> {
    %zp = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %0 = tosa.depthwise_conv2d %arg0, %arg1, %arg2, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x10x13x6xf32>, tensor<3x3x6x1xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x6x6xf32>
    %1 = tosa.clamp %0 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xf32>
    %2 = tosa.conv2d %1, %arg3, %arg4, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x6x6xf32>, tensor<10x1x1x6xf32>, tensor<10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x6x10xf32>
    %3 = tosa.clamp %2 {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x5x6x10xf32>) -> tensor<1x5x6x10xf32>
    return %3 : tensor<1x5x6x10xf32>
  }
}
