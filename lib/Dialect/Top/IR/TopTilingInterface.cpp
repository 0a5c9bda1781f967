//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TilingInterface of the layer ops. The iteration domain is the result's
// dimensions, all parallel, so a tile of the domain is the tile of the result
// with the same offsets and sizes; what is left is to find the operands' tiles.
//
// For a convolution the formulas are those of ConvGeometry.h. Each of H and W
// takes the first of these forms that applies:
//   whole     the axis is not split: extent and pads stay as they are;
//   static    offset, size and extent are constants: a slice and the tile's own
//             pads as attributes; a window wholly in padding makes the tile a
//             fill of bias and epilogue;
//   interior  the tile is known to read no padding: a slice, no pads;
//   dynamic   anything else: a clamped slice, a tensor.pad to the window (of
//             static size if the tile has one), and no pads on the tile op.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "top/Dialect/Top/IR/Epilogue.h"
#include "top/Dialect/Top/IR/Top.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// The window formulas as affine ops. Sums and products stay expressions until
/// a minimum, a maximum or the end needs a value, so that no op is left over;
/// constants fold.
struct IRArithmetic {
  struct Value {
    AffineExpr expr; ///< over one dimension per operand
    SmallVector<OpFoldResult> operands;
  };
  OpBuilder &b;
  Location loc;

  Value constant(int64_t c) { return {b.getAffineConstantExpr(c), {}}; }
  Value wrap(OpFoldResult v) { return {b.getAffineDimExpr(0), {v}}; }
  Value add(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return {lhs + rhs, operands};
  }
  Value sub(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return {lhs - rhs, operands};
  }
  Value mul(const Value &x, int64_t c) { return {x.expr * c, x.operands}; }
  Value min(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return wrap(affine::makeComposedFoldedAffineMin(
        b, loc, mapOf({lhs, rhs}, operands), operands));
  }
  Value max(const Value &x, const Value &y) {
    auto [lhs, rhs, operands] = unite(x, y);
    return wrap(affine::makeComposedFoldedAffineMax(
        b, loc, mapOf({lhs, rhs}, operands), operands));
  }

  OpFoldResult materialize(const Value &x) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, mapOf({x.expr}, x.operands), x.operands);
  }

private:
  AffineMap mapOf(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> operands) {
    return AffineMap::get(operands.size(), 0, exprs, b.getContext());
  }
  /// Both expressions over the operands of both.
  std::tuple<AffineExpr, AffineExpr, SmallVector<OpFoldResult>>
  unite(const Value &x, const Value &y) {
    SmallVector<OpFoldResult> operands = x.operands;
    llvm::append_range(operands, y.operands);
    return {x.expr, y.expr.shiftDims(y.operands.size(), x.operands.size()),
            operands};
  }
};

/// A range of constants, both ends included.
struct ConstantRange {
  int64_t first, last;
};

/// One slice of an operand.
struct OperandTile {
  SmallVector<OpFoldResult> offsets, sizes;
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

/// A slice of `source`, or `source` itself where the tile is known to be all
/// of it. Slices are added to `result`, as fusion drivers expect.
static Value createSlice(OpBuilder &b, Location loc, Value source,
                         const OperandTile &tile, TilingResult &result) {
  auto type = cast<RankedTensorType>(source.getType());
  bool isWhole = true;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (isConstantIntValue(tile.offsets[d], 0) && !type.isDynamicDim(d) &&
        isConstantIntValue(tile.sizes[d], type.getDimSize(d)))
      continue;
    isWhole = false;
  }
  if (isWhole)
    return source;
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(b, loc, source, tile.offsets,
                                              tile.sizes, strides);
  result.generatedSlices.push_back(slice);
  return slice;
}

/// The tile of a bias, a per-channel vector or a tensor of the result's shape
/// that belongs to a tile of the result.
static OperandTile getResultLikeTile(OpBuilder &b, RankedTensorType type,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes,
                                     int64_t channelDim) {
  if (type.getRank() == 1)
    return {{offsets[channelDim]}, {sizes[channelDim]}};
  OperandTile tile;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    const bool isBroadcast = type.getDimSize(d) == 1;
    tile.offsets.push_back(isBroadcast ? b.getIndexAttr(0) : offsets[d]);
    tile.sizes.push_back(isBroadcast ? b.getIndexAttr(1) : sizes[d]);
  }
  return tile;
}

