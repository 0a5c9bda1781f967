//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes of elements of buffers by their coordinates in the result.
// A tile's rows and columns are such coordinates, or boxes of them
// (#top.tile_dims). Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEACCESS_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEACCESS_H

#include "TileMemory.h"

namespace mlir::top {

/// The coordinate that selects the position along a dimension of a buffer;
/// without one it is 0.
using AccessAxis = std::optional<unsigned>;

/// The axes of an input of an epilogue by its indexing map.
SmallVector<AccessAxis> getAccessAxes(AffineMap map);

/// A buffer that is accessed at coordinates.
struct TileAccess {
  GlobalView view;
  SmallVector<AccessAxis> axes; ///< one a dimension
  /// The coordinate along which runs of elements go.
  unsigned run = 0;
  /// Of one access of a run; 1 if the addresses of runs, or the view, allow no
  /// more.
  int64_t elements = 1;
  /// Of the view's first element, in elements, as getOffsetDivisor finds it.
  int64_t offsetDivisor = 1;

  /// Resolves `memref` for accesses of runs of `width` elements along
  /// coordinate `run`, which begin at multiples of `width` of it. Fails with an
  /// error at `op`.
  static FailureOr<TileAccess> get(const IndexMath &math, Operation *op,
                                   Value memref, ArrayRef<AccessAxis> axes,
                                   unsigned run, int64_t width,
                                   const IRMapping &mapping);
  /// Sets `elements` for runs of `width`.
  void setWidth(int64_t width);

  /// Whether elements of a run differ at all.
  bool hasRun() const { return llvm::is_contained(axes, AccessAxis(run)); }
  Value getAddress(const IndexMath &math,
                   ArrayRef<OpFoldResult> coordinates) const;
  /// Appends `width` elements from `coordinates` on, a multiple of `elements`,
  /// read `atOnce` at a time.
  void load(const IndexMath &math, ArrayRef<OpFoldResult> coordinates,
            int64_t width, int64_t atOnce,
            SmallVectorImpl<Value> &values) const;
  /// Writes `values` from `coordinates` on, `atOnce` at a time.
  void store(const IndexMath &math, ArrayRef<OpFoldResult> coordinates,
             ArrayRef<Value> values, int64_t atOnce) const;
};

/// What a store of a tile accesses: the destination and the inputs of its
/// epilogue, by coordinates that the rows and columns of the tile are made of.
/// Neighbouring coordinates of columns become one where they are side by side
/// in all buffers.
class StoreAccesses {
public:
  /// For runs of at most `width` columns that begin at multiples of their
  /// length. The tile of the block has `rows` x `cols` elements. Fails with an
  /// error at `op`.
  static FailureOr<StoreAccesses> get(const IndexMath &math, TileStoreOp op,
                                      int64_t rows, int64_t cols, int64_t width,
                                      const IRMapping &mapping);

  int64_t getWidth() const { return width; }
  /// The coordinates of element (row, col) of the block's tile.
  SmallVector<OpFoldResult> getCoordinates(const IndexMath &math,
                                           OpFoldResult row,
                                           OpFoldResult col) const;
  /// i1: a run from there on is inside the destination; null where that is
  /// known to hold.
  Value isInside(const IndexMath &math,
                 ArrayRef<OpFoldResult> coordinates) const;
  /// The coordinates of the last run that exists in place of one beyond it.
  SmallVector<OpFoldResult> clamp(const IndexMath &math,
                                  ArrayRef<OpFoldResult> coordinates) const;

  TileAccess dest;
  SmallVector<TileAccess> inputs;

private:
  void mergeColumns(const IndexMath &math, Value memref);
  bool canMerge(const TileAccess &access, unsigned outer, unsigned inner) const;

  /// Whether a coordinate may be beyond the extent `size` of its dimension.
  bool mayBeBeyond(unsigned coordinate, OpFoldResult size) const;

  SmallVector<int64_t> rows, cols; ///< extents of the coordinates
  /// How many values each may have: an outermost one as many as the block's
  /// tile has room for.
  SmallVector<int64_t> counts;
  int64_t runDivisor = 1; ///< of the destination's extent along runs
  int64_t width = 1;
};

/// What the region `body` of an epilogue yields for each of `count` elements:
/// argument i is `arguments[i]` at the element.
SmallVector<Value> computeElements(const IndexMath &math, Block &body,
                                   int64_t count,
                                   ArrayRef<SmallVector<Value>> arguments,
                                   const IRMapping &mapping);

/// i1 of both; null stands for true.
Value createAnd(const IndexMath &math, Value lhs, Value rhs);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEACCESS_H
