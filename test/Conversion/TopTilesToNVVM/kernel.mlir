// RUN: top-compile %s --chip=sm_80 --emit=nvvm | FileCheck %s

// A kernel of one block: outlined, launched with its shared memory, arguments as
// plain pointers. The loops of one iteration of the canonicalizer do not eat it.
// CHECK-LABEL: func.func @one_block
// CHECK-SAME: %[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<32x64xf32>
// CHECK: %[[C:.*]] = memref.alloc()
// 2 slots of 64 x 16 and of 16 x 64 f32.
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 16384 : i32
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 128 : index
// CHECK: gpu.launch_func @top_kernels::@[[ONE:.*]] blocks in (%[[G:.*]], %{{.*}}, %{{.*}}) threads in (%[[THREADS]], %{{.*}}, %{{.*}}) dynamic_shared_memory_size %[[BYTES]] args(%[[A]] : memref<64x32xf32>, %[[B]] : memref<32x64xf32>, %[[C]] : memref<64x64xf32>)
#s = #top.schedule<block = [64, 64, 16], warp = [32, 32], thread = [8, 4]>
func.func @one_block(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// An equal kernel is emitted once, and launched twice.
// CHECK-LABEL: func.func @equal
// CHECK: gpu.launch_func @top_kernels::@one_block_kernel
// CHECK: gpu.launch_func @top_kernels::@equal_kernel
// CHECK: gpu.launch_func @top_kernels::@one_block_kernel
func.func @equal(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %p: tensor<64x32xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %d = top.MatMul %c, %c {top.schedule = #s} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = top.MatMul %p, %b {top.schedule = #s} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  return %d, %e : tensor<64x64xf32>, tensor<64x64xf32>
}

// Nothing to multiply: the kernel stores zeros, and needs no shared memory.
// CHECK-LABEL: func.func @k0
// CHECK: %[[NONE:.*]] = arith.constant 0 : i32
// CHECK: gpu.launch_func @top_kernels::@k0_kernel {{.*}} dynamic_shared_memory_size %[[NONE]] args(%{{.*}} : memref<64x64xf32>)
func.func @k0(%a: tensor<64x0xf32>, %b: tensor<0x64xf32>) -> tensor<64x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<64x0xf32>, tensor<0x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// An empty result is not launched for.
// CHECK-LABEL: func.func @m0
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @m0(%a: tensor<0x32xf32>, %b: tensor<32x64xf32>) -> tensor<0x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<0x32xf32>, tensor<32x64xf32>) -> tensor<0x64xf32>
  return %c : tensor<0x64xf32>
}

// Both operands are one argument. Their rows of 33 f32 allow 4 bytes an access.
// CHECK-LABEL: func.func @square
// CHECK: gpu.launch_func @top_kernels::@square_kernel {{.*}} args(%{{.*}} : memref<33x33xf32>, %{{.*}} : memref<33x33xf32>)
func.func @square(%a: tensor<33x33xf32>) -> tensor<33x33xf32> {
  %c = top.MatMul %a, %a {top.schedule = #s} : (tensor<33x33xf32>, tensor<33x33xf32>) -> tensor<33x33xf32>
  return %c : tensor<33x33xf32>
}

// CHECK: gpu.module @top_kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">]
// The one symbol of shared memory: external, of no size of its own.
// CHECK: llvm.mlir.global external @top_shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @one_block_kernel(%{{.*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.noalias})
// CHECK-SAME: nvvm.reqntid = array<i32: 128, 1, 1>
// Inside the edges copies have a constant size, and the store no condition.
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.barrier0
// CHECK: nvvm.cp.async.commit.group
// CHECK: math.fma
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: llvm.func @equal_kernel
// CHECK-NOT: llvm.func @equal_kernel_
// CHECK: llvm.func @k0_kernel
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.func @square_kernel
// At an edge an access of 4 bytes reads all of them or none, wherever its address
// points.
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: %[[N:.*]] = arith.select %[[IN]], %c4{{.*}}, %c0{{.*}} : i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %[[N]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// The store asks for each element.
// CHECK: scf.if %{{.*}} {
// CHECK: llvm.store
