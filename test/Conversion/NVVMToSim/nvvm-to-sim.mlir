// RUN: top-opt %s --top-nvvm-to-sim --split-input-file | FileCheck %s

// Instructions, special registers, shared memory and accesses. The table names
// the sites in order; the location of one that has none is its function.

// CHECK:      module attributes {top.simulation = {
// CHECK-SAME:   kernels = [{entry = "top_sim_entry_kernel", name = "kernel", parameters = 3 : i64, read_only = array<i64: 0>, threads = 64 : i64, writable = array<i64: 1>}]
// CHECK-SAME:   registers = ["tid.x", "laneid"]
// CHECK-SAME:   shared = [{alignment = 1024 : i64, bytes = 0 : i64, dynamic, name = "dynamic_memory"}, {alignment = 16 : i64, bytes = 64 : i64, name = "table"}]
// CHECK-SAME:   sites = [{
// CHECK-SAME:     location = "{{[^"]*}}nvvm-to-sim.mlir:{{[0-9]+}}:{{[0-9]+}}", op = "llvm.load", operands = [!llvm.ptr<1>], result = f32
// CHECK-SAME:     op = "nvvm.ldmatrix", operands = [!llvm.ptr<3>], result = !llvm.struct<(i32, i32)>
// CHECK-SAME:     attributes = {
// CHECK-SAME:       multiplicandAPtxType = #nvvm.mma_type<f16>
// CHECK-SAME:       shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-SAME:     op = "nvvm.mma.sync", operands = [vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>]
// CHECK-SAME:     segments = array<i32: 2, 1, 2>
// CHECK-SAME:     op = "nvvm.barrier0", operands = []}
// CHECK-SAME:     location = "product.mlir:7:9 (top.tile_copy of ring 1)", op = "llvm.store"

// CHECK-DAG: llvm.func @topSimExecute(!llvm.ptr, i32, !llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @topSimAccess(!llvm.ptr, i32, !llvm.ptr, i32, i32)
// CHECK-DAG: llvm.func @topSimRegister(!llvm.ptr, i32) -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none,
// CHECK-DAG: llvm.func @topSimShared(!llvm.ptr, i32) -> !llvm.ptr<3> attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none,

// Nothing that only the GPU's compiler may believe is left.
// CHECK-LABEL: llvm.func internal @kernel(
// CHECK-SAME:    %[[THREAD:[a-z0-9]+]]: !llvm.ptr, %[[A:[a-z0-9]+]]: !llvm.ptr<1>, %[[B:[a-z0-9]+]]: !llvm.ptr<1>, %{{[a-z0-9]+}}: i64) {
// CHECK:         %[[OUT:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> {alignment = 16 : i64}
// CHECK:         %[[IN:.*]] = llvm.alloca %{{.*}} x !llvm.array<40 x i8> {alignment = 16 : i64}
// CHECK:         %[[TID:.*]] = llvm.call @topSimRegister(%[[THREAD]], %{{.*}}) : (!llvm.ptr, i32) -> i32
// CHECK:         %[[SHARED:.*]] = llvm.call @topSimShared(%[[THREAD]], %{{.*}}) : (!llvm.ptr, i32) -> !llvm.ptr<3>
// CHECK:         %[[P:.*]] = llvm.getelementptr %[[A]][%[[TID]]]
// CHECK:         %[[GENERIC:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr<1> to !llvm.ptr
// CHECK:         %[[SITE:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK:         %[[KIND:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK:         llvm.call @topSimAccess(%[[THREAD]], %[[SITE]], %[[GENERIC]], %[[BYTES]], %[[KIND]])
// CHECK-NEXT:    %[[X:.*]] = llvm.load %[[P]] {alignment = 1 : i64} : !llvm.ptr<1> -> f32
// CHECK:         %[[SLOT:.*]] = llvm.getelementptr %[[IN]][0] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.store %{{.*}}, %[[SLOT]] {alignment = 8 : i64} : !llvm.ptr<3>, !llvm.ptr
// CHECK:         llvm.call @topSimExecute(%[[THREAD]], %{{.*}}, %[[IN]], %[[OUT]])
// CHECK-NEXT:    %[[MATRIX:.*]] = llvm.load %[[OUT]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.struct<(i32, i32)>
// CHECK:         llvm.extractvalue %[[MATRIX]][0]
// CHECK:         llvm.getelementptr %[[IN]][32] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         llvm.call @topSimExecute(%[[THREAD]]
// CHECK:         llvm.call @topSimExecute(%[[THREAD]]
// CHECK:         %[[STORE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    llvm.call @topSimAccess(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}}, %[[STORE]])
// CHECK-NEXT:    llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : f32, !llvm.ptr<3>
// CHECK-NOT:     nvvm.

