// RUN: top-opt %s --top-tile="height=0 width=0" | FileCheck %s --check-prefix=UNCHANGED
// RUN: top-opt %s --top-tile="height=100 width=100 batch=7" | FileCheck %s --check-prefix=UNCHANGED
// RUN: not top-opt %s --top-tile="width=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not top-opt %s --top-tile="height=1,2,3,4,5" 2>&1 | FileCheck %s --check-prefix=LIST

// 0 leaves an axis whole, more than the extent means the extent, a negative
// size is an error, and so is a list.

// UNCHANGED-LABEL: func.func @f
// UNCHANGED-NEXT:    top.Conv2D
// UNCHANGED-NEXT:    return
// NEGATIVE: expected 'width' to be at least 0, got -1
// LIST: '1,2,3,4,5' value invalid for long argument
func.func @f(%x: tensor<1x2x6x6xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x6x6xf32> {
  %y = top.Conv2D %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x6xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}
