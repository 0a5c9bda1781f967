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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/GPU/Utils/MemRefAlignment.h"

using namespace mlir;
using namespace mlir::top;

SmallVector<AccessAxis> top::getAccessAxes(AffineMap map) {
  SmallVector<AccessAxis> axes;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    axes.push_back(!dim                     ? AccessAxis::Zero
                   : dim.getPosition() == 0 ? AccessAxis::Row
                                            : AccessAxis::Col);
  }
  return axes;
}

FailureOr<TileAccess> TileAccess::get(const IndexMath &math, Operation *op,
                                      Value memref, ArrayRef<AccessAxis> axes,
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
  if (axes.empty() || axes.back() != AccessAxis::Col ||
      llvm::count(axes, AccessAxis::Col) != 1 || view->strides.back() != 1 ||
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
  auto position =
      llvm::map_to_vector(axes, [&](AccessAxis axis) -> OpFoldResult {
        switch (axis) {
        case AccessAxis::Part:
          return part;
        case AccessAxis::Row:
          return row;
        case AccessAxis::Col:
          return col;
        case AccessAxis::Zero:
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

FailureOr<SmallVector<TileAccess>>
top::getInputAccesses(const IndexMath &math, Operation *op, ValueRange inputs,
                      ArrayAttr maps, int64_t width, const IRMapping &mapping) {
  SmallVector<TileAccess> accesses;
  if (inputs.empty())
    return accesses;
  for (auto [input, map] :
       llvm::zip(inputs, maps.getAsValueRange<AffineMapAttr>())) {
    FailureOr<TileAccess> access =
        TileAccess::get(math, op, input, getAccessAxes(map), width, mapping);
    if (failed(access))
      return failure();
    accesses.push_back(*access);
  }
  return accesses;
}

SmallVector<Value> top::computeElements(const IndexMath &math, Block &body,
                                        int64_t count,
                                        ArrayRef<SmallVector<Value>> arguments,
                                        const IRMapping &mapping) {
  SmallVector<Value> results;
  auto yield = cast<YieldOp>(body.getTerminator());
  for (int64_t i = 0; i < count; ++i) {
    IRMapping local(mapping);
    for (auto [argument, values] : llvm::zip(body.getArguments(), arguments))
      local.map(argument, values[i]);
    for (Operation &inner : body.without_terminator())
      math.b.clone(inner, local);
    results.push_back(local.lookupOrDefault(yield.getValue()));
  }
  return results;
}

Value top::isInside(const IndexMath &math, const TileAccess &dest,
                    OpFoldResult row, OpFoldResult col, int64_t rows,
                    int64_t cols) {
  Value inside;
  auto require = [&](OpFoldResult position, OpFoldResult size, int64_t tile) {
    if (isConstantIntValue(size, tile))
      return;
    if (Value less = math.less(position, size))
      inside =
          inside ? arith::AndIOp::create(math.b, math.loc, inside, less) : less;
  };
  require(row, dest.view.sizes[0], rows);
  require(col, dest.view.sizes[1], cols);
  return inside;
}
