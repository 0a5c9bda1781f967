// TOSA as MLIR 22.1 prints it, through tosa-to-top-pipeline: what it becomes, and
// that it computes what upstream's lowering of the same file computes.

// RUN: top-opt %s --tosa-to-top-pipeline --remark-format=emitRemark --remarks-filter=raise-linalg-to-top -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: top-run %t.mlir --reference=%s --function=odd --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=lopsided --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=dilated --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=depthwise --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=multiplier --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=half --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=brain --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=half_sums | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=product --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=half_product --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=channels_first --fill=normal | FileCheck %s --check-prefix=RIGHT
// RUN: top-run %t.mlir --reference=%s --function=quantized | FileCheck %s --check-prefix=RIGHT

// RIGHT: PASS {{.*}} with the reference lowered by upstream passes
// REMARK: Function=quantized |{{.*}}raised 0 of 1 convolutions and products;{{.*}}1 x linalg.conv_2d_nhwc_fhwc_q: element type i8 is not supported

// Sizes that divide nothing.
// CHECK-LABEL: @odd
// CHECK: top.Conv2D {{.*}}, %arg2 {epilogue = [#top.step<clamp, min = 0.000000e+00, max = 6.000000e+00>], pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
func.func @odd(%x: tensor<2x9x7x5xf32>, %w: tensor<6x3x3x5xf32>, %b: tensor<6xf32>) -> tensor<2x5x4x6xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<2x9x7x5xf32>, tensor<6x3x3x5xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x5x4x6xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32>
  return %1 : tensor<2x5x4x6xf32>
}

// TOSA counts pads top, bottom, left, right; ours are top, left, bottom, right.
// CHECK-LABEL: @lopsided
// CHECK: pads = array<i64: 0, 2, 1, 0>, strides = array<i64: 2, 3>
func.func @lopsided(%x: tensor<1x8x12x3xf32>, %w: tensor<4x3x5x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 1, 2, 0>, stride = array<i64: 2, 3>, dilation = array<i64: 1, 1>} : (tensor<1x8x12x3xf32>, tensor<4x3x5x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// Dilations of each axis.
// CHECK-LABEL: @dilated
// CHECK: dilations = array<i64: 2, 3>, pads = array<i64: 2, 1, 1, 2>, strides = array<i64: 1, 2>
func.func @dilated(%x: tensor<1x13x11x3xf32>, %w: tensor<4x3x2x3xf32>, %b: tensor<4xf32>) -> tensor<1x12x6x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 2, 1, 1, 2>, stride = array<i64: 1, 2>, dilation = array<i64: 2, 3>} : (tensor<1x13x11x3xf32>, tensor<4x3x2x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x6x4xf32>
  return %0 : tensor<1x12x6x4xf32>
}

// Depthwise, with silu as two ops.
// CHECK-LABEL: @depthwise
// CHECK: top.Conv2D {{.*}}, %arg2 {dilations = array<i64: 2, 2>, epilogue = [#top.step<silu>], group = 4 : i64, pads = array<i64: 1, 1, 1, 1>}
func.func @depthwise(%x: tensor<2x9x7x4xf32>, %w: tensor<3x3x4x1xf32>, %b: tensor<4xf32>) -> tensor<2x7x5x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 2>} : (tensor<2x9x7x4xf32>, tensor<3x3x4x1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x7x5x4xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.sigmoid %0 : (tensor<2x7x5x4xf32>) -> tensor<2x7x5x4xf32>
  %2 = tosa.mul %0, %1, %s : (tensor<2x7x5x4xf32>, tensor<2x7x5x4xf32>, tensor<1xi8>) -> tensor<2x7x5x4xf32>
  return %2 : tensor<2x7x5x4xf32>
}

// Depthwise with two results a channel.
// CHECK-LABEL: @multiplier
// CHECK: top.Conv2D {{.*}}group = 3 : i64
func.func @multiplier(%x: tensor<1x9x7x3xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x5x4x6xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x7x3xf32>, tensor<3x3x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x4x6xf32>
  return %0 : tensor<1x5x4x6xf32>
}

// 16-bit floats that are summed in f32.
// CHECK-LABEL: @half
// CHECK: top.Conv2D {{.*}}<clamp{{.*}} -> tensor<1x6x5x4xf16>
func.func @half(%x: tensor<1x9x7x4xf16>, %w: tensor<6x3x3x4xf16>, %b: tensor<6xf16>) -> tensor<1x5x4x6xf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x7x4xf16>, tensor<6x3x3x4xf16>, tensor<6xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x5x4x6xf16>
  %1 = tosa.clamp %0 {min_val = 0.0 : f16, max_val = 6.0 : f16} : (tensor<1x5x4x6xf16>) -> tensor<1x5x4x6xf16>
  return %1 : tensor<1x5x4x6xf16>
}

