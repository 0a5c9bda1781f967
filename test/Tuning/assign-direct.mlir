// The rule of engine 'direct' for convolutions with few channels a group: what it
// chooses, and why.

// RUN: top-opt %s --top-assign-schedule="chip=sm_90a card=h200" --remark-format=emitRemark --remarks-filter=top-assign-schedule -o /dev/null 2>&1 | FileCheck %s

// A row of 56 pixels is 7 runs of 8; blocks are small, so that several share an SM.
// CHECK: Function=depthwise | Remark="#top.schedule<engine = direct, {{.*}} box = [1, {{.*}}, 56]> ({{.*}}straight from NCHW; fastest of {{.*}} by the model, {{.*}} us, bound by
func.func @depthwise(%x: tensor<64x144x56x56xf16>, %w: tensor<144x1x3x3xf16>) -> tensor<64x144x56x56xf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 144 : i64} : (tensor<64x144x56x56xf16>, tensor<144x1x3x3xf16>) -> tensor<64x144x56x56xf16>
  return %y : tensor<64x144x56x56xf16>
}

// All four channels of a group are one step.
// CHECK: Function=groups | Remark="#top.schedule<engine = direct, block = [{{[0-9]+, [0-9]+}}, 4]
func.func @groups(%x: tensor<32x128x56x56xf16>, %w: tensor<128x4x3x3xf16>) -> tensor<32x128x56x56xf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 32 : i64} : (tensor<32x128x56x56xf16>, tensor<128x4x3x3xf16>) -> tensor<32x128x56x56xf16>
  return %y : tensor<32x128x56x56xf16>
}

// Eight channels are enough for a product.
// CHECK: Function=products | Remark="#top.schedule<engine = mma_sync
func.func @products(%x: tensor<32x128x56x56xf16>, %w: tensor<128x8x3x3xf16>) -> tensor<32x128x56x56xf16> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 16 : i64} : (tensor<32x128x56x56xf16>, tensor<128x8x3x3xf16>) -> tensor<32x128x56x56xf16>
  return %y : tensor<32x128x56x56xf16>
}
