//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution as an implicit matrix product: an scf.forall over the groups,
// boxes of output pixels and blocks of output channels, with one flat loop
// along K, over taps and channels. Padding is what the loads of windows fill
// with zeros.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "ConvPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/GPU/Transforms/Transforms.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

namespace {

class ConvWriter {
public:
  ConvWriter(RewriterBase &rewriter, const ConvPlan &plan,
             ScheduleAttr schedule)
      : b(rewriter), loc(plan.result.getLoc()), plan(plan), schedule(schedule),
        box(getBox(schedule, plan.shape)), parts(schedule, plan.getK()),
        pixelsAreRows(schedule.getPixels() == PixelAxis::rows),
        blockF(pixelsAreRows ? schedule.getBlockN() : schedule.getBlockM()),
        blockPixels(pixelsAreRows ? schedule.getBlockM()
                                  : schedule.getBlockN()) {}

  SmallVector<scf::ForallOp> write();

private:
  OpFoldResult index(int64_t value) { return b.getIndexAttr(value); }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  TileRange getRange(Value iv, int64_t extent, int64_t tile) {
    return getTileRange(b, loc, iv, extent, tile);
  }
  OpFoldResult getWindowStart(unsigned axis);
  bool isProduct() const;

  scf::ForallOp open(Value init, bool overParts);
  SmallVector<TileRange> getResultRanges();
  Value slice(Value tensor, ArrayRef<TileRange> ranges,
              ArrayRef<bool> dropped = {}) {
    return sliceRanges(b, loc, tensor, ranges, dropped);
  }
  Value load(Value source, int64_t rows, int64_t cols);
  Value loadFilter(TileRange k);
  Value loadPixels(TileRange k);
  Value multiply();
  Value store(Value tile, Value destination, bool withEpilogue);
  scf::ForallOp writeProduct(Value init);
  scf::ForallOp writeParts();

  RewriterBase &b;
  Location loc;
  ConvPlan plan;
  ScheduleAttr schedule;
  SmallVector<int64_t, 3> box;
  KParts parts;
  bool pixelsAreRows;
  int64_t blockF, blockPixels;
  Value part; ///< first element of K of the block's part
  TileRange group, images, rows, cols, channels;
  /// Where the channels begin in those of all groups.
  OpFoldResult firstChannel;
};

} // namespace

/// The row (column) of the images that the box's first window begins at.
OpFoldResult ConvWriter::getWindowStart(unsigned axis) {
  const TileRange &range = axis == 0 ? rows : cols;
  return apply(b.getAffineDimExpr(0) * plan.shape.strides[axis] -
                   plan.shape.pads[axis],
               {range.offset});
}

/// Whether `images` are a slice that has a part of each row: several of these
/// are not side by side.
static bool cutsRows(Value images) {
  while (auto slice = images.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (slice.getSourceType().getRank() != slice.getType().getRank() ||
        slice.getSourceType().getShape().back() !=
            slice.getType().getShape().back())
      return true;
    images = slice.getSource();
  }
  return false;
}

/// Whether the images are a matrix of channels x pixels as they are, and a box
/// a part of it: one tap, at each pixel, and whole rows or one.
bool ConvWriter::isProduct() const {
  const ConvShape &shape = plan.shape;
  return !plan.isChannelsLast && shape.kh == 1 && shape.kw == 1 &&
         shape.strides[0] == 1 && shape.strides[1] == 1 && shape.pads[0] == 0 &&
         shape.pads[1] == 0 && shape.oh == shape.h && shape.ow == shape.w &&
         box[0] == 1 &&
         (box[1] == 1 || (box[2] >= shape.ow && !cutsRows(plan.input)));
}

scf::ForallOp ConvWriter::open(Value init, bool overParts) {
  SmallVector<OpFoldResult> lower, upper, steps;
  SmallVector<Attribute> mapping;
  auto addLoop = [&](int64_t extent, int64_t step) {
    lower.push_back(index(0));
    upper.push_back(index(extent));
    steps.push_back(index(step));
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        b.getContext(), static_cast<gpu::MappingId>(
                            static_cast<unsigned>(gpu::MappingId::LinearDim0) +
                            mapping.size())));
  };
  // Blocks that follow each other share pixels, which are more than the filter:
  // channels are the innermost loop.
  const ConvShape &shape = plan.shape;
  if (overParts)
    addLoop(plan.getK(), parts.depth);
  addLoop(shape.group, 1);
  addLoop(shape.n, box[0]);
  addLoop(shape.oh, box[1]);
  addLoop(shape.ow, box[2]);
  addLoop(shape.getGroupOutputs(), blockF);
  auto forall = scf::ForallOp::create(
      b, loc, lower, upper, steps, ValueRange{init}, b.getArrayAttr(mapping));
  schedule.setOn(forall);
  b.setInsertionPointToStart(forall.getBody());
  ValueRange ivs = forall.getInductionVars();
  if (overParts) {
    part = ivs.front();
    ivs = ivs.drop_front();
  }
  group = {ivs[0], index(1)};
  if (shape.group == 1)
    group.offset = index(0);
  images = getRange(ivs[1], shape.n, box[0]);
  rows = getRange(ivs[2], shape.oh, box[1]);
  cols = getRange(ivs[3], shape.ow, box[2]);
  channels = getRange(ivs[4], shape.getGroupOutputs(), blockF);
  firstChannel = apply(b.getAffineDimExpr(0) * shape.getGroupOutputs() +
                           b.getAffineDimExpr(1),
                       {group.offset, channels.offset});
  return forall;
}