// CHECK-LABEL: llvm.func @top_sim_entry_kernel(
// CHECK-SAME:    %[[THREAD:[a-z0-9]+]]: !llvm.ptr, %[[PARAMETERS:[a-z0-9]+]]: !llvm.ptr) {
// CHECK:         %[[P1:.*]] = llvm.getelementptr %[[PARAMETERS]][1]
// CHECK:         %[[AT:.*]] = llvm.load %[[P1]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[B:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr<1>
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         llvm.call @kernel(%[[THREAD]], %{{.*}}, %[[B]], %{{.*}})
gpu.module @kernels {
  llvm.mlir.global external @dynamic_memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @table() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x f32>
  llvm.func @kernel(%a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %b: !llvm.ptr<1> {llvm.noalias}, %n: i64)
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 2, 1>, nvvm.minctasm = 1 : i32} {
    %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %s = llvm.mlir.addressof @dynamic_memory : !llvm.ptr<3>
    %p = llvm.getelementptr inbounds %a[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p invariant : !llvm.ptr<1> -> f32
    %q = llvm.getelementptr %s[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %m = nvvm.ldmatrix %q {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %m0 = llvm.extractvalue %m[0] : !llvm.struct<(i32, i32)>
    %v = llvm.bitcast %m0 : i32 to vector<2xf16>
    %d = nvvm.mma.sync A[%v, %v] B[%v] C[%v, %v] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>}
      : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    nvvm.barrier0
    llvm.store %x, %q : f32, !llvm.ptr<3> loc("top.tile_copy of ring 1"("product.mlir":7:9))
    llvm.return
  }
}

// -----

// A hand-written instruction is known by its name; the text is not looked at.

// CHECK: sites = [{attributes = {bytes = 16 : i64}, location = "{{[^"]*}}", op = "cp.async.if", operands = [i1, i32, !llvm.ptr<1>]}]
// CHECK-NOT: inline_asm
gpu.module @kernels {
  llvm.func @named(%p: i1, %to: i32, %from: !llvm.ptr<1>) {
    llvm.inline_asm has_side_effects {top.instruction = "cp.async.if", top.instruction_attributes = {bytes = 16 : i64}} "copy", "b,r,l" %p, %to, %from : (i1, i32, !llvm.ptr<1>) -> ()
    llvm.return
  }
}

// -----

// A vector that is not known to be aligned is moved in parts, as by the GPU;
// one of 32 bytes in two. Atomic ops are kind 2. A thread's own stack is not
// checked, and a promise to the compiler is dropped.

// CHECK-LABEL: llvm.func internal @accesses(
// CHECK:         %[[TWO:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK:         llvm.call @topSimAccess(%{{.*}}, %{{.*}}, %{{.*}}, %[[TWO]], %{{.*}})
// CHECK:         llvm.getelementptr %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         llvm.call @topSimAccess(
// CHECK-NEXT:    llvm.load
// CHECK:         %[[SIXTEEN:.*]] = llvm.mlir.constant(16 : i32) : i32
// CHECK:         llvm.call @topSimAccess(%{{.*}}, %{{.*}}, %{{.*}}, %[[SIXTEEN]], %{{.*}})
// CHECK:         llvm.getelementptr %{{.*}}[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         llvm.call @topSimAccess(
// CHECK-NEXT:    llvm.load
// CHECK:         %[[FOUR:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:    %[[ATOMIC:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:    llvm.call @topSimAccess(%{{.*}}, %{{.*}}, %{{.*}}, %[[FOUR]], %[[ATOMIC]])
// CHECK-NEXT:    llvm.atomicrmw fadd
// CHECK-NOT:     topSim
// CHECK:         llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
// CHECK-NOT:     llvm.intr.assume
// CHECK:         llvm.return
gpu.module @kernels {
  llvm.func @accesses(%p: !llvm.ptr<1>, %x: f32, %n: i32, %c: i1) {
    %v = llvm.load %p {alignment = 2 : i64} : !llvm.ptr<1> -> vector<2xf16>
    %w = llvm.load %p {alignment = 32 : i64} : !llvm.ptr<1> -> vector<8xf32>
    %old = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr<1>, f32
    %one = llvm.mlir.constant(1 : i32) : i32
    %stack = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
    %s = llvm.getelementptr %stack[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %n, %s : i32, !llvm.ptr
    llvm.intr.assume %c : i1
    llvm.return
  }
}

// -----

// Functions hand the thread on. A parameter in memory is passed by its address.

// CHECK: kernels = [{entry = "top_sim_entry_caller", name = "caller", parameters = 2 : i64, read_only = array<i64>, threads = 0 : i64, writable = array<i64>}]
// CHECK-LABEL: llvm.func internal @helper(
// CHECK-SAME:    %[[THREAD:[a-z0-9]+]]: !llvm.ptr, %{{.*}}: i32) -> i32
// CHECK-LABEL: llvm.func internal @caller(
// CHECK-SAME:    %[[THREAD:[a-z0-9]+]]: !llvm.ptr
// CHECK:         llvm.call @helper(%[[THREAD]], %{{.*}}) : (!llvm.ptr, i32) -> i32
// CHECK-LABEL: llvm.func @top_sim_entry_caller(
// CHECK:         %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK:         %[[MAP:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:    llvm.call @caller(%{{.*}}, %[[N]], %[[MAP]])
gpu.module @kernels {
  llvm.func @helper(%n: i32) -> i32 {
    llvm.return %n : i32
  }
  llvm.func @caller(%n: i32, %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>}) attributes {nvvm.kernel} {
    %x = llvm.call @helper(%n) : (i32) -> i32
    llvm.return
  }
}

// -----

// Without kernels the table is empty.

// CHECK: module attributes {top.simulation = {kernels = [], registers = [], shared = [], sites = []}}
