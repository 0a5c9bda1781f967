//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TileAccess.h.
//
//===----------------------------------------------------------------------===//

#include "TileAccess.h"

#include "top/GPU/Utils/MemRefAlignment.h"

using namespace mlir;
using namespace mlir::top;

SmallVector<TileAxis> top::getTileAxes(AffineMap map) {
  SmallVector<TileAxis> axes;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    axes.push_back(!dim                     ? TileAxis::Zero
                   : dim.getPosition() == 0 ? TileAxis::Row
                                            : TileAxis::Col);
  }
  return axes;
}

FailureOr<TileAccess> TileAccess::get(const IndexMath &math, Operation *op,
                                      Value memref, ArrayRef<TileAxis> axes,
                                      int64_t width, const IRMapping &mapping) {
  if (!isa<MemRefType>(memref.getType()))
    return op->emitOpError("cannot be lowered: expected a memref; bufferize "
                           "first");
  FailureOr<GlobalView> view = resolveView(math, op, memref, mapping);
  if (failed(view))
    return failure();
  TileAccess access;
  access.view = *view;
  access.axes.assign(axes.begin(), axes.end());
  // Columns side by side are elements side by side where they are the last
  // dimension, and nothing else.
  if (axes.empty() || axes.back() != TileAxis::Col ||
      llvm::count(axes, TileAxis::Col) != 1 || view->strides.back() != 1 ||
      !view->elementType.isIntOrFloat() ||
      view->elementType.getIntOrFloatBitWidth() % 8 != 0)
    return access;
  const int64_t alignment =
      getRowAlignment(memref) / getElementBytes(view->elementType);
  while (access.elements * 2 <= alignment && width % (access.elements * 2) == 0)
    access.elements *= 2;
  return access;
}

Value TileAccess::getAddress(const IndexMath &math, OpFoldResult part,
                             OpFoldResult row, OpFoldResult col) const {
  auto position = llvm::map_to_vector(axes, [&](TileAxis axis) -> OpFoldResult {
    switch (axis) {
    case TileAxis::Part:
      return part;
    case TileAxis::Row:
      return row;
    case TileAxis::Col:
      return col;
    case TileAxis::Zero:
      return math.constant(0);
    }
    llvm_unreachable("an axis without a position");
  });
  return view.getAddress(math, position);
}

void TileAccess::load(const IndexMath &math, OpFoldResult part,
                      OpFoldResult row, OpFoldResult col, int64_t width,
                      int64_t atOnce, SmallVectorImpl<Value> &values) const {
  if (!hasCol()) {
    Value address = getAddress(math, part, row, math.constant(0));
    values.append(width, loadElement(math, view.elementType, address));
    return;
  }
  for (int64_t i = 0; i < width; i += atOnce) {
    Value address =
        getAddress(math, part, row, math.add(col, math.constant(i)));
    loadVector(math, view.elementType, address, atOnce, values);
  }
}

void TileAccess::store(const IndexMath &math, OpFoldResult row,
                       OpFoldResult col, ArrayRef<Value> values,
                       int64_t atOnce) const {
  for (size_t i = 0; i < values.size(); i += atOnce)
    storeVector(math, values.slice(i, atOnce),
                getAddress(math, math.constant(0), row,
                           math.add(col, math.constant(i))));
}
