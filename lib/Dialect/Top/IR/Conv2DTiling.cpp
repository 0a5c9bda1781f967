//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface of `top.Conv2D`. The iteration domain is the result's
// dimensions, all parallel, so a tile of the domain is the tile of the result
// with the same offsets and sizes; what is left is to find the operands' tiles.
//
// The formulas are those of ConvGeometry.h. Each of H and W takes the first of
// these forms that applies:
//   whole     the axis is not split: extent and pads stay as they are;
//   static    offset, size and extent are constants: a slice and the tile's own
//             pads as attributes; a window wholly in padding makes the tile a
//             fill of bias and epilogue;
//   interior  the tile is known to read no padding: a slice, no pads;
//   dynamic   anything else: a clamped slice, a tensor.pad to the window (of
//             static size if the tile has one), and no pads on the tile op.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// A range of constants, both ends included.
struct ConstantRange {
  int64_t first, last;
};

} // namespace

/// The values that an offset takes: a constant, or the induction variable of
/// an scf.for or scf.forall with constant bounds. Upstream's value bounds do
/// not know the step, and so cannot tell the last tile's offset from the
/// bound.
static std::optional<ConstantRange> getConstantRange(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return ConstantRange{*constant, *constant};
  auto iv = dyn_cast<BlockArgument>(cast<Value>(value));
  if (!iv)
    return std::nullopt;
  OpFoldResult lower, upper, step;
  Operation *parent = iv.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent);
      loop && iv == loop.getInductionVar()) {
    lower = loop.getLowerBound();
    upper = loop.getUpperBound();
    step = loop.getStep();
  } else if (auto forall = dyn_cast_or_null<scf::ForallOp>(parent);
             forall && iv.getArgNumber() < forall.getRank()) {
    lower = forall.getMixedLowerBound()[iv.getArgNumber()];
    upper = forall.getMixedUpperBound()[iv.getArgNumber()];
    step = forall.getMixedStep()[iv.getArgNumber()];
  } else {
    return std::nullopt;
  }
  std::optional<int64_t> first = getConstantIntValue(lower);
  std::optional<int64_t> end = getConstantIntValue(upper);
  std::optional<int64_t> stride = getConstantIntValue(step);
  if (!first || !end || !stride || *stride < 1 || *first < 0 || *end <= *first)
    return std::nullopt;
  return ConstantRange{*first,
                       *first + (*end - 1 - *first) / *stride * *stride};
}

/// Whether [offset, offset + size) is all of dimension `d` of the result.
/// Dynamic sizes are recognised in the form in which reifyResultShapes makes
/// them.
static bool isWholeDimension(Conv2DOp op, int64_t d, OpFoldResult offset,
                             OpFoldResult size) {
  if (!isConstantIntValue(offset, 0))
    return false;
  RankedTensorType type = op.getResultType();
  if (!type.isDynamicDim(d))
    return isConstantIntValue(size, type.getDimSize(d));
  auto isDimOf = [](Value value, Value tensor, int64_t dim) {
    auto dimOp = value.getDefiningOp<tensor::DimOp>();
    return dimOp && dimOp.getSource() == tensor &&
           dimOp.getConstantIndex() == dim;
  };
  auto value = dyn_cast<Value>(size);
  if (!value)
    return false;
  if (isDimOf(value, op.getInput(), d)) {
    // For H and W the number of outputs is the extent only where the window
    // formula says so.
    if (d < 2)
      return true;
    AxisGeometry axis = op.getAxisGeometry(d - 2);
    return axis.stride == 1 &&
           axis.padLow + axis.padHigh == *axis.kernelExtent() - 1;
  }
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (d < 2 || !apply || apply.getMapOperands().size() != 1 ||
      !isDimOf(apply.getMapOperands()[0], op.getInput(), d))
    return false;
  AxisGeometry axis = op.getAxisGeometry(d - 2);
  AffineExpr x = apply.getAffineMap().getNumDims() == 1
                     ? getAffineDimExpr(0, op.getContext())
                     : getAffineSymbolExpr(0, op.getContext());
  AffineExpr outputs = (x + (axis.padLow + axis.padHigh - *axis.kernelExtent()))
                           .floorDiv(axis.stride) +
                       1;
  return simplifyAffineExpr(apply.getAffineMap().getResult(0) - outputs, 1,
                            1) == 0;
}

