//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes of output pixels: how a block's tile is laid over the images of a
// convolution's result.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_UTILS_PIXELBOX_H
#define TOP_DIALECT_TOP_UTILS_PIXELBOX_H

#include "mlir/Support/LLVM.h"
#include "top/Dialect/Top/Utils/ConvShape.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::top {

/// How many boxes `[TI, TH, TW]` cover the result of `shape`: N x OH x OW.
int64_t countBoxes(const ConvShape &shape, ArrayRef<int64_t> box);

/// The box `[TI, TH, TW]` of at most `pixels` (at least 1) of which the fewest
/// cover the result: whole rows where a row fits, several images where a whole
/// image does. Of equals the one with fewer pixels, then with longer rows.
SmallVector<int64_t, 3> choosePixelBox(const ConvShape &shape, int64_t pixels);

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_UTILS_PIXELBOX_H
