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

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// Position and size of the tile along one axis.
struct TileRange {
  OpFoldResult offset, size;
};

/// What the region of a store or of an elementwise op is made from.
struct Epilogue {
  SmallVector<Value> inputs;
  SmallVector<Attribute> maps;
  SmallVector<Type> argTypes;
  /// For each input of the elementwise op the argument that it becomes, or the
  /// value outside that it is.
  SmallVector<unsigned> positions;
  SmallVector<Value> scalars;
};

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
  void close(scf::ForallOp kernel, Value stored, ArrayRef<TileRange> ranges);
  scf::ForallOp writeProduct(Value init);
  scf::ForallOp writeParts();
  scf::ForallOp writeMap(Value init, Value parts);

  TileRange getRange(Value iv, int64_t extent, int64_t tile);
  TileRange getDepth(Value iv);
  Value slice(Value tensor, ArrayRef<TileRange> ranges, unsigned firstKept,
              bool keepsParts = false);
  Value load(const ProductOperand &operand, TileRange row, TileRange col,
             int64_t rows, int64_t cols);
  Value multiply();
  Value store(Value tile, Value destination, bool withEpilogue);
  Value sliceInput(Value tensor, AffineMap map, AffineMap &tileMap);
  SmallVector<TileRange> getResultRanges();
  Epilogue readEpilogue(Type leading);
  void fillRegion(Region &region, const Epilogue &epilogue, bool isPlain);

  RewriterBase &b;
  Location loc;
  BlockPlan plan;
  ScheduleAttr schedule;
  Value part; ///< first element of K of the block's part
  TileRange batch, m, n;
};

} // namespace

/// The size is static unless the last tile is smaller than the others.
TileRange BlockWriter::getRange(Value iv, int64_t extent, int64_t tile) {
  if (extent <= tile)
    return {iv, index(extent)};
  if (extent % tile == 0)
    return {iv, index(tile)};
  AffineExpr d0 = b.getAffineDimExpr(0);
  AffineMap map = AffineMap::get(
      1, 0, {b.getAffineConstantExpr(tile), extent - d0}, b.getContext());
  return {iv, affine::makeComposedFoldedAffineMin(b, loc, map, {iv})};
}

/// The K step at `iv` of the block's part. All parts have the same number of
/// steps, so that their loops have constant bounds: steps of the last part that
/// K does not have are of size 0, and multiply zeros.
TileRange BlockWriter::getDepth(Value iv) {
  const int64_t bk = schedule.getBlockK();
  if (!isSplit())
    return getRange(iv, plan.k, bk);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  TileRange range{affine::makeComposedFoldedAffineApply(
                      b, loc, d0 + d1, {OpFoldResult(part), OpFoldResult(iv)}),
                  index(bk)};
  const int64_t missing = plan.parts.count * plan.parts.depth - plan.k;
  if (missing == 0)
    return range;
  AffineMap left = AffineMap::get(
      2, 0, {b.getAffineConstantExpr(bk), plan.k - d0 - d1}, b.getContext());
  range.size = affine::makeComposedFoldedAffineMin(
      b, loc, left, {OpFoldResult(part), OpFoldResult(iv)});
  if (missing >= bk)
    range.size = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(1, 0, {b.getAffineConstantExpr(0), d0}, b.getContext()),
        {range.size});
  return range;
}

/// The part of `tensor` at `ranges` without its dimensions before `firstKept`,
/// but for the first, of parts of K, where it is kept.
Value BlockWriter::slice(Value tensor, ArrayRef<TileRange> ranges,
                         unsigned firstKept, bool keepsParts) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(ranges.size(), index(1));
  SmallVector<int64_t> shape;
  for (auto [dim, range] : llvm::enumerate(ranges)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    if (dim >= firstKept || (keepsParts && dim == 0))
      shape.push_back(
          getConstantIntValue(range.size).value_or(ShapedType::kDynamic));
  }
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      offsets, sizes, strides);
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
  Value source = slice(operand.tensor, ranges, operand.hasBatch ? 1 : 0);
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
  TileRange k = getDepth(loop.getInductionVar());
  Value lhs = load(plan.lhs, m, k, bm, bk);
  Value rhs = load(plan.rhs, k, n, bk, bn);
  Value next = TileMmaOp::create(
      b, loc, type, lhs, rhs, loop.getRegionIterArg(0), plan.lhs.transposed,
      plan.rhs.transposed, plan.product->hasAttr("top.allow_tf32"));
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

/// The part of an epilogue's input that the tile needs, and where an element
/// lies in it. `map` goes from ([batch,] m, n) to the input.
Value BlockWriter::sliceInput(Value tensor, AffineMap map, AffineMap &tileMap) {
  auto type = cast<RankedTensorType>(tensor.getType());
  const unsigned first = plan.isBatched ? 1 : 0;
  SmallVector<AffineExpr> exprs;
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(type.getRank(), index(1));
  SmallVector<int64_t> shape;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) { // a constant 0: broadcast
      offsets.push_back(index(0));
      sizes.push_back(index(1));
      continue;
    }
    const unsigned position = dim.getPosition();
    TileRange range = position < first ? batch : position == first ? m : n;
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    if (position < first)
      continue;
    exprs.push_back(b.getAffineDimExpr(position - first));
    shape.push_back(
        getConstantIntValue(range.size).value_or(ShapedType::kDynamic));
  }
  tileMap = AffineMap::get(2, 0, exprs, b.getContext());
  if (type.getRank() == 0)
    return tensor;
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      offsets, sizes, strides);
}

