//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-vectorize-contractions: sums of products on buffers become loops over
// register tiles. All that the CPU spends its time on is in here.
//
// For a result whose last dimension is v (OW of a convolution, N of a product),
// contiguous in memory, and another dimension u (F, M) that the operand read
// along v does not have:
//
//   for outer..., v in blocks, u in blocks, inner...:
//     acc[i][j] = result[u + i][v + j*lanes]          registers
//     for reduction...:
//       a[j] = operand0[v + j*lanes]                  a vector, used by every i
//       acc[i][j] += broadcast operand1[u + i] * a[j]
//     result[...] = acc
//
// Each result element is summed in the order of the reduction loops, as it
// would be one by one. Products and sums are marked 'contract' and nothing
// else, so that they become FMAs where the CPU has them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPVECTORIZECONTRACTIONSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

static constexpr StringLiteral kCategory = "top-vectorize-contractions";
/// Vectors of one result row in a register tile, and rows.
static constexpr int64_t kMaxVectors = 4, kMaxRows = 8;
/// Registers for accumulators: AVX-512 has 32 vector registers, narrower
/// extensions of x86 have 16; the rest holds operands.
static constexpr int64_t kAccumulators512 = 24, kAccumulators = 12;
/// Below so many uses of each element, copying an operand costs more than it
/// gives.
static constexpr int64_t kMinRowsToPack = 2 * kMaxRows;

namespace {

/// An input of the contraction.
struct Input {
  Value memref;
  AffineMap map;
  bool alongV = false;       ///< differs from lane to lane
  bool isContiguous = false; ///< neighbouring lanes are neighbours in memory
  bool isStride2 = false;    ///< every second element in memory
  bool isPacked = false;     ///< copied into a dense panel for each block of v
};

/// One vector of a register tile: `lanes` wide, the first `valid` exist.
struct Lanes {
  int64_t offset, lanes, valid;
  bool isFull() const { return lanes == valid; }
};

/// A stretch of a dimension that is cut into equal blocks.
struct Segment {
  OpFoldResult begin, end;
  int64_t step;
  SmallVector<Lanes> vectors; ///< of v
};

/// The plan and the emission of one contraction.
class Contraction {
public:
  Contraction(OpBuilder &builder, linalg::LinalgOp op, int64_t vectorBits)
      : b(builder), loc(op.getLoc()), op(op), vectorBits(vectorBits) {}

  /// Fills in the plan; a reason where the op is not of this kind.
  std::optional<StringRef> match();
  void emit();
  /// For a remark.
  int64_t getRows() const { return rows; }
  int64_t getNumVectors() const { return numVectors; }
  int64_t getLanes() const { return fullLanes; }
  bool hasPanel() const { return inputs[0].isPacked || inputs[1].isPacked; }

private:
  bool matchBody();
  void analyzeInput(Input &input);
  void choosePacking();
  SmallVector<Segment> cutVectorDim();
  SmallVector<Segment> cutRowDim();

  Value index(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }
  Value add(Value value, int64_t offset);
  SmallVector<Value> indices(const AffineMap &map, int64_t row, int64_t lane);
  Value extend(Value value);
  Value multiplyAdd(Value x, Value y, Value sum);
  Value loadScalar(const Input &input, int64_t row, int64_t lane);
  Value loadVector(const Input &input, int64_t row, const Lanes &lanes);
  Value loadFromMemory(const Input &input, int64_t row, const Lanes &lanes);
  Value mask(const Lanes &lanes);

  void forEach(OpFoldResult begin, OpFoldResult end, int64_t step, unsigned dim,
               function_ref<void()> body);
  void emitOuter(ArrayRef<unsigned> dims, function_ref<void()> body);
  void emitPack(const Segment &segment);
  void emitBlock(const Segment &segment, int64_t numRows);
  SmallVector<Value> emitReduction(ArrayRef<unsigned> dims,
                                   const Segment &segment, int64_t numRows,
                                   SmallVector<Value> accumulators);

  OpBuilder &b;
  Location loc;
  linalg::LinalgOp op;
  int64_t vectorBits;

