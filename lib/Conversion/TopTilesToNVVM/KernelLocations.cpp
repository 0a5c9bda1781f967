//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the instructions of a kernel are made of, in their locations. All ops of
// a kernel have the location of one layer op, which would not tell a reader of
// a fault or of a report much.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::top;

/// The ring that `value` is, or is a part of a slot of; null for others.
static TileRingOp findRing(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<TileViewOp, TileSliceOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<TileRingOp>(op);
}

void top::nameLocations(Operation *kernel) {
  DenseMap<Operation *, unsigned> rings;
  kernel->walk([&](TileRingOp ring) { rings.try_emplace(ring, rings.size()); });
  kernel->walk([&](Operation *op) {
    if (!isa_and_nonnull<TopDialect, gpu::GPUDialect>(op->getDialect()))
      return;
    std::string name = op->getName().getStringRef().str();
    SmallVector<unsigned> used;
    for (Value operand : op->getOperands())
      if (TileRingOp ring = findRing(operand))
        used.push_back(rings.lookup(ring));
    for (auto [position, ring] : llvm::enumerate(used))
      name += (position == 0 ? " of ring " : ", ") + std::to_string(ring);
    op->setLoc(
        NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  });
}