SmallVector<TileRange> ConvWriter::getResultRanges() {
  return llvm::map_to_vector(plan.resultDims, [&](ConvDim dim) -> TileRange {
    switch (dim) {
    case ConvDim::N:
      return images;
    case ConvDim::H:
      return rows;
    case ConvDim::W:
      return cols;
    default: // channels of all groups
      return {firstChannel, channels.size};
    }
  });
}

Value ConvWriter::load(Value source, int64_t tileRows, int64_t tileCols) {
  return TileLoadOp::create(b, loc,
                            TileType::get(b.getContext(), TileLevel::block,
                                          tileRows, tileCols,
                                          getElementTypeOrSelf(source)),
                            source);
}

Value ConvWriter::loadFilter(TileRange k) {
  Value source = slice(plan.filter, {{firstChannel, channels.size}, k});
  return load(source, blockF, schedule.getBlockK());
}

Value ConvWriter::loadPixels(TileRange k) {
  const int64_t bk = schedule.getBlockK();
  auto type = cast<RankedTensorType>(plan.input.getType());
  SmallVector<TileRange> ranges;
  SmallVector<bool> dropped;
  // A group's channel is what a depthwise convolution has for channels.
  const bool hasChannels = llvm::is_contained(plan.inputDims, ConvDim::C);
  for (auto [dim, axis] : llvm::enumerate(plan.inputDims)) {
    ranges.push_back({index(0), index(type.getDimSize(dim))});
    if (axis == ConvDim::N)
      ranges.back() = images;
    if (axis == ConvDim::G)
      ranges.back() = group;
    if (isProduct() && axis == ConvDim::C)
      ranges.back() = k;
    if (isProduct() && axis == ConvDim::H)
      ranges.back() = rows;
    if (isProduct() && axis == ConvDim::W)
      ranges.back() = cols;
    // One row is dropped: collapsed with columns of a dynamic number, it leaves
    // no static stride.
    const bool isOne = (axis == ConvDim::G && hasChannels) ||
                       (isProduct() && axis == ConvDim::N) ||
                       (isProduct() && axis == ConvDim::H && box[1] == 1);
    dropped.push_back(isOne);
  }
  if (isProduct()) {
    Value source = slice(plan.input, ranges, dropped);
    if (box[1] != 1)
      source = tensor::CollapseShapeOp::create(
          b, loc, source, ArrayRef<ReassociationIndices>{{0}, {1, 2}});
    return load(source, bk, blockPixels);
  }
  Value source = slice(plan.input, ranges, dropped);
  auto window = WindowAttr::get(
      b.getContext(), {box[1], box[2]}, {plan.shape.kh, plan.shape.kw},
      plan.shape.strides, plan.shape.dilations,
      plan.isChannelsLast ? LayoutKind::channels_last
                          : LayoutKind::channels_first);
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, loc, number);
  };
  Value position[] = {value(getWindowStart(0)), value(getWindowStart(1)),
                      value(k.offset)};
  auto tile = TileType::get(
      b.getContext(), TileLevel::block, plan.isChannelsLast ? blockPixels : bk,
      plan.isChannelsLast ? bk : blockPixels, type.getElementType());
  return TileLoadOp::create(b, loc, tile, source, position, window,
                            TileDimsAttr());
}

