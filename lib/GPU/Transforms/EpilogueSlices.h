//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise op as the epilogue of a store: the part of its inputs that
// belongs to a box of the result, and the region that computes an element.
// Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_EPILOGUESLICES_H
#define TOP_LIB_GPU_TRANSFORMS_EPILOGUESLICES_H

#include "TileRanges.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::top {

/// What the region of a store is made from.
struct EpilogueSlices {
  SmallVector<Value> inputs;
  SmallVector<Attribute> maps; ///< from the result's dimensions to an input's
  SmallVector<Type> argTypes;
  /// For each input of the elementwise op the argument that it becomes, or the
  /// value outside that it is.
  SmallVector<unsigned> positions;
  SmallVector<Value> scalars;

  ArrayAttr getMaps(Builder &b) const {
    return maps.empty() ? ArrayAttr() : b.getArrayAttr(maps);
  }
};

/// Slices the inputs of `epilogue`, which may be null, for the box `ranges` of
/// its result, one range a dimension. `sums`, the value that the store itself
/// has, becomes argument 0, of its element type; where it is null there is
/// none. Dimensions of the result before `firstKept`, whose ranges are of one
/// element, are dropped: neither slices nor maps have them.
EpilogueSlices sliceEpilogue(OpBuilder &b, Location loc,
                             linalg::LinalgOp epilogue, Value sums,
                             ArrayRef<TileRange> ranges,
                             unsigned firstKept = 0);

/// Fills `region`, which is empty, with the body of `epilogue`, or with one
/// that yields argument 0 where it is null.
void fillEpilogue(OpBuilder &b, Location loc, linalg::LinalgOp epilogue,
                  const EpilogueSlices &slices, Region &region);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_EPILOGUESLICES_H
