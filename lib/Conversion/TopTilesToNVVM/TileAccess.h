//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes of elements that lie side by side in a row of a buffer.
// Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEACCESS_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEACCESS_H

#include "TileMemory.h"

namespace mlir::top {

/// What selects the position along a dimension of a buffer: the number of a
/// part, the row or the column of an element of the result, or nothing (0).
enum class AccessAxis { Part, Row, Col, Zero };

/// The axes of an input of an epilogue by its indexing map.
SmallVector<AccessAxis> getAccessAxes(AffineMap map);

/// A buffer that is accessed at elements of the result.
struct TileAccess {
  GlobalView view;
  SmallVector<AccessAxis> axes; ///< one a dimension
  /// Of one access of elements whose columns lie side by side; 1 if the
  /// addresses of rows, or the view, allow no more.
  int64_t elements = 1;

  /// Resolves `memref` for accesses of runs of `width` columns, which begin at
  /// multiples of `width` columns. Fails with an error at `op`.
  static FailureOr<TileAccess> get(const IndexMath &math, Operation *op,
                                   Value memref, ArrayRef<AccessAxis> axes,
                                   int64_t width, const IRMapping &mapping);

  bool hasCol() const { return llvm::is_contained(axes, AccessAxis::Col); }
  Value getAddress(const IndexMath &math, OpFoldResult part, OpFoldResult row,
                   OpFoldResult col) const;
  /// Appends `width` elements from (row, col) on, a multiple of `elements`,
  /// read `atOnce` at a time.
  void load(const IndexMath &math, OpFoldResult part, OpFoldResult row,
            OpFoldResult col, int64_t width, int64_t atOnce,
            SmallVectorImpl<Value> &values) const;
  /// Writes `values` from (row, col) on, `atOnce` at a time.
  void store(const IndexMath &math, OpFoldResult row, OpFoldResult col,
             ArrayRef<Value> values, int64_t atOnce) const;
};

/// The inputs of an epilogue, each by its map of `maps` (null where there are
/// none), for runs of `width` columns. Fails with an error at `op`.
FailureOr<SmallVector<TileAccess>>
getInputAccesses(const IndexMath &math, Operation *op, ValueRange inputs,
                 ArrayAttr maps, int64_t width, const IRMapping &mapping);

/// What the region `body` of an epilogue yields for each of `count` elements:
/// argument i is `arguments[i]` at the element.
SmallVector<Value> computeElements(const IndexMath &math, Block &body,
                                   int64_t count,
                                   ArrayRef<SmallVector<Value>> arguments,
                                   const IRMapping &mapping);

/// i1: (row, col) is inside `dest`; null where that is known to hold, as where
/// the destination is as large as a block's tile of `rows` x `cols`.
Value isInside(const IndexMath &math, const TileAccess &dest, OpFoldResult row,
               OpFoldResult col, int64_t rows, int64_t cols);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEACCESS_H
