// RUN: top-opt %s --top-copies-to-linalg | FileCheck %s

// CHECK-LABEL: func @strided(
// CHECK-SAME:    %[[A:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<4x8xf32, strided<[10, 1], offset: 1>>)
// CHECK-NEXT:    linalg.copy ins(%[[A]] : {{.*}}) outs(%[[B]] :
// CHECK-NEXT:    return
func.func @strided(%a: memref<4x8xf32>, %b: memref<4x8xf32, strided<[10, 1], offset: 1>>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32, strided<[10, 1], offset: 1>>
  return
}

// These become memcpy, or have no rank to loop over.
// CHECK-LABEL: func @declines(
// CHECK-COUNT-2: memref.copy
func.func @declines(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<*xf32>, %d: memref<*xf32>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  memref.copy %c, %d : memref<*xf32> to memref<*xf32>
  return
}
