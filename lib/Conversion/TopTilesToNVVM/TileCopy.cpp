//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.tile_copy: the threads of a block copy a tile from global to shared
// memory, zero beyond its edges.
//
//===----------------------------------------------------------------------===//

#include "BoxCopy.h"
#include "KernelBody.h"
#include "PtxInstructions.h"
#include "TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

/// Pieces of a copy that one thread moves are written out up to this number,
/// so that their loads are in flight together; more are a loop.
static constexpr int64_t maxUnrolledPieces = 16;

namespace {

/// One piece of `vectorBytes` that a thread moves.
struct Piece {
  GlobalView view; ///< of a matrix
  RingType ring;
  Value slot;
  int64_t elements; ///< of a whole piece
  bool isAsync;
  bool isWhole;          ///< wholly inside the source or wholly outside
  OpFoldResult row, col; ///< of its first element, but for rowShift
  int64_t rowShift = 0;  ///< constant; a multiple of 8
  /// Of a window, in place of the view: where its first element is.
  std::optional<WindowSource::Place> place;

  OpFoldResult getRow(const IndexMath &math) const {
    return math.add(row, math.constant(rowShift));
  }
  /// The address of its first element, but for rowShift: pieces of a thread
  /// share it.
  Value getSource(const IndexMath &math) const {
    return place ? place->address : view.getAddress(math, {row, col});
  }
  Value getDestination(const IndexMath &math) const {
    return getByteAddress(math, slot, getSlotOffset(math, ring, row, col));
  }
  /// What rowShift adds to them. The swizzle has a period of 8 rows or fewer,
  /// so that it commutes with the shift.
  int64_t getSourceShift() const {
    return place ? 0 : rowShift * view.strides[0] * getElementSize();
  }
  int64_t getDestinationShift() const { return rowShift * ring.getRowBytes(); }
  int64_t getElementSize() const {
    return getElementBytes(ring.getElementType());
  }

  /// Addresses of element `index`.
  Value getShiftedSource(const IndexMath &math, int64_t index = 0) const {
    if (place)
      return getByteAddress(math, place->address,
                            math.constant(index * getElementSize()));
    Value start = view.getAddress(math, {row, getCol(math, index)});
    return getByteAddress(math, start, math.constant(getSourceShift()));
  }
  Value getShiftedDestination(const IndexMath &math, int64_t index = 0) const {
    OpFoldResult offset = getSlotOffset(math, ring, row, getCol(math, index));
    return getByteAddress(math, getByteAddress(math, slot, offset),
                          math.constant(getDestinationShift()));
  }
  OpFoldResult getCol(const IndexMath &math, int64_t index) const {
    return math.add(col, math.constant(index));
  }
};

} // namespace

static int64_t getBytes(const Piece &piece) {
  return piece.elements * piece.getElementSize();
}

/// i1: lhs < rhs, for positions and extents inside a tile, which 32 bits hold;
/// null where that is known to hold.
static Value isBelow(const IndexMath &math, OpFoldResult lhs,
                     OpFoldResult rhs) {
  if (!math.less(lhs, rhs))
    return {};
  auto narrow = [&](OpFoldResult number) -> Value {
    return arith::IndexCastOp::create(math.b, math.loc, math.b.getI32Type(),
                                      math.value(number));
  };
  return arith::CmpIOp::create(math.b, math.loc, arith::CmpIPredicate::slt,
                               narrow(lhs), narrow(rhs));
}

/// i1: the row of the piece, and if it is wholly inside or outside its first
/// column, exist; null where that is known to hold.
static Value exists(const IndexMath &math, const Piece &piece) {
  if (piece.place)
    return piece.place->exists;
  Value result;
  auto require = [&](OpFoldResult position, OpFoldResult size, int64_t extent) {
    if (isConstantIntValue(size, extent))
      return;
    if (Value below = isBelow(math, position, size))
      result = result ? arith::AndIOp::create(math.b, math.loc, result, below)
                      : below;
  };
  require(piece.getRow(math), piece.view.sizes[0], piece.ring.getRows());
  if (piece.isWhole)
    require(piece.col, piece.view.sizes[1], piece.ring.getCols());
  return result;
}

