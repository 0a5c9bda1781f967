// Fused by upstream's drivers, run, and compared with the functions as they
// stand here. Then tiles of output channels, and of matrix products.

// DEFINE: %{schedules} = transform-library-paths=%S/Inputs/upstream-schedules.mlir
// DEFINE: %{schedule} =
// DEFINE: %{tile} = top-opt %s --transform-preload-library=%{schedules} --transform-interpreter=entry-point=%{schedule} --canonicalize -o %t.%{schedule}.mlir
// DEFINE: %{run} = top-run %t.%{schedule}.mlir --reference=%s --guard=nan

// REDEFINE: %{schedule} = fuse
// RUN: %{tile}
// RUN: FileCheck %s --check-prefix=FUSED < %t.fuse.mlir
// RUN: %{run} --function=conv_conv
// RUN: %{run} --function=padded_consumer
// RUN: %{run} --function=padded_consumer_dynamic --arg-shape=0:1x2x8x9
// A function that is not of plain top ops is its own reference only where no
// top op is left.
// RUN: top-opt %s --convert-top-to-linalg -o %t.linalg.mlir
// RUN: top-run %t.fuse.mlir --reference=%t.linalg.mlir --guard=nan --function=pad_conv

// Nothing but tensor.empty is left in front of the loops.
//  FUSED-LABEL: @conv_conv
//    FUSED-NOT: top.Conv2D
//        FUSED: scf.for
// FUSED-COUNT-2: top.Conv2D
func.func @conv_conv(%x: tensor<1x2x8x9xf32>, %w: tensor<4x2x3x3xf32>, %v: tensor<2x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x2x8x9xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<relu>]}
     : (tensor<1x2x8x9xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x9xf32>
  %z = top.Conv2D %y, %v {pads = array<i64: 1, 1, 1, 1>, consumer} : (tensor<1x4x8x9xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x8x9xf32>
  return %z : tensor<1x2x8x9xf32>
}

// Tiles of the consumer that read nothing of the producer: its tile is empty
// at run time, and its bias must not leak into the consumer's padding. The
// producer's stride is beyond its kernel.
//  FUSED-LABEL: @padded_consumer(
//    FUSED-NOT: top.Conv2D
//        FUSED: scf.for
// FUSED-COUNT-2: top.Conv2D
func.func @padded_consumer(%x: tensor<1x2x8x9xf32>, %w: tensor<4x2x1x1xf32>, %v: tensor<2x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x2x10x9xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>} : (tensor<1x2x8x9xf32>, tensor<4x2x1x1xf32>, tensor<4xf32>) -> tensor<1x4x4x5xf32>
  %z = top.Conv2D %y, %v {pads = array<i64: 4, 3, 4, 3>, consumer} : (tensor<1x4x4x5xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x10x9xf32>
  return %z : tensor<1x2x10x9xf32>
}

//  FUSED-LABEL: @padded_consumer_dynamic(
func.func @padded_consumer_dynamic(%x: tensor<1x2x?x?xf32>, %w: tensor<4x2x1x3xf32>, %v: tensor<2x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x2x?x?xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 3, 4>, pads = array<i64: 1, 2, 0, 1>} : (tensor<1x2x?x?xf32>, tensor<4x2x1x3xf32>, tensor<4xf32>) -> tensor<1x4x?x?xf32>
  %z = top.Conv2D %y, %v {pads = array<i64: 4, 3, 4, 3>, consumer} : (tensor<1x4x?x?xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x?x?xf32>
  return %z : tensor<1x2x?x?xf32>
}

// A pad of another value than zero cannot be folded; it is fused.
//  FUSED-LABEL: @pad_conv
//    FUSED-NOT: tensor.pad
//        FUSED: scf.for
//        FUSED: tensor.pad
//        FUSED: top.Conv2D
func.func @pad_conv(%x: tensor<1x2x8x9xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x12x11xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 0, 3, 2] high[0, 0, 3, 2] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %one : f32
  } : tensor<1x2x8x9xf32> to tensor<1x2x14x13xf32>
  %y = top.Conv2D %p, %w {consumer} : (tensor<1x2x14x13xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x12x11xf32>
  return %y : tensor<1x4x12x11xf32>
}

// REDEFINE: %{schedule} = channels
// RUN: %{tile}
// RUN: %{run} --function=conv_conv
// RUN: %{run} --function=padded_consumer

// REDEFINE: %{schedule} = matmul
// RUN: %{tile}
// RUN: %{run} --function=product
// RUN: %{run} --function=product_dynamic --arg-shape=0:2x5x7 --arg-shape=1:6x5
// RUN: %{run} --function=product_no_depth

func.func @product(%a: tensor<3x8x5xf32>, %b: tensor<3x7x5xf32>, %bias: tensor<7xf32>, %r: tensor<1x8x7xf32>) -> tensor<3x8x7xf32> {
  %y = top.MatMul %a, %b, %bias epilogue(%r) {transpose_b = true, epilogue = [#top.step<add>, #top.step<relu>]}
     : (tensor<3x8x5xf32>, tensor<3x7x5xf32>, tensor<7xf32>, tensor<1x8x7xf32>) -> tensor<3x8x7xf32>
  return %y : tensor<3x8x7xf32>
}

func.func @product_dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %y = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}

func.func @product_no_depth(%a: tensor<2x4x0xf32>, %b: tensor<0x6xf32>, %bias: tensor<6xf32>) -> tensor<2x4x6xf32> {
  %y = top.MatMul %a, %b, %bias : (tensor<2x4x0xf32>, tensor<0x6xf32>, tensor<6xf32>) -> tensor<2x4x6xf32>
  return %y : tensor<2x4x6xf32>
}
