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

#include "KernelBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

/// Pieces of a copy that one thread moves are written out up to this number,
/// so that their loads are in flight together; more are a loop.
static constexpr int64_t maxUnrolledPieces = 16;

namespace {

/// One piece of `vectorBytes` that a thread moves.
struct Piece {
  GlobalView view;
  RingType ring;
  Value slot;
  int64_t elements; ///< of a whole piece
  bool isAsync;
  OpFoldResult row, col; ///< of its first element
};

} // namespace

static int64_t getBytes(const Piece &piece) {
  return piece.elements * getElementBytes(piece.ring.getElementType());
}

static Value getDestination(const IndexMath &math, const Piece &piece) {
  return getByteAddress(math, piece.slot,
                        getSlotOffset(math, piece.ring, piece.row, piece.col));
}

/// How many of the piece's elements exist: clamp(cols - col, 0, elements), or 0
/// below the last row. A constant where that is known, which need not be all.
static OpFoldResult countElements(const IndexMath &math, const Piece &piece) {
  OpBuilder &b = math.b;
  OpFoldResult count = math.constant(piece.elements);
  if (!isConstantIntValue(piece.view.sizes[1], piece.ring.getCols()))
    count = math.max(math.min(math.sub(piece.view.sizes[1], piece.col), count),
                     math.constant(0));
  if (!isConstantIntValue(piece.view.sizes[0], piece.ring.getRows()))
    if (Value isRow = math.less(piece.row, piece.view.sizes[0]))
      count = arith::SelectOp::create(b, math.loc, isRow, math.value(count),
                                      math.value(math.constant(0)))
                  .getResult();
  return count;
}

static void copyAsync(const IndexMath &math, const Piece &piece,
                      OpFoldResult count) {
  OpBuilder &b = math.b;
  const int64_t bytes = getBytes(piece);
  Value source = piece.view.getAddress(math, {piece.row, piece.col});
  Value size; // of what is read; the rest of the piece is zero
  if (!isConstantIntValue(count, piece.elements)) {
    // Nothing is read from an address outside the buffer; give it a valid one
    // all the same.
    Value exists =
        arith::CmpIOp::create(b, math.loc, arith::CmpIPredicate::sgt,
                              math.value(count), math.value(math.constant(0)));
    source =
        arith::SelectOp::create(b, math.loc, exists, source, piece.view.base);
    size = arith::IndexCastOp::create(
        b, math.loc, b.getI32Type(),
        math.value(
            math.mul(count, getElementBytes(piece.ring.getElementType()))));
  }
  // cp.async.cg, which passes by L1, exists for 16 bytes only (PTX ISA).
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                           : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(b, math.loc, getDestination(math, piece), source,
                          bytes, cache, size);
}

/// Element by element; the last ones may be zero.
static void copyElements(const IndexMath &math, const Piece &piece,
                         OpFoldResult count) {
  OpBuilder &b = math.b;
  Type type = getStorageType(piece.ring.getElementType());
  for (int64_t i = 0; i < piece.elements; ++i) {
    Piece element = piece;
    element.col = math.add(piece.col, math.constant(i));
    auto load = [&]() -> Value {
      return LLVM::LoadOp::create(
          b, math.loc, type,
          element.view.getAddress(math, {element.row, element.col}));
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
    LLVM::StoreOp::create(b, math.loc, value, getDestination(math, element));
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
  Value value = LLVM::LoadOp::create(
      b, math.loc, type, piece.view.getAddress(math, {piece.row, piece.col}),
      bytes);
  LLVM::StoreOp::create(b, math.loc, value, getDestination(math, piece), bytes);
}

static void copyPiece(const IndexMath &math, const Piece &piece) {
  OpBuilder &b = math.b;
  OpFoldResult count = countElements(math, piece);
  if (piece.isAsync)
    return copyAsync(math, piece, count);
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

LogicalResult KernelBody::convertCopy(TileCopyOp op) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  RingType ring = op.getRing().getType();
  Value base = rings.lookup(op.getRing());
  if (!base)
    return op.emitOpError("cannot be lowered: expected the ring of a "
                          "top.tile_ring of this kernel");
  FailureOr<GlobalView> view = resolveView(math, op, op.getSource(), mapping);
  if (failed(view))
    return failure();
  Value slot = getSlotAddress(math, base, ring, op.getSlot());
  const int64_t elements =
      op.getVectorBytes() / getElementBytes(ring.getElementType());
  const int64_t perRow = ring.getCols() / elements;
  const int64_t pieces = ring.getRows() * perRow;
  const int64_t threads = schedule.getNumThreads();

  // Piece number `threadId + i * threads`, row by row: neighbouring threads
  // read neighbouring bytes.
  auto copyNumber = [&](OpFoldResult number) {
    copyPiece(math, {*view, ring, slot, elements, op.getAsync(),
                     math.div(number, perRow),
                     math.mul(math.rem(number, perRow), elements)});
  };
  auto copyIfExists = [&](OpFoldResult number, bool mayBeMissing) {
    if (!mayBeMissing)
      return copyNumber(number);
    auto branch =
        scf::IfOp::create(b, loc, math.less(number, math.constant(pieces)));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    copyNumber(number);
  };
  const int64_t perThread = llvm::divideCeil(pieces, threads);
  if (perThread <= maxUnrolledPieces) {
    for (int64_t i = 0; i < perThread; ++i)
      copyIfExists(math.add(threadId, math.constant(i * threads)),
                   (i + 1) * threads > pieces);
    return success();
  }
  auto loop =
      scf::ForOp::create(b, loc, threadId, math.value(math.constant(pieces)),
                         math.value(math.constant(threads)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  copyNumber(loop.getInductionVar());
  return success();
}