/// Slices of bias (null stays null) and epilogue operands.
template <typename OpTy>
static std::pair<Value, SmallVector<Value>>
sliceEpilogue(OpBuilder &b, OpTy op, ArrayRef<OpFoldResult> offsets,
              ArrayRef<OpFoldResult> sizes, int64_t channelDim,
              TilingResult &result) {
  auto slice = [&](Value operand) {
    OperandTile tile =
        getResultLikeTile(b, cast<RankedTensorType>(operand.getType()), offsets,
                          sizes, channelDim);
    return createSlice(b, op.getLoc(), operand, tile, result);
  };
  Value bias = op.getBias() ? slice(op.getBias()) : Value();
  return {bias, llvm::map_to_vector(op.getEpilogueOperands(), slice)};
}

/// A tile without outputs, as tile size 0 or an empty result make it. A dynamic
/// result is known to be empty where bias or an epilogue operand is. Slices of
/// operands would be refused there, since MLIR wants their offsets in bounds.
template <typename OpTy>
static bool isEmptyTile(OpTy op, ArrayRef<OpFoldResult> sizes) {
  auto isZero = [](OpFoldResult size) { return isConstantIntValue(size, 0); };
  auto isEmpty = [](Value operand) {
    return llvm::is_contained(
        cast<RankedTensorType>(operand.getType()).getShape(), 0);
  };
  // Operands 0 and 1 have dimensions that the result has not.
  return llvm::any_of(sizes, isZero) ||
         llvm::any_of(op->getOperands().drop_front(2), isEmpty);
}
static void createEmptyTile(OpBuilder &b, Location loc, RankedTensorType type,
                            ArrayRef<OpFoldResult> sizes,
                            TilingResult &result) {
  auto empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  result.tiledOps = {empty};
  result.tiledValues = {empty.getResult()};
}

/// A tile that multiplies nothing, and is bias and epilogue alone.
template <typename OpTy>
static void createFillTile(OpBuilder &b, OpTy op, ArrayRef<OpFoldResult> sizes,
                           int64_t channelDim, Value bias,
                           ArrayRef<Value> epilogueOperands,
                           TilingResult &result) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  EpilogueSpec spec{
      bias,
      op.getSteps(),
      llvm::to_vector(epilogueOperands),
      op.getAccumulatorType(),
      RankedTensorType::get(shape, op.getResultType().getElementType()),
      llvm::to_vector(sizes),
      channelDim};
  Value fill = createEpilogue(b, op.getLoc(), /*accumulator=*/Value(), spec);
  result.tiledOps = {fill.getDefiningOp()};
  result.tiledValues = {fill};
}

/// The iteration domain of both ops: the result's shape, step 1.
template <typename OpTy>
static SmallVector<Range> getResultDomain(OpTy op, OpBuilder &b) {
  ReifiedRankedShapedTypeDims shapes;
  if (failed(op.reifyResultShapes(b, shapes)))
    return {};
  return llvm::map_to_vector(shapes.front(), [&](OpFoldResult size) {
    return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
  });
}

/// Whether [offset, offset + size) is all of dimension `d` of the result.
/// Dynamic sizes are recognised in the form in which reifyResultShapes makes
/// them.
template <typename OpTy>
static bool isWholeDimension(OpTy op, int64_t d, OpFoldResult offset,
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
  if constexpr (std::is_same_v<OpTy, MatMulOp>) {
    if (d == type.getRank() - 1)
      return isDimOf(value, op.getRhs(), op.getRhsDimN());
    if (d == type.getRank() - 2)
      return isDimOf(value, op.getLhs(), op.getLhsDimM());
    return isDimOf(value, op.getLhs(), 0);
  } else {
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
    AffineExpr outputs =
        (x + (axis.padLow + axis.padHigh - *axis.kernelExtent()))
            .floorDiv(axis.stride) +
        1;
    return simplifyAffineExpr(apply.getAffineMap().getResult(0) - outputs, 1,
                              1) == 0;
  }
}

/// Both directions of fusion reduce to a tile of the domain.
template <typename OpTy>
static FailureOr<TilingResult>
tileFromOperandTiles(OpTy op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
                     ArrayRef<SmallVector<OpFoldResult>> allOffsets,
                     ArrayRef<SmallVector<OpFoldResult>> allSizes) {
  SmallVector<OpFoldResult> offsets, sizes;
  if (failed(op.getIterationDomainTileFromOperandTiles(
          b, operandNumbers, allOffsets, allSizes, offsets, sizes)))
    return failure();
  return op.getTiledImplementation(b, offsets, sizes);
}

