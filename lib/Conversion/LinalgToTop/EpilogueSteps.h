//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar expression read as a list of epilogue steps.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_EPILOGUESTEPS_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_EPILOGUESTEPS_H

#include "ScalarExpr.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top::raise {

/// One thing that happens to X. Shift and Scale become part of a bias, an
/// affine step, or an add or mul step with one value per channel.
struct RawStep {
  enum Kind { Shift, Scale, Add, Mul, Activation };
  Kind kind;
  const Expr *operand = nullptr; ///< of all but Activation; without X
  StepAttr activation;
};

/// The steps that compute `expr` from X, the first applied first; nullopt, with
/// the reason, where there are none. Sums are not reordered, but roundings in
/// between are not kept: `x * scale + shift` stands for any chain of additions
/// and multiplications per channel, and a division for a multiplication by the
/// reciprocal. NaN comes out where it came out, and nowhere else.
std::optional<SmallVector<RawStep>> matchSteps(ExprPool &pool, const Expr *expr,
                                               std::string &reason);

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_EPILOGUESTEPS_H
