//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of epilogue steps: scalar expressions without X as the vectors and
// tensors that bias, affine, add and mul take.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_STEPOPERANDS_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_STEPOPERANDS_H

#include "ResultView.h"
#include "ScalarExpr.h"

namespace mlir::top::raise {

/// Writes step operands for a layer op of `layerType` whose `views`, the inner
/// one first, lead to the values that expressions are of.
class StepOperands {
public:
  StepOperands(OpBuilder &builder, Location loc, ExprPool &pool,
               RankedTensorType layerType, int64_t channelDim,
               ArrayRef<ResultView> views)
      : builder(builder), loc(loc), pool(pool), layerType(layerType),
        channelDim(channelDim), views(views) {}

  /// Whether a tensor operand for `expr` can be brought into the shape of the
  /// layer op's result.
  bool canBeTensor(const Expr *expr) const;

  /// Whether it is known how often to repeat a value that does not vary.
  bool canBeVector(const Expr *expr) const;
  /// One value per channel, as a tensor of rank 1.
  Value vector(const Expr *expr);
  /// A tensor of the result's rank, 1 where the expression does not vary.
  Value tensor(const Expr *expr);

private:
  Type getElementType(const Expr *expr) const;
  Value generic(const Expr *expr, ArrayRef<int64_t> loops, Type element);

  OpBuilder &builder;
  Location loc;
  ExprPool &pool;
  RankedTensorType layerType; ///< of the new op
  int64_t channelDim;
  ArrayRef<ResultView> views;
};

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_STEPOPERANDS_H
