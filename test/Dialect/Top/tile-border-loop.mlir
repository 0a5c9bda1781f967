// RUN: top-opt %s --top-tile="height=1" | FileCheck %s --implicit-check-not=scf.if
// RUN: top-opt %s --top-tile="height=1" --remark-format=emitRemark --remarks-filter=top-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Kernel 12 with pads 11: 11 tiles of one row touch padding on either side,
// more than the 8 that are written out, so each side is a loop of slice and
// tensor.pad to the static window. The interior between them has none.

// REMARK-DAG: BorderLoop | Category:top-tile | Function=many_borders | Remark="11 tiles along 'height' touch padding on one side, more than 8: they run as a loop of slice and tensor.pad"
// REMARK-DAG: Tiled | Category:top-tile | Function=many_borders | Remark="height 31 in 31 tiles of 1 (given): 22 border, 9 interior, 0 in padding; 220 input rows read twice"

// CHECK-LABEL: func.func @many_borders
// CHECK:       scf.for %{{.*}} = %c0 to %c11 step %c1
// CHECK:         tensor.extract_slice {{.*}} : tensor<1x1x20x20xf32> to tensor<1x1x?x20xf32>
// CHECK:         tensor.pad {{.*}} low[0, 0, %{{.*}}, 0] high[0, 0, %{{.*}}, 0]
// CHECK:         : tensor<1x1x?x20xf32> to tensor<1x1x12x20xf32>
// CHECK:         top.Conv2D %{{.*}} : (tensor<1x1x12x20xf32>, tensor<1x1x12x3xf32>) -> tensor<1x1x1x18xf32>
// CHECK:       scf.for %{{.*}} = %c11 to %c20 step %c1
// CHECK-NOT:     tensor.pad
// CHECK:         top.Conv2D
// CHECK:       scf.for %{{.*}} = %c20 to %c31 step %c1
// CHECK:         tensor.pad
// CHECK:         top.Conv2D
func.func @many_borders(%in: tensor<1x1x20x20xf32>, %w: tensor<1x1x12x3xf32>) -> tensor<1x1x31x18xf32> {
  %y = top.Conv2D %in, %w {pads = array<i64: 11, 0, 11, 0>} : (tensor<1x1x20x20xf32>, tensor<1x1x12x3xf32>) -> tensor<1x1x31x18xf32>
  return %y : tensor<1x1x31x18xf32>
}
