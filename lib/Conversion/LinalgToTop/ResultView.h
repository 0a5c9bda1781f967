//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rearrangements of a layer op's result: transposes of a channels-last file and
// reshapes round a product. Elementwise ops behind them are computed in front
// of them.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_RESULTVIEW_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_RESULTVIEW_H

#include "Rearrange.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::top::raise {

/// One rearrangement, from `inner` (nearer to the layer op) to `outer`.
class ResultView {
public:
  /// What `op` does to its operand; nullopt where it is no rearrangement that
  /// keeps every element once.
  static std::optional<ResultView> match(Operation *op);

  ArrayRef<int64_t> getInnerShape() const { return innerShape; }
  ArrayRef<int64_t> getOuterShape() const { return outerShape; }

  /// The outer dimension along which the inner one runs; -1 where none does.
  int64_t getOuterDim(int64_t inner) const;

  /// The inner dimensions along which a value varies that varies along these
  /// outer ones; nullopt where it does so along a part of an inner one.
  std::optional<llvm::SmallBitVector>
  getInnerDims(const llvm::SmallBitVector &outer) const;

  /// The rearrangement of another value with the inner shape.
  Value apply(OpBuilder &builder, Location loc, Value value) const;

  /// `value`, with the outer shape or 1 in any dimension, brought into the
  /// inner shape or 1. getInnerDims must have succeeded for it.
  Value invert(OpBuilder &builder, Location loc, Value value) const;

private:
  enum Kind { Transpose, Expand, Collapse, Cast };
  Kind kind;
  SmallVector<int64_t> innerShape, outerShape;
  SmallVector<int64_t> permutation; ///< outer dim d is inner permutation[d]
  SmallVector<ReassociationIndices> groups;
  SmallVector<OpFoldResult> outerSizes; ///< of Expand
};

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_RESULTVIEW_H
