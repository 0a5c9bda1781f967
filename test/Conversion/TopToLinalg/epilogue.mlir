// RUN: top-opt %s --convert-top-to-linalg --split-input-file | FileCheck %s
// RUN: top-opt %s --convert-top-to-linalg --split-input-file --verify-roundtrip -o /dev/null

// Bias first, then the steps in their order, in f32, and one rounding at the
// end: all in one elementwise op.

// CHECK-LABEL: @order
// CHECK: %[[SUMS:.*]] = linalg.conv_2d_nchw_fchw
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x4x5x5xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<1x4x5x5xf16>) outs(%{{.*}} : tensor<1x4x5x5xf16>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[B:.*]]: f16, %[[SCALE:.*]]: f32, %[[SHIFT:.*]]: f32, %[[RES:.*]]: f16, %{{.*}}: f16):
// CHECK: %[[BX:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK: %[[X0:.*]] = arith.addf %[[S]], %[[BX]] : f32
// CHECK: %[[X1:.*]] = arith.mulf %[[X0]], %[[SCALE]] : f32
// CHECK: %[[X2:.*]] = arith.addf %[[X1]], %[[SHIFT]] : f32
// CHECK: %[[RX:.*]] = arith.extf %[[RES]] : f16 to f32
// CHECK: %[[X3:.*]] = arith.addf %[[X2]], %[[RX]] : f32
// CHECK: %[[X4:.*]] = arith.maximumf %[[X3]], %{{.*}} : f32
// CHECK: %[[Y:.*]] = arith.truncf %[[X4]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[Y]]
// CHECK-NOT: linalg.generic
func.func @order(%x: tensor<1x3x7x7xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<4xf16>, %scale: tensor<4xf32>, %shift: tensor<4xf32>, %res: tensor<1x4x5x5xf16>) -> tensor<1x4x5x5xf16> {
  %y = top.Conv2D %x, %w, %b epilogue(%scale, %shift, %res) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>]}
     : (tensor<1x3x7x7xf16>, tensor<4x3x3x3xf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<1x4x5x5xf16>) -> tensor<1x4x5x5xf16>
  return %y : tensor<1x4x5x5xf16>
}

// -----

// A gate with size 1 in H and W is read through a map, not copied.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$GATE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
// CHECK-LABEL: @gate
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$GATE]], #[[$ID]]]
// CHECK: arith.mulf
func.func @gate(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x3xf32>, %g: tensor<2x4x1x1xf32>) -> tensor<2x4x5x5xf32> {
  %y = top.Conv2D %x, %w epilogue(%g) {epilogue = [#top.step<mul>]} : (tensor<2x3x7x7xf32>, tensor<4x3x3x3xf32>, tensor<2x4x1x1xf32>) -> tensor<2x4x5x5xf32>
  return %y : tensor<2x4x5x5xf32>
}

// -----

// The affine step of a product runs along its columns.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$N:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: @columns
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$N]], #[[$N]], #[[$ID]]]
func.func @columns(%a: tensor<2x3x5xf32>, %b: tensor<5x7xf32>, %scale: tensor<7xf32>, %shift: tensor<7xf32>) -> tensor<2x3x7xf32> {
  %c = top.MatMul %a, %b epilogue(%scale, %shift) {epilogue = [#top.step<affine>]} : (tensor<2x3x5xf32>, tensor<5x7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<2x3x7xf32>
  return %c : tensor<2x3x7xf32>
}

// -----

// The activations. Their values are compared with numbers elsewhere; here it
// is that each is there, in order, and that NaN passes relu and clamp.

// CHECK-LABEL: @activations
// CHECK: ^bb0
// relu
// CHECK: arith.maximumf
// clamp
// CHECK: %[[LO:.*]] = arith.constant -1.0{{.*}} : f32
// CHECK: arith.maximumf %{{.*}}, %[[LO]]
// CHECK: %[[HI:.*]] = arith.constant 6.0{{.*}} : f32
// CHECK: arith.minimumf %{{.*}}, %[[HI]]
// silu
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: arith.mulf
// hardswish
// CHECK: arith.constant 3.0
// CHECK: arith.minimumf
// CHECK: arith.divf
// sigmoid
// CHECK: math.exp
// CHECK: arith.divf
// gelu
// CHECK: math.erf
// CHECK: linalg.yield
func.func @activations(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %c = top.MatMul %a, %b {epilogue = [#top.step<relu>, #top.step<clamp, min = -1.0, max = 6.0>, #top.step<silu>, #top.step<hardswish>, #top.step<sigmoid>, #top.step<gelu>]}
     : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  return %c : tensor<3x7xf32>
}