// CHECK-LABEL: @brain
// CHECK: top.Conv2D {{.*}}<clamp{{.*}} -> tensor<1x6x5x4xbf16>
func.func @brain(%x: tensor<1x9x7x4xbf16>, %w: tensor<6x3x3x4xbf16>, %b: tensor<6xbf16>) -> tensor<1x5x4x6xbf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x7x4xbf16>, tensor<6x3x3x4xbf16>, tensor<6xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x5x4x6xbf16>
  %1 = tosa.clamp %0 {min_val = 0.0 : bf16, max_val = 6.0 : bf16} : (tensor<1x5x4x6xbf16>) -> tensor<1x5x4x6xbf16>
  return %1 : tensor<1x5x4x6xbf16>
}

// 16-bit sums: ours are f32, rounded once.
// CHECK-LABEL: @half_sums
// CHECK: top.Conv2D {{.*}} -> tensor<1x6x5x4xf16>
func.func @half_sums(%x: tensor<1x9x7x4xf16>, %w: tensor<6x3x3x4xf16>, %b: tensor<6xf16>) -> tensor<1x5x4x6xf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f16, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x7x4xf16>, tensor<6x3x3x4xf16>, tensor<6xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x5x4x6xf16>
  return %0 : tensor<1x5x4x6xf16>
}

// Products, with a bias and a residual behind them.
// CHECK-LABEL: @product
// CHECK: top.MatMul %arg0, %arg1, %{{.*}} epilogue(%arg3) {epilogue = [#top.step<add>]}
func.func @product(%x: tensor<3x7x5xf32>, %w: tensor<3x5x9xf32>, %b: tensor<1x1x9xf32>, %r: tensor<3x7x9xf32>) -> tensor<3x7x9xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %w, %z, %z : (tensor<3x7x5xf32>, tensor<3x5x9xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x7x9xf32>
  %1 = tosa.add %0, %b : (tensor<3x7x9xf32>, tensor<1x1x9xf32>) -> tensor<3x7x9xf32>
  %2 = tosa.add %1, %r : (tensor<3x7x9xf32>, tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  return %2 : tensor<3x7x9xf32>
}

// CHECK-LABEL: @half_product
// CHECK: top.MatMul %arg0, %arg1 : (tensor<3x7x5xf16>, tensor<3x5x9xf16>) -> tensor<3x7x9xf32>
func.func @half_product(%x: tensor<3x7x5xf16>, %w: tensor<3x5x9xf16>) -> tensor<3x7x9xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.matmul %x, %w, %z, %z : (tensor<3x7x5xf16>, tensor<3x5x9xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x7x9xf32>
  return %0 : tensor<3x7x9xf32>
}

// The transposes of an exporter go, also between two convolutions with a residual
// add in the network's own layout behind them.
// CHECK-LABEL: @channels_first
// CHECK: %[[A:.*]] = top.Conv2D %arg0, %arg1, %arg3 {epilogue = [#top.step<clamp, min = 0.000000e+00, max = 6.000000e+00>], pads = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: %[[B:.*]] = top.Conv2D %[[A]], %arg2, %arg3 epilogue(%arg0) {epilogue = [#top.step<add>], pads = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: return %[[B]]
func.func @channels_first(%x: tensor<2x5x9x7xf32>, %v: tensor<5x5x3x3xf32>, %w: tensor<5x5x3x3xf32>, %b: tensor<5xf32>) -> tensor<2x5x9x7xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %xt = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x5x9x7xf32>) -> tensor<2x9x7x5xf32>
  %vt = tosa.transpose %v {perms = array<i32: 0, 2, 3, 1>} : (tensor<5x5x3x3xf32>) -> tensor<5x3x3x5xf32>
  %0 = tosa.conv2d %xt, %vt, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<2x9x7x5xf32>, tensor<5x3x3x5xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x9x7x5xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x9x7x5xf32>) -> tensor<2x5x9x7xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<2x5x9x7xf32>) -> tensor<2x5x9x7xf32>
  %yt = tosa.transpose %2 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x5x9x7xf32>) -> tensor<2x9x7x5xf32>
  %wt = tosa.transpose %w {perms = array<i32: 0, 2, 3, 1>} : (tensor<5x5x3x3xf32>) -> tensor<5x3x3x5xf32>
  %3 = tosa.conv2d %yt, %wt, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<2x9x7x5xf32>, tensor<5x3x3x5xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x9x7x5xf32>
  %4 = tosa.transpose %3 {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x9x7x5xf32>) -> tensor<2x5x9x7xf32>
  %5 = tosa.add %4, %x : (tensor<2x5x9x7xf32>, tensor<2x5x9x7xf32>) -> tensor<2x5x9x7xf32>
  return %5 : tensor<2x5x9x7xf32>
}

// Quantized convolutions stay as upstream lowers them, zero points, rescaling and
// all.
// CHECK-LABEL: @quantized
// CHECK: linalg.conv_2d_nhwc_fhwc_q
// CHECK-NOT: tosa.
func.func @quantized(%x: tensor<1x9x7x4xi8>, %w: tensor<6x3x3x4xi8>, %b: tensor<6xi32>) -> tensor<1x5x4x6xi8> {
  %xz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x7x4xi8>, tensor<6x3x3x4xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x4x6xi32>
  %multiplier = "tosa.const"() <{values = dense<1431655765> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<34> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %multiplier, %shift, %iz, %oz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x4x6xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x4x6xi8>
  return %1 : tensor<1x5x4x6xi8>
}
