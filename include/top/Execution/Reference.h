//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The independent reference: a function of plain `top` ops evaluated by loops
// in double, tap by tap, straight from the attributes. Deliberately shares
// nothing with the tiling geometry or the lowering.
//
// With every element comes a bound on how far a right program may be off
// before its last rounding. Let u be 2^-24 where products are summed in f32
// and 2^-53 where in f64, |x| the magnitude of the value at hand, ea the bound
// of an operand element a (0 for arguments and constants):
//
//   sum of K products   K*u*sum|a*b| + sum(|a|*eb + |b|*ea + ea*eb)
//                       f64: no K*u term where all operands are multiples of
//                       a common 2^q and the sum stays below 2^(53+q): the sum
//                       is exact then, whatever its order
//                       allow_tf32: ea and eb grow by an ulp of tf32, 2^-10 of
//                       the element's binade, where the element has more bits
//   bias, add           + e of the operand
//   affine, mul         |x|*e' + |t|*e + e*e'
//   relu, clamp         unchanged (the slope is at most 1)
//   hardswish           1.5*e + u*(|x| + 2*|y|)        slope at most 1.5
//   sigmoid             0.25*e + 10*u*y                exp within 4 ulp (8*u)
//   silu                1.1*e + 11*u*|y|               slope below 1.0999
//   gelu                1.13*e + 6*u*|x|               erf within 4 ulp; 1+erf
//                       cancels for negative x, hence |x| and not |y|
//
// and every operation but the last adds its own rounding, u*|x|. The last one
// is the rounding to the result type: a value is right if it lies between the
// rounded lower and the rounded upper end of [value - bound, value + bound],
// which is "within half an ulp plus the bound" and also right at infinity.
// A result that a further op reads takes that interval's half width along.
//
// Products of 8-bit floats are exact in double, and summed in f32 as those of
// 16 bits. Those of i8 are summed exactly and wrap to i32, as do the steps on
// them; bounds are 0.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_REFERENCE_H
#define TOP_EXECUTION_REFERENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "top/Execution/Tensor.h"

#include <memory>
#include <string>

namespace mlir::top {

/// What a right program may give for one element.
struct ReferenceElement {
  double value = 0; ///< not yet rounded to the result type
  double bound = 0; ///< see above; infinite where nothing can be said
  /// A padded tap met a non-finite weight: NaN is right as well.
  bool orNaN = false;
};

/// Why `func` is not a function of plain `top` ops (one block of `top.Conv2D`,
/// `top.MatMul` and tensor constants on ranked tensors of floats, i8 or i32);
/// nullopt if it is one.
std::optional<std::string> whyNotPlain(func::FuncOp func);

/// Computes the shapes of all values of a plain function for arguments of
/// these shapes. Fails, with one error at the op that gives the numbers, where
/// an input is too small or extents do not match. Returns the results' shapes.
FailureOr<SmallVector<SmallVector<int64_t>>>
inferShapes(func::FuncOp func, ArrayRef<SmallVector<int64_t>> argumentShapes);

/// A plain function on given arguments.
class ReferenceFunction {
public:
  /// Fails, with one error, as inferShapes does, or where a constant has no
  /// data. `args` must have the arguments' types and outlive this object.
  static FailureOr<ReferenceFunction> create(func::FuncOp func,
                                             ArrayRef<const Tensor *> args);
  ReferenceFunction(ReferenceFunction &&);
  ReferenceFunction &operator=(ReferenceFunction &&);
  ~ReferenceFunction();

  unsigned getNumResults() const;
  ArrayRef<int64_t> getResultShape(unsigned result) const;
  ElementKind getResultKind(unsigned result) const;

  /// Elements of all ops' results.
  int64_t getTotalElements() const;
  /// Products that evaluating everything takes, and the largest number that
  /// one element of any op takes.
  double getTotalProducts() const;
  int64_t getProductsPerElement() const;

  /// One element, computing no more than it needs. What has been computed is
  /// kept.
  ReferenceElement evaluate(unsigned result, int64_t index);
  /// Computes these elements, by several threads where the op reads arguments
  /// and constants alone; later calls of `evaluate` are look-ups.
  void evaluateMany(unsigned result, ArrayRef<int64_t> indices);
  /// Computes all elements; later calls of `evaluate` are look-ups.
  void evaluateAll();

private:
  struct Impl;
  explicit ReferenceFunction(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::top

#endif // TOP_EXECUTION_REFERENCE_H
