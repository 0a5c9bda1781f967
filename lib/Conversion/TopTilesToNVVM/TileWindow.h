//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of the implicit matrix of a convolution (#top.window) in the
// images that it is made of. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEWINDOW_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEWINDOW_H

#include "TileMemory.h"

namespace mlir::top {

/// The images behind a tile of `numPixels` pixels and a depth of `tileDepth`.
struct WindowSource {
  GlobalView images;
  WindowAttr window;
  OpFoldResult h0, w0, k0; ///< the position of the tile
  int64_t numPixels, tileDepth;

  struct Place {
    Value address; ///< of the element, if it exists
    Value exists;  ///< i1; null where it is known to
  };
  /// Where element (pixel, depth) of the tile is. What does not exist has an
  /// address anywhere. With channels last the elements behind it, up to the
  /// pixel's last channel, are side by side and exist if it does.
  ///
  /// What depends on the pixel alone is computed apart from the rest: it stays
  /// the same from step to step of a loop along K, which it then leaves.
  Place getPlace(const IndexMath &math, OpFoldResult pixel,
                 OpFoldResult depth) const;
};

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_TILEWINDOW_H
