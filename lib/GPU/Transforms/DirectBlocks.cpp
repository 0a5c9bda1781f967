//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engine `direct`: a convolution of linalg becomes an scf.forall over boxes of
// output pixels. A block loads the input that its windows span, halo and
// padding included, once; each thread computes some channels of some runs of
// pixels from it. (What the block loads is staged by top-promote-shared.)
//
// Unlike a product's, this kernel is written for threads at once: which group
// of channels a thread's pixels belong to, and so what it reads, follows from
// its number alone.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "DirectPlan.h"
#include "EpilogueSlices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

namespace {

class DirectWriter {
public:
  DirectWriter(RewriterBase &rewriter, DirectPlan &plan, ScheduleAttr schedule)
      : b(rewriter), loc(plan.conv.getLoc()), plan(plan), schedule(schedule) {}

  scf::ForallOp write();

private:
  OpFoldResult index(int64_t value) { return b.getIndexAttr(value); }
  AffineExpr dim(unsigned position) { return b.getAffineDimExpr(position); }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  Value toValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, loc, number);
  }
  /// How many of `count` positions from `begin` on lie before all of `ends`;
  /// the expressions are over `operands`.
  OpFoldResult countBefore(int64_t count, ArrayRef<AffineExpr> left,
                           ArrayRef<OpFoldResult> operands);

  scf::ForallOp open(Value init);
  void findThread();
  Value load(OpFoldResult channel);
  Value sliceFilter(OpFoldResult channel);
  Value accumulate(Value sums, OpFoldResult channel);
  void findResult();

  RewriterBase &b;
  Location loc;
  DirectPlan &plan;
  ScheduleAttr schedule;
  /// Of the block: its image, first group, first output channel in that, and
  /// first row and column of output pixels.
  OpFoldResult image, group, output, row, column;
  /// Of the thread, inside the block: its group, first output channel in that,
  /// and first row and column of pixels.
  OpFoldResult threadGroup, threadOutput, threadRow, threadColumn;
  /// The thread's box of the result, as far as it exists and is the block's.
  SmallVector<TileRange> ranges;
};

} // namespace

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

OpFoldResult DirectWriter::countBefore(int64_t count, ArrayRef<AffineExpr> left,
                                       ArrayRef<OpFoldResult> operands) {
  MLIRContext *context = b.getContext();
  SmallVector<AffineExpr> exprs(left);
  exprs.push_back(b.getAffineConstantExpr(count));
  OpFoldResult least = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(operands.size(), 0, exprs, context), operands);
  return affine::makeComposedFoldedAffineMax(
      b, loc,
      AffineMap::get(1, 0, {b.getAffineConstantExpr(0), dim(0)}, context),
      {least});
}

scf::ForallOp DirectWriter::open(Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  const int64_t extents[] = {type.getDimSize(0), plan.shape.group,
                             plan.shape.getGroupOutputs(), type.getDimSize(2),
                             type.getDimSize(3)};
  const int64_t steps[] = {1, plan.tiles.groups, plan.tiles.outputs,
                           plan.tiles.boxH, plan.tiles.boxW};
  SmallVector<Attribute> mapping;
  for (unsigned i = 0; i < 5; ++i)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        b.getContext(),
        *gpu::symbolizeMappingId(
            static_cast<uint64_t>(gpu::MappingId::LinearDim0) + i)));
  SmallVector<OpFoldResult> lower(5, index(0));
  auto forall = scf::ForallOp::create(
      b, loc, lower, getAsIndexOpFoldResult(b.getContext(), extents),
      getAsIndexOpFoldResult(b.getContext(), steps), ValueRange{init},
      b.getArrayAttr(mapping));
  schedule.setOn(forall);
  b.setInsertionPointToStart(forall.getBody());
  auto ivs = getAsOpFoldResult(forall.getInductionVars());
  image = ivs[0];
  group = ivs[1];
  output = ivs[2];
  row = ivs[3];
  column = ivs[4];
  return forall;
}

/// Threads are numbered along M and N as the warps and lanes of the schedule
/// are. Those that the box does not need have rows behind its end.
void DirectWriter::findThread() {
  auto split = [&](Value linear, int64_t rows, int64_t cols) {
    SmallVector<OpFoldResult> basis = {index(rows), index(cols)};
    return getAsOpFoldResult(
        affine::AffineDelinearizeIndexOp::create(b, loc, linear, basis)
            .getResults());
  };
  const DirectTiles &tiles = plan.tiles;
  auto warp = split(gpu::SubgroupIdOp::create(b, loc, nullptr),
                    schedule.getNumWarpsM(), schedule.getNumWarpsN());
  auto lane = split(gpu::LaneIdOp::create(b, loc, nullptr),
                    schedule.getNumLanesM(), schedule.getNumLanesN());
  OpFoldResult channel =
      apply((dim(0) * schedule.getNumLanesM() + dim(1)) * schedule.getThreadM(),
            {warp[0], lane[0]});
  AffineExpr number = dim(0) * schedule.getNumLanesN() + dim(1);
  threadRow = apply(number.floorDiv(tiles.getNumRuns()) * tiles.rows,
                    {warp[1], lane[1]});
  threadColumn =
      apply((number % tiles.getNumRuns()) * tiles.run, {warp[1], lane[1]});
  threadGroup = index(0);
  threadOutput = channel;
  if (tiles.groups > 1) {
    threadGroup =
        apply(dim(0).floorDiv(plan.shape.getGroupOutputs()), {channel});
    // TM divides the outputs of a group: written so, it is seen to divide this.
    const int64_t perGroup =
        plan.shape.getGroupOutputs() / schedule.getThreadM();
    threadOutput = apply(dim(0).floorDiv(schedule.getThreadM()) % perGroup *
                             schedule.getThreadM(),
                         {channel});
  }
}

