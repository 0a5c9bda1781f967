//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which 2-D copies a copy of a strided box is made of.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/PlanRunner.h"

using namespace mlir;
using namespace mlir::top;

BoxCopy top::planBoxCopy(const PlanCopy &copy, int64_t maxPitch) {
  BoxCopy box;
  for (auto [extent, source, destination] :
       llvm::zip(copy.shape, copy.sourceStrides, copy.destinationStrides)) {
    if (extent == 0)
      return BoxCopy();
    if (extent != 1)
      box.loops.push_back({extent, source, destination});
  }
  box.width = copy.elementBytes;
  box.rows = 1;
  box.sourcePitch = box.destinationPitch = box.width;
  // What is dense on both sides is one row, whatever the order of dimensions.
  for (bool found = true; found;) {
    found = false;
    for (auto [index, loop] : llvm::enumerate(box.loops))
      if (loop.sourceStride == box.width &&
          loop.destinationStride == box.width) {
        box.width *= loop.extent;
        box.loops.erase(box.loops.begin() + index);
        found = true;
        break;
      }
  }
  // A dimension that goes on where the next one ends is one with it.
  for (size_t inner = box.loops.size(); inner-- > 1;) {
    const BoxCopy::Loop loop = box.loops[inner];
    BoxCopy::Loop &outer = box.loops[inner - 1];
    if (outer.sourceStride != loop.sourceStride * loop.extent ||
        outer.destinationStride != loop.destinationStride * loop.extent)
      continue;
    outer = {outer.extent * loop.extent, loop.sourceStride,
             loop.destinationStride};
    box.loops.erase(box.loops.begin() + inner);
  }
  // The longest one that can be the rows of a 2-D copy is.
  const BoxCopy::Loop *rows = nullptr;
  auto isPitch = [&](int64_t stride) {
    return stride >= box.width && stride <= maxPitch;
  };
  for (const BoxCopy::Loop &loop : box.loops)
    if (isPitch(loop.sourceStride) && isPitch(loop.destinationStride) &&
        (!rows || loop.extent > rows->extent))
      rows = &loop;
  if (rows) {
    box.rows = rows->extent;
    box.sourcePitch = rows->sourceStride;
    box.destinationPitch = rows->destinationStride;
    box.loops.erase(rows);
  }
  return box;
}
