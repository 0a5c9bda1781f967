//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows an element of a result back to the op that computes it; see
// TileMap.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/TileMap.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Dialect/Top/IR/Top.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;

std::string Tile::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "tile [";
  for (size_t d = 0; d < begin.size(); ++d)
    os << (d ? "," : "") << begin[d] << ':' << end[d];
  os << "] pads [" << llvm::interleaved(pads, ",") << ']';
  return text;
}

namespace {

/// Computes index values where the loops' induction variables are known.
class IndexEvaluator {
public:
  explicit IndexEvaluator(ArrayRef<SmallVector<int64_t>> argumentShapes)
      : argumentShapes(argumentShapes) {}

  void bind(Value inductionVariable, int64_t value) {
    bindings[inductionVariable] = value;
  }

  std::optional<int64_t> evaluate(OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attr).getInt();
    IntegerAttr attr = fold(cast<Value>(value));
    if (!attr)
      return std::nullopt;
    return attr.getValue().getSExtValue();
  }

  std::optional<SmallVector<int64_t>> evaluate(ArrayRef<OpFoldResult> values) {
    SmallVector<int64_t> numbers;
    for (OpFoldResult value : values) {
      std::optional<int64_t> number = evaluate(value);
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }

  /// Extent `d` of a tensor.
  std::optional<int64_t> extent(Value tensor, int64_t d) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(d))
      return type.getDimSize(d);
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (isa<func::FuncOp>(parent))
        return argumentShapes[argument.getArgNumber()][d];
      if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
        if (OpOperand *init = loop.getTiedLoopInit(argument))
          return extent(init->get(), d);
      return std::nullopt;
    }
    Operation *op = tensor.getDefiningOp();
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return evaluate(empty.getMixedSizes()[d]);
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      return extent(cast.getSource(), d);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return extent(insert.getDest(), d);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getSourceType().getRank() != slice.getType().getRank())
        return std::nullopt;
      return evaluate(slice.getMixedSizes()[d]);
    }
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      OpOperand *init = loop.getTiedLoopInit(cast<OpResult>(tensor));
      return init ? extent(init->get(), d) : std::nullopt;
    }
    if (auto conv = dyn_cast<Conv2DOp>(op)) {
      std::optional<int64_t> input = extent(conv.getInput(), d);
      if (!input || d < 2)
        return input;
      AxisGeometry axis = conv.getAxisGeometry(d - 2);
      axis.extent = *input;
      return axis.outputExtent();
    }
    return std::nullopt;
  }

private:
  IntegerAttr fold(Value value) {
    auto bound = bindings.find(value);
    Builder builder(value.getContext());
    if (bound != bindings.end())
      return builder.getIntegerAttr(value.getType(), bound->second);
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() != 0)
      return {};
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      std::optional<int64_t> d = evaluate(OpFoldResult(dim.getIndex()));
      std::optional<int64_t> size =
          d ? extent(dim.getSource(), *d) : std::nullopt;
      return size ? builder.getIndexAttr(*size) : IntegerAttr();
    }
    if (!isPure(op) || !llvm::all_of(op->getOperandTypes(),
                                     llvm::IsaPred<IndexType, IntegerType>))
      return {};
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      IntegerAttr attr = fold(operand);
      if (!attr)
        return {};
      operands.push_back(attr);
    }
    // With all operands constant the ops that compute indices fold to
    // constants and leave themselves alone.
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) ||
        results.size() != op->getNumResults())
      return {};
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto attr = dyn_cast<Attribute>(results[number]))
      return dyn_cast<IntegerAttr>(attr);
    return fold(cast<Value>(results[number]));
  }

  ArrayRef<SmallVector<int64_t>> argumentShapes;
  DenseMap<Value, int64_t> bindings;
};

/// An element of some tensor of the function and what it is in the result:
/// `origin[d]` is the tensor's first element along d in coordinates of the
/// result's dimension `dims[d]` (-1: a unit dimension the result lacks).
struct Position {
  SmallVector<int64_t> at, origin, dims;
  Tile tile; ///< the smallest that was found so far
};

class Tracer {
public:
  explicit Tracer(ArrayRef<SmallVector<int64_t>> argumentShapes)
      : index(argumentShapes) {}

  /// The tile that writes the element of `value`, or nullopt where no op
  /// before the loop-carried value `passedThrough` writes it.
  std::optional<Tile> trace(Value value, Position position);

  Value passedThrough;

private:
  /// Moves into the source of a slice written into the tensor; false where the
  /// element lies outside or the slice cannot be computed (`failed` is set).
  bool enter(OffsetSizeAndStrideOpInterface slice, RankedTensorType source,
             llvm::SmallBitVector dropped, Position &position, bool &failed);
  std::optional<Tile> traceFor(scf::ForOp loop, unsigned &number,
                               const Position &position, bool &done);
  std::optional<Tile> traceForall(scf::ForallOp loop, unsigned number,
                                  const Position &position, bool &done);
  void addPads(Conv2DOp conv, Tile &tile);

