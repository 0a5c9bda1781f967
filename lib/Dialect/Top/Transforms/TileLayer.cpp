//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts one layer op into tiles. Deciding (which runs of tiles each axis has,
// and whether all of that is legal) comes first and leaves the IR alone; the
// rewrite then only asks the op's TilingInterface for each tile and inserts the
// results into one destination, nest by nest: N, then H, then W, then F.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "top/Dialect/Top/IR/RuntimeChecks.h"
#include "top/Dialect/Top/Transforms/TileAxes.h"
#include "top/Dialect/Top/Transforms/Transforms.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

/// Tiles written out one by one, at most. A form this long helps nobody, and
/// the sizes come from the user.
static constexpr int64_t maxWrittenTiles = int64_t(1) << 20;

/// Border tiles written out on one side of an axis, at most; more become a
/// loop.
static constexpr int64_t maxBorderTiles = 8;

SmallVector<TileAxis> top::getTileAxes(TilingInterface op) {
  if (isa<Conv2DOp>(*op))
    return {{"batch", &TileOptions::batch, 0},
            {"height", &TileOptions::height, 2},
            {"width", &TileOptions::width, 3},
            {"channels", &TileOptions::channels, 1}};
  auto product = cast<MatMulOp>(*op);
  SmallVector<TileAxis> axes;
  const int64_t m = product.getResultType().getRank() - 2;
  if (product.isBatched())
    axes.push_back({"batch", &TileOptions::batch, 0});
  axes.push_back({"m", &TileOptions::m, m});
  axes.push_back({"n", &TileOptions::n, m + 1});
  return axes;
}

LogicalResult
top::verifyTileOptions(function_ref<InFlightDiagnostic()> emitError,
                       const TileOptions &options) {
  const std::pair<StringRef, int64_t> values[] = {
      {"batch", options.batch},
      {"height", options.height},
      {"width", options.width},
      {"channels", options.channels},
      {"m", options.m},
      {"n", options.n},
      {"max-tile-bytes", options.maxTileBytes}};
  for (auto [name, value] : values)
    if (value < 0)
      return emitError() << "expected '" << name << "' to be at least 0, got "
                         << value;
  return success();
}

namespace {

/// How one axis is cut.
struct AxisPlan {
  TileAxis axis;
  int64_t extent; ///< ShapedType::kDynamic if so
  int64_t tile;   ///< 0 = whole
  /// The tiles of a static axis in order. In unrolled form each run is one
  /// tile. Empty for a dynamic axis that is cut.
  SmallVector<TileRun> runs;

  bool isCut() const { return tile != 0; }
};

/// Writes the tiles.
class TileWriter {
public:
  TileWriter(RewriterBase &rewriter, TilingInterface op,
             ArrayRef<AxisPlan> plans)
      : rewriter(rewriter), op(op), loc(op.getLoc()), plans(plans) {}

  FailureOr<TiledLayer> write();

private:
  FailureOr<Value> writeFills(Value destination);
  FailureOr<Value> writeAxis(unsigned level, Value destination);
  FailureOr<Value> writeLoop(unsigned level, Value destination, Value first,
                             Value end, int64_t tile, OpFoldResult dynamicEnd);
  FailureOr<Value> writeTile(Value destination);

  /// A constant in front of all tiles, made once.
  Value getIndex(int64_t value);

  RewriterBase &rewriter;
  TilingInterface op;
  Location loc;
  ArrayRef<AxisPlan> plans;
  Operation *anchor = nullptr; ///< constants stand in front of it
  llvm::DenseMap<int64_t, Value> constants;
  SmallVector<Range> domain;
  SmallVector<OpFoldResult> offsets, sizes; ///< of the tile being written
  SmallVector<Operation *> tiles;
  bool onlyFills = false; ///< no tile reads any input
};

} // namespace

Value TileWriter::getIndex(int64_t value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(anchor);
    constant = arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  return constant;
}

FailureOr<TiledLayer> TileWriter::write() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  domain = op.getIterationDomain(rewriter);
  for (const Range &range : domain) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  // For the whole op, in front of the loops: one over no tile would reach no
  // check, and a tile is cut to the sizes that are checked here.
  if (auto conv = dyn_cast<Conv2DOp>(*op))
    emitRuntimeChecks(rewriter, conv, sizes);
  else
    emitRuntimeChecks(rewriter, cast<MatMulOp>(*op), sizes);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value destination = tensor::EmptyOp::create(
      rewriter, loc, sizes, type.getElementType(), type.getEncoding());
  anchor = destination.getDefiningOp();
  FailureOr<Value> result = writeFills(destination);
  if (succeeded(result) && !onlyFills)
    result = writeAxis(0, *result);
  if (failed(result))
    return failure();
  return TiledLayer{*result, std::move(tiles)};
}