/// How many of the piece's elements exist: clamp(cols - col, 0, elements), or 0
/// below the last row. A constant where that is known, which need not be all.
static OpFoldResult countElements(const IndexMath &math, const Piece &piece) {
  OpBuilder &b = math.b;
  OpFoldResult count = math.constant(piece.elements);
  if (!piece.isWhole &&
      !isConstantIntValue(piece.view.sizes[1], piece.ring.getCols()))
    count = math.max(math.min(math.sub(piece.view.sizes[1], piece.col), count),
                     math.constant(0));
  if (Value isInside = exists(math, piece))
    count = arith::SelectOp::create(b, math.loc, isInside, math.value(count),
                                    math.value(math.constant(0)))
                .getResult();
  return count;
}

/// What does not exist is not read, wherever its address points; the rest of
/// the piece is zero.
static void copyAsync(const IndexMath &math, const Piece &piece,
                      Value condition) {
  OpBuilder &b = math.b;
  const int64_t bytes = getBytes(piece);
  Value size; // of what is read
  if (piece.isWhole) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, math.loc, b.getI32IntegerAttr(value));
    };
    if (Value isInside = exists(math, piece))
      size = arith::SelectOp::create(b, math.loc, isInside, constant(bytes),
                                     constant(0));
  } else if (OpFoldResult count = countElements(math, piece);
             !isConstantIntValue(count, piece.elements)) {
    size = arith::IndexCastOp::create(
        b, math.loc, b.getI32Type(),
        math.value(
            math.mul(count, getElementBytes(piece.ring.getElementType()))));
  }
  if (condition) {
    PtxAddress source{piece.getSource(math), piece.getSourceShift()};
    if (!llvm::isInt<32>(source.offset))
      source = {piece.getShiftedSource(math), 0};
    return createCpAsyncIf(
        math, condition,
        {piece.getDestination(math), piece.getDestinationShift()}, source,
        bytes, size);
  }
  // cp.async.cg, which passes by L1, exists for 16 bytes only (PTX ISA).
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                           : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(b, math.loc, piece.getShiftedDestination(math),
                          piece.getShiftedSource(math), bytes, cache, size);
}