namespace {

/// The input's tile along H or W, see the head of this file.
struct AxisTile {
  OpFoldResult offset, size;       ///< slice of the input
  int64_t padLow = 0, padHigh = 0; ///< pads of the tile op
  /// A tensor.pad to `window` elements in front of the tile op, if set.
  std::optional<std::pair<OpFoldResult, OpFoldResult>> dynamicPad;
  int64_t window = ShapedType::kDynamic;
  bool isFill = false; ///< the window lies wholly in padding
};

} // namespace

static AxisTile tileAxis(OpBuilder &b, Conv2DOp op, unsigned axisIndex,
                         OpFoldResult offset, OpFoldResult size) {
  Location loc = op.getLoc();
  AxisGeometry axis = op.getAxisGeometry(axisIndex);
  const int64_t d = 2 + axisIndex;
  const bool isStatic = !op.getInputType().isDynamicDim(d);
  AxisTile tile;

  // No input: MLIR refuses even an empty slice of it.
  if (isStatic && axis.extent == 0) {
    tile.isFill = true;
    return tile;
  }

  // whole
  if (isWholeDimension(op, d, offset, size)) {
    tile.offset = b.getIndexAttr(0);
    tile.size = tensor::getMixedSize(b, loc, op.getInput(), d);
    tile.padLow = axis.padLow;
    tile.padHigh = axis.padHigh;
    tile.isFill =
        isStatic && axis.window(0, op.getResultType().getDimSize(d)).size == 0;
    return tile;
  }

  // static
  std::optional<int64_t> begin = getConstantIntValue(offset);
  std::optional<int64_t> count = getConstantIntValue(size);
  if (begin && count && *count > 0 && isStatic) {
    InputWindow<int64_t> window = axis.window(*begin, *begin + *count);
    tile.offset = b.getIndexAttr(window.offset);
    tile.size = b.getIndexAttr(window.size);
    tile.padLow = window.padLow;
    tile.padHigh = window.padHigh;
    tile.isFill = window.size == 0;
    return tile;
  }

  // interior
  IRArithmetic ir{b, loc};
  bool readsNoPadding = axis.padLow == 0 && axis.padHigh == 0;
  if (std::optional<ConstantRange> range = getConstantRange(offset);
      range && isStatic && count && *count > 0) {
    InputWindow<int64_t> first =
        axis.window(range->first, range->first + *count);
    InputWindow<int64_t> last = axis.window(range->last, range->last + *count);
    readsNoPadding |= first.padLow == 0 && last.padHigh == 0;
  }
  if (readsNoPadding) {
    tile.offset = ir.materialize(
        ir.sub(ir.mul(ir.wrap(offset), axis.stride), ir.constant(axis.padLow)));
    tile.size = ir.materialize(computeSpan(ir, axis, ir.wrap(size)));
    return tile;
  }

  // dynamic
  auto extent = ir.wrap(tensor::getMixedSize(b, loc, op.getInput(), d));
  auto window =
      computeInputWindow(ir, axis, ir.wrap(offset), ir.wrap(size), extent);
  tile.offset = ir.materialize(window.offset);
  tile.size = ir.materialize(window.size);
  tile.dynamicPad = {ir.materialize(window.padLow),
                     ir.materialize(window.padHigh)};
  if (count)
    tile.window = (*count - 1) * axis.stride + *axis.kernelExtent();
  return tile;
}

/// Pads `source` on H and W where a tile asks for it. The result has the
/// window's static size where that is known, which tensor.pad cannot infer
/// from pads that are not constants.
static Value createWindowPad(OpBuilder &b, Location loc, Value source,
                             ArrayRef<AxisTile> tiles) {
  if (llvm::none_of(tiles, [](const AxisTile &t) { return t.dynamicPad; }))
    return source;
  auto type = cast<RankedTensorType>(source.getType());
  OpFoldResult zero = b.getIndexAttr(0);
  SmallVector<OpFoldResult> low(4, zero), high(4, zero);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [axis, tile] : llvm::enumerate(tiles)) {
    if (!tile.dynamicPad)
      continue;
    std::tie(low[2 + axis], high[2 + axis]) = *tile.dynamicPad;
    shape[2 + axis] = tile.window;
  }
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(b, loc, type.clone(shape), source, low, high,
                               padding);
}

SmallVector<utils::IteratorType> Conv2DOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel);
}

SmallVector<Range> Conv2DOp::getIterationDomain(OpBuilder &b) {
  return getResultDomain(*this, b);
}

namespace {

/// Which input channels a tile of F reads, and the group count of the tile.
struct ChannelTile {
  int64_t offset, size, group;
};

} // namespace

