//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine `simt`: products of tiles by one fused multiply-add an element, or by
// a multiplication and an addition of integers.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::top;

/// Steps along K written out in the loop over a tile's depth.
static constexpr int64_t maxUnrolledDepth = 4;

Value top::extend(const IndexMath &math, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<IntegerType>(type))
    return arith::ExtSIOp::create(math.b, math.loc, type, value);
  return arith::ExtFOp::create(math.b, math.loc, type, value);
}

Value top::multiplyAdd(const IndexMath &math, Value x, Value y, Value sum) {
  if (!isa<IntegerType>(sum.getType()))
    return math::FmaOp::create(math.b, math.loc, x, y, sum);
  Value product = arith::MulIOp::create(math.b, math.loc, x, y);
  return arith::AddIOp::create(math.b, math.loc, product, sum);
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
      sum = multiplyAdd(math, column[i], row[j], sum);
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
    sum = multiplyAdd(math, l, r, sum);
  }
}

LogicalResult KernelBody::convertMma(TileMmaOp op) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  if (failed(getNumAccumulators(op, op.getType())))
    return failure();
  auto acc = registerTiles.find(op.getAcc());
  if (acc == registerTiles.end() || acc->second.kind != RegisterTile::Sums)
    return op.emitOpError("cannot be lowered: expected accumulators");
  if (op.getType().getLevel() == TileLevel::warp) {
    FailureOr<SmallVector<Value>> sums = multiplyWarpTile(op);
    if (failed(sums))
      return failure();
    registerTiles[op.getResult()].values = std::move(*sums);
    return success();
  }
  auto lhs = memoryTiles.find(op.getLhs()), rhs = memoryTiles.find(op.getRhs());
  if (lhs == memoryTiles.end() || rhs == memoryTiles.end())
    return op.emitOpError("cannot be lowered: expected operands that are "
                          "loaded, or viewed in a ring");
  const bool isThread = op.getType().getLevel() == TileLevel::thread;
  TileType lhsType = op.getLhs().getType();
  const int64_t depth =
      op.getTransposeA() ? lhsType.getRows() : lhsType.getCols();
  int64_t unroll = maxUnrolledDepth;
  while (depth % unroll != 0)
    unroll /= 2;

  SmallVector<Value> sums = acc->second.values;
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
  registerTiles[op.getResult()].values =
      llvm::to_vector(ValueRange(loop.getResults()));
  return success();
}
