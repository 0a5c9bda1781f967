//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a block's tile lies along the axes of a tensor, and the slices that are
// made of that. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_TILERANGES_H
#define TOP_LIB_GPU_TRANSFORMS_TILERANGES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "top/Dialect/Top/IR/Schedule.h"

namespace mlir::top {

/// Position and size of a tile along one axis.
struct TileRange {
  OpFoldResult offset, size;
};

/// The tile at `iv` of an axis of `extent` cut into tiles of `tile`. The size
/// is static unless the last tile is smaller than the others.
TileRange getTileRange(OpBuilder &b, Location loc, Value iv, int64_t extent,
                       int64_t tile);

/// The step of `bk` at `iv` of the part of K = `k` that begins at `part`, or of
/// all of K where there is one part and `part` is null. All parts have the same
/// number of steps, so that their loops have constant bounds: steps of the last
/// part that K does not have are of size 0, and multiply zeros.
TileRange getDepthRange(OpBuilder &b, Location loc, Value part, Value iv,
                        int64_t k, int64_t bk, const KParts &parts);

/// The part of `tensor` at `ranges`, one a dimension, without the `dropped`
/// dimensions (none where that is empty), whose ranges are of one element.
Value sliceRanges(OpBuilder &b, Location loc, Value tensor,
                  ArrayRef<TileRange> ranges, ArrayRef<bool> dropped = {});

/// Ends `kernel`, whose result has `stored` at `ranges`, and goes behind it.
void closeKernel(OpBuilder &b, scf::ForallOp kernel, Value stored,
                 ArrayRef<TileRange> ranges);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_TILERANGES_H