/// A tile of F covers whole groups, or lies inside one.
static FailureOr<ChannelTile> tileChannels(Conv2DOp op, OpFoldResult offset,
                                           OpFoldResult size) {
  const int64_t channels = op.getInputType().getDimSize(1);
  const int64_t group = op.getGroup();
  std::optional<int64_t> f0 = getConstantIntValue(offset);
  std::optional<int64_t> count = getConstantIntValue(size);
  if (!count)
    return op.emitOpError("cannot be tiled along F by a size that is not a "
                          "constant: the filter must be static");
  if (group == 1 || isWholeDimension(op, 1, offset, size))
    return ChannelTile{0, channels, group};
  if (!f0)
    return op.emitOpError("cannot be tiled along F at an offset that is not a "
                          "constant with 'group' ")
           << group << ": the input channels to read are not known";
  const int64_t perGroup = op.getFilterType().getDimSize(0) / group;
  const int64_t channelsPerGroup = channels / group;
  const int64_t first = *f0 / perGroup;
  if (*f0 % perGroup == 0 && *count % perGroup == 0)
    return ChannelTile{first * channelsPerGroup,
                       *count / perGroup * channelsPerGroup, *count / perGroup};
  if ((*f0 + *count - 1) / perGroup == first)
    return ChannelTile{first * channelsPerGroup, channelsPerGroup, 1};
  return op.emitOpError("cannot be tiled along F at ")
         << *f0 << " by " << *count << ": the tile is neither whole groups of "
         << perGroup << " output channels nor inside one";
}

/// Whether a value is known to be at least 1. The sizes of the last, smaller
/// tile that upstream's drivers make are: the minimum of a constant and of what
/// is left of a loop's range.
static bool isKnownPositive(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant >= 1;
  auto value = cast<Value>(size);
  auto isPositive = [](const ValueBoundsConstraintSet::Variable &variable) {
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::LB, variable);
    return succeeded(bound) && *bound >= 1;
  };
  auto min = value.getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return isPositive(value);
  AffineMap map = min.getAffineMap();
  return llvm::all_of(llvm::seq(map.getNumResults()), [&](unsigned i) {
    return isPositive({map.getSubMap({i}), min.getOperands()});
  });
}

/// A convolution has at least one row and one column, but a tile may be asked
/// for none at run time: for a thread that is left without work, or where a
/// padded consumer reads nothing of the producer that is fused into it. Such a
/// tile is made to compute one, at an offset where there is one. Returns
/// whether that was necessary; what is asked for is then a slice of the tile.
static bool avoidEmptyTile(OpBuilder &b, Conv2DOp op,
                           SmallVectorImpl<OpFoldResult> &offsets,
                           SmallVectorImpl<OpFoldResult> &sizes) {
  SmallVector<int64_t> dims;
  for (int64_t d = 2; d < 4; ++d)
    if (!isWholeDimension(op, d, offsets[d], sizes[d]) &&
        !isKnownPositive(sizes[d]))
      dims.push_back(d);
  if (dims.empty())
    return false;
  Location loc = op.getLoc();
  SmallVector<Range> domain = op.getIterationDomain(b);
  IRArithmetic ir{b, loc};
  for (int64_t d : dims) {
    auto one = ir.constant(1);
    auto last = ir.sub(ir.wrap(domain[d].size), one);
    offsets[d] = ir.materialize(ir.min(ir.wrap(offsets[d]), last));
    sizes[d] = ir.materialize(ir.max(ir.wrap(sizes[d]), one));
  }
  return true;
}

