//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of tile elements, see TileMemory.h.
//
//===----------------------------------------------------------------------===//

#include "TileMemory.h"
#include "TileWindow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

//===----------------------------------------------------------------------===//
// IndexMath
//===----------------------------------------------------------------------===//

Value IndexMath::value(OpFoldResult number) const {
  return getValueOrCreateConstantIndexOp(b, loc, number);
}

/// Both numbers where they are constant.
static std::optional<std::pair<int64_t, int64_t>>
getConstants(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> l = getConstantIntValue(lhs);
  std::optional<int64_t> r = getConstantIntValue(rhs);
  if (!l || !r)
    return std::nullopt;
  return std::pair(*l, *r);
}

OpFoldResult IndexMath::add(OpFoldResult lhs, OpFoldResult rhs) const {
  if (auto c = getConstants(lhs, rhs))
    return constant(c->first + c->second);
  if (isZeroInteger(lhs))
    return rhs;
  if (isZeroInteger(rhs))
    return lhs;
  return arith::AddIOp::create(b, loc, value(lhs), value(rhs)).getResult();
}

OpFoldResult IndexMath::sub(OpFoldResult lhs, OpFoldResult rhs) const {
  if (auto c = getConstants(lhs, rhs))
    return constant(c->first - c->second);
  if (isZeroInteger(rhs))
    return lhs;
  return arith::SubIOp::create(b, loc, value(lhs), value(rhs)).getResult();
}

OpFoldResult IndexMath::mul(OpFoldResult lhs, int64_t rhs) const {
  if (auto c = getConstantIntValue(lhs))
    return constant(*c * rhs);
  if (rhs == 0)
    return constant(0);
  if (rhs == 1)
    return lhs;
  return arith::MulIOp::create(b, loc, value(lhs), value(constant(rhs)))
      .getResult();
}

OpFoldResult IndexMath::div(OpFoldResult lhs, int64_t rhs) const {
  if (auto c = getConstantIntValue(lhs))
    return constant(*c / rhs);
  if (rhs == 1)
    return lhs;
  return arith::DivUIOp::create(b, loc, value(lhs), value(constant(rhs)))
      .getResult();
}

OpFoldResult IndexMath::rem(OpFoldResult lhs, int64_t rhs) const {
  if (auto c = getConstantIntValue(lhs))
    return constant(*c % rhs);
  if (rhs == 1)
    return constant(0);
  return arith::RemUIOp::create(b, loc, value(lhs), value(constant(rhs)))
      .getResult();
}

OpFoldResult IndexMath::bitXor(OpFoldResult lhs, OpFoldResult rhs) const {
  if (auto c = getConstants(lhs, rhs))
    return constant(c->first ^ c->second);
  if (isZeroInteger(lhs))
    return rhs;
  if (isZeroInteger(rhs))
    return lhs;
  return arith::XOrIOp::create(b, loc, value(lhs), value(rhs)).getResult();
}

OpFoldResult IndexMath::min(OpFoldResult lhs, OpFoldResult rhs) const {
  if (auto c = getConstants(lhs, rhs))
    return constant(std::min(c->first, c->second));
  return arith::MinSIOp::create(b, loc, value(lhs), value(rhs)).getResult();
}

OpFoldResult IndexMath::max(OpFoldResult lhs, OpFoldResult rhs) const {
  if (auto c = getConstants(lhs, rhs))
    return constant(std::max(c->first, c->second));
  return arith::MaxSIOp::create(b, loc, value(lhs), value(rhs)).getResult();
}

Value IndexMath::less(OpFoldResult lhs, OpFoldResult rhs) const {
  if (auto c = getConstants(lhs, rhs); c && c->first < c->second)
    return {};
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value(lhs),
                               value(rhs));
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

static Value toInt64(const IndexMath &math, OpFoldResult number) {
  return arith::IndexCastOp::create(math.b, math.loc, math.b.getI64Type(),
                                    math.value(number));
}

Value GlobalView::getAddress(const IndexMath &math,
                             ArrayRef<OpFoldResult> position) const {
  OpFoldResult linear = offset;
  for (auto [index, stride] : llvm::zip(position, strides))
    linear = math.add(linear, math.mul(index, stride));
  return LLVM::GEPOp::create(math.b, math.loc, base.getType(),
                             getStorageType(elementType), base,
                             ValueRange{toInt64(math, linear)});
}

Type top::getStorageType(Type type) {
  return isFloat8(type) ? IntegerType::get(type.getContext(), 8) : type;
}

Value top::bitcast(const IndexMath &math, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(math.b, math.loc, type, value);
}

Value top::loadElement(const IndexMath &math, Type type, Value address) {
  Value bits =
      LLVM::LoadOp::create(math.b, math.loc, getStorageType(type), address);
  return bitcast(math, type, bits);
}

