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
  SmallVector<TileAccess> inputs;
  if (!op.getInputs().empty())
    for (auto [input, map] :
         llvm::zip(op.getInputs(),
                   op.getIndexingMapsAttr().getAsValueRange<AffineMapAttr>())) {
      FailureOr<TileAccess> access = TileAccess::get(
          math, op, input, getAccessAxes(map), /*width=*/1, mapping);
      if (failed(access))
        return failure();
      inputs.push_back(*access);
    }

  auto storeElement = [&](Value sum, OpFoldResult row, OpFoldResult col) {
    Block &body = op.getBody().front();
    IRMapping local(mapping);
    local.map(body.getArgument(0), sum);
    for (auto [index, input] : llvm::enumerate(inputs)) {
      SmallVector<Value> value;
      input.load(math, math.constant(0), row, col, 1, 1, value);
      local.map(body.getArgument(1 + index), value.front());
    }
    for (Operation &inner : body.without_terminator())
      b.clone(inner, local);
    Value value =
        local.lookupOrDefault(cast<YieldOp>(body.getTerminator()).getValue());
    dest->store(math, row, col, value, 1);
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
    // No edge where the destination is as large as the tile of the block.
    Value inside;
    auto require = [&](OpFoldResult position, OpFoldResult size, int64_t tile) {
      if (isConstantIntValue(size, tile))
        return;
      if (Value less = math.less(position, size))
        inside = inside ? arith::AndIOp::create(b, loc, inside, less) : less;
    };
    const bool isBlock = type.getLevel() == TileLevel::block;
    require(row, dest->view.sizes[0],
            isBlock ? type.getRows() : schedule.getBlockM());
    require(col, dest->view.sizes[1],
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
