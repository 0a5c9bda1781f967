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
  FailureOr<StoreAccesses> accesses = StoreAccesses::get(
      math, op, isBlock ? type.getRows() : schedule.getBlockM(),
      isBlock ? type.getCols() : schedule.getBlockN(), /*width=*/1, mapping);
  if (failed(accesses))
    return failure();

  auto storeElement = [&](Value sum, ArrayRef<OpFoldResult> coordinates) {
    SmallVector<SmallVector<Value>> arguments = {{sum}};
    for (const TileAccess &input : accesses->inputs)
      input.load(math, coordinates, 1, 1, arguments.emplace_back());
    accesses->dest.store(
        math, coordinates,
        computeElements(math, op.getBody().front(), 1, arguments, mapping), 1);
  };

  // The position of each accumulator; those outside the destination are
  // dropped.
  for (auto [index, sum] : llvm::enumerate(found->second.values)) {
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
    storeElement(sum, coordinates);
  }
  return success();
}