/// The sizes of a memref.collapse_shape or memref.expand_shape of a view that
/// has `sizes`.
static SmallVector<OpFoldResult>
getReshapedSizes(const IndexMath &math, Operation *reshape,
                 ArrayRef<OpFoldResult> sizes,
                 function_ref<OpFoldResult(OpFoldResult)> lookup) {
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(reshape))
    return llvm::map_to_vector(expand.getMixedOutputShape(), lookup);
  auto collapse = cast<memref::CollapseShapeOp>(reshape);
  SmallVector<OpFoldResult> result;
  for (auto [extent, dims] : llvm::zip(collapse.getResultType().getShape(),
                                       collapse.getReassociationIndices())) {
    result.push_back(math.constant(1));
    if (!ShapedType::isDynamic(extent)) {
      result.back() = math.constant(extent);
      continue;
    }
    for (int64_t dim : dims)
      if (std::optional<int64_t> size = getConstantIntValue(sizes[dim]))
        result.back() = math.mul(result.back(), *size);
      else
        result.back() =
            isConstantIntValue(result.back(), 1)
                ? sizes[dim]
                : OpFoldResult(arith::MulIOp::create(math.b, math.loc,
                                                     math.value(result.back()),
                                                     math.value(sizes[dim]))
                                   .getResult());
  }
  return result;
}