/// The input that the block's windows span, from `channel` of its groups on.
Value DirectWriter::load(OpFoldResult channel) {
  ArrayRef<int64_t> strides = plan.shape.strides;
  ArrayRef<int64_t> lows = plan.lows;
  const OpFoldResult position[] = {
      apply(dim(0) - lows[0], {image}),
      apply(dim(0) * plan.shape.getGroupInputs() + dim(1) - lows[1],
            {group, channel}),
      apply(dim(0) * strides[0] - lows[2], {row}),
      apply(dim(0) * strides[1] - (lows[3] + plan.tiles.shift), {column})};
  auto type =
      TileType::get(b.getContext(), TileLevel::block, plan.loaded.getNumRows(),
                    plan.loaded.getNumCols(), getElementTypeOrSelf(plan.input));
  return TileLoadOp::create(b, loc, type, plan.input,
                            getValueOrCreateConstantIndexOp(b, loc, position),
                            WindowAttr(), plan.loaded);
}

/// The filter of the thread's group from input channel `channel` on.
Value DirectWriter::sliceFilter(OpFoldResult channel) {
  auto type = cast<RankedTensorType>(plan.filter.getType());
  const bool hasGroup = type.getRank() == 5;
  if (!hasGroup && plan.tiles.steps == 1)
    return plan.filter;
  SmallVector<OpFoldResult> offsets(type.getRank(), index(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), type.getShape());
  SmallVector<OpFoldResult> strides(type.getRank(), index(1));
  SmallVector<int64_t> shape(type.getShape());
  if (plan.tiles.steps > 1) {
    const unsigned channelDim = type.getRank() - 3;
    offsets[channelDim] = channel;
    sizes[channelDim] =
        plan.shape.getGroupInputs() % plan.tiles.channels == 0
            ? index(plan.tiles.channels)
            : countBefore(plan.tiles.channels,
                          {plan.shape.getGroupInputs() - dim(0)}, channel);
    shape[channelDim] =
        getConstantIntValue(sizes[channelDim]).value_or(ShapedType::kDynamic);
  }
  if (hasGroup) {
    // Threads behind the last group have one, too.
    offsets[0] = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(
            2, 0,
            {dim(0) + dim(1), b.getAffineConstantExpr(plan.shape.group - 1)},
            b.getContext()),
        {group, threadGroup});
    sizes[0] = index(1);
    shape.erase(shape.begin());
  }
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), plan.filter,
      offsets, sizes, strides);
}

/// `sums` and the products of a step of input channels.
Value DirectWriter::accumulate(Value sums, OpFoldResult channel) {
  Value tile = load(channel);
  Value filter = sliceFilter(channel);
  const int64_t rows = plan.tiles.channels * plan.tiles.spanH;
  auto type =
      TileType::get(b.getContext(), TileLevel::thread, rows, plan.tiles.spanW,
                    cast<TileType>(tile.getType()).getElementType());
  Value first = toValue(apply(dim(0) * rows, {threadGroup}));
  Value input = TileSliceOp::create(b, loc, type, tile, first,
                                    toValue(index(plan.tiles.shift)),
                                    b.getDenseI64ArrayAttr({1, 1}));
  // A filter of all groups is indexed by the channel of the result.
  OpFoldResult channelOfFilter =
      cast<RankedTensorType>(plan.filter.getType()).getRank() == 5
          ? apply(dim(0) + dim(1), {output, threadOutput})
          : ranges[1].offset;
  const OpFoldResult position[] = {channelOfFilter, threadRow, threadColumn};
  return TileConvOp::create(b, loc, sums.getType(), input, filter,
                            getValueOrCreateConstantIndexOp(b, loc, position),
                            sums, plan.window, plan.tiles.run);
}