/// The tile at `offsets` of `sizes`, none of which is 0.
static FailureOr<TilingResult> tileConv(OpBuilder &b, Conv2DOp op,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  TilingResult result;
  FailureOr<ChannelTile> channels = tileChannels(op, offsets[1], sizes[1]);
  if (failed(channels))
    return failure();
  const AxisTile axes[] = {tileAxis(b, op, 0, offsets[2], sizes[2]),
                           tileAxis(b, op, 1, offsets[3], sizes[3])};

  auto [bias, epilogueOperands] =
      sliceEpilogue(b, op, offsets, sizes, /*channelDim=*/1, result);

  if (axes[0].isFill || axes[1].isFill) {
    createFillTile(b, op, sizes, /*channelDim=*/1, bias, epilogueOperands,
                   result);
    return result;
  }

  OperandTile inputTile{
      {offsets[0], b.getIndexAttr(channels->offset), axes[0].offset,
       axes[1].offset},
      {sizes[0], b.getIndexAttr(channels->size), axes[0].size, axes[1].size}};
  Value input = createSlice(b, loc, op.getInput(), inputTile, result);
  input = createWindowPad(b, loc, input, axes);

  OperandTile filterTile{SmallVector<OpFoldResult>(4, b.getIndexAttr(0)),
                         tensor::getMixedSizes(b, loc, op.getFilter())};
  filterTile.offsets[0] = offsets[1];
  filterTile.sizes[0] = sizes[1];
  Value filter = createSlice(b, loc, op.getFilter(), filterTile, result);

  Conv2DAttrs attrs = op.getConvAttrs();
  attrs.group = channels->group;
  attrs.pads = {axes[0].padLow, axes[1].padLow, axes[0].padHigh,
                axes[1].padHigh};
  FailureOr<RankedTensorType> type = Conv2DOp::inferResultType(
      [&] { return op.emitOpError("has a tile that is not legal: "); },
      cast<RankedTensorType>(input.getType()),
      cast<RankedTensorType>(filter.getType()), attrs,
      op.getResultType().getElementType());
  if (failed(type))
    return failure();
  auto tiled = Conv2DOp::create(
      b, loc, type->cloneWithEncoding(op.getResultType().getEncoding()), input,
      filter, bias, epilogueOperands, attrs.strides, attrs.pads,
      attrs.dilations, attrs.group, op.getAllowTf32(), op.getEpilogueAttr());
  tiled->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  result.tiledOps = {tiled};
  result.tiledValues = {tiled.getResult()};
  return result;
}

FailureOr<TilingResult>
Conv2DOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  TilingResult empty;
  if (isEmptyTile(*this, sizes)) {
    createEmptyTile(b, getLoc(), getResultType(), sizes, empty);
    return empty;
  }
  SmallVector<OpFoldResult> from(offsets), count(sizes);
  const bool mayBeEmpty = avoidEmptyTile(b, *this, from, count);
  FailureOr<TilingResult> result = tileConv(b, *this, from, count);
  if (failed(result) || !mayBeEmpty)
    return result;
  SmallVector<OpFoldResult> zeros(4, b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  Value &tile = result->tiledValues[0];
  tile = tensor::ExtractSliceOp::create(b, getLoc(), tile, zeros, sizes, ones);
  return result;
}

/// A tile of the input decides a tile of the result only where no window needs
/// rows, columns or channels that another tile holds: along N always, along an
/// axis only if outputs and inputs correspond one to one.
LogicalResult Conv2DOp::getIterationDomainTileFromOperandTiles(
    OpBuilder &b, ArrayRef<unsigned> operandNumbers,
    ArrayRef<SmallVector<OpFoldResult>> allOffsets,
    ArrayRef<SmallVector<OpFoldResult>> allSizes,
    SmallVectorImpl<OpFoldResult> &domainOffsets,
    SmallVectorImpl<OpFoldResult> &domainSizes) {
  SmallVector<Range> domain = getIterationDomain(b);
  DomainTile tile(domain);
  for (auto [number, offsets, sizes] :
       llvm::zip_equal(operandNumbers, allOffsets, allSizes)) {
    Value operand = getOperation()->getOperand(number);
    if (number == 0) {
      if (!isWholeOperandDim(operand, 1, offsets[1], sizes[1]) ||
          failed(tile.set(0, offsets[0], sizes[0])))
        return failure();
      for (int64_t d = 2; d < 4; ++d) {
        AxisGeometry axis = getAxisGeometry(d - 2);
        if (isWholeOperandDim(operand, d, offsets[d], sizes[d]))
          continue;
        if (axis.kernel != 1 || axis.stride != 1 || axis.padLow != 0 ||
            axis.padHigh != 0 || failed(tile.set(d, offsets[d], sizes[d])))
          return failure();
      }
    } else if (number == 1) {
      for (int64_t d = 1; d < 4; ++d)
        if (!isWholeOperandDim(operand, d, offsets[d], sizes[d]))
          return failure();
      if (failed(tile.set(1, offsets[0], sizes[0])))
        return failure();
    } else if (failed(addResultLikeTile(
                   tile, cast<RankedTensorType>(operand.getType()),
                   /*channelDim=*/1, offsets, sizes))) {
      return failure();
    }
  }
  tile.get(domainOffsets, domainSizes);
  return success();
}
