//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine `simt`: products of tiles by one fused multiply-add an element, and
// the store of accumulators through the epilogue.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

/// Steps along K written out in the loop over a tile's depth.
static constexpr int64_t maxUnrolledDepth = 4;

static Value extend(const IndexMath &math, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(math.b, math.loc, type, value);
}

/// Element (m, k) of lhs, or (k, n) of rhs, in the accumulators' type.
static Value loadLhs(const IndexMath &math, TileMmaOp op,
                     const MemoryTile &tile, OpFoldResult m, OpFoldResult k) {
  Value value =
      op.getTransposeA() ? tile.load(math, k, m) : tile.load(math, m, k);
  return extend(math, value, op.getType().getElementType());
}

static Value loadRhs(const IndexMath &math, TileMmaOp op,
                     const MemoryTile &tile, OpFoldResult k, OpFoldResult n) {
  Value value =
      op.getTransposeB() ? tile.load(math, n, k) : tile.load(math, k, n);
  return extend(math, value, op.getType().getElementType());
}

/// Adds step `k` of the outer product to a thread's TM x TN sums.
static void multiplyThreadTile(const IndexMath &math, TileMmaOp op,
                               const MemoryTile &lhs, const MemoryTile &rhs,
                               OpFoldResult k, MutableArrayRef<Value> sums) {
  const int64_t tm = op.getType().getRows(), tn = op.getType().getCols();
  SmallVector<Value> column, row;
  for (int64_t i = 0; i < tm; ++i)
    column.push_back(loadLhs(math, op, lhs, math.constant(i), k));
  for (int64_t j = 0; j < tn; ++j)
    row.push_back(loadRhs(math, op, rhs, k, math.constant(j)));
  for (int64_t i = 0; i < tm; ++i)
    for (int64_t j = 0; j < tn; ++j) {
      Value &sum = sums[i * tn + j];
      sum = math::FmaOp::create(math.b, math.loc, column[i], row[j], sum);
    }
}

void KernelBody::multiplyBlockTile(const IndexMath &math, TileMmaOp op,
                                   const MemoryTile &lhs, const MemoryTile &rhs,
                                   OpFoldResult k,
                                   MutableArrayRef<Value> sums) const {
  for (auto [index, sum] : llvm::enumerate(sums)) {
    auto [row, col] = getBlockPosition(math, op.getType(), index);
    Value l = loadLhs(math, op, lhs, row, k);
    Value r = loadRhs(math, op, rhs, k, col);
    sum = math::FmaOp::create(math.b, math.loc, l, r, sum);
  }
}

LogicalResult KernelBody::convertMma(TileMmaOp op) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  auto lhs = memoryTiles.find(op.getLhs()), rhs = memoryTiles.find(op.getRhs());
  if (lhs == memoryTiles.end() || rhs == memoryTiles.end())
    return op.emitOpError("cannot be lowered: expected operands that are "
                          "loaded, or viewed in a ring");
  if (failed(getNumAccumulators(op, op.getType())))
    return failure();
  const bool isThread = op.getType().getLevel() == TileLevel::thread;
  TileType lhsType = op.getLhs().getType();
  const int64_t depth =
      op.getTransposeA() ? lhsType.getRows() : lhsType.getCols();
  int64_t unroll = maxUnrolledDepth;
  while (depth % unroll != 0)
    unroll /= 2;

  SmallVector<Value> sums = accumulators.lookup(op.getAcc());
  auto loop = scf::ForOp::create(b, loc, math.value(math.constant(0)),
                                 math.value(math.constant(depth)),
                                 math.value(math.constant(unroll)), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  sums = llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
  for (int64_t u = 0; u < unroll; ++u) {
    OpFoldResult k =
        math.add(OpFoldResult(loop.getInductionVar()), math.constant(u));
    if (isThread)
      multiplyThreadTile(math, op, lhs->second, rhs->second, k, sums);
    else
      multiplyBlockTile(math, op, lhs->second, rhs->second, k, sums);
  }
  scf::YieldOp::create(b, loc, sums);
  accumulators[op.getResult()] = llvm::to_vector(ValueRange(loop.getResults()));
  return success();
}

LogicalResult KernelBody::convertStore(TileStoreOp op) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  if (!isa<MemRefType>(op.getDest().getType()))
    return op.emitOpError("cannot be lowered: expected a memref; bufferize "
                          "first");
  FailureOr<GlobalView> dest = resolveView(math, op, op.getDest(), mapping);
  if (failed(dest))
    return failure();
  SmallVector<GlobalView> inputs;
  SmallVector<AffineMap> maps;
  for (Value input : op.getInputs()) {
    FailureOr<GlobalView> view = resolveView(math, op, input, mapping);
    if (failed(view))
      return failure();
    inputs.push_back(*view);
  }
  if (ArrayAttr attr = op.getIndexingMapsAttr())
    maps = llvm::to_vector(attr.getAsValueRange<AffineMapAttr>());
  auto found = accumulators.find(op.getTile());
  if (found == accumulators.end())
    return op.emitOpError("cannot be lowered: expected accumulators");

  auto storeElement = [&](Value sum, OpFoldResult row, OpFoldResult col) {
    Block &body = op.getBody().front();
    IRMapping local(mapping);
    local.map(body.getArgument(0), sum);
    for (auto [index, view, map] : llvm::enumerate(inputs, maps)) {
      SmallVector<OpFoldResult> position;
      for (AffineExpr expr : map.getResults())
        position.push_back(
            isa<AffineDimExpr>(expr)
                ? cast<AffineDimExpr>(expr).getPosition() == 0 ? row : col
                : math.constant(0));
      local.map(body.getArgument(1 + index),
                LLVM::LoadOp::create(b, loc, view.elementType,
                                     view.getAddress(math, position)));
    }
    for (Operation &inner : body.without_terminator())
      b.clone(inner, local);
    Value value =
        local.lookupOrDefault(cast<YieldOp>(body.getTerminator()).getValue());
    LLVM::StoreOp::create(b, loc, value, dest->getAddress(math, {row, col}));
  };

  TileType type = op.getTile().getType();
  // The position of each accumulator; those outside the destination are
  // dropped.
  for (auto [index, sum] : llvm::enumerate(found->second)) {
    OpFoldResult row, col;
    if (type.getLevel() == TileLevel::thread) {
      row = math.constant(index / type.getCols() * op.getStep()[0]);
      col = math.constant(index % type.getCols() * op.getStep()[1]);
    } else {
      std::tie(row, col) = getBlockPosition(math, type, index);
    }
    if (!op.getOffsets().empty()) {
      row = math.add(row,
                     OpFoldResult(mapping.lookupOrDefault(op.getOffsets()[0])));
      col = math.add(col,
                     OpFoldResult(mapping.lookupOrDefault(op.getOffsets()[1])));
    }
    // No edge where the destination is as large as the tile of the block.
    Value inside;
    auto require = [&](OpFoldResult position, OpFoldResult size, int64_t tile) {
      if (isConstantIntValue(size, tile))
        return;
      if (Value less = math.less(position, size))
        inside = inside ? arith::AndIOp::create(b, loc, inside, less) : less;
    };
    const bool isBlock = type.getLevel() == TileLevel::block;
    require(row, dest->sizes[0],
            isBlock ? type.getRows() : schedule.getBlockM());
    require(col, dest->sizes[1],
            isBlock ? type.getCols() : schedule.getBlockN());
    if (!inside) {
      storeElement(sum, row, col);
      continue;
    }
    auto branch = scf::IfOp::create(b, loc, inside);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    storeElement(sum, row, col);
  }
  return success();
}
