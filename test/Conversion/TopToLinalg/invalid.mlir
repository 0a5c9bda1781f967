// RUN: top-opt %s --convert-top-to-linalg --split-input-file --verify-diagnostics

// The layer op is legal, since no tile of it needs the whole padded input; as
// one linalg op it has nowhere to put it.

func.func @padded_size(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32> {
  // expected-error @below {{size of the padded 'input' overflows 64 bits: 'tensor<1x1x8x8xf32>' with pads 1099511627776, 1099511627776, 0, 0}}
  %y = top.Conv2D %x, %w {strides = array<i64: 1099511627776, 1099511627776>, pads = array<i64: 1099511627776, 1099511627776, 0, 0>}
     : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  return %y : tensor<1x1x2x2xf32>
}

// -----

// Such pads on a dynamic axis are no error here: the size is not known, and at
// run time the allocation fails.

func.func @padded_size_dynamic(%x: tensor<1x1x?x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x?x2xf32> {
  %y = top.Conv2D %x, %w {strides = array<i64: 1099511627776, 2>, pads = array<i64: 1099511627776, 0, 0, 0>, dilations = array<i64: 1, 2>}
     : (tensor<1x1x?x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x?x2xf32>
  return %y : tensor<1x1x?x2xf32>
}
