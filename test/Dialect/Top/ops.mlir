// RUN: top-opt %s | top-opt | FileCheck %s
// RUN: top-opt %s --mlir-print-op-generic | top-opt | FileCheck %s
// RUN: top-opt %s --emit-bytecode | top-opt | FileCheck %s
// RUN: top-opt %s --verify-roundtrip -o %t

// What is written is what is printed, in both forms and as bytecode. Attributes
// that have their default values are left out.

// CHECK-LABEL: @conv
func.func @conv(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
  // CHECK: top.Conv2D %{{.*}}, %{{.*}}, %{{.*}} {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
  // CHECK-SAME: : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>,
                              dilations = array<i64: 1, 1>, group = 1 : i64}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}

// The example of Conv2D's description.
// CHECK-LABEL: @conv_example
func.func @conv_example(%x: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>, %v: tensor<4x8x1x1xf32>,
                        %scale: tensor<4xf32>, %shift: tensor<4xf32>, %res: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<2x8x8x8xf32>
  // CHECK: top.Conv2D %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}, %{{.*}}) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>]}
  // CHECK-SAME: : (tensor<2x8x8x8xf32>, tensor<4x8x1x1xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %z = top.Conv2D %y, %v epilogue(%scale, %shift, %res) {epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>]}
     : (tensor<2x8x8x8xf32>, tensor<4x8x1x1xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %z : tensor<2x4x8x8xf32>
}

// The example of MatMul's description.
// CHECK-LABEL: @matmul_example
func.func @matmul_example(%a: tensor<4x128x64xf16>, %b: tensor<4x256x64xf16>) -> tensor<4x128x256xf16> {
  // CHECK: top.MatMul %{{.*}}, %{{.*}} {transpose_b = true} : (tensor<4x128x64xf16>, tensor<4x256x64xf16>) -> tensor<4x128x256xf16>
  %c = top.MatMul %a, %b {transpose_b = true}
     : (tensor<4x128x64xf16>, tensor<4x256x64xf16>) -> tensor<4x128x256xf16>
  return %c : tensor<4x128x256xf16>
}

// Every attribute of Conv2D at a value of its own; the four pads in order.
// CHECK-LABEL: @conv_all_attributes
func.func @conv_all_attributes(%x: tensor<2x4x9x11xf32>, %w: tensor<6x2x3x2xf32>) -> tensor<2x6x3x7xf32> {
  // CHECK: top.Conv2D
  // CHECK-SAME: {allow_tf32, dilations = array<i64: 2, 4>, group = 2 : i64, pads = array<i64: 1, 2, 3, 4>, strides = array<i64: 3, 2>}
  %y = top.Conv2D %x, %w {strides = array<i64: 3, 2>, pads = array<i64: 1, 2, 3, 4>, dilations = array<i64: 2, 4>, group = 2 : i64, allow_tf32}
     : (tensor<2x4x9x11xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x3x7xf32>
  return %y : tensor<2x6x3x7xf32>
}

// Every attribute of MatMul, and one that is not ours.
// CHECK-LABEL: @matmul_all_attributes
func.func @matmul_all_attributes(%a: tensor<5x7xf32>, %b: tensor<9x5xf32>, %bias: tensor<9xf32>) -> tensor<7x9xf32> {
  // CHECK: top.MatMul %{{.*}}, %{{.*}}, %{{.*}} {allow_tf32, epilogue = [#top.step<relu>], test.tag = "x", transpose_a = true, transpose_b = true}
  %c = top.MatMul %a, %b, %bias {transpose_a = true, transpose_b = true, allow_tf32, epilogue = [#top.step<relu>], test.tag = "x"}
     : (tensor<5x7xf32>, tensor<9x5xf32>, tensor<9xf32>) -> tensor<7x9xf32>
  return %c : tensor<7x9xf32>
}

// Both transposes written out as false are the default.
// CHECK-LABEL: @matmul_defaults
func.func @matmul_defaults(%a: tensor<7x5xf32>, %b: tensor<5x9xf32>) -> tensor<7x9xf32> {
  // CHECK: top.MatMul %{{.*}}, %{{.*}} : (
  %c = top.MatMul %a, %b {transpose_a = false, transpose_b = false} : (tensor<7x5xf32>, tensor<5x9xf32>) -> tensor<7x9xf32>
  return %c : tensor<7x9xf32>
}

// The generic form is read, with and without the attributes.
// CHECK-LABEL: @generic_form
func.func @generic_form(%x: tensor<1x2x5x5xf32>, %w: tensor<4x2x3x3xf32>, %b: tensor<4xf32>, %t: tensor<1x4x1x1xf32>) {
  // CHECK: top.Conv2D %{{.*}}, %{{.*}} : (tensor<1x2x5x5xf32>
  %0 = "top.Conv2D"(%x, %w) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}>
     : (tensor<1x2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x3x3xf32>
  // CHECK: top.Conv2D %{{.*}}, %{{.*}}, %{{.*}} epilogue(%{{.*}}) {epilogue = [#top.step<mul>], strides = array<i64: 2, 1>}
  %1 = "top.Conv2D"(%x, %w, %b, %t) <{epilogue = [#top.step<mul>], strides = array<i64: 2, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}>
     : (tensor<1x2x5x5xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x2x3xf32>
  return
}

// All steps, in an order that matters; operands with 1 in some dimensions.
// CHECK-LABEL: @steps
func.func @steps(%x: tensor<2x3x4x4xf32>, %w: tensor<5x3x1x1xf32>, %b: tensor<5xf32>, %scale: tensor<5xf32>, %shift: tensor<5xf32>,
                 %res: tensor<2x5x4x4xf32>, %gate: tensor<2x5x1x1xf32>) -> tensor<2x5x4x4xf32> {
  // CHECK: epilogue(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {epilogue = [#top.step<silu>, #top.step<affine>, #top.step<clamp, min = -1.500000e+00, max = 6.000000e+00>,
  // CHECK-SAME: #top.step<mul>, #top.step<hardswish>, #top.step<add>, #top.step<sigmoid>, #top.step<gelu>, #top.step<relu>]}
  %y = top.Conv2D %x, %w, %b epilogue(%scale, %shift, %gate, %res)
     {epilogue = [#top.step<silu>, #top.step<affine>, #top.step<clamp, min = -1.5, max = 6.0>, #top.step<mul>, #top.step<hardswish>,
                  #top.step<add>, #top.step<sigmoid>, #top.step<gelu>, #top.step<relu>]}
     : (tensor<2x3x4x4xf32>, tensor<5x3x1x1xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<2x5x1x1xf32>, tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  return %y : tensor<2x5x4x4xf32>
}

// Bounds of a clamp: equal, infinite, not exact in decimal.
// CHECK-LABEL: @clamps
func.func @clamps(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // CHECK: #top.step<clamp, min = 1.000000e+00, max = 1.000000e+00>
  // CHECK-SAME: #top.step<clamp, min = 0xFFF0000000000000, max = 0x7FF0000000000000>
  // CHECK-SAME: #top.step<clamp, min = 1.000000e-01, max = 0.30000000000000004>
  %c = top.MatMul %a, %b {epilogue = [#top.step<clamp, min = 1.0, max = 1.0>, #top.step<clamp, min = 0xFFF0000000000000, max = 0x7FF0000000000000>,
                                      #top.step<clamp, min = 0.1, max = 0.30000000000000004>]}
     : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}

// A step outside of an op.
// CHECK-LABEL: @step_attribute
// CHECK-SAME: test.step = #top.step<clamp, min = 0.000000e+00, max = 6.000000e+00>
func.func private @step_attribute() attributes {test.step = #top.step<clamp, min = 0.0, max = 6.0>}

// Element types: f64, f32, f16 and bf16; a 16-bit input has a result of its
// own type or f32, and bias and epilogue operands the result's type or f32.
// CHECK-LABEL: @element_types
func.func @element_types(%a64: tensor<2x3xf64>, %b64: tensor<3x4xf64>, %a16: tensor<2x3xf16>, %b16: tensor<3x4xf16>,
                         %abf: tensor<2x3xbf16>, %bbf: tensor<3x4xbf16>, %bias64: tensor<4xf64>, %bias32: tensor<4xf32>,
                         %bias16: tensor<4xf16>, %biasbf: tensor<4xbf16>, %res32: tensor<2x4xf32>) {
  // CHECK: (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4xf64>) -> tensor<2x4xf64>
  %0 = top.MatMul %a64, %b64, %bias64 : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4xf64>) -> tensor<2x4xf64>
  // CHECK: (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4xf32>) -> tensor<2x4xf64>
  %1 = top.MatMul %a64, %b64, %bias32 : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4xf32>) -> tensor<2x4xf64>
  // CHECK: (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf16>, tensor<2x4xf32>) -> tensor<2x4xf16>
  %2 = top.MatMul %a16, %b16, %bias16 epilogue(%res32) {epilogue = [#top.step<add>]} : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf16>, tensor<2x4xf32>) -> tensor<2x4xf16>
  // CHECK: (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf32>) -> tensor<2x4xf16>
  %3 = top.MatMul %a16, %b16, %bias32 : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf32>) -> tensor<2x4xf16>
  // CHECK: (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf32>) -> tensor<2x4xf32>
  %4 = top.MatMul %a16, %b16, %bias32 : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK: (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<4xbf16>) -> tensor<2x4xbf16>
  %5 = top.MatMul %abf, %bbf, %biasbf : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<4xbf16>) -> tensor<2x4xbf16>
  // CHECK: (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %6 = top.MatMul %abf, %bbf : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  return
}

// f16 convolution with an f32 result and f32 bias.
// CHECK-LABEL: @conv_f16_to_f32
func.func @conv_f16_to_f32(%x: tensor<1x3x9x9xf16>, %w: tensor<8x3x3x3xf16>, %b: tensor<8xf32>) -> tensor<1x8x9x9xf32> {
  // CHECK: (tensor<1x3x9x9xf16>, tensor<8x3x3x3xf16>, tensor<8xf32>) -> tensor<1x8x9x9xf32>
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x9x9xf16>, tensor<8x3x3x3xf16>, tensor<8xf32>) -> tensor<1x8x9x9xf32>
  return %y : tensor<1x8x9x9xf32>
}

// Dynamic N, H and W; vectors and residuals of unknown size.
// CHECK-LABEL: @conv_dynamic
func.func @conv_dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<?xf32>, %r: tensor<?x8x?x?xf32>, %g: tensor<1x?x1x1xf32>) -> tensor<?x8x?x?xf32> {
  // CHECK: (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>, tensor<?xf32>, tensor<?x8x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x8x?x?xf32>
  %y = top.Conv2D %x, %w, %b epilogue(%r, %g) {strides = array<i64: 2, 1>, epilogue = [#top.step<add>, #top.step<mul>]}
     : (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>, tensor<?xf32>, tensor<?x8x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x8x?x?xf32>
  return %y : tensor<?x8x?x?xf32>
}

// One axis dynamic and the other not.
// CHECK-LABEL: @conv_dynamic_height
func.func @conv_dynamic_height(%x: tensor<2x3x?x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x?x14xf32> {
  // CHECK: top.Conv2D
  %y = top.Conv2D %x, %w : (tensor<2x3x?x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x?x14xf32>
  return %y : tensor<2x8x?x14xf32>
}

// Dynamic B, M, N and K; a size that one operand knows is the result's.
// CHECK-LABEL: @matmul_dynamic
func.func @matmul_dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %c: tensor<4x?x7xf32>, %d: tensor<?x9xf32>) {
  // CHECK: (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %0 = top.MatMul %a, %b : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // CHECK: (tensor<?x?x?xf32>, tensor<4x?x7xf32>) -> tensor<4x?x7xf32>
  %1 = top.MatMul %a, %c : (tensor<?x?x?xf32>, tensor<4x?x7xf32>) -> tensor<4x?x7xf32>
  // CHECK: (tensor<4x?x7xf32>, tensor<?x9xf32>) -> tensor<4x?x9xf32>
  %2 = top.MatMul %c, %d : (tensor<4x?x7xf32>, tensor<?x9xf32>) -> tensor<4x?x9xf32>
  return
}

// A right side of rank 2 is shared by the batch, in all transposes.
// CHECK-LABEL: @matmul_shared_rhs
func.func @matmul_shared_rhs(%a: tensor<3x17x23xf32>, %at: tensor<3x23x17xf32>, %b: tensor<23x19xf32>, %bt: tensor<19x23xf32>) {
  // CHECK-COUNT-4: -> tensor<3x17x19xf32>
  %0 = top.MatMul %a, %b : (tensor<3x17x23xf32>, tensor<23x19xf32>) -> tensor<3x17x19xf32>
  %1 = top.MatMul %a, %bt {transpose_b = true} : (tensor<3x17x23xf32>, tensor<19x23xf32>) -> tensor<3x17x19xf32>
  %2 = top.MatMul %at, %b {transpose_a = true} : (tensor<3x23x17xf32>, tensor<23x19xf32>) -> tensor<3x17x19xf32>
  %3 = top.MatMul %at, %bt {transpose_a = true, transpose_b = true} : (tensor<3x23x17xf32>, tensor<19x23xf32>) -> tensor<3x17x19xf32>
  return
}

// What is empty is legal: a batch, rows, columns, depth.
// CHECK-LABEL: @empty
func.func @empty(%x: tensor<0x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %m0: tensor<0x5xf32>, %k0: tensor<5x0xf32>, %k0b: tensor<0x7xf32>, %bias: tensor<7xf32>) {
  // CHECK: -> tensor<0x4x6x6xf32>
  %0 = top.Conv2D %x, %w : (tensor<0x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<0x4x6x6xf32>
  // CHECK: -> tensor<0x0xf32>
  %1 = top.MatMul %m0, %k0 : (tensor<0x5xf32>, tensor<5x0xf32>) -> tensor<0x0xf32>
  // CHECK: (tensor<5x0xf32>, tensor<0x7xf32>, tensor<7xf32>) -> tensor<5x7xf32>
  %2 = top.MatMul %k0, %k0b, %bias : (tensor<5x0xf32>, tensor<0x7xf32>, tensor<7xf32>) -> tensor<5x7xf32>
  return
}

// No input rows but pads: every output row reads padding only.
// CHECK-LABEL: @no_rows
func.func @no_rows(%x: tensor<1x3x0x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x2x6xf32> {
  // CHECK: (tensor<1x3x0x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x2x6xf32>
  %0 = top.Conv2D %x, %w {pads = array<i64: 2, 0, 2, 0>} : (tensor<1x3x0x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x2x6xf32>
  return %0 : tensor<1x4x2x6xf32>
}

// Shapes at the edge of what is legal: the largest tensor that 64 bits can
// measure, a kernel beyond the input, a stride beyond everything.
// CHECK-LABEL: @extremes
func.func @extremes(%x: tensor<1x1x4611686018427387903x1xf16>, %w: tensor<1x1x1x1xf16>, %y: tensor<1x2x3x3xf32>, %v: tensor<2x2x7x7xf32>) {
  // CHECK: -> tensor<1x1x4611686018427387903x1xf16>
  %0 = top.Conv2D %x, %w : (tensor<1x1x4611686018427387903x1xf16>, tensor<1x1x1x1xf16>) -> tensor<1x1x4611686018427387903x1xf16>
  // CHECK: -> tensor<1x2x3x3xf32>
  %1 = top.Conv2D %y, %v {pads = array<i64: 3, 3, 3, 3>} : (tensor<1x2x3x3xf32>, tensor<2x2x7x7xf32>) -> tensor<1x2x3x3xf32>
  // CHECK: strides = array<i64: 4611686018427387904, 1>
  %2 = top.Conv2D %y, %v {pads = array<i64: 3, 3, 3, 3>, strides = array<i64: 4611686018427387904, 1>} : (tensor<1x2x3x3xf32>, tensor<2x2x7x7xf32>) -> tensor<1x2x1x3xf32>
  return
}