/// Regions wholly in padding, one a side, over the whole batch and all
/// channels. Those along W span only the rows that those along H left.
FailureOr<Value> TileWriter::writeFills(Value destination) {
  SmallVector<OpFoldResult> wholeOffsets = offsets, wholeSizes = sizes;
  auto setRange = [&](int64_t dim, int64_t begin, int64_t end) {
    offsets[dim] = rewriter.getIndexAttr(begin);
    sizes[dim] = rewriter.getIndexAttr(end - begin);
  };
  for (const AxisPlan &plan : plans) {
    bool isAllFill = true;
    int64_t begin = 0, end = 0; // what is not a fill
    for (const TileRun &run : plan.runs) {
      if (run.kind != TileRun::Fill) {
        begin = isAllFill ? run.begin : begin;
        end = run.end;
        isAllFill = false;
        continue;
      }
      setRange(plan.axis.dim, run.begin, run.end);
      FailureOr<Value> filled = writeTile(destination);
      if (failed(filled))
        return failure();
      destination = *filled;
    }
    if (isAllFill && !plan.runs.empty()) {
      onlyFills = true; // nothing is left for the other axes
      break;
    }
    if (plan.isCut() && !plan.runs.empty())
      setRange(plan.axis.dim, begin, end);
  }
  offsets = wholeOffsets;
  sizes = wholeSizes;
  return destination;
}

FailureOr<Value> TileWriter::writeAxis(unsigned level, Value destination) {
  if (level == plans.size())
    return writeTile(destination);
  const AxisPlan &plan = plans[level];
  const int64_t dim = plan.axis.dim;
  if (!plan.isCut()) {
    offsets[dim] = domain[dim].offset;
    sizes[dim] = domain[dim].size;
    return writeAxis(level + 1, destination);
  }
  if (ShapedType::isDynamic(plan.extent)) {
    Value end =
        getValueOrCreateConstantIndexOp(rewriter, loc, domain[dim].size);
    return writeLoop(level, destination, getIndex(0), end, plan.tile, end);
  }
  for (const TileRun &run : plan.runs) {
    if (run.kind == TileRun::Fill)
      continue;
    FailureOr<Value> written = destination;
    if (run.numTiles() == 1) {
      offsets[dim] = rewriter.getIndexAttr(run.begin);
      sizes[dim] = rewriter.getIndexAttr(run.tile);
      written = writeAxis(level + 1, destination);
    } else {
      written = writeLoop(level, destination, getIndex(run.begin),
                          getIndex(run.end), run.tile, OpFoldResult());
    }
    if (failed(written))
      return failure();
    destination = *written;
  }
  return destination;
}

/// scf.for over tiles of `tile`; the last one is clamped to `dynamicEnd` if
/// that is set.
FailureOr<Value> TileWriter::writeLoop(unsigned level, Value destination,
                                       Value first, Value end, int64_t tile,
                                       OpFoldResult dynamicEnd) {
  OpBuilder::InsertionGuard guard(rewriter);
  const int64_t dim = plans[level].axis.dim;
  auto loop = scf::ForOp::create(rewriter, loc, first, end, getIndex(tile),
                                 ValueRange{destination});
  rewriter.setInsertionPointToStart(loop.getBody());
  offsets[dim] = loop.getInductionVar();
  sizes[dim] = rewriter.getIndexAttr(tile);
  if (dynamicEnd) {
    AffineExpr iv = rewriter.getAffineDimExpr(0);
    AffineExpr bound = rewriter.getAffineDimExpr(1);
    auto clamp =
        AffineMap::get(2, 0, {rewriter.getAffineConstantExpr(tile), bound - iv},
                       rewriter.getContext());
    sizes[dim] = affine::makeComposedFoldedAffineMin(
        rewriter, loc, clamp, {offsets[dim], dynamicEnd});
  }
  FailureOr<Value> written = writeAxis(level + 1, loop.getRegionIterArg(0));
  if (failed(written))
    return failure();
  scf::YieldOp::create(rewriter, loc, *written);
  return loop.getResult(0);
}

FailureOr<Value> TileWriter::writeTile(Value destination) {
  FailureOr<TilingResult> tile =
      op.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tile))
    return failure();
  llvm::append_range(tiles, tile->tiledOps);
  SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
  return tensor::InsertSliceOp::create(rewriter, loc, tile->tiledValues.front(),
                                       destination, offsets, sizes, strides)
      .getResult();
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

