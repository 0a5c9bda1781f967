//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the kernels of a plan: a product in block tiles, one whose parts of K
// are summed apart and then added, or an elementwise op.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "EpilogueSlices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

namespace {

class BlockWriter {
public:
  BlockWriter(RewriterBase &rewriter, const BlockPlan &plan,
              ScheduleAttr schedule)
      : b(rewriter), loc(plan.result.getLoc()), plan(plan), schedule(schedule) {
  }

  SmallVector<scf::ForallOp> write();

private:
  bool isSplit() const { return plan.parts.count > 1; }
  OpFoldResult index(int64_t value) { return b.getIndexAttr(value); }

  scf::ForallOp open(Value init, ScheduleAttr kernelSchedule, bool overParts);
  scf::ForallOp writeProduct(Value init);
  scf::ForallOp writeParts();
  scf::ForallOp writeMap(Value init, Value parts);

  TileRange getRange(Value iv, int64_t extent, int64_t tile) {
    return getTileRange(b, loc, iv, extent, tile);
  }
  Value slice(Value tensor, ArrayRef<TileRange> ranges,
              bool keepsParts = false);
  /// What the sums are in front of the epilogue; null without a product.
  Value getSums() const {
    return plan.product ? plan.product->getResult(0) : Value();
  }
  Value load(const ProductOperand &operand, TileRange row, TileRange col,
             int64_t rows, int64_t cols);
  Value multiply();
  Value store(Value tile, Value destination, bool withEpilogue);
  SmallVector<TileRange> getResultRanges();

  RewriterBase &b;
  Location loc;
  BlockPlan plan;
  ScheduleAttr schedule;
  Value part; ///< first element of K of the block's part
  TileRange batch, m, n;
};

} // namespace

/// The part of `tensor` at `ranges` as a matrix: without the dimensions before
/// the last two, but for the first, of parts of K, where it is kept.
Value BlockWriter::slice(Value tensor, ArrayRef<TileRange> ranges,
                         bool keepsParts) {
  SmallVector<bool> dropped(ranges.size(), true);
  dropped[ranges.size() - 2] = dropped[ranges.size() - 1] = false;
  if (keepsParts)
    dropped[0] = false;
  return sliceRanges(b, loc, tensor, ranges, dropped);
}

Value BlockWriter::load(const ProductOperand &operand, TileRange row,
                        TileRange col, int64_t rows, int64_t cols) {
  if (operand.transposed) {
    std::swap(row, col);
    std::swap(rows, cols);
  }
  SmallVector<TileRange> ranges = {row, col};
  if (operand.hasBatch)
    ranges.insert(ranges.begin(), batch);
  Value source = slice(operand.tensor, ranges);
  Type type = getElementTypeOrSelf(source);
  return TileLoadOp::create(
      b, loc, TileType::get(b.getContext(), TileLevel::block, rows, cols, type),
      source);
}

