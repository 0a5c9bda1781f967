//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which axes of a layer op the tiling passes cut, in the order in which they
// cut them, and the option that names each.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_TRANSFORMS_TILEAXES_H
#define TOP_DIALECT_TOP_TRANSFORMS_TILEAXES_H

#include "top/Dialect/Top/Transforms/Transforms.h"

namespace mlir::top {

/// One axis that can be cut.
struct TileAxis {
  StringRef name;               ///< of the option
  int64_t TileOptions::*option; ///< its tile size
  int64_t dim;                  ///< dimension of the result
};

/// N, H, W, F of a convolution; B (if batched), M, N of a product. Batch comes
/// first: slices along it share nothing. Channels come last: every tile of F
/// reads the whole input window again.
SmallVector<TileAxis> getTileAxes(TilingInterface op);

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_TRANSFORMS_TILEAXES_H
