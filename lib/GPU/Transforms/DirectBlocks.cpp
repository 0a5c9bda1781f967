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
#include "EpilogueSlices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// A convolution, what is fused with it, and how it is cut.
struct DirectPlan {
  linalg::LinalgOp conv;
  tensor::PadOp pad;         ///< in front of it; null if there is none
  Value input;               ///< N x C x H x W, not padded
  SmallVector<int64_t> lows; ///< zeros in front of it along each dimension
  /// F x C/group x KH x KW, F x KH x KW, or group x F/group x C/group x KH x
  /// KW.
  Value filter;
  Value sums;                ///< N x F x OH x OW
  linalg::LinalgOp epilogue; ///< null if the sums are the result
  ConvShape shape;
  WindowAttr window;
  DirectTiles tiles;
  TileDimsAttr loaded;

  Value getResult() { return epilogue ? epilogue->getResult(0) : sums; }
};

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

  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(ranges.size(), index(1));
  SmallVector<int64_t> shape;
  for (const TileRange &range : ranges) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    shape.push_back(
        getConstantIntValue(range.size).value_or(ShapedType::kDynamic));
  }
  Value shared = kernel.getRegionIterArgs()[0];
  Value dest = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, resultType.getElementType()), shared,
      offsets, sizes, strides);
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
  b.setInsertionPointToStart(kernel.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, store.getResult(), shared,
                                        offsets, sizes, strides);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// `value` before tensor.expand_shape has split its channels, if it has, in a
/// group and a channel of that; it has `rank` dimensions then.
static Value skipExpand(Value value, int64_t rank) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  return expand && expand.getSrcType().getRank() == rank ? expand.getSrc()
                                                         : value;
}

/// Reads which op it is, its operands and its numbers.
static LogicalResult readConvolution(RewriterBase &b, DirectPlan &plan) {
  linalg::LinalgOp op = plan.conv;
  auto error = [&]() -> InFlightDiagnostic {
    return op.emitOpError("cannot be cut into block tiles: ");
  };
  if (!op.hasPureTensorSemantics())
    return error() << "expected tensors";
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType());
        !type || !type.hasStaticShape())
      return error() << "expected static shapes, got " << operand.getType()
                     << "; GPU kernels are made for static sizes";
  Value input = op->getOperand(0), filter = op->getOperand(1);
  ConvShape &shape = plan.shape;
  int64_t groupInputs = 1, groupOutputs = 1;
  auto readWindow = [&](auto conv) {
    llvm::copy(conv.getStrides().template getValues<int64_t>(),
               shape.strides.begin());
    llvm::copy(conv.getDilations().template getValues<int64_t>(),
               shape.dilations.begin());
  };
  plan.sums = op->getResult(0);
  auto filterType = cast<RankedTensorType>(filter.getType());
  const bool isKnown = llvm::TypeSwitch<Operation *, bool>(op)
                           .Case([&](linalg::Conv2DNchwFchwOp conv) {
                             readWindow(conv);
                             groupOutputs = filterType.getDimSize(0);
                             groupInputs = filterType.getDimSize(1);
                             return true;
                           })
                           .Case([&](linalg::DepthwiseConv2DNchwChwOp conv) {
                             readWindow(conv);
                             shape.group = filterType.getDimSize(0);
                             return true;
                           })
                           .Case([&](linalg::Conv2DNgchwGfchwOp conv) {
                             readWindow(conv);
                             shape.group = filterType.getDimSize(0);
                             groupOutputs = filterType.getDimSize(1);
                             groupInputs = filterType.getDimSize(2);
                             input = skipExpand(input, 4);
                             filter = skipExpand(filter, 4);
                             return true;
                           })
                           .Default([](Operation *) { return false; });
  if (!isKnown)
    return error() << "engine 'direct' takes linalg.conv_2d_nchw_fchw, "
                      "linalg.conv_2d_ngchw_gfchw and "
                      "linalg.depthwise_conv_2d_nchw_chw";

  Type elementType = getElementTypeOrSelf(input);
  if (elementType != getElementTypeOrSelf(filter) ||
      !isTileElementType(elementType) || elementType.isInteger(32))
    return error() << "expected operands of one type f64, f32, f16, bf16, "
                      "f8E4M3FN, f8E5M2 or i8, got "
                   << elementType << " and " << getElementTypeOrSelf(filter);
  if (getElementTypeOrSelf(plan.sums) != getAccumulatorType(elementType))
    return error() << "expected sums in " << getAccumulatorType(elementType)
                   << ", got " << getElementTypeOrSelf(plan.sums);
  if (!isZeroFill(op.getDpsInits()[0]))
    return error() << "expected 'outs' to be filled with 0";

  OpBuilder::InsertionGuard guard(b);
  if (cast<RankedTensorType>(plan.sums.getType()).getRank() == 5) {
    auto collapse =
        plan.sums.hasOneUse()
            ? dyn_cast<tensor::CollapseShapeOp>(*plan.sums.getUsers().begin())
            : tensor::CollapseShapeOp();
    if (!collapse || collapse.getResultType().getRank() != 4)
      return error() << "expected its result to be collapsed to N x F x OH x "
                        "OW and nothing else, as convert-top-to-linalg does";
    plan.sums = collapse.getResult();
  }
  if (cast<RankedTensorType>(input.getType()).getRank() == 5) {
    b.setInsertionPoint(op);
    const SmallVector<ReassociationIndices> groups = {{0}, {1, 2}, {3}, {4}};
    input = tensor::CollapseShapeOp::create(b, op.getLoc(), input, groups);
  }
  plan.input = input;
  plan.filter = filter;
  ArrayRef<int64_t> sums =
      cast<RankedTensorType>(plan.sums.getType()).getShape();
  shape.n = sums[0];
  shape.c = groupInputs * shape.group;
  shape.f = groupOutputs * shape.group;
  shape.kh = filterType.getShape().take_back(2)[0];
  shape.kw = filterType.getShape().back();
  shape.oh = sums[2];
  shape.ow = sums[3];
  return success();
}

