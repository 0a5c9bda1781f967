//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.tile_store: accumulators go through the epilogue to global memory.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

LogicalResult KernelBody::convertStore(TileStoreOp op) {
  Location loc = op.getLoc();
  IndexMath math(b, loc);
  auto found = registerTiles.find(op.getTile());
  if (found == registerTiles.end() || found->second.kind != RegisterTile::Sums)
    return op.emitOpError("cannot be lowered: expected accumulators");

  if (op.getTile().getType().getLevel() == TileLevel::warp)
    return storeWarpTile(op, found->second.values);
  TileType type = op.getTile().getType();
  const bool isBlock = type.getLevel() == TileLevel::block;
  // A box that is the thread's own begins where the destination does, and its
  // elements side by side are the thread's.
  const bool isOwnBox = type.getLevel() == TileLevel::thread && op.getDims() &&
                        op.getOffsets().empty() && op.getStep()[0] == 1 &&
                        op.getStep()[1] == 1;
  const bool isWhole = isBlock || isOwnBox;
  FailureOr<StoreAccesses> accesses = StoreAccesses::get(
      math, op, isWhole ? type.getRows() : schedule.getBlockM(),
      isWhole ? type.getCols() : schedule.getBlockN(),
      /*mostWidth=*/isOwnBox ? type.getCols() : 1, mapping);
  if (failed(accesses))
    return failure();

  auto storeElements = [&](ArrayRef<Value> sums,
                           ArrayRef<OpFoldResult> coordinates) {
    const auto width = static_cast<int64_t>(sums.size());
    SmallVector<SmallVector<Value>> arguments = {llvm::to_vector(sums)};
    for (const TileAccess &input : accesses->inputs)
      input.load(math, coordinates, width, input.elements,
                 arguments.emplace_back());
    accesses->dest.store(
        math, coordinates,
        computeElements(math, op.getBody().front(), width, arguments, mapping),
        accesses->dest.elements);
  };

  // The position of each accumulator, or of a run of them; those outside the
  // destination are dropped.
  ArrayRef<Value> sums = found->second.values;
  for (size_t index = 0; index < sums.size(); index += accesses->getWidth()) {
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
    SmallVector<OpFoldResult> coordinates =
        accesses->getCoordinates(math, row, col);
    OpBuilder::InsertionGuard guard(b);
    if (Value inside = accesses->isInside(math, coordinates)) {
      auto branch = scf::IfOp::create(b, loc, inside);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    storeElements(sums.slice(index, accesses->getWidth()), coordinates);
  }
  return success();
}
