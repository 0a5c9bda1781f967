//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tensor constants of a program are weights, and what random values suit
// each: decided once, on the untouched program, and followed in every program
// that is compared with it. A constant is known again by type and contents.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_CONSTANTPLAN_H
#define TOP_EXECUTION_CONSTANTPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::top {

/// Random values of one constant.
struct RandomValues {
  enum Kind {
    Weight,   ///< about normal, standard deviation `scale`
    Positive, ///< uniform in [0.5, 1.5): scales and variances are such
    Centered  ///< uniform in [-0.5, 0.5): a bias that was zero
  };
  Kind kind = Weight;
  double scale = 1;
};

/// The rules, by what reads the constant, also through reshapes, casts,
/// transposes and broadcasts:
///
///   product or convolution   Weight of scale sqrt(2 / K) for sums of K
///                            products: that keeps the variance of activations
///                            behind a relu, which halves it (He et al. 2015,
///                            "Delving deep into rectifiers"); a quarter of
///                            it in the last layer of a residual branch, so
///                            that the sum of a dozen of them stays as small
///   elementwise op           a vector (one extent other than 1): Positive, or
///                            Centered where all elements are zero; else Weight
///                            of scale 1
///
/// A constant keeps its values where it has fewer than two elements or no
/// floats, where all its elements are equal and not finite, and where a random
/// number there would be another program: the bound of a comparison, minimum or
/// maximum; a number repeated to the full shape of an elementwise op (the 3 in
/// x + 3); a zero on which an op accumulates; a zero that is neither a vector
/// nor a weight. One such use is enough.
class ConstantPlan {
public:
  static ConstantPlan create(func::FuncOp func);

  /// Null for a constant that keeps its values, or that the program the plan
  /// was made for does not have.
  const RandomValues *find(ElementsAttr attr) const;
  size_t size() const { return values.size(); }
  /// How many of the weights `func` does not have: a pass that folded them into
  /// other constants has made it incomparable.
  size_t countMissingWeights(func::FuncOp func) const;

private:
  llvm::DenseMap<uint64_t, RandomValues> values;
};

/// FNV-1a over type and contents (the name, of a resource without data), the
/// same in every context.
uint64_t hashConstant(ElementsAttr attr);

} // namespace mlir::top

#endif // TOP_EXECUTION_CONSTANTPLAN_H