/// Tiles of an axis that reads no padding: equal ones, and a smaller last one.
static SmallVector<TileRun> partitionPlain(int64_t extent, int64_t tile) {
  SmallVector<TileRun> runs;
  const int64_t whole = extent / tile * tile;
  if (whole > 0)
    runs.push_back({TileRun::Interior, 0, whole, tile});
  if (whole < extent)
    runs.push_back({TileRun::Interior, whole, extent, extent - whole});
  return runs;
}

/// Each run as single tiles.
static SmallVector<TileRun> writeOut(ArrayRef<TileRun> runs) {
  SmallVector<TileRun> tiles;
  for (const TileRun &run : runs)
    for (int64_t begin = run.begin; begin < run.end; begin += run.tile)
      tiles.push_back({run.kind, begin, begin + run.tile, run.tile});
  return tiles;
}

/// The unrolled form keeps fills as tiles of their own, so that the order of
/// the chain is that of the tiles.
static SmallVector<TileRun> asTiles(ArrayRef<TileRun> runs, int64_t tile) {
  SmallVector<TileRun> split;
  for (TileRun run : runs) {
    if (run.kind != TileRun::Fill) {
      split.push_back(run);
      continue;
    }
    const int64_t whole = run.begin + (run.end - run.begin) / tile * tile;
    if (run.begin < whole)
      split.push_back({TileRun::Border, run.begin, whole, tile});
    if (whole < run.end)
      split.push_back({TileRun::Border, whole, run.end, run.end - whole});
  }
  return writeOut(split);
}

/// A tile of F covers whole groups, or lies inside one.
static LogicalResult checkChannelTile(Conv2DOp op, int64_t tile) {
  const int64_t f = op.getFilterType().getDimSize(0);
  const int64_t perGroup = f / op.getGroup();
  if (op.getGroup() == 1 || tile == 0 || tile >= f || tile % perGroup == 0 ||
      perGroup % tile == 0)
    return success();
  return op.emitOpError("cannot be tiled with 'channels' = ")
         << tile << ": with 'group' " << op.getGroup()
         << " expected a multiple or a divisor of the " << perGroup
         << " output channels of a group";
}

/// Decides how every axis is cut. Fails, with an error, where the request
/// cannot be met; the IR is not touched.
static FailureOr<SmallVector<AxisPlan>> planTiles(TilingInterface op,
                                                  const TileOptions &options) {
  auto conv = dyn_cast<Conv2DOp>(*op);
  if (conv && failed(checkChannelTile(conv, options.channels)))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const bool unroll = options.form == TileForm::Unroll;
  SmallVector<AxisPlan> plans;
  int64_t written = 1;
  for (const TileAxis &axis : getTileAxes(op)) {
    AxisPlan plan{axis, type.getDimSize(axis.dim), options.*axis.option, {}};
    const bool isDynamic = ShapedType::isDynamic(plan.extent);
    if (plan.tile == 0 || (!isDynamic && plan.tile >= plan.extent)) {
      plan.tile = 0;
      plans.push_back(std::move(plan));
      continue;
    }
    if (isDynamic) {
      if (unroll)
        return op->emitOpError("cannot be tiled with form=unroll along '")
               << axis.name << "': dimension " << axis.dim
               << " of the result is dynamic; use form=loop";
      plans.push_back(std::move(plan));
      continue;
    }
    // In loop form the tiles of grouped channels are written out, since their
    // input channels must be known.
    const bool writesTiles =
        unroll || (conv && axis.dim == 1 && conv.getGroup() > 1);
    // Multiply before anything of that length is made.
    if (writesTiles)
      written = llvm::SaturatingMultiply<uint64_t>(
          written, llvm::divideCeil(plan.extent, plan.tile));
    if (written > maxWrittenTiles)
      return op->emitOpError("would be written as more than ")
             << maxWrittenTiles << " tiles; use "
             << (unroll ? "form=loop or larger tiles" : "larger 'channels'");
    if (conv && axis.dim >= 2) {
      AxisGeometry geometry = conv.getAxisGeometry(axis.dim - 2);
      plan.runs = geometry.partition(plan.tile, maxBorderTiles);
      if (unroll)
        plan.runs = asTiles(plan.runs, plan.tile);
    } else {
      plan.runs = partitionPlain(plan.extent, plan.tile);
      if (writesTiles)
        plan.runs = writeOut(plan.runs);
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static remark::RemarkOpts getRemarkOpts(Operation *op, StringRef name) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name)
      .category("top-tile")
      .function(function ? function.getName() : StringRef());
}

/// "height 56 in 7 tiles of 8 (given): 2 border, 5 interior, 0 in padding; 12
/// input rows read twice".
static std::string describe(TilingInterface op, const AxisPlan &plan,
                            bool isGiven, int64_t budget) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << plan.axis.name << " ";
  std::string why = isGiven ? "given"
                            : "the largest that fits max-tile-bytes=" +
                                  std::to_string(budget);
  if (ShapedType::isDynamic(plan.extent)) {
    os << "? in tiles of " << plan.tile << " (" << why
       << "), clamped and padded at run time";
    return text;
  }
  os << plan.extent << " in " << llvm::divideCeil(plan.extent, plan.tile)
     << " tiles of " << plan.tile << " (" << why << ")";
  auto conv = dyn_cast<Conv2DOp>(*op);
  if (!conv || plan.axis.dim < 2)
    return text;

  // Whatever the form, count the tiles by class.
  AxisGeometry geometry = conv.getAxisGeometry(plan.axis.dim - 2);
  SmallVector<TileRun> runs = geometry.partition(plan.tile, maxBorderTiles);
  int64_t count[3] = {};
  for (const TileRun &run : runs)
    count[run.kind] += run.kind == TileRun::Fill
                           ? llvm::divideCeil(run.tile, plan.tile)
                           : run.numTiles();
  os << ": " << count[TileRun::Border] << " border, "
     << count[TileRun::Interior] << " interior, " << count[TileRun::Fill]
     << " in padding";
  if (std::optional<int64_t> twice = geometry.elementsReadTwice(runs))
    os << "; " << *twice << " input "
       << (plan.axis.dim == 2 ? "rows" : "columns") << " read twice";
  return text;
}