SmallVector<TileRange> BlockWriter::getResultRanges() {
  SmallVector<TileRange> ranges = {m, n};
  if (plan.isBatched)
    ranges.insert(ranges.begin(), batch);
  return ranges;
}

/// The slices that the epilogue reads. Argument 0 is of type `leading`, the
/// sum, where that is not null.
Epilogue BlockWriter::readEpilogue(Type leading) {
  Epilogue result;
  if (leading)
    result.argTypes.push_back(leading);
  if (!plan.epilogue)
    return result;
  for (OpOperand *operand : plan.epilogue.getDpsInputOperands()) {
    result.scalars.push_back(Value());
    result.positions.push_back(0);
    if (plan.product && operand->get() == plan.product->getResult(0))
      continue;
    if (!isa<RankedTensorType>(operand->get().getType())) {
      result.scalars.back() = operand->get();
      continue;
    }
    AffineMap map;
    result.inputs.push_back(sliceInput(
        operand->get(), plan.epilogue.getMatchingIndexingMap(operand), map));
    result.maps.push_back(AffineMapAttr::get(map));
    result.positions.back() = result.argTypes.size();
    result.argTypes.push_back(getElementTypeOrSelf(operand->get()));
  }
  return result;
}

/// The epilogue's body; only the sum where it is `isPlain`.
void BlockWriter::fillRegion(Region &region, const Epilogue &epilogue,
                             bool isPlain) {
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&region);
  for (Type type : epilogue.argTypes)
    body->addArgument(type, loc);
  if (isPlain) {
    YieldOp::create(b, loc, body->getArgument(0));
    return;
  }
  IRMapping mapping;
  for (auto [index, arg] : llvm::enumerate(plan.epilogue.getRegionInputArgs()))
    mapping.map(arg, epilogue.scalars[index]
                         ? epilogue.scalars[index]
                         : body->getArgument(epilogue.positions[index]));
  for (Operation &inner : plan.epilogue.getBlock()->without_terminator())
    b.clone(inner, mapping);
  Value yielded = plan.epilogue.getBlock()->getTerminator()->getOperand(0);
  YieldOp::create(b, loc, mapping.lookupOrDefault(yielded));
}

Value BlockWriter::store(Value tile, Value destination, bool withEpilogue) {
  Epilogue epilogue;
  if (withEpilogue)
    epilogue = readEpilogue(plan.accumulatorType);
  else
    epilogue.argTypes.push_back(plan.accumulatorType);
  ArrayAttr maps =
      epilogue.maps.empty() ? ArrayAttr() : b.getArrayAttr(epilogue.maps);
  auto op = TileStoreOp::create(
      b, loc, destination.getType(), tile, destination, ValueRange(),
      epilogue.inputs, maps, b.getDenseI64ArrayAttr({1, 1}), TileDimsAttr());
  fillRegion(op.getBody(), epilogue, !withEpilogue || !plan.epilogue);
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

void BlockWriter::close(scf::ForallOp kernel, Value stored,
                        ArrayRef<TileRange> ranges) {
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(ranges.size(), index(1));
  for (const TileRange &range : ranges) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  b.setInsertionPointToStart(kernel.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(
      b, loc, stored, kernel.getRegionIterArgs()[0], offsets, sizes, strides);
  b.setInsertionPointAfter(kernel);
}

scf::ForallOp BlockWriter::writeProduct(Value init) {
  scf::ForallOp kernel = open(init, schedule, /*overParts=*/false);
  Value tile = multiply();
  SmallVector<TileRange> ranges = getResultRanges();
  Value destination =
      slice(kernel.getRegionIterArgs()[0], ranges, ranges.size() - 2);
  close(kernel, store(tile, destination, /*withEpilogue=*/true), ranges);
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
  Value destination =
      slice(kernel.getRegionIterArgs()[0], ranges, ranges.size() - 2);
  close(kernel, store(tile, destination, /*withEpilogue=*/false), ranges);
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
    partsOfTile = slice(parts, all, all.size() - 2, /*keepsParts=*/true);
  }
  Value destination =
      slice(kernel.getRegionIterArgs()[0], ranges, ranges.size() - 2);
  Epilogue epilogue = readEpilogue(parts ? plan.accumulatorType : Type());
  ArrayAttr maps =
      epilogue.maps.empty() ? ArrayAttr() : b.getArrayAttr(epilogue.maps);
  auto op = TileMapOp::create(b, loc, destination.getType(), destination,
                              partsOfTile, epilogue.inputs, maps);
  fillRegion(op.getBody(), epilogue, !plan.epilogue);
  close(kernel, op.getResult(), ranges);
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