  Input inputs[2];
  Value output;
  AffineMap outputMap;
  Type type; ///< of the accumulators
  unsigned v = 0;
  std::optional<unsigned> u;
  SmallVector<unsigned> outer, inner, reductions; ///< other loops
  int64_t rows = 1, fullLanes = 1, numVectors = 1;

  SmallVector<OpFoldResult> extents; ///< of the loops
  SmallVector<Value> ivs;            ///< of the loops, where we are
  Value panel;                       ///< of the packed input
};

} // namespace

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

template <typename AddOp, typename MulOp, typename ExtendOp>
static bool isSumOfProducts(Block *body) {
  auto sum = body->getTerminator()->getOperand(0).getDefiningOp<AddOp>();
  if (!sum)
    return false;
  Value product = sum.getLhs(), accumulator = sum.getRhs();
  if (!product.getDefiningOp<MulOp>())
    std::swap(product, accumulator);
  auto mul = product.getDefiningOp<MulOp>();
  if (!mul || accumulator != body->getArgument(2))
    return false;
  auto strip = [](Value value) {
    auto extend = value.getDefiningOp<ExtendOp>();
    return extend ? extend.getIn() : value;
  };
  Value a = strip(mul.getLhs()), c = strip(mul.getRhs());
  return (a == body->getArgument(0) && c == body->getArgument(1)) ||
         (a == body->getArgument(1) && c == body->getArgument(0));
}

/// out + a * b, a and b perhaps extended to the type of the sum.
bool Contraction::matchBody() {
  Block *body = op.getBlock();
  return isSumOfProducts<arith::AddFOp, arith::MulFOp, arith::ExtFOp>(body) ||
         isSumOfProducts<arith::AddIOp, arith::MulIOp, arith::ExtSIOp>(body);
}

static bool isContiguousInLastDim(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

/// What v does to the indices of `input`.
void Contraction::analyzeInput(Input &input) {
  unsigned numExprs = 0;
  for (AffineExpr expr : input.map.getResults())
    numExprs += expr.isFunctionOfDim(v);
  input.alongV = numExprs != 0;
  if (numExprs != 1 || !isContiguousInLastDim(input.memref))
    return;
  // last(v + 1) - last(v), a constant where the index is linear in v.
  AffineExpr last = input.map.getResults().back();
  AffineExpr dim = b.getAffineDimExpr(v);
  AffineExpr step =
      simplifyAffineExpr(last.replace(dim, dim + 1) - last,
                         input.map.getNumDims(), input.map.getNumSymbols());
  if (auto constant = dyn_cast<AffineConstantExpr>(step)) {
    input.isContiguous = constant.getValue() == 1;
    input.isStride2 = constant.getValue() == 2;
  }
}

/// A matrix that many rows of the result need is copied into a dense panel for
/// each block of v: rows of a power of two elements would fall into the same
/// few sets of the cache, and lanes that are apart in memory come together once
/// instead of for each row.
void Contraction::choosePacking() {
  if (!u)
    return;
  std::optional<int64_t> rowExtent = getConstantIntValue(extents[*u]);
  if (rowExtent && *rowExtent < kMinRowsToPack)
    return;
  for (Input &input : inputs) {
    if (!input.alongV || !input.map.isProjectedPermutation())
      continue;
    if (llvm::none_of(
            inner,
            [&](unsigned dim) { return input.map.isFunctionOfDim(dim); }) &&
        !input.map.isFunctionOfDim(*u)) {
      input.isPacked = true;
      return;
    }
  }
}

std::optional<StringRef> Contraction::match() {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op->getNumResults() != 0)
    return "expected two inputs and one result, all buffers";
  output = op.getDpsInits()[0];
  outputMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  type = getElementTypeOrSelf(output.getType());
  if (!type.isF32() && !type.isF64() && !type.isSignlessInteger(32))
    return "expected a result of f32, f64 or i32";
  if (!matchBody())
    return "expected a sum of products";
  if (outputMap.getNumResults() == 0 || !outputMap.isProjectedPermutation() ||
      !isContiguousInLastDim(output))
    return "expected a result that is contiguous in its last dimension";
  v = outputMap.getDimPosition(outputMap.getNumResults() - 1);
  for (unsigned i = 0; i < 2; ++i) {
    OpOperand *operand = op.getDpsInputOperand(i);
    if (!isa<MemRefType>(operand->get().getType()))
      return "expected inputs that are buffers";
    inputs[i].memref = operand->get();
    inputs[i].map = op.getMatchingIndexingMap(operand);
    analyzeInput(inputs[i]);
  }
  if (!inputs[0].alongV && !inputs[1].alongV)
    return "expected an input that varies along the last dimension";

  for (Range range : op.createLoopRanges(b, loc))
    extents.push_back(range.size);
  ivs.resize(extents.size());
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto isUsedAlongV = [&](unsigned dim) {
    return llvm::any_of(inputs, [&](const Input &input) {
      return input.alongV && input.map.isFunctionOfDim(dim);
    });
  };
  // The last such dimension: where there are several, it is the cheapest to
  // step along.
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    if (dim != v && kinds[dim] == utils::IteratorType::parallel &&
        !isUsedAlongV(dim))
      u = dim;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (kinds[dim] == utils::IteratorType::reduction)
      reductions.push_back(dim);
    else if (dim != v && dim != u)
      // Inside u goes what reads the same filter again.
      (u && dim > *u ? inner : outer).push_back(dim);
  }

  // The register tile.
  fullLanes = std::max<int64_t>(1, vectorBits / type.getIntOrFloatBitWidth());
  std::optional<int64_t> extent = getConstantIntValue(extents[v]);
  numVectors = 2;
  if (extent)
    numVectors = std::clamp<int64_t>(llvm::divideCeil(*extent, fullLanes), 1,
                                     kMaxVectors);
  const int64_t budget = vectorBits >= 512 ? kAccumulators512 : kAccumulators;
  if (u)
    rows = std::min<int64_t>(kMaxRows,
                             llvm::bit_floor<uint64_t>(budget / numVectors));
  choosePacking();
  return std::nullopt;
}

