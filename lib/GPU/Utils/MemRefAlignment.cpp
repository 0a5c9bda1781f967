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

int64_t top::getOffsetDivisor(Value memref) {
  int64_t divisor = 0;
  while (Operation *def = memref.getDefiningOp()) {
    if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(def)) {
      memref = def->getOperand(0);
      continue;
    }
    auto subview = dyn_cast<memref::SubViewOp>(def);
    if (!subview)
      break;
    SmallVector<int64_t> parent;
    int64_t offset;
    if (failed(subview.getSourceType().getStridesAndOffset(parent, offset)))
      return 1;
    for (auto [position, stride] : llvm::zip(subview.getMixedOffsets(), parent))
      if (ShapedType::isDynamic(stride))
        divisor = 1;
      else
        divisor = std::gcd(divisor, getKnownDivisor(position) * stride);
    memref = subview.getSource();
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(cast<MemRefType>(memref.getType())
                 .getStridesAndOffset(strides, offset)))
    return 1;
  return std::gcd(divisor, ShapedType::isDynamic(offset) ? 1 : offset);
}

int64_t top::getRowAlignment(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  const int64_t element = getElementBytes(type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return element;
  int64_t divisor = getOffsetDivisor(memref);
  if (!strides.empty())
    for (int64_t stride : ArrayRef(strides).drop_back())
      divisor = std::gcd(divisor, ShapedType::isDynamic(stride) ? 1 : stride);
  const int64_t bytes = divisor * element;
  int64_t alignment = kWidestAccessBytes;
  while (alignment > element && bytes % alignment != 0)
    alignment /= 2;
  return alignment;
}

int64_t top::getSizeDivisor(Value memref, unsigned dim) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview)
    return 1;
  // Dimension `dim` of those that the view keeps.
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  for (auto [index, size] : llvm::enumerate(subview.getMixedSizes()))
    if (!dropped.test(index) && dim-- == 0)
      return getKnownDivisor(size);
  return 1;
}

int64_t top::getRowDivisor(Value memref) {
  return getSizeDivisor(memref,
                        cast<MemRefType>(memref.getType()).getRank() - 1);
}