/// Collects what operand tiles say of the domain's dimensions: each dimension
/// is named by at most one range, and one that no operand names is whole.
class DomainTile {
public:
  DomainTile(ArrayRef<Range> domain) : domain(domain), tile(domain.size()) {}

  LogicalResult set(int64_t d, OpFoldResult offset, OpFoldResult size) {
    if (tile[d] && !(isEqualConstantIntOrValue(tile[d]->first, offset) &&
                     isEqualConstantIntOrValue(tile[d]->second, size)))
      return failure(); // two operands ask for different tiles
    tile[d] = {offset, size};
    return success();
  }

  void get(SmallVectorImpl<OpFoldResult> &offsets,
           SmallVectorImpl<OpFoldResult> &sizes) const {
    for (auto [range, part] : llvm::zip_equal(domain, tile)) {
      offsets.push_back(part ? part->first : range.offset);
      sizes.push_back(part ? part->second : range.size);
    }
  }

private:
  ArrayRef<Range> domain;
  SmallVector<std::optional<std::pair<OpFoldResult, OpFoldResult>>> tile;
};

/// Dimensions of `type` that a bias or epilogue operand shares with the result.
static LogicalResult addResultLikeTile(DomainTile &domain,
                                       RankedTensorType type,
                                       int64_t channelDim,
                                       ArrayRef<OpFoldResult> offsets,
                                       ArrayRef<OpFoldResult> sizes) {
  if (type.getRank() == 1)
    return domain.set(channelDim, offsets[0], sizes[0]);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.getDimSize(d) != 1 && failed(domain.set(d, offsets[d], sizes[d])))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Conv2D
//===----------------------------------------------------------------------===//

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
  return tensor::PadOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), source, low,
      high, padding);
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
  auto tiled =
      Conv2DOp::create(b, loc, *type, input, filter, bias, epilogueOperands,
                       attrs.strides, attrs.pads, attrs.dilations, attrs.group,
                       op.getAllowTf32(), op.getEpilogueAttr());
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

LogicalResult Conv2DOp::getResultTilePosition(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  return success();
}

FailureOr<TilingResult>
Conv2DOp::generateResultTileValue(OpBuilder &b, unsigned,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(b, offsets, sizes);
}

LogicalResult Conv2DOp::getIterationDomainTileFromResultTile(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &domainOffsets,
    SmallVectorImpl<OpFoldResult> &domainSizes) {
  domainOffsets.assign(offsets.begin(), offsets.end());
  domainSizes.assign(sizes.begin(), sizes.end());
  return success();
}

/// Whether the tile is known to hold all of dimension `d` of `operand`.
static bool isWholeOperandDim(Value operand, int64_t d, OpFoldResult offset,
                              OpFoldResult size) {
  auto type = cast<RankedTensorType>(operand.getType());
  return isConstantIntValue(offset, 0) && !type.isDynamicDim(d) &&
         isConstantIntValue(size, type.getDimSize(d));
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

FailureOr<TilingResult> Conv2DOp::getTiledImplementationFromOperandTiles(
    OpBuilder &b, ArrayRef<unsigned> operandNumbers,
    ArrayRef<SmallVector<OpFoldResult>> allOffsets,
    ArrayRef<SmallVector<OpFoldResult>> allSizes) {
  return tileFromOperandTiles(*this, b, operandNumbers, allOffsets, allSizes);
}

//===----------------------------------------------------------------------===//
// MatMul
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> MatMulOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(getResultType().getRank(),
                                          utils::IteratorType::parallel);
}

SmallVector<Range> MatMulOp::getIterationDomain(OpBuilder &b) {
  return getResultDomain(*this, b);
}