SmallVector<Segment> Contraction::cutVectorDim() {
  auto vectors = [&](int64_t valid) {
    SmallVector<Lanes> result;
    for (int64_t at = 0; at < valid; at += fullLanes) {
      const int64_t rest = std::min(fullLanes, valid - at);
      result.push_back(
          {at, static_cast<int64_t>(llvm::PowerOf2Ceil(rest)), rest});
    }
    return result;
  };
  const int64_t block = numVectors * fullLanes;
  SmallVector<Segment> segments;
  OpFoldResult zero = b.getIndexAttr(0), end = extents[v];
  if (std::optional<int64_t> extent = getConstantIntValue(end)) {
    const int64_t whole = *extent / block * block;
    if (whole > 0)
      segments.push_back({zero, b.getIndexAttr(whole), block, vectors(block)});
    if (whole < *extent)
      segments.push_back(
          {b.getIndexAttr(whole), end, block, vectors(*extent - whole)});
    return segments;
  }
  // Blocks, then vectors, then elements.
  OpFoldResult begin = zero;
  for (int64_t step : {block, fullLanes, int64_t(1)}) {
    if (!segments.empty() && segments.back().step == step)
      continue;
    OpFoldResult until = end;
    if (step != 1)
      until = affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineSymbolExpr(0).floorDiv(step) * step, {end});
    segments.push_back({begin, until, step, vectors(step)});
    begin = until;
  }
  return segments;
}

SmallVector<Segment> Contraction::cutRowDim() {
  OpFoldResult zero = b.getIndexAttr(0);
  if (!u)
    return {{zero, b.getIndexAttr(1), 1, {}}};
  OpFoldResult end = extents[*u];
  SmallVector<Segment> segments;
  OpFoldResult whole = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).floorDiv(rows) * rows, {end});
  if (!isConstantIntValue(whole, 0))
    segments.push_back({zero, whole, rows, {}});
  std::optional<int64_t> extent = getConstantIntValue(end);
  const int64_t rest = extent ? *extent % rows : 1;
  if (rest != 0 && !(rows == 1 && !extent))
    segments.push_back({whole, end, rest, {}});
  return segments;
}