/// The sums of the block's tile: zeros, and a loop over K or over a part of it.
Value ConvWriter::multiply() {
  auto type =
      TileType::get(b.getContext(), TileLevel::block, schedule.getBlockM(),
                    schedule.getBlockN(), plan.accumulatorType);
  Value zero = TileZeroOp::create(b, loc, type);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop =
      scf::ForOp::create(b, loc, constant(0),
                         constant(parts.count > 1 ? parts.depth : plan.getK()),
                         constant(schedule.getBlockK()), ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  TileRange k = getDepthRange(b, loc, part, loop.getInductionVar(), plan.getK(),
                              schedule.getBlockK(), parts);
  // The filter's tile is F x K, that of pixels is pixels x K with channels
  // last, else K x pixels.
  Value filter = loadFilter(k), pixels = loadPixels(k);
  const bool isLast = plan.isChannelsLast;
  Value next = TileMmaOp::create(b, loc, type, pixelsAreRows ? pixels : filter,
                                 pixelsAreRows ? filter : pixels,
                                 loop.getRegionIterArg(0),
                                 /*transpose_a=*/pixelsAreRows && !isLast,
                                 /*transpose_b=*/pixelsAreRows || isLast,
                                 plan.op->hasAttr("top.allow_tf32"));
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

Value ConvWriter::store(Value tile, Value destination, bool withEpilogue) {
  EpilogueSlices epilogue =
      sliceEpilogue(b, loc, withEpilogue ? plan.epilogue : linalg::LinalgOp(),
                    plan.sums, getResultRanges());
  // Coordinates: those of rows, then those of columns.
  SmallVector<int64_t> pixels(box.begin(), box.end()), filters = {blockF};
  SmallVector<int64_t> order;
  for (ConvDim dim : plan.resultDims) {
    const int64_t pixel = dim == ConvDim::N ? 0 : dim == ConvDim::H ? 1 : 2;
    if (dim == ConvDim::FG)
      order.push_back(pixelsAreRows ? 3 : 0);
    else
      order.push_back(pixelsAreRows ? pixel : 1 + pixel);
  }
  auto dims =
      TileDimsAttr::get(b.getContext(), pixelsAreRows ? pixels : filters,
                        pixelsAreRows ? filters : pixels, order);
  auto op =
      TileStoreOp::create(b, loc, destination.getType(), tile, destination,
                          ValueRange(), epilogue.inputs, epilogue.getMaps(b),
                          b.getDenseI64ArrayAttr({1, 1}), dims);
  fillEpilogue(b, loc, withEpilogue ? plan.epilogue : linalg::LinalgOp(),
               epilogue, op.getBody());
  return op.getResult();
}

scf::ForallOp ConvWriter::writeProduct(Value init) {
  scf::ForallOp kernel = open(init, /*overParts=*/false);
  Value tile = multiply();
  SmallVector<TileRange> ranges = getResultRanges();
  Value destination = slice(kernel.getRegionIterArgs()[0], ranges);
  closeKernel(b, kernel, store(tile, destination, /*withEpilogue=*/true),
              ranges);
  return kernel;
}

/// The sums of each part, in a workspace whose rows suit wide accesses.
scf::ForallOp ConvWriter::writeParts() {
  SmallVector<int64_t> shape(
      cast<ShapedType>(plan.result.getType()).getShape());
  shape.back() = llvm::alignTo(
      shape.back(), kWidestAccessBytes / getElementBytes(plan.accumulatorType));
  shape.insert(shape.begin(), parts.count);
  Value space = tensor::EmptyOp::create(b, loc, shape, plan.accumulatorType);
  scf::ForallOp kernel = open(space, /*overParts=*/true);
  Value tile = multiply();
  SmallVector<TileRange> ranges = getResultRanges();
  ranges.insert(ranges.begin(),
                TileRange{apply(b.getAffineDimExpr(0).floorDiv(parts.depth),
                                {OpFoldResult(part)}),
                          index(1)});
  SmallVector<bool> dropped(ranges.size(), false);
  dropped.front() = true;
  Value destination = slice(kernel.getRegionIterArgs()[0], ranges, dropped);
  closeKernel(b, kernel, store(tile, destination, /*withEpilogue=*/false),
              ranges);
  return kernel;
}

SmallVector<scf::ForallOp> ConvWriter::write() {
  Operation *last = plan.result.getDefiningOp();
  Value init;
  if (plan.epilogue) {
    init = plan.epilogue.getDpsInits()[0];
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      init = fill.getOutputs()[0];
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(last);
  if (!init) {
    // The sums themselves, perhaps of collapsed groups: the kernel starts from
    // zeros by itself.
    auto type = cast<RankedTensorType>(plan.result.getType());
    init =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  }
  if (parts.count == 1)
    return {writeProduct(init)};
  scf::ForallOp sums = writeParts();
  return {sums, writeElementwise(b, loc, init, plan.epilogue, plan.sums,
                                 sums.getResult(0))};
}

FailureOr<SmallVector<scf::ForallOp>> top::convToBlocks(RewriterBase &rewriter,
                                                        linalg::LinalgOp op,
                                                        ScheduleAttr schedule) {
  FailureOr<ConvPlan> plan = planConvolution(rewriter, op);
  if (failed(plan))
    return failure();
  SmallVector<scf::ForallOp> kernels =
      ConvWriter(rewriter, *plan, schedule).write();
  // The op, and behind it the reshape of its groups and the epilogue.
  SmallVector<Operation *> dead;
  if (plan->epilogue)
    dead.push_back(plan->epilogue);
  if (plan->sums != op->getResult(0))
    dead.push_back(plan->sums.getDefiningOp());
  dead.push_back(op);
  rewriter.replaceAllUsesWith(plan->result, kernels.back().getResult(0));
  Value filled = op.getDpsInits()[0], read = op.getDpsInputs()[0];
  for (Operation *erased : dead)
    rewriter.eraseOp(erased);
  // What nothing reads any longer: zeros, and the padded images.
  for (Value value : {filled, read})
    while (Operation *def = value.getDefiningOp()) {
      if (!isOpTriviallyDead(def))
        break;
      value = def->getNumOperands() > 0 ? def->getOperand(0) : Value();
      if (isa<linalg::FillOp>(def))
        value = cast<linalg::FillOp>(def).getOutputs()[0];
      rewriter.eraseOp(def);
      if (!value)
        break;
    }
  return kernels;
}
