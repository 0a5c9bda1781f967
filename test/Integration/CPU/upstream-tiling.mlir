// Tiled by upstream's drivers at offsets that are not constants, run, and
// compared with the untiled functions.

// DEFINE: %{schedules} = transform-library-paths=%S/Inputs/upstream-schedules.mlir
// DEFINE: %{schedule} =
// DEFINE: %{tile} = top-opt %s --transform-preload-library=%{schedules} --transform-interpreter=entry-point=%{schedule} -o %t.%{schedule}.mlir
// DEFINE: %{run} = top-run %t.%{schedule}.mlir --reference=%s --guard=nan

// REDEFINE: %{schedule} = single
// RUN: %{tile}
// RUN: %{run} --function=strided
// RUN: %{run} --function=wholly_padded
// RUN: %{run} --function=one_sided
// RUN: %{run} --function=dilated
// RUN: %{run} --function=grouped
// RUN: %{run} --function=gaps
// RUN: %{run} --function=kernel_beyond_input
// RUN: %{run} --function=no_rows
// RUN: %{run} --function=epilogue
// RUN: %{run} --function=half
// RUN: %{run} --function=dynamic --arg-shape=0:2x3x7x5
// RUN: %{run} --function=dynamic --arg-shape=0:1x3x1x1
// RUN: %{run} --function=dynamic --arg-shape=0:1x3x16x9

// REDEFINE: %{schedule} = uneven
// RUN: %{tile}
// RUN: %{run} --function=wholly_padded
// RUN: %{run} --function=dilated
// RUN: %{run} --function=gaps
// RUN: %{run} --function=dynamic --arg-shape=0:2x3x7x5
// RUN: %{run} --function=dynamic --arg-shape=0:1x3x1x1

// REDEFINE: %{schedule} = twice
// RUN: %{tile}
// RUN: %{run} --function=strided
// RUN: %{run} --function=grouped
// RUN: %{run} --function=epilogue

// REDEFINE: %{schedule} = threads
// RUN: %{tile}
// RUN: %{run} --function=strided
// RUN: %{run} --function=wholly_padded
// RUN: %{run} --function=epilogue

func.func @strided(%x: tensor<2x3x9x10xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x5x5xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
     : (tensor<2x3x9x10xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<2x4x5x5xf32>
  return %y : tensor<2x4x5x5xf32>
}

// Two tiles of one row on each side, and one column, read padding only.
func.func @wholly_padded(%x: tensor<1x2x5x7xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x11x11xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 4, 3, 4, 3>}
     : (tensor<1x2x5x7xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<1x3x11x11xf32>
  return %y : tensor<1x3x11x11xf32>
}

func.func @one_sided(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x3x12x3xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 9, 0, 0, 0>} : (tensor<1x2x4x4xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x12x3xf32>
  return %y : tensor<1x3x12x3xf32>
}

// A dilation beyond the tile, different on each axis.
func.func @dilated(%x: tensor<1x2x9x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x7x8xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 3, 2, 3, 2>, dilations = array<i64: 4, 2>}
     : (tensor<1x2x9x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x7x8xf32>
  return %y : tensor<1x2x7x8xf32>
}

func.func @grouped(%x: tensor<1x4x8x7xf32>, %w: tensor<8x2x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x8x4x7xf32> {
  %y = top.Conv2D %x, %w, %b {group = 2 : i64, strides = array<i64: 2, 1>, pads = array<i64: 0, 1, 2, 1>}
     : (tensor<1x4x8x7xf32>, tensor<8x2x3x3xf32>, tensor<8xf32>) -> tensor<1x8x4x7xf32>
  return %y : tensor<1x8x4x7xf32>
}

// Strides beyond the kernel: rows that nobody reads, and a bottom pad that
// only the last row does.
func.func @gaps(%x: tensor<1x2x17x8xf32>, %w: tensor<2x2x2x1xf32>) -> tensor<1x2x4x4xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 5, 3>, pads = array<i64: 0, 1, 3, 1>}
     : (tensor<1x2x17x8xf32>, tensor<2x2x2x1xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

func.func @kernel_beyond_input(%x: tensor<1x2x3x3xf32>, %w: tensor<2x2x7x7xf32>) -> tensor<1x2x3x3xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 3, 3, 3, 3>} : (tensor<1x2x3x3xf32>, tensor<2x2x7x7xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}

func.func @no_rows(%x: tensor<1x2x0x4xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x3x2xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 2, 0, 3, 0>} : (tensor<1x2x0x4xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<1x3x3x2xf32>
  return %y : tensor<1x3x3x2xf32>
}

// Steps whose operands are sliced in all, some and none of the dimensions.
func.func @epilogue(%x: tensor<2x3x6x6xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %scale: tensor<4xf32>, %shift: tensor<4xf32>,
                    %res: tensor<2x4x6x6xf32>, %gate: tensor<2x4x1x1xf32>) -> tensor<2x4x6x6xf32> {
  %y = top.Conv2D %x, %w, %b epilogue(%scale, %shift, %res, %gate)
     {pads = array<i64: 1, 1, 1, 1>, epilogue = [#top.step<affine>, #top.step<add>, #top.step<relu>, #top.step<mul>]}
     : (tensor<2x3x6x6xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x6x6xf32>, tensor<2x4x1x1xf32>) -> tensor<2x4x6x6xf32>
  return %y : tensor<2x4x6x6xf32>
}

func.func @half(%x: tensor<1x3x9x7xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<4xf32>) -> tensor<1x4x9x7xf32> {
  %y = top.Conv2D %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x9x7xf16>, tensor<4x3x3x3xf16>, tensor<4xf32>) -> tensor<1x4x9x7xf32>
  return %y : tensor<1x4x9x7xf32>
}

func.func @dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<?x4x?x?xf32> {
  %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 1>, pads = array<i64: 4, 1, 4, 1>}
     : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<?x4x?x?xf32>
  return %y : tensor<?x4x?x?xf32>
}
