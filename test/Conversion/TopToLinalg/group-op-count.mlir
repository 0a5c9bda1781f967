// The number of ops does not depend on the number of groups.

// RUN: sed -e 's/GROUP/4/g; s/DEPTH/32/g' %s | top-opt --pass-pipeline='builtin.module(convert-top-to-linalg,print-op-stats)' -o /dev/null 2> %t.4
// RUN: sed -e 's/GROUP/64/g; s/DEPTH/2/g' %s | top-opt --pass-pipeline='builtin.module(convert-top-to-linalg,print-op-stats)' -o /dev/null 2> %t.64
// RUN: diff %t.4 %t.64
// RUN: FileCheck %s < %t.64

// CHECK: linalg.conv_2d_ngchw_gfchw , 1
// CHECK: linalg.generic , 1
// CHECK: tensor.collapse_shape , 1
// CHECK: tensor.expand_shape , 2
// CHECK: tensor.pad , 1
func.func @groups(%x: tensor<1x128x8x8xf16>, %w: tensor<128xDEPTHx3x3xf16>, %b: tensor<128xf16>) -> tensor<1x128x8x8xf16> {
  %y = top.Conv2D %x, %w, %b {group = GROUP, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x128x8x8xf16>, tensor<128xDEPTHx3x3xf16>, tensor<128xf16>) -> tensor<1x128x8x8xf16>
  return %y : tensor<1x128x8x8xf16>
}
