//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that only rearrange or repeat another value, seen through, and the
// transposes and reshapes that bring an operand into the order that a layer op
// wants. Nothing is created where what stands in front already undoes it.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_REARRANGE_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_REARRANGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::top::raise {

/// For one dimension of a value: the dimension of another value (or the loop)
/// that it is read along.
struct DimSource {
  int64_t dim; ///< -1: always read at index 0
  /// It is read along a part of `dim` only, which is the product of several
  /// dimensions. Only repeated data may be read so.
  bool isPart = false;
};
using Rearrangement = SmallVector<DimSource>;

/// 0, 1, ..., rank - 1.
Rearrangement identityRearrangement(int64_t rank);

/// Extents of a tensor without those that are statically 1.
SmallVector<int64_t> getNonUnitShape(ArrayRef<int64_t> shape);

/// Whether `op` computes each element of its one result from at most one
/// element of each input: all loops parallel, no index used, a body of pure
/// scalar ops.
bool isElementwise(linalg::LinalgOp op);

/// Whether `op` is elementwise and computes something, unlike a copy, a
/// transpose, a broadcast or a fill.
bool isArithmetic(linalg::LinalgOp op);

/// The input that `op` yields unchanged; null where it computes something.
OpOperand *getMovedInput(linalg::LinalgOp op);

/// If `value` only rearranges or repeats another value, returns that value and
/// turns `source` (along what each dimension of `value` is read) into the same
/// for the returned one. Leaves `source` alone otherwise.
std::optional<Value> lookThrough(Value value, Rearrangement &source);

/// `value` without casts that only hide static extents.
Value skipCasts(Value value);

/// The value with dimension d taken from dimension permutation[d] of `value`:
/// nothing, a reshape where only extents of 1 move, or a linalg.transpose.
Value createTranspose(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<int64_t> permutation);

/// Whether createTranspose would move data.
bool movesData(ArrayRef<int64_t> permutation, ArrayRef<int64_t> shape);

/// The value with extents of 1 left out and put in, so that its shape is
/// `shape`, which must have the same other extents in the same order.
Value reshapeUnits(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<int64_t> shape);

/// tensor.collapse_shape and tensor.expand_shape, or what already stands in
/// front of the inverse one.
Value createCollapse(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<ReassociationIndices> groups);
Value createExpand(OpBuilder &builder, Location loc, Value value,
                   RankedTensorType type, ArrayRef<ReassociationIndices> groups,
                   ArrayRef<OpFoldResult> sizes);

/// A numbered role for each dimension of a value; -1 for an extent of 1 that
/// has none.
using Roles = SmallVector<int>;
/// The order that a layer op wants: the dimension g of its operand is the
/// product of the roles groups[g], and 1 where the value has none of them.
using RoleGroups = ArrayRef<SmallVector<int>>;

/// The permutation that brings roles into the order of `groups`; dimensions
/// without a role come first.
SmallVector<int64_t> getPermutation(ArrayRef<int> roles, RoleGroups groups);

/// Brings `value` into the order of `groups`.
Value arrange(OpBuilder &builder, Location loc, Value value,
              ArrayRef<int> roles, RoleGroups groups);

/// The inverse: `value` is in the order of `groups`, the result has a dimension
/// for each of `roles` and the type of `like`.
Value disarrange(OpBuilder &builder, Location loc, Value value,
                 ArrayRef<int> roles, RoleGroups groups, Value like);

/// Cancels pairs of transposes, also round a tensor.extract_slice, pairs of
/// reshapes and pairs of casts, as the raise leaves them.
void cancelRearrangements(RewriterBase &rewriter, Operation *root);

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_REARRANGE_H
