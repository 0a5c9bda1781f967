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
  FailureOr<TileAccess> dest = TileAccess::get(
      math, op, op.getDest(), {AccessAxis::Row, AccessAxis::Col},
      /*width=*/1, mapping);
  if (failed(dest))
    return failure();
  FailureOr<SmallVector<TileAccess>> inputs =
      getInputAccesses(math, op, op.getInputs(), op.getIndexingMapsAttr(),
                       /*width=*/1, mapping);
  if (failed(inputs))
    return failure();

  auto storeElement = [&](Value sum, OpFoldResult row, OpFoldResult col) {
    SmallVector<SmallVector<Value>> arguments = {{sum}};
    for (const TileAccess &input : *inputs)
      input.load(math, math.constant(0), row, col, 1, 1,
                 arguments.emplace_back());
    dest->store(
        math, row, col,
        computeElements(math, op.getBody().front(), 1, arguments, mapping), 1);
  };

  TileType type = op.getTile().getType();
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
    const bool isBlock = type.getLevel() == TileLevel::block;
    Value inside = isInside(math, *dest, row, col,
                            isBlock ? type.getRows() : schedule.getBlockM(),
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
