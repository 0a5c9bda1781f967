// RUN: top-opt %s --top-expand-float8 | FileCheck %s
// RUN: top-opt %s --top-expand-float8 --canonicalize | FileCheck %s --check-prefix=FOLD

// The exponent is moved and given the bias of f32; a number without the hidden
// bit, and one that is none, are selected; then the sign.

// CHECK-LABEL: func.func @e4m3
// CHECK-SAME: (%[[X:.*]]: f8E4M3FN) -> f32
// CHECK: %[[BYTE:.*]] = arith.bitcast %[[X]] : f8E4M3FN to i8
// CHECK: %[[BITS:.*]] = arith.extui %[[BYTE]] : i8 to i32
// CHECK: %[[MASK:.*]] = arith.constant 127 : i32
// CHECK: %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %[[MASK]] : i32
// CHECK: %[[C20:.*]] = arith.constant 20 : i32
// CHECK: %[[MOVED:.*]] = arith.shli %[[MAGNITUDE]], %[[C20]] : i32
// CHECK: %[[BIAS:.*]] = arith.constant 1006632960 : i32
// CHECK: arith.addi %[[MOVED]], %[[BIAS]] : i32
// CHECK-COUNT-2: arith.select
// CHECK: arith.constant 128 : i32
// CHECK: arith.ori
// CHECK: %[[Y:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: return %[[Y]]
func.func @e4m3(%x: f8E4M3FN) -> f32 {
  %y = arith.extf %x : f8E4M3FN to f32
  return %y : f32
}

// A vector, and types other than f32: behind it.

// CHECK-LABEL: func.func @vectors
// CHECK: arith.bitcast %{{.*}} : vector<4xf8E5M2> to vector<4xi8>
// CHECK: arith.constant dense<21> : vector<4xi32>
// CHECK: arith.extf %{{.*}} : vector<4xf32> to vector<4xf64>
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
func.func @vectors(%x: vector<4xf8E5M2>) -> (vector<4xf64>, vector<4xf16>) {
  %y = arith.extf %x : vector<4xf8E5M2> to vector<4xf64>
  %z = arith.extf %x : vector<4xf8E5M2> to vector<4xf16>
  return %y, %z : vector<4xf64>, vector<4xf16>
}

// Others stay.

// CHECK-LABEL: func.func @others
// CHECK-NEXT: arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT: arith.extf %{{.*}} : f8E8M0FNU to f32
// CHECK-NEXT: arith.extf %{{.*}} : tensor<4xf8E5M2> to tensor<4xf32>
// CHECK-NEXT: return
func.func @others(%x: f16, %s: f8E8M0FNU, %t: tensor<4xf8E5M2>) -> (f32, f32, tensor<4xf32>) {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.extf %s : f8E8M0FNU to f32
  %2 = arith.extf %t : tensor<4xf8E5M2> to tensor<4xf32>
  return %0, %1, %2 : f32, f32, tensor<4xf32>
}

// By hand: -1.75 * 2^3, 3 * 2^-9 without a hidden bit, and no number.

// FOLD-LABEL: func.func @numbers
// FOLD-DAG: %[[NORMAL:.*]] = arith.constant -1.400000e+01 : f32
// FOLD-DAG: %[[SMALL:.*]] = arith.constant 0.005859375 : f32
// FOLD-DAG: %[[NAN:.*]] = arith.constant 0x7FF00000 : f32
// FOLD: return %[[NORMAL]], %[[SMALL]], %[[NAN]]
func.func @numbers() -> (f32, f32, f32) {
  %a = arith.constant 0xD6 : f8E4M3FN
  %b = arith.constant 0x03 : f8E4M3FN
  %c = arith.constant 0x7F : f8E4M3FN
  %0 = arith.extf %a : f8E4M3FN to f32
  %1 = arith.extf %b : f8E4M3FN to f32
  %2 = arith.extf %c : f8E4M3FN to f32
  return %0, %1, %2 : f32, f32, f32
}
