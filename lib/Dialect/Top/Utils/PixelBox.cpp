//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PixelBox.h.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/Utils/PixelBox.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

int64_t top::countBoxes(const ConvShape &shape, ArrayRef<int64_t> box) {
  auto count = [](int64_t extent, int64_t tile) -> int64_t {
    return extent / tile + (extent % tile != 0);
  };
  return llvm::SaturatingMultiply<uint64_t>(
      llvm::SaturatingMultiply<uint64_t>(count(shape.n, box[0]),
                                         count(shape.oh, box[1])),
      count(shape.ow, box[2]));
}

SmallVector<int64_t, 3> top::choosePixelBox(const ConvShape &shape,
                                            int64_t pixels) {
  const int64_t oh = std::max<int64_t>(shape.oh, 1);
  const int64_t ow = std::max<int64_t>(shape.ow, 1);
  const int64_t n = std::max<int64_t>(shape.n, 1);
  SmallVector<int64_t, 3> best = {1, 1, std::min(ow, pixels)};
  auto key = [&](ArrayRef<int64_t> box) {
    return std::tuple(countBoxes(shape, box), box[0] * box[1] * box[2],
                      -box[2]);
  };
  auto look = [&](int64_t ti, int64_t th, int64_t tw) {
    SmallVector<int64_t, 3> box = {ti, th, tw};
    if (key(box) < key(best))
      best = box;
  };
  // An extent cut into equal parts, the largest of which count.
  auto cut = [](int64_t extent, int64_t most) {
    const int64_t parts = llvm::divideCeil(extent, std::max<int64_t>(most, 1));
    return int64_t(llvm::divideCeil(extent, parts));
  };
  for (int64_t th = 1; th <= std::min(oh, pixels); ++th) {
    const int64_t tw = cut(ow, std::min(ow, pixels / th));
    look(1, th, tw);
    if (th == oh && tw == ow)
      look(cut(n, std::min(n, pixels / (th * tw))), th, tw);
  }
  return best;
}