void DirectWriter::findResult() {
  auto type = cast<RankedTensorType>(plan.getResult().getType());
  const DirectTiles &tiles = plan.tiles;
  const int64_t oh = type.getDimSize(2), ow = type.getDimSize(3);
  const bool isEveryThreadUsed =
      tiles.getNumThreads() == schedule.getBlockN() / schedule.getThreadN();
  AffineExpr d0 = dim(0), d1 = dim(1);

  OpFoldResult channel =
      apply((d0 + d1) * plan.shape.getGroupOutputs() + dim(2) + dim(3),
            {group, threadGroup, output, threadOutput});
  OpFoldResult channels = index(schedule.getThreadM());
  if (tiles.groups > 1 && plan.shape.group % tiles.groups != 0)
    channels = countBefore(
        schedule.getThreadM(),
        {plan.shape.group * plan.shape.getGroupOutputs() - d0}, channel);
  else if (tiles.groups == 1 &&
           plan.shape.getGroupOutputs() % tiles.outputs != 0)
    channels = countBefore(schedule.getThreadM(),
                           {plan.shape.getGroupOutputs() - d0 - d1},
                           {output, threadOutput});

  OpFoldResult rows = index(tiles.rows), columns = index(tiles.run);
  if (oh % tiles.boxH != 0)
    rows = countBefore(tiles.rows, {tiles.boxH - d1, oh - d0 - d1},
                       {row, threadRow});
  else if (!isEveryThreadUsed)
    rows = countBefore(tiles.rows, {tiles.boxH - d0}, threadRow);
  if (ow % tiles.boxW != 0)
    columns = countBefore(tiles.run, {ow - d0 - d1}, {column, threadColumn});
  ranges = {{image, index(1)},
            {channel, channels},
            {apply(d0 + d1, {row, threadRow}), rows},
            {apply(d0 + d1, {column, threadColumn}), columns}};
}

scf::ForallOp DirectWriter::write() {
  linalg::LinalgOp last = plan.epilogue ? plan.epilogue : plan.conv;
  b.setInsertionPoint(plan.epilogue ? plan.epilogue.getOperation()
                                    : plan.sums.getDefiningOp());
  auto resultType = cast<RankedTensorType>(plan.getResult().getType());
  Value init = last.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0]; // the kernel starts from zeros by itself
  if (init.getType() != resultType)
    init = tensor::EmptyOp::create(b, loc, resultType.getShape(),
                                   resultType.getElementType());
  scf::ForallOp kernel = open(init);
  findThread();
  findResult();
  Type sumType = getElementTypeOrSelf(plan.sums);
  Value sums = TileZeroOp::create(
      b, loc,
      TileType::get(b.getContext(), TileLevel::thread, schedule.getThreadM(),
                    schedule.getThreadN(), sumType));
  if (plan.tiles.steps == 1) {
    sums = accumulate(sums, index(0));
  } else {
    auto loop = scf::ForOp::create(
        b, loc, toValue(index(0)), toValue(index(plan.shape.getGroupInputs())),
        toValue(index(plan.tiles.channels)), ValueRange{sums});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b, loc,
                         accumulate(loop.getRegionIterArg(0),
                                    OpFoldResult(loop.getInductionVar())));
    sums = loop.getResult(0);
  }

  Value dest = sliceRanges(b, loc, kernel.getRegionIterArgs()[0], ranges);
  EpilogueSlices epilogue =
      sliceEpilogue(b, loc, plan.epilogue, plan.sums, ranges);
  auto dims = TileDimsAttr::get(
      b.getContext(), ArrayRef<int64_t>{schedule.getThreadM()},
      ArrayRef<int64_t>{1, plan.tiles.rows, plan.tiles.run},
      ArrayRef<int64_t>{1, 0, 2, 3});
  auto store = TileStoreOp::create(
      b, loc, dest.getType(), sums, dest, ValueRange(), epilogue.inputs,
      epilogue.getMaps(b), b.getDenseI64ArrayAttr({1, 1}), dims);
  fillEpilogue(b, loc, plan.epilogue, epilogue, store.getBody());
  closeKernel(b, kernel, store.getResult(), ranges);
  return kernel;
}

FailureOr<scf::ForallOp> top::directToBlocks(RewriterBase &rewriter,
                                             linalg::LinalgOp op,
                                             ScheduleAttr schedule) {
  FailureOr<DirectPlan> plan = planDirect(rewriter, op, schedule);
  if (failed(plan))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  scf::ForallOp kernel = DirectWriter(rewriter, *plan, schedule).write();
  rewriter.replaceAllUsesWith(plan->getResult(), kernel.getResult(0));
  if (plan->epilogue)
    rewriter.eraseOp(plan->epilogue);
  // What is left of the convolution and of what stood round it.
  SmallVector<Operation *> dead = {plan->sums.getDefiningOp(), op};
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp())
      dead.push_back(def);
  if (plan->pad)
    dead.push_back(plan->pad);
  llvm::SmallPtrSet<Operation *, 6> erased;
  for (Operation *candidate : dead)
    if (erased.insert(candidate).second && candidate->use_empty() &&
        isa<linalg::LinalgOp, tensor::PadOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp>(candidate))
      rewriter.eraseOp(candidate);
  return kernel;
}