//===----------------------------------------------------------------------===//
// Reading the inputs
//===----------------------------------------------------------------------===//

Value Contraction::add(Value value, int64_t offset) {
  return index(affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0) + offset, {value}));
}

/// The element of `map` for result row `row` and column `lane` of the tile.
SmallVector<Value> Contraction::indices(const AffineMap &map, int64_t row,
                                        int64_t lane) {
  SmallVector<OpFoldResult> dims;
  for (auto [dim, iv] : llvm::enumerate(ivs)) {
    const int64_t offset = dim == v ? lane : dim == u ? row : 0;
    // Loops that are not open do not occur in the map.
    dims.push_back(iv ? OpFoldResult(offset ? add(iv, offset) : iv)
                      : OpFoldResult(b.getIndexAttr(0)));
  }
  SmallVector<Value> result;
  for (AffineExpr expr : map.getResults())
    result.push_back(index(affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(map.getNumDims(), 0, expr), dims)));
  return result;
}

/// `value` in the type of the accumulators.
Value Contraction::extend(Value value) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == type)
    return value;
  Type to = type;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    to = vector.clone(type);
  if (isa<IntegerType>(type))
    return arith::ExtSIOp::create(b, loc, to, value);
  return arith::ExtFOp::create(b, loc, to, value);
}

Value Contraction::multiplyAdd(Value x, Value y, Value sum) {
  if (isa<IntegerType>(type))
    return arith::AddIOp::create(b, loc, sum,
                                 arith::MulIOp::create(b, loc, x, y));
  auto fast = arith::FastMathFlagsAttr::get(b.getContext(),
                                            arith::FastMathFlags::contract);
  Value product = arith::MulFOp::create(b, loc, x, y, fast);
  return arith::AddFOp::create(b, loc, sum, product, fast);
}

Value Contraction::mask(const Lanes &lanes) {
  SmallVector<bool> bits(lanes.lanes, false);
  std::fill_n(bits.begin(), lanes.valid, true);
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(VectorType::get(lanes.lanes, b.getI1Type()),
                             ArrayRef<bool>(bits)));
}

Value Contraction::loadScalar(const Input &input, int64_t row, int64_t lane) {
  return memref::LoadOp::create(b, loc, input.memref,
                                indices(input.map, row, lane));
}

/// The lanes of `input`, which varies along v; those that do not exist are 0.
Value Contraction::loadFromMemory(const Input &input, int64_t row,
                                  const Lanes &lanes) {
  Type element = getElementTypeOrSelf(input.memref.getType());
  auto vector = VectorType::get(lanes.lanes, element);
  SmallVector<Value> start = indices(input.map, row, lanes.offset);
  if (input.isContiguous && lanes.isFull())
    return extend(vector::LoadOp::create(b, loc, vector, input.memref, start));
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
  if (input.isContiguous)
    return extend(vector::MaskedLoadOp::create(b, loc, vector, input.memref,
                                               start, mask(lanes), zeros));
  if (input.isStride2 && lanes.isFull() && lanes.lanes > 1) {
    // Elements 0 .. n-1 and n-1 .. 2n-2, none behind the last that is needed.
    const int64_t n = lanes.lanes;
    Value low = vector::LoadOp::create(b, loc, vector, input.memref, start);
    start.back() = add(start.back(), n - 1);
    Value high = vector::LoadOp::create(b, loc, vector, input.memref, start);
    SmallVector<int64_t> even;
    for (int64_t i = 0; i < n; ++i)
      even.push_back(2 * i < n ? 2 * i : 2 * i + 1);
    return extend(vector::ShuffleOp::create(b, loc, low, high, even));
  }
  SmallVector<Value> elements(
      lanes.lanes, arith::ConstantOp::create(b, loc, b.getZeroAttr(element)));
  for (int64_t i = 0; i < lanes.valid; ++i)
    elements[i] = loadScalar(input, row, lanes.offset + i);
  return extend(vector::FromElementsOp::create(b, loc, vector, elements));
}