  IndexEvaluator index;
  /// Guards against functions that would take minutes to trace.
  int64_t budget = 1 << 22;
};

} // namespace

bool Tracer::enter(OffsetSizeAndStrideOpInterface slice,
                   RankedTensorType source, llvm::SmallBitVector dropped,
                   Position &position, bool &failed) {
  auto offsets = index.evaluate(slice.getMixedOffsets());
  auto sizes = index.evaluate(slice.getMixedSizes());
  auto strides = index.evaluate(slice.getMixedStrides());
  if (!offsets || !sizes || !strides || --budget < 0) {
    failed = true;
    return false;
  }
  Position inside;
  inside.tile = position.tile;
  inside.tile.pads.clear();
  for (size_t d = 0; d < offsets->size(); ++d) {
    int64_t offset = (*offsets)[d], size = (*sizes)[d], stride = (*strides)[d];
    int64_t distance = position.at[d] - offset;
    if (distance < 0 || distance % stride != 0 || distance / stride >= size)
      return false;
    // What lies in between belongs to other tiles.
    if (stride != 1)
      failed = true;
    int64_t begin = position.origin[d] + offset;
    if (int64_t dim = position.dims[d]; dim >= 0) {
      inside.tile.begin[dim] = begin;
      inside.tile.end[dim] = begin + (size - 1) * stride + 1;
    }
    if (dropped[d])
      continue;
    inside.at.push_back(distance / stride);
    inside.origin.push_back(begin);
    inside.dims.push_back(position.dims[d]);
  }
  position = std::move(inside);
  return true;
}

void Tracer::addPads(Conv2DOp conv, Tile &tile) {
  tile.pads.assign(conv.getPads().begin(), conv.getPads().end());
  auto pad = conv.getInput().getDefiningOp<tensor::PadOp>();
  if (!pad)
    return;
  auto low = index.evaluate(pad.getMixedLowPad());
  auto high = index.evaluate(pad.getMixedHighPad());
  if (!low || !high)
    return;
  for (unsigned axis = 0; axis < 2; ++axis) {
    tile.pads[axis] += (*low)[2 + axis];
    tile.pads[2 + axis] += (*high)[2 + axis];
  }
}

/// Looks for the last iteration that writes the element. Sets `done` where the
/// search ends here; else `number` is the init operand that holds it.
std::optional<Tile> Tracer::traceFor(scf::ForOp loop, unsigned &number,
                                     const Position &position, bool &done) {
  done = true;
  auto lower = index.evaluate(OpFoldResult(loop.getLowerBound()));
  auto upper = index.evaluate(OpFoldResult(loop.getUpperBound()));
  auto step = index.evaluate(OpFoldResult(loop.getStep()));
  if (!lower || !upper || !step || *step <= 0)
    return position.tile;
  int64_t trips = *upper <= *lower ? 0 : (*upper - *lower - 1) / *step + 1;
  for (int64_t trip = trips; trip-- > 0;) {
    index.bind(loop.getInductionVar(), *lower + trip * *step);
    Value yielded = loop.getYieldedValues()[number];
    if (std::optional<Tile> tile = trace(yielded, position))
      return tile;
    auto argument = cast<BlockArgument>(passedThrough);
    if (argument.getOwner() != loop.getBody())
      return std::nullopt; // of a loop further out
    number = argument.getArgNumber() - loop.getNumInductionVars();
  }
  done = false;
  return std::nullopt;
}

std::optional<Tile> Tracer::traceForall(scf::ForallOp loop, unsigned number,
                                        const Position &position, bool &done) {
  done = true;
  auto lower = index.evaluate(loop.getMixedLowerBound());
  auto upper = index.evaluate(loop.getMixedUpperBound());
  auto step = index.evaluate(loop.getMixedStep());
  if (!lower || !upper || !step ||
      !llvm::all_of(*step, [](int64_t s) { return s > 0; }))
    return position.tile;
  done = false;
  const size_t rank = lower->size();
  for (size_t d = 0; d < rank; ++d)
    if ((*lower)[d] >= (*upper)[d])
      return std::nullopt;
  SmallVector<int64_t> ivs(*lower);
  BlockArgument output = loop.getRegionIterArgs()[number];
  while (true) {
    for (auto [variable, value] : llvm::zip_equal(loop.getInductionVars(), ivs))
      index.bind(variable, value);
    for (Operation &op : loop.getTerminator().getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
      if (!insert || insert.getDest() != output)
        continue;
      Position inside = position;
      bool failed = false;
      done = true;
      if (enter(insert, insert.getSourceType(), insert.getDroppedDims(), inside,
                failed))
        return failed ? inside.tile : trace(insert.getSource(), inside);
      if (failed)
        return position.tile;
      done = false;
    }
    size_t d = rank;
    while (d-- > 0) {
      ivs[d] += (*step)[d];
      if (ivs[d] < (*upper)[d])
        break;
      ivs[d] = (*lower)[d];
      if (d == 0)
        return std::nullopt;
    }
    if (rank == 0)
      return std::nullopt;
  }
}

