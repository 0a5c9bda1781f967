// RUN: top-opt %s --split-input-file --top-lower-layouts --verify-diagnostics

func.func @collapse(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<8x12xf32> {
  // expected-error@+1 {{'tensor.collapse_shape' op cannot be lowered from #top.layout<channels_last> to the layout of memory: it is not an op that top-lower-layouts knows}}
  %r = tensor.collapse_shape %x [[0, 1], [2, 3]] : tensor<1x8x3x4xf32, #top.layout<channels_last>> into tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}

// -----

func.func @rank_reduced(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<8x3x4xf32> {
  // expected-error@+1 {{expected tensors of rank 4 that are plain or channels last, got tensor<8x3x4xf32>}}
  %r = tensor.extract_slice %x[0, 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1] : tensor<1x8x3x4xf32, #top.layout<channels_last>> to tensor<8x3x4xf32>
  return %r : tensor<8x3x4xf32>
}

// -----

func.func @rank_raised(%x: tensor<8x3x4xf32>, %y: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<1x8x3x4xf32, #top.layout<channels_last>> {
  // expected-error@+1 {{expected tensors of rank 4 that are plain or channels last, got tensor<8x3x4xf32>}}
  %r = tensor.insert_slice %x into %y[0, 0, 0, 0] [1, 8, 3, 4] [1, 1, 1, 1] : tensor<8x3x4xf32> into tensor<1x8x3x4xf32, #top.layout<channels_last>>
  return %r : tensor<1x8x3x4xf32, #top.layout<channels_last>>
}

// -----

func.func @other_encoding(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<1x8x3x4xf32, "nhwc"> {
  // expected-error@+1 {{expected tensors of rank 4 that are plain or channels last, got tensor<1x8x3x4xf32, "nhwc">}}
  %r = tensor.cast %x : tensor<1x8x3x4xf32, #top.layout<channels_last>> to tensor<1x8x3x4xf32, "nhwc">
  return %r : tensor<1x8x3x4xf32, "nhwc">
}

// -----

func.func @unranked(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<*xf32> {
  // expected-error@+1 {{expected tensors of rank 4 that are plain or channels last, got tensor<*xf32>}}
  %r = tensor.cast %x : tensor<1x8x3x4xf32, #top.layout<channels_last>> to tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

func.func @dim(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>, %d: index) -> index {
  // expected-error@+1 {{expected a constant dimension between 0 and 3}}
  %r = tensor.dim %x, %d : tensor<1x8x3x4xf32, #top.layout<channels_last>>
  return %r : index
}

// -----

func.func @concat(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<2x8x3x4xf32> {
  // expected-error@+1 {{'tensor.concat' op cannot be lowered from #top.layout<channels_last>}}
  %r = tensor.concat dim(0) %x, %x : (tensor<1x8x3x4xf32, #top.layout<channels_last>>, tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> tensor<2x8x3x4xf32>
  return %r : tensor<2x8x3x4xf32>
}

// -----

func.func @bits() -> tensor<1x2x1x2xi1, #top.layout<channels_last>> {
  // expected-error@+1 {{expected elements of whole bytes that are there}}
  %r = arith.constant dense<[[[[true, false]], [[false, true]]]]> : tensor<1x2x1x2xi1, #top.layout<channels_last>>
  return %r : tensor<1x2x1x2xi1, #top.layout<channels_last>>
}

// -----

func.func @buffer(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>) -> memref<1x8x3x4xf32> {
  // expected-error@+1 {{'bufferization.to_buffer' op cannot be lowered from #top.layout<channels_last>}}
  %r = bufferization.to_buffer %x : tensor<1x8x3x4xf32, #top.layout<channels_last>> to memref<1x8x3x4xf32>
  return %r : memref<1x8x3x4xf32>
}

// -----

func.func @named(%x: tensor<1x8x3x4xf32, #top.layout<channels_last>>, %o: tensor<1x3x4x8xf32>) -> tensor<1x3x4x8xf32> {
  // expected-error@+1 {{'linalg.transpose' op cannot be lowered from #top.layout<channels_last>}}
  %r = linalg.transpose ins(%x : tensor<1x8x3x4xf32, #top.layout<channels_last>>) outs(%o : tensor<1x3x4x8xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<1x3x4x8xf32>
}
