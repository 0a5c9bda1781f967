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

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

FailureOr<scf::ForallOp> top::elementwiseToBlocks(RewriterBase &b,
                                                  linalg::LinalgOp op) {
  Location loc = op.getLoc();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      !isTileElementType(type.getElementType()))
    return op.emitOpError("cannot be cut into block tiles: expected a result "
                          "of static shape, rank 2 at least, and elements that "
                          "tiles have, got ")
           << op->getResult(0).getType();
  // Rows and columns are the last two dimensions; the others are loops.
  const int64_t outer = type.getRank() - 2;
  int64_t batch = 1;
  for (int64_t extent : type.getShape().take_front(outer))
    batch = llvm::SaturatingMultiply<uint64_t>(batch, extent);
  const int64_t width = getElementwiseWidth(op);
  ScheduleAttr layout =
      getElementwiseSchedule(b.getContext(), std::max<int64_t>(batch, 1),
                             std::max<int64_t>(type.getDimSize(outer), 1),
                             std::max<int64_t>(type.getDimSize(outer + 1), 1),
                             width, width > 1 ? 4 : 8);

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  auto index = [&](int64_t value) -> OpFoldResult {
    return b.getIndexAttr(value);
  };
  SmallVector<OpFoldResult> lower(type.getRank(), index(0)), steps = lower;
  SmallVector<Attribute> mapping;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    steps[dim] = index(dim < outer    ? 1
                       : dim == outer ? layout.getBlockM()
                                      : layout.getBlockN());
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        b.getContext(),
        static_cast<gpu::MappingId>(
            static_cast<unsigned>(gpu::MappingId::LinearDim0) + dim)));
  }
  auto kernel = scf::ForallOp::create(
      b, loc, lower, getAsIndexOpFoldResult(b.getContext(), type.getShape()),
      steps, op.getDpsInits(), b.getArrayAttr(mapping));
  layout.setOn(kernel);
  b.setInsertionPointToStart(kernel.getBody());
  SmallVector<TileRange> ranges;
  for (auto [dim, iv] : llvm::enumerate(kernel.getInductionVars())) {
    const int64_t extent = type.getDimSize(dim);
    const int64_t tile = *getConstantIntValue(steps[dim]);
    OpFoldResult size = index(std::min(extent, tile));
    if (extent > tile && extent % tile != 0)
      size = affine::makeComposedFoldedAffineMin(
          b, loc,
          AffineMap::get(
              1, 0,
              {b.getAffineConstantExpr(tile), extent - b.getAffineDimExpr(0)},
              b.getContext()),
          {OpFoldResult(iv)});
    ranges.push_back({iv, size});
  }
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(type.getRank(), index(1));
  SmallVector<int64_t> shape;
  for (auto [dim, range] : llvm::enumerate(ranges)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    if (int64_t(dim) >= outer)
      shape.push_back(
          getConstantIntValue(range.size).value_or(ShapedType::kDynamic));
  }
  Value dest = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()),
      kernel.getRegionIterArgs()[0], offsets, sizes, strides);
  EpilogueSlices slices =
      sliceEpilogue(b, loc, op, /*sums=*/Value(), ranges, outer);
  auto map = TileMapOp::create(b, loc, dest.getType(), dest, /*parts=*/Value(),
                               slices.inputs, slices.getMaps(b));
  fillEpilogue(b, loc, op, slices, map.getBody());
  b.setInsertionPointToStart(kernel.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, map.getResult(),
                                        kernel.getRegionIterArgs()[0], offsets,
                                        sizes, strides);
  b.replaceOp(op, kernel.getResults());
  return kernel;
}