/// The sums of the block's tile: zeros, and a loop over K or over a part of it.
Value BlockWriter::multiply() {
  const int64_t bm = schedule.getBlockM(), bn = schedule.getBlockN(),
                bk = schedule.getBlockK();
  auto type = TileType::get(b.getContext(), TileLevel::block, bm, bn,
                            plan.accumulatorType);
  Value zero = TileZeroOp::create(b, loc, type);
  if (plan.k == 0)
    return zero;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop = scf::ForOp::create(
      b, loc, constant(0), constant(isSplit() ? plan.parts.depth : plan.k),
      constant(bk), ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  TileRange k = getDepthRange(b, loc, part, loop.getInductionVar(), plan.k, bk,
                              plan.parts);
  Value lhs = load(plan.lhs, m, k, bm, bk);
  Value rhs = load(plan.rhs, k, n, bk, bn);
  Value next = TileMmaOp::create(
      b, loc, type, lhs, rhs, loop.getRegionIterArg(0), plan.lhs.transposed,
      plan.rhs.transposed, plan.product->hasAttr("top.allow_tf32"));
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

SmallVector<TileRange> BlockWriter::getResultRanges() {
  SmallVector<TileRange> ranges = {m, n};
  if (plan.isBatched)
    ranges.insert(ranges.begin(), batch);
  return ranges;
}

Value BlockWriter::store(Value tile, Value destination, bool withEpilogue) {
  linalg::LinalgOp fused = withEpilogue ? plan.epilogue : linalg::LinalgOp();
  EpilogueSlices epilogue =
      sliceEpilogue(b, loc, fused, getSums(), getResultRanges(),
                    /*firstKept=*/plan.isBatched);
  auto op =
      TileStoreOp::create(b, loc, destination.getType(), tile, destination,
                          ValueRange(), epilogue.inputs, epilogue.getMaps(b),
                          b.getDenseI64ArrayAttr({1, 1}), TileDimsAttr());
  fillEpilogue(b, loc, fused, epilogue, op.getBody());
  return op.getResult();
}

/// An empty kernel over the blocks of the result, and over the parts of K, with
/// the insertion point and the ranges of its block.
scf::ForallOp BlockWriter::open(Value init, ScheduleAttr kernelSchedule,
                                bool overParts) {
  SmallVector<OpFoldResult> lower, upper, steps;
  SmallVector<Attribute> mapping;
  auto addLoop = [&](int64_t extent, int64_t step, gpu::MappingId id) {
    lower.push_back(index(0));
    upper.push_back(index(extent));
    steps.push_back(index(step));
    mapping.push_back(gpu::GPUBlockMappingAttr::get(b.getContext(), id));
  };
  // The loop goes over K itself: what is known of its step is known of where
  // the part's tiles lie.
  if (overParts)
    addLoop(plan.k, plan.parts.depth, gpu::MappingId::LinearDim0);
  if (plan.isBatched)
    addLoop(cast<ShapedType>(plan.result.getType()).getDimSize(0), 1,
            gpu::MappingId::DimZ);
  addLoop(plan.m, kernelSchedule.getBlockM(), gpu::MappingId::DimY);
  addLoop(plan.n, kernelSchedule.getBlockN(), gpu::MappingId::DimX);
  auto forall = scf::ForallOp::create(
      b, loc, lower, upper, steps, ValueRange{init}, b.getArrayAttr(mapping));
  kernelSchedule.setOn(forall);
  b.setInsertionPointToStart(forall.getBody());
  ValueRange ivs = forall.getInductionVars();
  if (overParts)
    part = ivs.front();
  if (plan.isBatched)
    batch = {ivs[ivs.size() - 3], index(1)};
  m = getRange(ivs[ivs.size() - 2], plan.m, kernelSchedule.getBlockM());
  n = getRange(ivs[ivs.size() - 1], plan.n, kernelSchedule.getBlockN());
  return forall;
}

scf::ForallOp BlockWriter::writeProduct(Value init) {
  scf::ForallOp kernel = open(init, schedule, /*overParts=*/false);
  Value tile = multiply();
  SmallVector<TileRange> ranges = getResultRanges();
  Value destination = slice(kernel.getRegionIterArgs()[0], ranges);
  closeKernel(b, kernel, store(tile, destination, /*withEpilogue=*/true),
              ranges);
  return kernel;
}

/// The sums of each part, in a workspace whose rows suit wide accesses.
scf::ForallOp BlockWriter::writeParts() {
  SmallVector<int64_t> shape(
      cast<ShapedType>(plan.result.getType()).getShape());
  shape.back() = llvm::alignTo(
      plan.n, kWidestAccessBytes / getElementBytes(plan.accumulatorType));
  shape.insert(shape.begin(), plan.parts.count);
  Value space = tensor::EmptyOp::create(b, loc, shape, plan.accumulatorType);
  scf::ForallOp kernel = open(space, schedule, /*overParts=*/true);
  Value tile = multiply();
  SmallVector<TileRange> ranges = getResultRanges();
  OpFoldResult number = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineDimExpr(0).floorDiv(plan.parts.depth),
      {OpFoldResult(part)});
  ranges.insert(ranges.begin(), TileRange{number, index(1)});
  Value destination = slice(kernel.getRegionIterArgs()[0], ranges);
  closeKernel(b, kernel, store(tile, destination, /*withEpilogue=*/false),
              ranges);
  return kernel;
}

/// An elementwise kernel: of the plan's op, or of the sum of `parts` and the
/// epilogue.
scf::ForallOp BlockWriter::writeMap(Value init, Value parts) {
  auto type = cast<RankedTensorType>(plan.result.getType());
  const int64_t numBatches = plan.isBatched ? type.getDimSize(0) : 1;
  // A sum has as many loads under way as it has parts.
  const int64_t width =
      parts ? kWidestAccessBytes / getElementBytes(plan.accumulatorType)
            : getElementwiseWidth(plan.epilogue);
  const int64_t pieces = parts ? 1 : width > 1 ? 4 : 8;
  ScheduleAttr layout =
      getElementwiseSchedule(b.getContext(), std::max<int64_t>(numBatches, 1),
                             std::max<int64_t>(plan.m, 1),
                             std::max<int64_t>(plan.n, 1), width, pieces);
  scf::ForallOp kernel = open(init, layout, /*overParts=*/false);
  SmallVector<TileRange> ranges = getResultRanges();
  Value partsOfTile;
  if (parts) {
    SmallVector<TileRange> all(ranges);
    all.insert(all.begin(), TileRange{index(0), index(plan.parts.count)});
    partsOfTile = slice(parts, all, /*keepsParts=*/true);
  }
  Value destination = slice(kernel.getRegionIterArgs()[0], ranges);
  EpilogueSlices epilogue = sliceEpilogue(b, loc, plan.epilogue, getSums(),
                                          ranges, /*firstKept=*/plan.isBatched);
  auto op =
      TileMapOp::create(b, loc, destination.getType(), destination, partsOfTile,
                        epilogue.inputs, epilogue.getMaps(b));
  fillEpilogue(b, loc, plan.epilogue, epilogue, op.getBody());
  closeKernel(b, kernel, op.getResult(), ranges);
  return kernel;
}

SmallVector<scf::ForallOp> BlockWriter::write() {
  linalg::LinalgOp last = plan.epilogue ? plan.epilogue : plan.product;
  Value init = last.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0]; // the kernel starts from zeros by itself

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(last);
  if (!plan.product)
    return {writeMap(init, /*parts=*/Value())};
  if (!isSplit())
    return {writeProduct(init)};
  scf::ForallOp parts = writeParts();
  return {parts, writeMap(init, parts.getResult(0))};
}

SmallVector<scf::ForallOp> top::writeBlocks(RewriterBase &rewriter,
                                            const BlockPlan &plan,
                                            ScheduleAttr schedule) {
  return BlockWriter(rewriter, plan, schedule).write();
}