/// Element by element; the last ones may be zero.
static void copyElements(const IndexMath &math, const Piece &piece,
                         OpFoldResult count) {
  OpBuilder &b = math.b;
  Type type = getStorageType(piece.ring.getElementType());
  for (int64_t i = 0; i < piece.elements; ++i) {
    auto load = [&]() -> Value {
      return LLVM::LoadOp::create(b, math.loc, type,
                                  piece.getShiftedSource(math, i));
    };
    Value value;
    if (Value exists = math.less(math.constant(i), count)) {
      auto branch = scf::IfOp::create(b, math.loc, type, exists,
                                      /*addThenBlock=*/true,
                                      /*addElseBlock=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(b, math.loc, load());
      b.setInsertionPointToStart(branch.elseBlock());
      Value zero = arith::ConstantOp::create(b, math.loc, b.getZeroAttr(type));
      scf::YieldOp::create(b, math.loc, zero);
      value = branch.getResult(0);
    } else {
      value = load();
    }
    LLVM::StoreOp::create(b, math.loc, value,
                          piece.getShiftedDestination(math, i));
  }
}

/// One access of the whole piece, as an integer or a vector of them: the bits
/// are not looked at.
static void copyWhole(const IndexMath &math, const Piece &piece) {
  OpBuilder &b = math.b;
  const int64_t bytes = getBytes(piece);
  Type type = b.getIntegerType(std::min<int64_t>(bytes, 4) * 8);
  if (bytes > 4)
    type = VectorType::get({bytes / 4}, type);
  Value value = LLVM::LoadOp::create(b, math.loc, type,
                                     piece.getShiftedSource(math), bytes);
  LLVM::StoreOp::create(b, math.loc, value, piece.getShiftedDestination(math),
                        bytes);
}

/// With `condition` (i1) an asynchronous copy depends on it.
static void copyPiece(const IndexMath &math, const Piece &piece,
                      Value condition) {
  OpBuilder &b = math.b;
  if (piece.isAsync)
    return copyAsync(math, piece, condition);
  OpFoldResult count = countElements(math, piece);
  if (isConstantIntValue(count, piece.elements))
    return copyWhole(math, piece);
  if (piece.elements == 1)
    return copyElements(math, piece, count);
  Value isWhole = arith::CmpIOp::create(
      b, math.loc, arith::CmpIPredicate::eq, math.value(count),
      math.value(math.constant(piece.elements)));
  auto branch = scf::IfOp::create(b, math.loc, isWhole, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  copyWhole(math, piece);
  b.setInsertionPointToStart(branch.elseBlock());
  copyElements(math, piece, count);
}

LogicalResult KernelBody::convertCopy(TileCopyOp op, Value condition) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  RingType ring = op.getRing().getType();
  Value base = rings.lookup(op.getRing());
  if (!base)
    return op.emitOpError("cannot be lowered: expected the ring of a "
                          "top.tile_ring of this kernel");
  GlobalView view;
  std::optional<WindowSource> window;
  if (op.getWindow()) {
    FailureOr<WindowSource> found =
        getWindow(math, op, ring.getRows(), ring.getCols());
    if (failed(found))
      return failure();
    window = std::move(*found);
  } else {
    FailureOr<GlobalView> found =
        resolveView(math, op, op.getSource(), mapping);
    if (failed(found))
      return failure();
    view = std::move(*found);
  }
  Value slot = getSlotAddress(math, base, ring, op.getSlot());
  const int64_t elements =
      op.getVectorBytes() / getElementBytes(ring.getElementType());
  const int64_t perRow = ring.getCols() / elements;
  const int64_t pieces = ring.getRows() * perRow;
  const int64_t threads = schedule.getNumThreads();

  std::optional<GlobalBox> box;
  if (op.getDims()) {
    if (elements > 1 && !op.getWhole())
      return op.emitOpError("cannot be lowered: expected accesses of 'dims' "
                            "that are 'whole'");
    box = GlobalBox{view, op.getDimsAttr(), getNumbers(op.getPosition())};
  }

  // Piece number `number + i * threads`, row by row: neighbouring threads read
  // neighbouring bytes.
  const bool isWholeRows = threads % perRow == 0 && threads / perRow % 8 == 0;
  auto copyNumber = [&](OpFoldResult number, int64_t i, Value condition) {
    int64_t rowShift = 0;
    if (box) {
      number = math.add(number, math.constant(i * threads));
      return copyBoxPiece(math,
                          {*box, ring, slot, elements, op.getAsync(),
                           math.div(number, perRow),
                           math.mul(math.rem(number, perRow), elements)},
                          condition);
    }
    if (isWholeRows)
      rowShift = i * (threads / perRow);
    else
      number = math.add(number, math.constant(i * threads));
    Piece piece{view,
                ring,
                slot,
                elements,
                op.getAsync(),
                op.getWhole(),
                math.div(number, perRow),
                math.mul(math.rem(number, perRow), elements),
                rowShift,
                std::nullopt};
    if (window) {
      OpFoldResult row = piece.getRow(math);
      const bool isLast = window->window.isChannelsLast();
      piece.place = window->getPlace(math, isLast ? row : piece.col,
                                     isLast ? piece.col : row);
      piece.isWhole = true;
    }
    copyPiece(math, piece, condition);
  };
  auto copyIfExists = [&](int64_t i) {
    if ((i + 1) * threads <= pieces)
      return copyNumber(threadId, i, condition);
    Value exists = math.less(threadId, math.constant(pieces - i * threads));
    // A branch round an asynchronous copy costs more than a condition of it.
    if (op.getAsync())
      return copyNumber(threadId, i, createAnd(math, condition, exists));
    auto branch = scf::IfOp::create(b, loc, exists);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    copyNumber(threadId, i, condition);
  };
  const int64_t perThread = llvm::divideCeil(pieces, threads);
  ArrayRef<int64_t> part = op.getPart();
  if (perThread % part[2] != 0)
    return op.emitOpError("cannot be lowered: expected 'part' to count shares "
                          "that divide the ")
           << perThread << " accesses of a thread, got " << part[2];
  const int64_t begin = perThread / part[2] * part[0];
  const int64_t end = perThread / part[2] * part[1];
  if (end - begin <= maxUnrolledPieces) {
    for (int64_t i = begin; i < end; ++i)
      copyIfExists(i);
    return success();
  }
  auto loop = scf::ForOp::create(
      b, loc, math.value(math.add(threadId, math.constant(begin * threads))),
      math.value(math.constant(std::min(end * threads, pieces))),
      math.value(math.constant(threads)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  copyNumber(loop.getInductionVar(), 0, condition);
  return success();
}
