// RUN: top-opt %s --top-tile="batch=4 height=32" --top-tile="batch=1 height=4 width=16" | FileCheck %s --implicit-check-not=scf.if --implicit-check-not=affine.min
// RUN: top-opt %s --top-tile="batch=4 form=unroll" --top-tile="batch=1 form=unroll" | FileCheck %s --check-prefix=UNROLL

// A tile is an op like any other and can be cut again: the inner destination is
// a tile of the outer one, and offsets count inside the tile.

// CHECK-LABEL: func.func @depthwise
// CHECK:       scf.for %[[H:[a-z0-9_]+]] = %c0 to %c64 step %c32
// CHECK:         %[[S:[a-z0-9_]+]] = tensor.extract_slice %{{.*}}[0, 0, %[[H]], 0] [4, 16, 34, 66]
// CHECK:         %[[E:[a-z0-9_]+]] = tensor.empty() : tensor<4x16x32x64xf32>
// CHECK:         scf.for %[[N:[a-z0-9_]+]] = %c0{{.*}} to %c4{{.*}} step %c1
// CHECK:           scf.for %[[I:[a-z0-9_]+]] = %c0{{.*}} to %c32{{.*}} step %c4
// CHECK:             scf.for %[[J:[a-z0-9_]+]] = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK:               %[[T:[a-z0-9_]+]] = tensor.extract_slice %[[S]][%[[N]], 0, %[[I]], %[[J]]] [1, 16, 6, 18]
// CHECK:               top.Conv2D %[[T]], %{{.*}} {group = 16 : i64} : {{.*}} -> tensor<1x16x4x16xf32>
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, %[[H]], 0] [4, 16, 32, 64]

// UNROLL-LABEL:   func.func @depthwise
// UNROLL-COUNT-4: top.Conv2D {{.*}} -> tensor<1x16x64x64xf32>
// UNROLL-NOT:     top.Conv2D
func.func @depthwise(%in: tensor<4x16x66x66xf32>, %w: tensor<16x1x3x3xf32>) -> tensor<4x16x64x64xf32> {
  %y = top.Conv2D %in, %w {group = 16 : i64} : (tensor<4x16x66x66xf32>, tensor<16x1x3x3xf32>) -> tensor<4x16x64x64xf32>
  return %y : tensor<4x16x64x64xf32>
}
