// A residual block of a ResNet in TOSA, as torch-mlir prints it: the network is
// channels-first and tosa.conv2d channels-last, so that transposes stand round
// each convolution and before each filter. BatchNorm is four ops, relu a clamp.
module attributes {torch.debug_module_name = "BasicBlock"} {
  func.func @residual(%arg0: tensor<1x8x9x7xf32>, %arg1: tensor<8x8x3x3xf32>, %arg2: tensor<8x8x3x3xf32>) -> tensor<1x8x9x7xf32> {
    %zp = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %nobias = "tosa.const"() <{values = dense<0.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %x1 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x8x9x7xf32>) -> tensor<1x9x7x8xf32>
    %w1 = tosa.transpose %arg1 {perms = array<i32: 0, 2, 3, 1>} : (tensor<8x8x3x3xf32>) -> tensor<8x3x3x8xf32>
    %c1 = tosa.conv2d %x1, %w1, %nobias, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x7x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x7x8xf32>
    %y1 = tosa.transpose %c1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x9x7x8xf32>) -> tensor<1x8x9x7xf32>
    %mean1 = "tosa.const"() <{values = dense<[[[[-0.6250]], [[0.2500]], [[0.3125]], [[-0.1250]], [[0.7500]], [[-0.3750]], [[-0.6875]], [[0.3125]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %rstd1 = "tosa.const"() <{values = dense<[[[[0.8750]], [[1.3750]], [[1.0000]], [[0.9375]], [[0.6875]], [[0.5625]], [[1.5000]], [[0.8750]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %gamma1 = "tosa.const"() <{values = dense<[[[[1.1250]], [[0.8125]], [[1.0000]], [[1.1250]], [[0.6250]], [[1.1875]], [[0.7500]], [[1.3125]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %beta1 = "tosa.const"() <{values = dense<[[[[0.1250]], [[0.0625]], [[0.8125]], [[0.3750]], [[0.6250]], [[0.1250]], [[0.6250]], [[0.6250]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %s1 = tosa.sub %y1, %mean1 : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x9x7xf32>
    %m1 = tosa.mul %s1, %rstd1, %shift : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x9x7xf32>
    %g1 = tosa.mul %m1, %gamma1, %shift : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x9x7xf32>
    %b1 = tosa.add %g1, %beta1 : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x9x7xf32>
    %r1 = tosa.clamp %b1 {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x8x9x7xf32>) -> tensor<1x8x9x7xf32>
    %x2 = tosa.transpose %r1 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x8x9x7xf32>) -> tensor<1x9x7x8xf32>
    %w2 = tosa.transpose %arg2 {perms = array<i32: 0, 2, 3, 1>} : (tensor<8x8x3x3xf32>) -> tensor<8x3x3x8xf32>
    %c2 = tosa.conv2d %x2, %w2, %nobias, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x7x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x7x8xf32>
    %y2 = tosa.transpose %c2 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x9x7x8xf32>) -> tensor<1x8x9x7xf32>
    %mean2 = "tosa.const"() <{values = dense<[[[[-0.8750]], [[0.6250]], [[-0.4375]], [[-0.2500]], [[-1.0000]], [[0.8750]], [[1.0000]], [[0.6875]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %rstd2 = "tosa.const"() <{values = dense<[[[[0.9375]], [[0.5625]], [[1.3750]], [[1.5000]], [[1.0625]], [[1.1250]], [[0.9375]], [[0.6250]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %gamma2 = "tosa.const"() <{values = dense<[[[[1.0625]], [[0.6875]], [[0.9375]], [[0.5625]], [[0.5625]], [[1.5000]], [[0.8750]], [[1.3125]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %beta2 = "tosa.const"() <{values = dense<[[[[-0.8125]], [[-1.0000]], [[0.8750]], [[-0.5625]], [[-0.3750]], [[1.0000]], [[0.1875]], [[-0.0625]]]]> : tensor<1x8x1x1xf32>}> : () -> tensor<1x8x1x1xf32>
    %s2 = tosa.sub %y2, %mean2 : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x9x7xf32>
    %m2 = tosa.mul %s2, %rstd2, %shift : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x9x7xf32>
    %g2 = tosa.mul %m2, %gamma2, %shift : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>, tensor<1xi8>) -> tensor<1x8x9x7xf32>
    %b2 = tosa.add %g2, %beta2 : (tensor<1x8x9x7xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x9x7xf32>
    %sum = tosa.add %b2, %arg0 : (tensor<1x8x9x7xf32>, tensor<1x8x9x7xf32>) -> tensor<1x8x9x7xf32>
    %r2 = tosa.clamp %sum {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x8x9x7xf32>) -> tensor<1x8x9x7xf32>
    return %r2 : tensor<1x8x9x7xf32>
  }
}
