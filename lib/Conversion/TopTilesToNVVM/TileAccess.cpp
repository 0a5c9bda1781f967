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
#include "top/Target/MemoryAccess.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;

Value top::createAnd(const IndexMath &math, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(math.b, math.loc, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

SmallVector<AccessAxis> top::getAccessAxes(AffineMap map) {
  SmallVector<AccessAxis> axes;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    axes.push_back(dim ? AccessAxis(dim.getPosition()) : std::nullopt);
  }
  return axes;
}

FailureOr<TileAccess> TileAccess::get(const IndexMath &math, Operation *op,
                                      Value memref, ArrayRef<AccessAxis> axes,
                                      unsigned run, int64_t width,
                                      const IRMapping &mapping) {
  if (!isa<MemRefType>(memref.getType()))
    return op->emitOpError("cannot be lowered: expected a memref; bufferize "
                           "first");
  FailureOr<GlobalView> view = resolveView(math, op, memref, mapping);
  if (failed(view))
    return failure();
  TileAccess access;
  access.view = *view;
  access.axes.assign(axes.begin(), axes.end());
  access.run = run;
  access.offsetDivisor = getOffsetDivisor(memref);
  access.setWidth(width);
  return access;
}

/// Elements of a run are side by side where one dimension alone has them, with
/// stride 1; runs are aligned as the steps along the others are.
void TileAccess::setWidth(int64_t width) {
  elements = 1;
  if (llvm::count(axes, AccessAxis(run)) != 1 ||
      !view.elementType.isIntOrFloat() ||
      view.elementType.getIntOrFloatBitWidth() % 8 != 0)
    return;
  int64_t divisor = offsetDivisor;
  for (auto [axis, stride, size] : llvm::zip(axes, view.strides, view.sizes)) {
    if (axis == run && stride != 1)
      return;
    if (axis != run && !isConstantIntValue(size, 1))
      divisor = std::gcd(divisor, stride);
  }
  const int64_t bytes = getElementBytes(view.elementType);
  while (elements * 2 * bytes <= kWidestAccessBytes &&
         divisor % (elements * 2) == 0 && width % (elements * 2) == 0)
    elements *= 2;
}

Value TileAccess::getAddress(const IndexMath &math,
                             ArrayRef<OpFoldResult> coordinates) const {
  auto position =
      llvm::map_to_vector(axes, [&](AccessAxis axis) -> OpFoldResult {
        return axis ? coordinates[*axis] : math.constant(0);
      });
  return view.getAddress(math, position);
}

/// `coordinates` with `shift` added along `run`.
static SmallVector<OpFoldResult> shift(const IndexMath &math,
                                       ArrayRef<OpFoldResult> coordinates,
                                       unsigned run, int64_t shift) {
  SmallVector<OpFoldResult> shifted(coordinates);
  shifted[run] = math.add(shifted[run], math.constant(shift));
  return shifted;
}

void TileAccess::load(const IndexMath &math, ArrayRef<OpFoldResult> coordinates,
                      int64_t width, int64_t atOnce,
                      SmallVectorImpl<Value> &values) const {
  if (!hasRun()) {
    Value address = getAddress(math, coordinates);
    values.append(width, loadElement(math, view.elementType, address));
    return;
  }
  for (int64_t i = 0; i < width; i += atOnce)
    loadVector(math, view.elementType,
               getAddress(math, shift(math, coordinates, run, i)), atOnce,
               values);
}

void TileAccess::store(const IndexMath &math,
                       ArrayRef<OpFoldResult> coordinates,
                       ArrayRef<Value> values, int64_t atOnce) const {
  for (size_t i = 0; i < values.size(); i += atOnce)
    storeVector(math, values.slice(i, atOnce),
                getAddress(math, shift(math, coordinates, run, i)));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Whether coordinates `outer` and `inner`, of which the latter has the extent
/// of its dimension, are one in the buffer.
bool StoreAccesses::canMerge(const TileAccess &access, unsigned outer,
                             unsigned inner) const {
  auto find = [&](unsigned axis) -> std::optional<size_t> {
    const auto *it = llvm::find(access.axes, AccessAxis(axis));
    if (it == access.axes.end())
      return std::nullopt;
    return it - access.axes.begin();
  };
  std::optional<size_t> o = find(outer), i = find(inner);
  if (!o || !i)
    return !o && !i;
  return llvm::count(access.axes, AccessAxis(outer)) == 1 &&
         llvm::count(access.axes, AccessAxis(inner)) == 1 &&
         access.view.strides[*o] == access.view.strides[*i] * cols.back();
}

/// Makes `outer` of both coordinates, of which the inner one has `extent`.
static void merge(const IndexMath &math, TileAccess &access, unsigned outer,
                  unsigned inner, int64_t extent) {
  const auto *it = llvm::find(access.axes, AccessAxis(inner));
  if (it != access.axes.end()) {
    const size_t from = it - access.axes.begin();
    const size_t to =
        llvm::find(access.axes, AccessAxis(outer)) - access.axes.begin();
    GlobalView &view = access.view;
    view.sizes[to] = math.mul(view.sizes[to], extent);
    view.strides[to] = view.strides[from];
    view.sizes.erase(view.sizes.begin() + from);
    view.strides.erase(view.strides.begin() + from);
    access.axes.erase(access.axes.begin() + from);
  }
  access.run = outer;
}

/// The position of the run's dimension in the destination.
static size_t getRunDim(const TileAccess &dest) {
  return llvm::find(dest.axes, AccessAxis(dest.run)) - dest.axes.begin();
}

void StoreAccesses::mergeColumns(const IndexMath &math, Value memref) {
  // Dimensions of `memref` that those of the destination's view began as.
  SmallVector<unsigned> dims = llvm::to_vector(
      llvm::seq<unsigned>(cast<MemRefType>(memref.getType()).getRank()));
  int64_t merged = 1;
  while (cols.size() > 1) {
    const unsigned inner = rows.size() + cols.size() - 1, outer = inner - 1;
    const size_t dim = getRunDim(dest);
    const int64_t extent = cols.back();
    auto canMergeInput = [&](const TileAccess &input) {
      return canMerge(input, outer, inner);
    };
    if (!isConstantIntValue(dest.view.sizes[dim], extent) ||
        !canMergeInput(dest) || !llvm::all_of(inputs, canMergeInput))
      break;
    dims.erase(dims.begin() + dim);
    merge(math, dest, outer, inner, extent);
    for (TileAccess &input : inputs)
      merge(math, input, outer, inner, extent);
    cols.pop_back();
    cols.back() *= extent;
    merged *= extent;
  }
  runDivisor = getSizeDivisor(memref, dims[getRunDim(dest)]) * merged;
}

FailureOr<StoreAccesses> StoreAccesses::get(const IndexMath &math,
                                            TileStoreOp op, int64_t tileRows,
                                            int64_t tileCols, int64_t mostWidth,
                                            const IRMapping &mapping) {
  auto type = dyn_cast<MemRefType>(op.getDest().getType());
  if (!type)
    return op.emitOpError("cannot be lowered: expected a memref; bufferize "
                          "first");
  if (!isTileElementType(type.getElementType()))
    return op.emitOpError("cannot be lowered: expected elements that tiles "
                          "have, got ")
           << type;
  StoreAccesses result;
  SmallVector<unsigned> order = {0, 1}; // by dimension of the destination
  if (TileDimsAttr dims = op.getDimsAttr()) {
    result.rows.assign(dims.getRows().begin(), dims.getRows().end());
    result.cols.assign(dims.getCols().begin(), dims.getCols().end());
    order.assign(dims.getOrder().begin(), dims.getOrder().end());
  } else {
    result.rows = {tileRows};
    result.cols = {tileCols};
  }
  const unsigned run = order.size() - 1;
  auto access = [&](Value memref, ArrayRef<AccessAxis> axes) {
    return TileAccess::get(math, op, memref, axes, run, /*width=*/1, mapping);
  };
  FailureOr<TileAccess> dest =
      access(op.getDest(), SmallVector<AccessAxis>(order.begin(), order.end()));
  if (failed(dest))
    return failure();
  result.dest = *dest;
  if (!op.getInputs().empty())
    for (auto [input, map] :
         llvm::zip(op.getInputs(),
                   op.getIndexingMapsAttr().getAsValueRange<AffineMapAttr>())) {
      // From dimensions of the destination to coordinates.
      SmallVector<AccessAxis> axes = getAccessAxes(map);
      for (AccessAxis &axis : axes)
        if (axis)
          axis = order[*axis];
      FailureOr<TileAccess> inputAccess = access(input, axes);
      if (failed(inputAccess))
        return failure();
      result.inputs.push_back(*inputAccess);
    }
  result.mergeColumns(math, op.getDest());

  auto addCounts = [&](ArrayRef<int64_t> extents, int64_t tile) {
    int64_t inner = 1;
    for (int64_t extent : extents.drop_front())
      inner *= extent;
    result.counts.push_back(llvm::divideCeil(tile, inner));
    llvm::append_range(result.counts, extents.drop_front());
  };
  addCounts(result.rows, tileRows);
  addCounts(result.cols, tileCols);

  // A run must exist as a whole or not at all, and begin where an access may.
  const int64_t widest = std::min(
      mostWidth, kWidestAccessBytes / getElementBytes(type.getElementType()));
  int64_t width = 1;
  while (width * 2 <= widest && mostWidth % (width * 2) == 0 &&
         result.cols.back() % (width * 2) == 0 &&
         result.runDivisor % (width * 2) == 0)
    width *= 2;
  result.dest.setWidth(width);
  result.width = result.dest.elements;
  for (TileAccess &input : result.inputs)
    input.setWidth(result.width);
  return result;
}

SmallVector<OpFoldResult>
StoreAccesses::getCoordinates(const IndexMath &math, OpFoldResult row,
                              OpFoldResult col) const {
  SmallVector<OpFoldResult> coordinates(rows.size() + cols.size());
  auto split = [&](OpFoldResult number, ArrayRef<int64_t> extents,
                   size_t first) {
    for (size_t i = extents.size(); i-- > 1;) {
      coordinates[first + i] = math.rem(number, extents[i]);
      number = math.div(number, extents[i]);
    }
    coordinates[first] = number;
  };
  split(row, rows, 0);
  split(col, cols, rows.size());
  return coordinates;
}

bool StoreAccesses::mayBeBeyond(unsigned coordinate, OpFoldResult size) const {
  std::optional<int64_t> constant = getConstantIntValue(size);
  return !constant || *constant < counts[coordinate];
}

Value StoreAccesses::isInside(const IndexMath &math,
                              ArrayRef<OpFoldResult> coordinates) const {
  Value inside;
  for (auto [axis, size] : llvm::zip(dest.axes, dest.view.sizes))
    if (mayBeBeyond(*axis, size))
      inside = createAnd(math, inside, math.less(coordinates[*axis], size));
  return inside;
}

SmallVector<OpFoldResult>
StoreAccesses::clamp(const IndexMath &math,
                     ArrayRef<OpFoldResult> coordinates) const {
  SmallVector<OpFoldResult> clamped(coordinates);
  for (auto [axis, size] : llvm::zip(dest.axes, dest.view.sizes))
    if (mayBeBeyond(*axis, size))
      clamped[*axis] = math.min(
          clamped[*axis],
          math.sub(size, math.constant(*axis == dest.run ? width : 1)));
  return clamped;
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
