// RUN: top-opt %s --top-expand-math --split-input-file --verify-diagnostics

// There is no polynomial for it in f64.
func.func @tanh(%x: f64) -> f64 {
  // expected-error@+1 {{'math.tanh' op cannot be computed on a GPU: there is neither an instruction nor an expansion for it in type 'f64'}}
  %y = math.tanh %x : f64
  return %y : f64
}

// -----

// Nor for this one at all.
func.func @cbrt(%x: f32) -> f32 {
  // expected-error@+1 {{'math.cbrt' op cannot be computed on a GPU: there is neither an instruction nor an expansion for it in type 'f32'}}
  %y = math.cbrt %x : f32
  return %y : f32
}