Value Contraction::loadVector(const Input &input, int64_t row,
                              const Lanes &lanes) {
  auto vector = VectorType::get(lanes.lanes, type);
  if (!input.alongV)
    return vector::BroadcastOp::create(
        b, loc, vector, extend(loadScalar(input, row, /*lane=*/0)));
  if (!input.isPacked)
    return loadFromMemory(input, row, lanes);
  SmallVector<Value> at;
  for (unsigned dim : reductions)
    if (input.map.isFunctionOfDim(dim))
      at.push_back(ivs[dim]);
  at.push_back(index(b.getIndexAttr(lanes.offset)));
  return vector::LoadOp::create(b, loc, vector, panel, at);
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// A loop over `dim`, or what is in it where it runs once.
void Contraction::forEach(OpFoldResult begin, OpFoldResult end, int64_t step,
                          unsigned dim, function_ref<void()> body) {
  std::optional<int64_t> from = getConstantIntValue(begin),
                         to = getConstantIntValue(end);
  if (from && to && *from < *to && *to - *from <= step) {
    ivs[dim] = index(begin);
    body();
  } else {
    OpBuilder::InsertionGuard guard(b);
    auto loop = scf::ForOp::create(b, loc, index(begin), index(end),
                                   index(b.getIndexAttr(step)));
    b.setInsertionPointToStart(loop.getBody());
    ivs[dim] = loop.getInductionVar();
    body();
  }
  ivs[dim] = nullptr;
}

void Contraction::emitOuter(ArrayRef<unsigned> dims,
                            function_ref<void()> body) {
  if (dims.empty())
    return body();
  forEach(b.getIndexAttr(0), extents[dims.front()], 1, dims.front(),
          [&] { emitOuter(dims.drop_front(), body); });
}

/// Fills the panel for the block of v that we are at.
void Contraction::emitPack(const Segment &segment) {
  for (Input &input : inputs) {
    if (!input.isPacked)
      continue;
    SmallVector<unsigned> dims;
    for (unsigned dim : reductions)
      if (input.map.isFunctionOfDim(dim))
        dims.push_back(dim);
    emitOuter(dims, [&] {
      for (const Lanes &lanes : segment.vectors) {
        SmallVector<Value> at;
        for (unsigned dim : dims)
          at.push_back(ivs[dim]);
        at.push_back(index(b.getIndexAttr(lanes.offset)));
        vector::StoreOp::create(b, loc, loadFromMemory(input, 0, lanes), panel,
                                at);
      }
    });
  }
}

SmallVector<Value> Contraction::emitReduction(ArrayRef<unsigned> dims,
                                              const Segment &segment,
                                              int64_t numRows,
                                              SmallVector<Value> accumulators) {
  if (!dims.empty()) {
    auto loop = scf::ForOp::create(b, loc, index(b.getIndexAttr(0)),
                                   index(extents[dims.front()]),
                                   index(b.getIndexAttr(1)), accumulators);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ivs[dims.front()] = loop.getInductionVar();
    SmallVector<Value> sums =
        emitReduction(dims.drop_front(), segment, numRows,
                      llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
    scf::YieldOp::create(b, loc, sums);
    ivs[dims.front()] = nullptr;
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  const int64_t numVectors = segment.vectors.size();
  // Vectors that do not depend on the row are read once.
  SmallVector<SmallVector<Value>> shared(2);
  for (unsigned i = 0; i < 2; ++i)
    if (inputs[i].alongV && !(u && inputs[i].map.isFunctionOfDim(*u)))
      for (const Lanes &lanes : segment.vectors)
        shared[i].push_back(loadVector(inputs[i], 0, lanes));
  for (int64_t row = 0; row < numRows; ++row) {
    Value scalars[2]; // read once, spread to vectors of any width
    for (unsigned i = 0; i < 2; ++i)
      if (!inputs[i].alongV)
        scalars[i] = extend(loadScalar(inputs[i], row, 0));
    for (int64_t j = 0; j < numVectors; ++j) {
      const Lanes &lanes = segment.vectors[j];
      Value factors[2];
      for (unsigned i = 0; i < 2; ++i) {
        if (scalars[i])
          factors[i] = vector::BroadcastOp::create(
              b, loc, VectorType::get(lanes.lanes, type), scalars[i]);
        else if (!shared[i].empty())
          factors[i] = shared[i][j];
        else
          factors[i] = loadVector(inputs[i], row, lanes);
      }
      Value &sum = accumulators[row * numVectors + j];
      sum = multiplyAdd(factors[0], factors[1], sum);
    }
  }
  return accumulators;
}

/// The register tile at the current place: read, sum up, write back.
void Contraction::emitBlock(const Segment &segment, int64_t numRows) {
  Input result;
  result.memref = output;
  result.map = outputMap;
  result.isContiguous = true;
  SmallVector<Value> accumulators;
  for (int64_t row = 0; row < numRows; ++row)
    for (const Lanes &lanes : segment.vectors)
      accumulators.push_back(loadFromMemory(result, row, lanes));
  accumulators =
      emitReduction(reductions, segment, numRows, std::move(accumulators));
  auto next = accumulators.begin();
  for (int64_t row = 0; row < numRows; ++row)
    for (const Lanes &lanes : segment.vectors) {
      SmallVector<Value> at = indices(outputMap, row, lanes.offset);
      if (lanes.isFull())
        vector::StoreOp::create(b, loc, *next++, output, at);
      else
        vector::MaskedStoreOp::create(b, loc, output, at, mask(lanes), *next++);
    }
}

void Contraction::emit() {
  for (const Input &input : inputs)
    if (input.isPacked) {
      SmallVector<OpFoldResult> sizes;
      for (unsigned dim : reductions)
        if (input.map.isFunctionOfDim(dim))
          sizes.push_back(extents[dim]);
      sizes.push_back(b.getIndexAttr(numVectors * fullLanes));
      SmallVector<int64_t> shape;
      SmallVector<Value> dynamic;
      dispatchIndexOpFoldResults(sizes, dynamic, shape);
      panel = memref::AllocOp::create(b, loc, MemRefType::get(shape, type),
                                      dynamic, b.getI64IntegerAttr(64));
    }
  emitOuter(outer, [&] {
    for (const Segment &segment : cutVectorDim())
      forEach(segment.begin, segment.end, segment.step, v, [&] {
        emitPack(segment);
        for (const Segment &rowSegment : cutRowDim()) {
          auto block = [&] {
            emitOuter(inner, [&] { emitBlock(segment, rowSegment.step); });
          };
          if (u)
            forEach(rowSegment.begin, rowSegment.end, rowSegment.step, *u,
                    block);
          else
            block();
        }
      });
  });
  if (panel)
    memref::DeallocOp::create(b, loc, panel);
  op.erase();
}

namespace {

struct TopVectorizeContractionsPass
    : top::impl::TopVectorizeContractionsPassBase<
          TopVectorizeContractionsPass> {
  using TopVectorizeContractionsPassBase::TopVectorizeContractionsPassBase;
  void runOnOperation() override {
    if (vectorBits < 64 || !llvm::isPowerOf2_64(vectorBits)) {
      getOperation().emitError("expected 'vector-bits' to be a power of two of "
                               "at least 64, got ")
          << vectorBits.getValue();
      return signalPassFailure();
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0)
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      OpBuilder builder(op);
      Contraction contraction(builder, op, vectorBits);
      remark::RemarkOpts opts = remark::RemarkOpts::name("Contraction")
                                    .category(kCategory)
                                    .function(getOperation().getName());
      if (std::optional<StringRef> reason = contraction.match()) {
        remark::missed(op.getLoc(), opts)
            << remark::reason("left to scalar loops: {0}", *reason);
        continue;
      }
      remark::passed(op.getLoc(), opts)
          << remark::add("{0} x {1} vectors of {2} lanes in registers{3}",
                         contraction.getRows(), contraction.getNumVectors(),
                         contraction.getLanes(),
                         contraction.hasPanel() ? ", one operand packed" : "");
      contraction.emit();
    }
  }
};

} // namespace
