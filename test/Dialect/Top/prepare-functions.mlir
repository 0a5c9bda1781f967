// RUN: top-opt %s --top-prepare-functions | FileCheck %s

// Callers outside keep their tensors; a promise that is there stays.
// CHECK:      func @public(%{{.*}}: tensor<4xf32> {bufferization.writable = false}, %{{.*}}: tensor<4xf32> {bufferization.writable = true}, %{{.*}}: index)
// CHECK-SAME: attributes {llvm.emit_c_interface}
func.func @public(%a: tensor<4xf32>, %b: tensor<4xf32> {bufferization.writable = true}, %n: index) {
  return
}

// CHECK:      func private @private(%{{.*}}: tensor<4xf32>)
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK-NOT:  passthrough
func.func private @private(%a: tensor<4xf32>) {
  return
}

// CHECK:      func private @apart()
// CHECK-SAME: passthrough = ["noinline"]
func.func private @apart() attributes {no_inline} {
  return
}

// CHECK: func private @declared(tensor<4xf32>){{$}}
func.func private @declared(tensor<4xf32>)