FailureOr<TilingResult>
MatMulOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  const int64_t m = getResultType().getRank() - 2, n = m + 1;
  TilingResult result;
  if (isEmptyTile(*this, sizes)) {
    createEmptyTile(b, loc, getResultType(), sizes, result);
    return result;
  }
  auto [bias, epilogueOperands] =
      sliceEpilogue(b, *this, offsets, sizes, /*channelDim=*/n, result);
  if (getLhsType().getDimSize(getLhsDimK()) == 0 ||
      getRhsType().getDimSize(getRhsDimK()) == 0) {
    createFillTile(b, *this, sizes, /*channelDim=*/n, bias, epilogueOperands,
                   result);
    return result;
  }

  // Everything along K, the tile's rows and columns, and its part of the
  // batch.
  auto sliceOperand = [&](Value operand, unsigned dim, int64_t domainDim) {
    OperandTile tile;
    tile.sizes = tensor::getMixedSizes(b, loc, operand);
    tile.offsets.assign(tile.sizes.size(), b.getIndexAttr(0));
    tile.offsets[dim] = offsets[domainDim];
    tile.sizes[dim] = sizes[domainDim];
    if (tile.sizes.size() == 3) {
      tile.offsets[0] = offsets[0];
      tile.sizes[0] = sizes[0];
    }
    return createSlice(b, loc, operand, tile, result);
  };
  Value lhs = sliceOperand(getLhs(), getLhsDimM(), m);
  Value rhs = sliceOperand(getRhs(), getRhsDimN(), n);

  FailureOr<RankedTensorType> type = inferResultType(
      [&] { return emitOpError("has a tile that is not legal: "); },
      cast<RankedTensorType>(lhs.getType()),
      cast<RankedTensorType>(rhs.getType()), getTransposeA(), getTransposeB(),
      getResultType().getElementType());
  if (failed(type))
    return failure();
  auto tiled = MatMulOp::create(b, loc, *type, lhs, rhs, bias, epilogueOperands,
                                getTransposeA(), getTransposeB(),
                                getAllowTf32(), getEpilogueAttr());
  tiled->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  result.tiledOps = {tiled};
  result.tiledValues = {tiled.getResult()};
  return result;
}

LogicalResult MatMulOp::getResultTilePosition(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  return success();
}

FailureOr<TilingResult>
MatMulOp::generateResultTileValue(OpBuilder &b, unsigned,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(b, offsets, sizes);
}

LogicalResult MatMulOp::getIterationDomainTileFromResultTile(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &domainOffsets,
    SmallVectorImpl<OpFoldResult> &domainSizes) {
  domainOffsets.assign(offsets.begin(), offsets.end());
  domainSizes.assign(sizes.begin(), sizes.end());
  return success();
}

/// A tile of lhs or rhs decides a tile of the result only if it holds all of K.
LogicalResult MatMulOp::getIterationDomainTileFromOperandTiles(
    OpBuilder &b, ArrayRef<unsigned> operandNumbers,
    ArrayRef<SmallVector<OpFoldResult>> allOffsets,
    ArrayRef<SmallVector<OpFoldResult>> allSizes,
    SmallVectorImpl<OpFoldResult> &domainOffsets,
    SmallVectorImpl<OpFoldResult> &domainSizes) {
  SmallVector<Range> domain = getIterationDomain(b);
  DomainTile tile(domain);
  const int64_t m = getResultType().getRank() - 2, n = m + 1;
  for (auto [number, offsets, sizes] :
       llvm::zip_equal(operandNumbers, allOffsets, allSizes)) {
    Value operand = getOperation()->getOperand(number);
    auto type = cast<RankedTensorType>(operand.getType());
    if (number > 1) {
      if (failed(
              addResultLikeTile(tile, type, /*channelDim=*/n, offsets, sizes)))
        return failure();
      continue;
    }
    const unsigned k = number == 0 ? getLhsDimK() : getRhsDimK();
    const unsigned own = number == 0 ? getLhsDimM() : getRhsDimN();
    if (!isWholeOperandDim(operand, k, offsets[k], sizes[k]) ||
        failed(tile.set(number == 0 ? m : n, offsets[own], sizes[own])) ||
        (type.getRank() == 3 && failed(tile.set(0, offsets[0], sizes[0]))))
      return failure();
  }
  tile.get(domainOffsets, domainSizes);
  return success();
}

FailureOr<TilingResult> MatMulOp::getTiledImplementationFromOperandTiles(
    OpBuilder &b, ArrayRef<unsigned> operandNumbers,
    ArrayRef<SmallVector<OpFoldResult>> allOffsets,
    ArrayRef<SmallVector<OpFoldResult>> allSizes) {
  return tileFromOperandTiles(*this, b, operandNumbers, allOffsets, allSizes);
}