std::optional<Tile> Tracer::trace(Value value, Position position) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (isa<func::FuncOp>(argument.getOwner()->getParentOp()))
        return position.tile;
      passedThrough = argument;
      return std::nullopt;
    }
    Operation *op = value.getDefiningOp();
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      bool failed = false;
      if (enter(insert, insert.getSourceType(), insert.getDroppedDims(),
                position, failed))
        value = insert.getSource();
      else
        value = insert.getDest();
      if (failed)
        return position.tile;
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      auto offsets = index.evaluate(slice.getMixedOffsets());
      auto strides = index.evaluate(slice.getMixedStrides());
      if (!offsets || !strides ||
          !llvm::all_of(*strides, [](int64_t s) { return s == 1; }))
        return position.tile;
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      Position outside;
      outside.tile = position.tile;
      for (size_t d = 0, kept = 0; d < offsets->size(); ++d) {
        const bool keep = !dropped[d];
        outside.at.push_back((*offsets)[d] + (keep ? position.at[kept] : 0));
        outside.origin.push_back((keep ? position.origin[kept] : 0) -
                                 (*offsets)[d]);
        outside.dims.push_back(keep ? position.dims[kept] : -1);
        kept += keep;
      }
      position = std::move(outside);
      value = slice.getSource();
    } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      value = cast.getSource();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned number = llvm::cast<OpResult>(value).getResultNumber();
      bool done = false;
      std::optional<Tile> tile = traceFor(loop, number, position, done);
      if (done)
        return tile;
      value = loop.getInitArgs()[number];
    } else if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      unsigned number = llvm::cast<OpResult>(value).getResultNumber();
      bool done = false;
      std::optional<Tile> tile = traceForall(loop, number, position, done);
      if (done)
        return tile;
      value = loop.getOutputs()[number];
    } else {
      if (auto conv = dyn_cast<Conv2DOp>(op))
        addPads(conv, position.tile);
      return position.tile;
    }
  }
}

Tile top::findTile(func::FuncOp func, unsigned result,
                   ArrayRef<int64_t> coordinates, ArrayRef<int64_t> resultShape,
                   ArrayRef<SmallVector<int64_t>> argumentShapes) {
  Position position;
  position.at = SmallVector<int64_t>(coordinates);
  position.origin.assign(coordinates.size(), 0);
  position.dims = llvm::to_vector(llvm::seq<int64_t>(0, coordinates.size()));
  position.tile.begin.assign(coordinates.size(), 0);
  position.tile.end = SmallVector<int64_t>(resultShape);
  Tile whole = position.tile;
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return whole;
  Value value = func.getBody().front().getTerminator()->getOperand(result);
  Tracer tracer(argumentShapes);
  return tracer.trace(value, position).value_or(whole);
}

std::optional<double>
top::countProducts(func::FuncOp func,
                   ArrayRef<SmallVector<int64_t>> argumentShapes) {
  IndexEvaluator index(argumentShapes);
  double total = 0;
  WalkResult walk = func.walk([&](Operation *op) {
    if (!isa<Conv2DOp, MatMulOp>(op))
      return WalkResult::advance();
    double products = 1;
    auto times = [&](std::optional<int64_t> factor) {
      if (factor)
        products *= *factor;
      return factor.has_value();
    };
    Value result = op->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    bool known = true;
    if (auto conv = dyn_cast<Conv2DOp>(op)) {
      for (int64_t d = 0; d < type.getRank(); ++d)
        known &= times(index.extent(result, d));
      known &= times(conv.getFilterType().getNumElements() /
                     conv.getFilterType().getDimSize(0));
    } else {
      auto product = cast<MatMulOp>(op);
      if (product.isBatched())
        known &= times(index.extent(product.getLhs(), 0));
      known &= times(index.extent(product.getLhs(), product.getLhsDimM())) &&
               times(index.extent(product.getLhs(), product.getLhsDimK())) &&
               times(index.extent(product.getRhs(), product.getRhsDimN()));
    }
    for (Operation *parent = op->getParentOp(); parent != func;
         parent = parent->getParentOp()) {
      auto loop = dyn_cast<LoopLikeOpInterface>(parent);
      if (!loop)
        return WalkResult::interrupt();
      auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
           step = loop.getLoopSteps();
      if (!lower || !upper || !step)
        return WalkResult::interrupt();
      for (auto [l, u, s] : llvm::zip_equal(*lower, *upper, *step)) {
        auto first = index.evaluate(l), last = index.evaluate(u),
             stride = index.evaluate(s);
        if (!first || !last || !stride || *stride <= 0)
          return WalkResult::interrupt();
        products *=
            std::max<int64_t>(0, (*last - *first + *stride - 1) / *stride);
      }
    }
    total += products;
    return known ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return total;
}
