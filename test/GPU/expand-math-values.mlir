// What the f64 expansions compute is what libm computes, over 20000 arguments
// from end to end: exp within 2 * 2^-53, erf within 12 * 2^-53. Infinities and NaN
// as well. Run on the CPU, which has the same arithmetic.
// RUN: top-opt %s --top-expand-math --convert-scf-to-cf --convert-math-to-llvm --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --convert-index-to-llvm --reconcile-unrealized-casts -o %t
// RUN: mlir-runner %t -e exp_off -entry-point-result=i64 | FileCheck %s
// RUN: mlir-runner %t -e erf_off -entry-point-result=i64 | FileCheck %s
// RUN: mlir-runner %t -e special_off -entry-point-result=i64 | FileCheck %s
// CHECK: {{^0$}}
func.func private @exp(f64) -> f64
func.func private @erf(f64) -> f64

func.func @my_exp(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

func.func @my_erf(%x: f64) -> f64 {
  %y = math.erf %x : f64
  return %y : f64
}

// 1 if |x - y| is above `ulps` * 2^-53 * |y| + 2^-1073.
func.func @differs(%x: f64, %y: f64, %ulps: f64) -> i64 {
  %ulp = arith.constant 1.1102230246251565e-16 : f64
  %tiny = arith.constant 9.9e-324 : f64
  %same = arith.cmpf oeq, %x, %y : f64
  %d = arith.subf %x, %y : f64
  %abs = math.absf %d : f64
  %size = math.absf %y : f64
  %a = arith.mulf %size, %ulp : f64
  %b = arith.mulf %a, %ulps : f64
  %bound = arith.addf %b, %tiny : f64
  %near = arith.cmpf ole, %abs, %bound : f64
  %ok = arith.ori %same, %near : i1
  %true = arith.constant true
  %not = arith.xori %ok, %true : i1
  %r = arith.extui %not : i1 to i64
  return %r : i64
}

func.func @exp_off() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20000 : index
  %none = arith.constant 0 : i64
  %step = arith.constant 0.074 : f64
  %start = arith.constant -760.0 : f64
  %ulps = arith.constant 2.0 : f64
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (i64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %g = arith.mulf %f, %step : f64
    %x = arith.addf %g, %start : f64
    %ours = func.call @my_exp(%x) : (f64) -> f64
    %theirs = func.call @exp(%x) : (f64) -> f64
    %d = func.call @differs(%ours, %theirs, %ulps) : (f64, f64, f64) -> i64
    %s = arith.addi %sum, %d : i64
    scf.yield %s : i64
  }
  return %e : i64
}

func.func @erf_off() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20000 : index
  %none = arith.constant 0 : i64
  %step = arith.constant 0.0007 : f64
  %start = arith.constant -7.0 : f64
  %ulps = arith.constant 12.0 : f64
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (i64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %g = arith.mulf %f, %step : f64
    %x = arith.addf %g, %start : f64
    %ours = func.call @my_erf(%x) : (f64) -> f64
    %theirs = func.call @erf(%x) : (f64) -> f64
    %d = func.call @differs(%ours, %theirs, %ulps) : (f64, f64, f64) -> i64
    %s = arith.addi %sum, %d : i64
    scf.yield %s : i64
  }
  return %e : i64
}

// Of infinity, minus infinity and NaN; and erf of 0 is 0.
func.func @special_off() -> i64 {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %minus = arith.constant 0xFFF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %less = arith.constant -1.0 : f64
  %none = arith.constant 0 : i64
  %y0 = call @my_exp(%inf) : (f64) -> f64
  %b0 = arith.cmpf une, %y0, %inf : f64
  %i0 = arith.extui %b0 : i1 to i64
  %s0 = arith.addi %none, %i0 : i64
  %y1 = call @my_exp(%minus) : (f64) -> f64
  %b1 = arith.cmpf une, %y1, %zero : f64
  %i1 = arith.extui %b1 : i1 to i64
  %s1 = arith.addi %s0, %i1 : i64
  %y2 = call @my_exp(%nan) : (f64) -> f64
  %b2 = arith.cmpf ord, %y2, %y2 : f64
  %i2 = arith.extui %b2 : i1 to i64
  %s2 = arith.addi %s1, %i2 : i64
  %y3 = call @my_erf(%inf) : (f64) -> f64
  %b3 = arith.cmpf une, %y3, %one : f64
  %i3 = arith.extui %b3 : i1 to i64
  %s3 = arith.addi %s2, %i3 : i64
  %y4 = call @my_erf(%minus) : (f64) -> f64
  %b4 = arith.cmpf une, %y4, %less : f64
  %i4 = arith.extui %b4 : i1 to i64
  %s4 = arith.addi %s3, %i4 : i64
  %y5 = call @my_erf(%nan) : (f64) -> f64
  %b5 = arith.cmpf ord, %y5, %y5 : f64
  %i5 = arith.extui %b5 : i1 to i64
  %s5 = arith.addi %s4, %i5 : i64
  %y6 = call @my_erf(%zero) : (f64) -> f64
  %b6 = arith.cmpf une, %y6, %zero : f64
  %i6 = arith.extui %b6 : i1 to i64
  %s6 = arith.addi %s5, %i6 : i64
  return %s6 : i64
}
