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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

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
      local.map(
          body.getArgument(1 + index),
          loadElement(math, view.elementType, view.getAddress(math, position)));
    }
    for (Operation &inner : body.without_terminator())
      b.clone(inner, local);
    Value value =
        local.lookupOrDefault(cast<YieldOp>(body.getTerminator()).getValue());
    top::storeElement(math, value, dest->getAddress(math, {row, col}));
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
