//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of boxes of elements to shared memory. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_BOXCOPY_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_BOXCOPY_H

#include "TileMemory.h"

namespace mlir::top {

/// One access of a thread: `elements` elements of the tile from (row, col) on,
/// which are all in the view or all outside, and there begin at a multiple of
/// their bytes.
struct BoxPiece {
  const GlobalBox &box;
  RingType ring;
  Value slot;
  int64_t elements;
  bool isAsync;
  OpFoldResult row, col;
};

/// Copies a piece, or zeros where it does not exist. With `condition` (i1) an
/// asynchronous copy depends on it.
void copyBoxPiece(const IndexMath &math, const BoxPiece &piece,
                  Value condition);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_BOXCOPY_H
