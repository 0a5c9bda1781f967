// RUN: top-opt %s --top-expand-math --split-input-file | FileCheck %s

// f32 is upstream's polynomial: no op of math but what is an instruction.
// CHECK-LABEL: func @f32
// CHECK-NOT: math.exp
// CHECK-NOT: math.erf
// CHECK: math.fma
// CHECK: return
func.func @f32(%x: f32) -> (f32, f32) {
  %e = math.exp %x : f32
  %f = math.erf %x : f32
  return %e, %f : f32, f32
}

// -----

// exp in f64: bounded, reduced by multiples of ln 2 in two parts, 13 steps of
// Horner, two halves of the power of 2; then infinity, 0 and NaN.
// CHECK-LABEL: func @exp64
// CHECK: arith.minnumf
// CHECK: arith.maxnumf
// CHECK: math.roundeven
// CHECK-COUNT-15: math.fma
// CHECK-NOT: math.fma
// CHECK-COUNT-2: arith.bitcast {{.*}} : i64 to f64
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf olt
// CHECK: arith.cmpf uno
// CHECK-NOT: math.exp
func.func @exp64(%x: f64) -> f64 {
  %e = math.exp %x : f64
  return %e : f64
}

// -----

// erf in f64: a series of 64 steps and a fraction of 40.
// CHECK-LABEL: func @erf64
// CHECK-DAG: arith.constant 64 : index
// CHECK-DAG: arith.constant 40 : index
// CHECK: scf.for
// CHECK: scf.for
// CHECK: math.copysign
// CHECK-NOT: math.exp
// CHECK-NOT: math.erf
func.func @erf64(%x: f64) -> f64 {
  %e = math.erf %x : f64
  return %e : f64
}

// -----

// Instructions stay.
// CHECK-LABEL: func @instructions
// CHECK: math.absf
// CHECK: math.sqrt
// CHECK: math.fma
func.func @instructions(%x: f64) -> f64 {
  %a = math.absf %x : f64
  %b = math.sqrt %a : f64
  %c = math.fma %a, %b, %x : f64
  return %c : f64
}
