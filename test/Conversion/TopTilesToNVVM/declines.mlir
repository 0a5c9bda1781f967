// A module without kernels is left as it is, with a remark.
// RUN: top-opt %s --convert-top-tiles-to-nvvm --remark-format=emitRemark --remarks-filter=convert-top-tiles-to-nvvm 2>&1 | FileCheck %s
// CHECK-DAG: [Missed] NoKernel | Category:convert-top-tiles-to-nvvm | {{.*}}Reason="no scf.forall carries top.schedule"
// CHECK-DAG: func.func @f
// CHECK-NOT: gpu.module
func.func @f() {
  return
}
