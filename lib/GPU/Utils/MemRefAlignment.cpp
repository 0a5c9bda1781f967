//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemRefAlignment.h.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Utils/MemRefAlignment.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "top/Dialect/Top/IR/KnownDivisor.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Target/MemoryAccess.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;

int64_t top::getRowAlignment(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  const int64_t element = getElementBytes(type.getElementType());
  int64_t divisor = 0; // of the offset of any row, in elements
  while (true) {
    auto view = cast<MemRefType>(memref.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(view.getStridesAndOffset(strides, offset)))
      return element;
    // Rows of a view differ by the pitch. Its own offset comes with the
    // subview that made it.
    if (!strides.empty())
      for (int64_t stride : ArrayRef(strides).drop_back())
        divisor = std::gcd(divisor, ShapedType::isDynamic(stride) ? 1 : stride);
    auto subview = memref.getDefiningOp<memref::SubViewOp>();
    if (!subview) {
      divisor = std::gcd(divisor, ShapedType::isDynamic(offset) ? 1 : offset);
      break;
    }
    SmallVector<int64_t> parent;
    if (failed(subview.getSourceType().getStridesAndOffset(parent, offset)))
      return element;
    for (auto [position, stride] : llvm::zip(subview.getMixedOffsets(), parent))
      if (ShapedType::isDynamic(stride))
        divisor = 1;
      else
        divisor = std::gcd(divisor, getKnownDivisor(position) * stride);
    memref = subview.getSource();
  }
  const int64_t bytes = divisor * element;
  int64_t alignment = kWidestAccessBytes;
  while (alignment > element && bytes % alignment != 0)
    alignment /= 2;
  return alignment;
}

int64_t top::getRowDivisor(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!ShapedType::isDynamic(type.getShape().back()))
    return type.getShape().back();
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  // The last dimension of the view is that of its source unless it is dropped.
  if (subview &&
      !subview.getDroppedDims().test(subview.getSourceType().getRank() - 1))
    return getKnownDivisor(subview.getMixedSizes().back());
  return 1;
}
