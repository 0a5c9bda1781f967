//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops on tensors of any rank, and fills, as kernels that multiply
// nothing: what a tile of a convolution wholly in padding is, for one.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "EpilogueSlices.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

scf::ForallOp top::writeElementwise(OpBuilder &b, Location loc, Value init,
                                    linalg::LinalgOp op, Value sums,
                                    Value parts) {
  auto type = cast<RankedTensorType>(init.getType());
  // Rows and columns are the last two dimensions; the others are loops.
  const int64_t rank = type.getRank(), outer = rank - 2;
  int64_t batch = 1;
  for (int64_t extent : type.getShape().take_front(outer))
    batch = llvm::SaturatingMultiply<uint64_t>(batch, extent);
  // A sum has as many loads under way as it has parts.
  const int64_t width =
      parts ? kWidestAccessBytes / getElementBytes(getElementTypeOrSelf(parts))
            : getElementwiseWidth(op);
  const int64_t pieces = parts ? 1 : width > 1 ? 4 : 8;
  ScheduleAttr layout = getElementwiseSchedule(
      b.getContext(), std::max<int64_t>(batch, 1),
      std::max<int64_t>(type.getDimSize(outer), 1),
      std::max<int64_t>(type.getDimSize(outer + 1), 1), width, pieces);

  SmallVector<int64_t> tiles(outer, 1);
  tiles.append({layout.getBlockM(), layout.getBlockN()});
  SmallVector<Attribute> mapping;
  for (int64_t dim = 0; dim < rank; ++dim)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        b.getContext(),
        static_cast<gpu::MappingId>(
            static_cast<unsigned>(gpu::MappingId::LinearDim0) + dim)));
  SmallVector<OpFoldResult> zeros(rank, b.getIndexAttr(0));
  auto kernel = scf::ForallOp::create(
      b, loc, zeros, getAsIndexOpFoldResult(b.getContext(), type.getShape()),
      getAsIndexOpFoldResult(b.getContext(), tiles), ValueRange{init},
      b.getArrayAttr(mapping));
  layout.setOn(kernel);
  b.setInsertionPointToStart(kernel.getBody());
  SmallVector<TileRange> ranges;
  for (auto [iv, extent, tile] :
       llvm::zip(kernel.getInductionVars(), type.getShape(), tiles))
    ranges.push_back(int64_t(ranges.size()) < outer
                         ? TileRange{iv, b.getIndexAttr(1)}
                         : getTileRange(b, loc, iv, extent, tile));
  SmallVector<bool> dropped(rank, true);
  dropped[outer] = dropped[outer + 1] = false;
  Value dest =
      sliceRanges(b, loc, kernel.getRegionIterArgs()[0], ranges, dropped);
  Value partsOfTile;
  if (parts) {
    SmallVector<TileRange> all(ranges);
    const int64_t count = cast<ShapedType>(parts.getType()).getDimSize(0);
    all.insert(all.begin(), {b.getIndexAttr(0), b.getIndexAttr(count)});
    dropped.insert(dropped.begin(), false);
    partsOfTile = sliceRanges(b, loc, parts, all, dropped);
  }
  EpilogueSlices slices = sliceEpilogue(b, loc, op, sums, ranges, outer);
  auto map = TileMapOp::create(b, loc, dest.getType(), dest, partsOfTile,
                               slices.inputs, slices.getMaps(b));
  fillEpilogue(b, loc, op, slices, map.getBody());
  closeKernel(b, kernel, map.getResult(), ranges);
  return kernel;
}

FailureOr<scf::ForallOp> top::elementwiseToBlocks(RewriterBase &b,
                                                  linalg::LinalgOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      !isTileElementType(type.getElementType()))
    return op.emitOpError("cannot be cut into block tiles: expected a result "
                          "of static shape, rank 2 at least, and elements that "
                          "tiles have, got ")
           << op->getResult(0).getType();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  scf::ForallOp kernel =
      writeElementwise(b, op.getLoc(), op.getDpsInits()[0], op,
                       /*sums=*/Value(), /*parts=*/Value());
  b.replaceOp(op, kernel.getResults());
  return kernel;
}