/// One remark an op, and one where border tiles had to become a loop.
static void remarkTiled(TilingInterface op, ArrayRef<AxisPlan> plans,
                        const TileOptions &given, const TileOptions &chosen) {
  auto remark = remark::passed(op.getLoc(), getRemarkOpts(op, "Tiled"));
  if (!remark)
    return;
  std::string text;
  for (const AxisPlan &plan : plans) {
    if (!plan.isCut())
      continue;
    if (!text.empty())
      text += "; ";
    text +=
        describe(op, plan, given.*plan.axis.option != 0, chosen.maxTileBytes);
  }
  remark << remark::add("{0}", text);
  if (chosen.maxTileBytes)
    remark << remark::metric("TileBytes", getTileBytes(op, chosen));
}

static void remarkBorderLoops(TilingInterface op, ArrayRef<AxisPlan> plans) {
  for (const AxisPlan &plan : plans)
    for (const TileRun &run : plan.runs)
      if (run.kind == TileRun::Border && run.numTiles() > 1)
        remark::analysis(op.getLoc(), getRemarkOpts(op, "BorderLoop"))
            << remark::add("{0} tiles along '{1}' touch padding on one side, "
                           "more than {2}: they run as a loop of slice and "
                           "tensor.pad",
                           run.numTiles(), plan.axis.name.str(),
                           maxBorderTiles);
}

FailureOr<std::optional<TiledLayer>> top::tileLayer(RewriterBase &rewriter,
                                                    TilingInterface op,
                                                    const TileOptions &given) {
  auto missed = [&](const std::string &reason) {
    remark::missed(op.getLoc(), getRemarkOpts(op, "NotTiled"))
        << remark::reason("{0}", reason);
    return std::optional<TiledLayer>();
  };
  if (!isa<Conv2DOp, MatMulOp>(*op))
    return op->emitOpError("is not an op that top-tile can cut");
  if (failed(verifyTileOptions([&] { return op->emitOpError(); }, given)))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (llvm::is_contained(type.getShape(), 0))
    return missed("the result is empty");

  TileOptions chosen = given;
  if (failed(chooseTileSizes(op, chosen)))
    return failure();
  FailureOr<SmallVector<AxisPlan>> plans = planTiles(op, chosen);
  if (failed(plans))
    return failure();
  if (llvm::none_of(*plans, [](const AxisPlan &p) { return p.isCut(); }))
    return missed("every axis is left whole");

  remarkTiled(op, *plans, given, chosen);
  remarkBorderLoops(op, *plans);
  FailureOr<TiledLayer> tiled = TileWriter(rewriter, op, *plans).write();
  if (failed(tiled))
    return failure();
  rewriter.replaceOp(op, tiled->result);
  return std::optional<TiledLayer>(std::move(*tiled));
}
