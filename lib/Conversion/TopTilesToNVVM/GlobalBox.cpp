//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A box of elements of a buffer as a tile, see TileMemory.h, and its copy to
// shared memory.
//
//===----------------------------------------------------------------------===//

#include "BoxCopy.h"
#include "PtxInstructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

SmallVector<OpFoldResult> GlobalBox::getIndices(const IndexMath &math,
                                                OpFoldResult row,
                                                OpFoldResult col) const {
  SmallVector<OpFoldResult> coordinates;
  auto split = [&](OpFoldResult number, ArrayRef<int64_t> extents) {
    SmallVector<OpFoldResult> parts(extents.size());
    for (size_t i = extents.size(); i-- > 0;) {
      parts[i] = i == 0 ? number : math.rem(number, extents[i]);
      number = math.div(number, extents[i]);
    }
    llvm::append_range(coordinates, parts);
  };
  split(row, dims.getRows());
  split(col, dims.getCols());
  SmallVector<OpFoldResult> indices;
  for (auto [d, number] : llvm::enumerate(dims.getOrder()))
    indices.push_back(math.add(position[d], coordinates[number]));
  return indices;
}

Value GlobalBox::exists(const IndexMath &math, OpFoldResult row,
                        OpFoldResult col, int64_t rows, int64_t cols,
                        ArrayRef<OpFoldResult> indices) const {
  OpBuilder &b = math.b;
  Value inside;
  auto require = [&](OpFoldResult number, OpFoldResult end) {
    std::optional<int64_t> n = getConstantIntValue(number);
    std::optional<int64_t> e = getConstantIntValue(end);
    if (n && e && *n >= 0 && *n < *e)
      return;
    // As unsigned numbers, negative ones are the largest.
    Value below = arith::CmpIOp::create(b, math.loc, arith::CmpIPredicate::ult,
                                        math.value(number), math.value(end));
    inside = inside ? arith::AndIOp::create(b, math.loc, inside, below) : below;
  };
  if (dims.getNumRows() < rows)
    require(row, math.constant(dims.getNumRows()));
  if (dims.getNumCols() < cols)
    require(col, math.constant(dims.getNumCols()));
  for (auto [index, size] : llvm::zip(indices, view.sizes))
    require(index, size);
  if (!inside)
    inside = arith::ConstantOp::create(b, math.loc, b.getBoolAttr(true));
  return inside;
}

Value GlobalBox::load(const IndexMath &math, OpFoldResult row, OpFoldResult col,
                      int64_t rows, int64_t cols) const {
  OpBuilder &b = math.b;
  SmallVector<OpFoldResult> indices = getIndices(math, row, col);
  // In an scf.if, bits: a float of 8 bits is no type of a block's argument.
  Type type = getStorageType(view.elementType);
  auto branch = scf::IfOp::create(b, math.loc, type,
                                  exists(math, row, col, rows, cols, indices),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(
      b, math.loc,
      LLVM::LoadOp::create(b, math.loc, type, view.getAddress(math, indices))
          .getResult());
  b.setInsertionPointToStart(branch.elseBlock());
  Value zero = arith::ConstantOp::create(b, math.loc, b.getZeroAttr(type));
  scf::YieldOp::create(b, math.loc, zero);
  b.setInsertionPointAfter(branch);
  return bitcast(math, view.elementType, branch.getResult(0));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void top::copyBoxPiece(const IndexMath &math, const BoxPiece &piece,
                       Value condition) {
  OpBuilder &b = math.b;
  const GlobalBox &box = piece.box;
  const int64_t element = getElementBytes(piece.ring.getElementType());
  const int64_t bytes = piece.elements * element;
  SmallVector<OpFoldResult> indices =
      box.getIndices(math, piece.row, piece.col);
  Value inside = box.exists(math, piece.row, piece.col, piece.ring.getRows(),
                            piece.ring.getCols(), indices);
  Value destination = getByteAddress(
      math, piece.slot, getSlotOffset(math, piece.ring, piece.row, piece.col));
  if (piece.isAsync) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, math.loc, b.getI32IntegerAttr(value));
    };
    Value size = arith::SelectOp::create(b, math.loc, inside, constant(bytes),
                                         constant(0));
    Value source = box.view.getAddress(math, indices);
    if (condition)
      return createCpAsyncIf(math, condition, {destination, 0}, {source, 0},
                             bytes, size);
    // cp.async.cg, which passes by L1, exists for 16 bytes only (PTX ISA).
    NVVM::CpAsyncOp::create(b, math.loc, destination, source, bytes,
                            bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                                        : NVVM::LoadCacheModifierKind::CA,
                            size);
    return;
  }
  Type type = b.getIntegerType(std::min<int64_t>(bytes, 4) * 8);
  if (bytes > 4)
    type = VectorType::get({bytes / 4}, type);
  Value zeros = arith::ConstantOp::create(b, math.loc, b.getZeroAttr(type));
  auto load = [&](ArrayRef<OpFoldResult> from) -> Value {
    return LLVM::LoadOp::create(b, math.loc, type,
                                box.view.getAddress(math, from), bytes);
  };
  const bool hasFirst = llvm::all_of(box.view.sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).value_or(0) > 0;
  });
  Value value;
  if (hasFirst) {
    // Without a branch, so that the loads of a thread's pieces are under way
    // together: what does not exist is read from the first element instead.
    SmallVector<OpFoldResult> read;
    Value zero = math.value(math.constant(0));
    for (OpFoldResult index : indices)
      read.push_back(
          arith::SelectOp::create(b, math.loc, inside, math.value(index), zero)
              .getResult());
    value = arith::SelectOp::create(b, math.loc, inside, load(read), zeros);
  } else {
    auto branch = scf::IfOp::create(b, math.loc, type, inside,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, math.loc, load(indices));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, math.loc, zeros);
    value = branch.getResult(0);
  }
  LLVM::StoreOp::create(b, math.loc, value, destination, bytes);
}