FailureOr<GlobalView> top::resolveView(const IndexMath &math, Operation *user,
                                       Value memref, const IRMapping &mapping) {
  auto lookup = [&](OpFoldResult number) -> OpFoldResult {
    if (auto value = dyn_cast<Value>(number))
      return mapping.lookupOrDefault(value);
    return number;
  };
  auto type = cast<MemRefType>(memref.getType());
  GlobalView view;
  view.elementType = type.getElementType();
  int64_t staticOffset;
  if (failed(type.getStridesAndOffset(view.strides, staticOffset)) ||
      llvm::any_of(view.strides, ShapedType::isDynamic))
    return user->emitOpError("cannot be lowered: expected static strides, got ")
           << type;

  // The same elements with other dimensions, whose sizes are static or follow
  // from those of the source.
  if (Operation *reshape = memref.getDefiningOp();
      isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(
          reshape) &&
      !mapping.contains(memref)) {
    FailureOr<GlobalView> parent =
        resolveView(math, user, reshape->getOperand(0), mapping);
    if (failed(parent))
      return failure();
    view.base = parent->base;
    view.offset = parent->offset;
    view.sizes = getReshapedSizes(math, reshape, parent->sizes, lookup);
    return view;
  }
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview || mapping.contains(memref)) {
    view.base = mapping.lookupOrNull(memref);
    if (!view.base || !type.hasStaticShape())
      return user->emitOpError("cannot be lowered: expected a view of an "
                               "argument of static shape, got ")
             << type;
    // The caller passes the address of the first element.
    view.offset = math.constant(0);
    view.sizes = getAsIndexOpFoldResult(type.getContext(), type.getShape());
    return view;
  }
  FailureOr<GlobalView> parent =
      resolveView(math, user, subview.getSource(), mapping);
  if (failed(parent))
    return failure();
  view.base = parent->base;
  view.offset = parent->offset;
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  for (auto [index, range] :
       llvm::enumerate(llvm::zip(subview.getMixedOffsets(),
                                 subview.getMixedSizes(), parent->strides))) {
    auto [offset, size, stride] = range;
    view.offset = math.add(view.offset, math.mul(lookup(offset), stride));
    if (!dropped.test(index))
      view.sizes.push_back(lookup(size));
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

OpFoldResult top::getSlotOffset(const IndexMath &math, RingType ring,
                                OpFoldResult row, OpFoldResult col) {
  const int64_t element = getElementBytes(ring.getElementType());
  const int64_t rowBytes = ring.getRowBytes();
  OpFoldResult inRow = math.mul(col, element);
  if (ring.getSwizzle()) {
    const int64_t q = ring.getSwizzleChunks(), p = ring.getSwizzleRows();
    OpFoldResult phase = math.rem(math.div(row, p), q);
    // Bits 4 and up of `inRow` are the chunk.
    inRow = math.bitXor(inRow, math.mul(phase, 16));
  }
  return math.add(math.mul(row, rowBytes), inRow);
}

Value top::getChunkAddress(const IndexMath &math, const MemoryTile &tile,
                           OpFoldResult row, int64_t rowShift,
                           OpFoldResult chunk, int64_t chunkShift) {
  const RingType ring = tile.ring;
  const int64_t rowBytes = ring.getRowBytes(), chunkBytes = 16;
  const int64_t element = getElementBytes(ring.getElementType());
  OpFoldResult start = math.mul(math.add(tile.row, row), rowBytes);
  int64_t shift = rowShift * rowBytes;
  OpFoldResult first = math.div(math.mul(tile.col, element), chunkBytes);
  if (!ring.getSwizzle()) {
    start = math.add(start, math.mul(math.add(first, chunk), chunkBytes));
    shift += chunkShift * chunkBytes;
  } else {
    // The phase is that of `row` alone: p * q = 8 divides the rest. The xor
    // changes the lowest bits of the chunk's number; higher ones stay outside.
    const int64_t q = ring.getSwizzleChunks(), p = ring.getSwizzleRows();
    OpFoldResult phase = math.rem(math.div(row, p), q);
    OpFoldResult low = math.add(chunk, math.constant(chunkShift % q));
    shift += chunkShift / q * q * chunkBytes;
    if (tile.colDivisor * element % (q * chunkBytes) == 0)
      start = math.add(start, math.mul(first, chunkBytes));
    else
      low = math.add(first, low);
    start = math.add(start, math.mul(math.bitXor(low, phase), chunkBytes));
  }
  return getByteAddress(math, getByteAddress(math, tile.slot, start),
                        math.constant(shift));
}

void top::loadVector(const IndexMath &math, Type elementType, Value address,
                     int64_t count, SmallVectorImpl<Value> &values) {
  OpBuilder &b = math.b;
  if (count == 1) {
    values.push_back(loadElement(math, elementType, address));
    return;
  }
  Value vector = LLVM::LoadOp::create(
      b, math.loc, VectorType::get({count}, getStorageType(elementType)),
      address, count * getElementBytes(elementType));
  for (int64_t i = 0; i < count; ++i) {
    Value bits = LLVM::ExtractElementOp::create(
        b, math.loc, vector,
        LLVM::ConstantOp::create(b, math.loc, b.getI32IntegerAttr(i)));
    values.push_back(bitcast(math, elementType, bits));
  }
}

void top::storeVector(const IndexMath &math, ArrayRef<Value> values,
                      Value address) {
  OpBuilder &b = math.b;
  Type type = getStorageType(values.front().getType());
  const auto count = static_cast<int64_t>(values.size());
  Value value = bitcast(math, type, values.front());
  if (count > 1) {
    value = LLVM::PoisonOp::create(b, math.loc, VectorType::get({count}, type));
    for (auto [i, element] : llvm::enumerate(values))
      value = LLVM::InsertElementOp::create(
          b, math.loc, value, bitcast(math, type, element),
          LLVM::ConstantOp::create(b, math.loc, b.getI32IntegerAttr(i)));
  }
  LLVM::StoreOp::create(b, math.loc, value, address,
                        count * getElementBytes(type));
}

Value top::getByteAddress(const IndexMath &math, Value base,
                          OpFoldResult bytes) {
  if (isZeroInteger(bytes))
    return base;
  return LLVM::GEPOp::create(math.b, math.loc, base.getType(),
                             math.b.getI8Type(), base,
                             ValueRange{toInt64(math, bytes)});
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value MemoryTile::load(const IndexMath &math, OpFoldResult i,
                       OpFoldResult j) const {
  OpBuilder &b = math.b;
  // In an scf.if, bits: a float of 8 bits is no type of a block's argument.
  Type elementType = type.getElementType();
  Type storageType = getStorageType(elementType);
  OpFoldResult r = math.add(row, math.mul(i, rowStep));
  OpFoldResult c = math.add(col, math.mul(j, colStep));
  if (box)
    return box->load(math, r, c, type.getRows(), type.getCols());
  if (isShared()) {
    Value address = getByteAddress(math, slot, getSlotOffset(math, ring, r, c));
    return loadElement(math, elementType, address);
  }
  Value inside; // null: it exists
  Value address;
  if (window) {
    const bool isLast = window->window.isChannelsLast();
    WindowSource::Place place =
        window->getPlace(math, isLast ? r : c, isLast ? c : r);
    inside = place.exists;
    address = place.address;
  } else {
    // Where the source is as large as the tile, every element exists.
    for (auto [position, size, extent] :
         {std::tuple(r, view->sizes[0], type.getRows()),
          std::tuple(c, view->sizes[1], type.getCols())}) {
      if (isConstantIntValue(size, extent))
        continue;
      if (Value less = math.less(position, size))
        inside =
            inside ? arith::AndIOp::create(b, math.loc, inside, less) : less;
    }
  }
  auto loadGlobal = [&]() -> Value {
    return LLVM::LoadOp::create(b, math.loc, storageType,
                                window ? address
                                       : view->getAddress(math, {r, c}));
  };
  if (!inside)
    return bitcast(math, elementType, loadGlobal());
  auto branch = scf::IfOp::create(b, math.loc, storageType, inside,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, math.loc, loadGlobal());
  b.setInsertionPointToStart(branch.elseBlock());
  Value zero =
      arith::ConstantOp::create(b, math.loc, b.getZeroAttr(storageType));
  scf::YieldOp::create(b, math.loc, zero);
  b.setInsertionPointAfter(branch);
  return bitcast(math, elementType, branch.getResult(0));
}