/// Takes the padding in front of the convolution for what the load does anyway.
static LogicalResult absorbPad(DirectPlan &plan) {
  plan.lows.assign(4, 0);
  plan.pad = plan.input.getDefiningOp<tensor::PadOp>();
  if (!plan.pad)
    return success();
  auto error = [&]() -> InFlightDiagnostic {
    InFlightDiagnostic diagnostic = plan.conv.emitOpError(
        "cannot be cut into block tiles: expected the padding in front of it ");
    diagnostic.attachNote(plan.pad.getLoc()) << "padded here";
    return diagnostic;
  };
  Value padding = plan.pad.getConstantPaddingValue();
  if (!padding || (!matchPattern(padding, m_AnyZeroFloat()) &&
                   !matchPattern(padding, m_Zero())))
    return error() << "to have the value 0, which a load gives outside of an "
                      "image";
  // One use: the convolution's, or that of the shape that it takes.
  if (!plan.pad->hasOneUse())
    return error() << "to have no other use, since it is never computed";
  for (auto [low, value] : llvm::zip(plan.lows, plan.pad.getMixedLowPad())) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 0)
      return error() << "to be of constant extents that are not negative";
    low = *constant;
  }
  plan.input = plan.pad.getSource();
  if (!cast<RankedTensorType>(plan.input.getType()).hasStaticShape())
    return error() << "to be round a static shape";
  return success();
}

static FailureOr<DirectPlan> planDirect(RewriterBase &b, linalg::LinalgOp op,
                                        ScheduleAttr schedule) {
  DirectPlan plan;
  plan.conv = op;
  if (failed(readConvolution(b, plan)) || failed(absorbPad(plan)))
    return failure();
  auto error = [&]() -> InFlightDiagnostic {
    return op.emitOpError("cannot be cut into block tiles: ");
  };
  if (schedule.getClusterM() * schedule.getClusterN() != 1 ||
      schedule.getSplitK() != 1 || schedule.getRepack())
    return error() << "engine 'direct' takes 'cluster' = [1, 1], 'split_k' = 1 "
                      "and 'repack' = false";
  plan.epilogue = findEpilogue(plan.sums);
  ConvShape &shape = plan.shape;
  auto type = cast<RankedTensorType>(plan.input.getType());
  shape.h = type.getDimSize(2);
  shape.w = type.getDimSize(3);
  shape.pads = {plan.lows[2], plan.lows[3], 0, 0};
  std::string reason;
  FailureOr<DirectTiles> tiles = DirectTiles::get(
      schedule, shape, getElementBytes(type.getElementType()), reason);
  if (failed(tiles))
    return error() << reason;
  plan.tiles = *tiles;

  // A step that is never made may have any size.
  std::array<int64_t, 2> strides = shape.strides, dilations = shape.dilations;
  for (unsigned axis = 0; axis < 2; ++axis) {
    if ((axis == 0 ? plan.tiles.boxH : plan.tiles.boxW) == 1)
      strides[axis] = 1;
    if ((axis == 0 ? shape.kh : shape.kw) == 1)
      dilations[axis] = 1;
  }
  // Their verifiers know how large tiles may be.
  plan.window = WindowAttr::getChecked(
      error, b.getContext(),
      ArrayRef<int64_t>{plan.tiles.boxH, plan.tiles.boxW},
      ArrayRef<int64_t>{shape.kh, shape.kw}, ArrayRef<int64_t>(strides),
      ArrayRef<int64_t>(dilations), LayoutKind::channels_first);
  if (!plan.window)
    return failure();
  plan.loaded = TileDimsAttr::getChecked(
      error, b.getContext(),
      ArrayRef<int64_t>{1, plan.tiles.groups * plan.tiles.channels,
                        plan.tiles.spanH},
      ArrayRef<int64_t>{plan.tiles.cols}, ArrayRef<int64_t>{0, 1, 2, 3});
  if (!plan.loaded)
    return failure();
  return plan;
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
