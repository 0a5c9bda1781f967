// Bytes in kernels: signed products summed in i32, floats of 8 bits loaded as i8
// and extended by arithmetic.

// RUN: top-compile %s --chip=sm_80 --emit=nvvm | FileCheck %s
// RUN: top-compile %s --chip=sm_80 --emit=ptx -o %t.ptx --plan=%t.json
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.json

#s = #top.schedule<block = [64, 64, 32], warp = [32, 32], thread = [8, 4], stages = 3>

// CHECK-LABEL: gpu.module
// CHECK: llvm.func @i8_kernel
// 16 bytes are 16 elements.
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK: arith.extsi %[[X]] : i8 to i32
// CHECK: %[[P:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.addi %[[P]], %{{.*}} : i32
// CHECK-NOT: math.fma
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr<1>
func.func @i8(%a: tensor<128x64xi8>, %b: tensor<64x64xi8>, %bias: tensor<64xi32>) -> tensor<128x64xi32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s, epilogue = [#top.step<relu>]} : (tensor<128x64xi8>, tensor<64x64xi8>, tensor<64xi32>) -> tensor<128x64xi32>
  return %c : tensor<128x64xi32>
}

// CHECK: llvm.func @f8_kernel
// CHECK: %[[BITS:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK: %[[F8:.*]] = arith.bitcast %[[BITS]] : i8 to f8E4M3FN
// CHECK: arith.extf %[[F8]] : f8E4M3FN to f32
// CHECK: math.fma
func.func @f8(%a: tensor<128x64xf8E4M3FN>, %b: tensor<64x64xf8E4M3FN>) -> tensor<128x64xf16> {
  %c = top.MatMul %a, %b {top.schedule = #s} : (tensor<128x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>) -> tensor<128x64xf16>
  return %c : tensor<128x64xf16>
}

// Rows of 33 bytes are no multiple of anything; a copy with rows of 48 is made
// by a kernel that reads bytes and writes 16 of them side by side, whose rest
// stays unread.
// CHECK: llvm.func @repacked_kernel
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK: %[[E5:.*]] = arith.bitcast %[[BYTE]] : i8 to f8E5M2
// CHECK: %[[BACK:.*]] = arith.bitcast %[[E5]] : f8E5M2 to i8
// CHECK: %[[FIRST:.*]] = llvm.insertelement %[[BACK]], %{{.*}} : vector<16xi8>
// CHECK-COUNT-15: llvm.insertelement
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr<1>
func.func @repacked(%a: tensor<65x33xf8E5M2>, %b: tensor<33x64xf8E5M2>) -> tensor<65x64xf32> {
  %c = top.MatMul %a, %b {top.schedule = #top.schedule<block = [64, 64, 32], warp = [32, 32], thread = [8, 4], stages = 3, repack = true>} : (tensor<65x33xf8E5M2>, tensor<33x64xf8E5M2>) -> tensor<65x64xf32>
  return %c : tensor<65x64xf32>
}

// No K: the bias in i32, without a product.
// CHECK: llvm.func @no_depth_kernel
// CHECK-NOT: arith.muli %{{.*}} : i32
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
func.func @no_depth(%a: tensor<64x0xi8>, %b: tensor<0x64xi8>, %bias: tensor<64xi32>) -> tensor<64x64xi32> {
  %c = top.MatMul %a, %b, %bias {top.schedule = #s} : (tensor<64x0xi8>, tensor<0x64xi8>, tensor<64xi32>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// PTX: .visible .entry i8_kernel
// PTX: cp.async.cg.shared.global
// PTX: ld.shared.{{[bsu]}}8
// PTX: mul.wide.s16
// PTX: st.global.{{[bsu]}}32
// PTX: .visible .entry f8_kernel
// PTX: fma.rn.f32
// PLAN: "bytes": 8192
// PLAN: "type": "i8"
// PLAN: "type": "i32"
// PLAN: "type": "f8E4M3FN"
// PLAN: "type": "f8E5M2"
