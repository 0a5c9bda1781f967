// --sim-report and --json: what the kernels moved. 64 x 64 x 64 in f16 is two
// blocks of four warps, which read half of A each (4096 bytes) and all of B, by
// copies of 512 bytes a warp.

// RUN: top-run %s --target=sim --function=product --sim-report --json=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --implicit-check-not='"registers"' < %t.json
// RUN: top-run %s --target=sim --function=product --sim-report --sim-mode=lazy --sim-seed=9 --sim-workers=1 | FileCheck %s

// CHECK:      RAN product: 1 result, not compared
// CHECK-NEXT: simulated 1 launch, 2 blocks, 256 threads
// CHECK-NEXT:   global load: 48 requests, 24576 bytes, 16 sectors a request
// CHECK-NEXT:   global store: 16 requests, 8192 bytes, 16 sectors a request
// CHECK-NEXT:   shared load: {{[0-9]+}} requests, {{[0-9]+}} bytes, {{.*}} wavefronts a request, {{.*}} bank conflicts a request
// CHECK-NEXT:   shared store:
// CHECK-NEXT:   asynchronous copies: 48 requests, 24576 bytes
// CHECK-NEXT:   multiply-adds of matrix instructions: 262144
// CHECK:        nvvm.mma.sync: 128 instructions of warps
// CHECK-NEXT: accesses of the last launch's module, by location and op
// CHECK-DAG:    report.mlir:{{[0-9]+}}:8 (top.tile_copy of ring 1): nvvm.cp.async.shared.global, global load: {{.*}} bytes, 16 sectors a request
// CHECK-DAG:    (top.tile_fragment of ring 0): nvvm.ldmatrix, shared load: {{.*}} bytes, 4 wavefronts a request, 0 bank conflicts a request

// JSON-DAG: "target": "sim"
// JSON-DAG: "chip": "sm_80"
// JSON-DAG: "device": "simulated sm_80"
// JSON-DAG: "simulation": {
// JSON-DAG: "multiply_adds": 262144
// JSON-DAG: "nvvm.mma.sync": 128
// JSON-DAG: "access": "global_load"
// JSON-DAG: "bank_conflicts": 0

func.func @product(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<engine = mma_sync, block = [32, 64, 32], warp = [16, 32], stages = 2>}
     : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// A function without kernels has nothing to report.
// RUN: top-run %s --target=sim --function=empty --sim-report | FileCheck %s --check-prefix=EMPTY
// EMPTY: RAN empty: 1 result, not compared
// EMPTY-NOT: {{.}}
func.func @empty(%a: tensor<0x64xf16>, %b: tensor<64x64xf16>) -> tensor<0x64xf16> {
  %c = top.MatMul %a, %b : (tensor<0x64xf16>, tensor<64x64xf16>) -> tensor<0x64xf16>
  return %c : tensor<0x64xf16>
}

// What has no kernels is refused as for a GPU.
// RUN: not top-run %s --target=sim --function=conv --arg-shape=0:1x3x8x8 2>&1 | FileCheck %s --check-prefix=CONV
// CONV: error: {{.*}}'top.Conv2D' op cannot be compiled for a GPU: has a dynamic size N, expected static sizes for a GPU kernel
func.func @conv(%x: tensor<?x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x6x6xf32> {
  %y = top.Conv2D %x, %w : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x6x6xf32>
  return %y : tensor<?x4x6x6xf32>
}

// So is an instruction that the chip does not have.
// RUN: not top-run %s --target=sim --function=eight_bits --chip=sm_80 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: top-run %s --target=sim --function=eight_bits --chip=sm_89 --verify
// CHIP: error: 'top.MatMul' op needs an MMA shape for f8, which the engine 'mma_sync' of 'sm_80' does not have
func.func @eight_bits(%a: tensor<16x32xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>) -> tensor<16x8xf32> {
  %c = top.MatMul %a, %b {transpose_b = true, top.schedule = #top.schedule<engine = mma_sync, block = [16, 8, 32], warp = [16, 8]>}
     : (tensor<16x32xf8E4M3FN>, tensor<8x32xf8E4M3FN>) -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}
