// RUN: top-opt %s --split-input-file --verify-diagnostics --top-tile="channels=2 height=1 form=unroll"
// RUN: not top-opt %s --top-tile="height=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not top-opt %s --top-tile="max-tile-bytes=-7" 2>&1 | FileCheck %s --check-prefix=NEGBYTES
// RUN: not top-opt %s --top-tile="form=spiral" 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not top-opt %s --top-tile="height=x" 2>&1 | FileCheck %s --check-prefix=NUMBER

// NEGATIVE: error: 'func.func' op expected 'height' to be at least 0, got -1
// NEGBYTES: error: 'func.func' op expected 'max-tile-bytes' to be at least 0, got -7
// FORM: Cannot find option named 'spiral'
// NUMBER: 'x' value invalid for long argument

func.func @group(%in: tensor<1x9x7x7xf32>, %w: tensor<9x3x3x3xf32>) -> tensor<1x9x5x5xf32> {
  // expected-error @below {{'top.Conv2D' op cannot be tiled with 'channels' = 2: with 'group' 3 expected a multiple or a divisor of the 3 output channels of a group}}
  %y = top.Conv2D %in, %w {group = 3 : i64} : (tensor<1x9x7x7xf32>, tensor<9x3x3x3xf32>) -> tensor<1x9x5x5xf32>
  return %y : tensor<1x9x5x5xf32>
}

// -----

func.func @dynamic(%in: tensor<1x4x?x7xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x?x5xf32> {
  // expected-error @below {{'top.Conv2D' op cannot be tiled with form=unroll along 'height': dimension 2 of the result is dynamic; use form=loop}}
  %y = top.Conv2D %in, %w : (tensor<1x4x?x7xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x?x5xf32>
  return %y : tensor<1x4x?x5xf32>
}

// -----

func.func @too_many(%in: tensor<1x4x2097154x7xf32>, %w: tensor<2x4x3x3xf32>) -> tensor<1x2x2097152x5xf32> {
  // expected-error @below {{'top.Conv2D' op would be written as more than 1048576 tiles; use form=loop or larger tiles}}
  %y = top.Conv2D %in, %w : (tensor<1x4x2097154x7xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x2097152x5xf32>
  return %y : tensor<1x2x2097152x5xf32>
}
