//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-tile-to-blocks: a linalg product on tensors becomes an scf.forall over
// block tiles with a loop over K. What is decided (which loop is M, N, K, what
// can be fused) is read first; the rewrite then only writes.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPTILETOBLOCKSPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

namespace {

/// One operand of the product: [batch x] rows x cols.
struct Operand {
  Value tensor;
  bool hasBatch = false;
  bool transposed = false; ///< K x M of lhs, N x K of rhs
};

/// A scheduled op and what is fused with it.
struct BlockPlan {
  linalg::LinalgOp product; ///< null where nothing is multiplied
  Operand lhs, rhs;
  linalg::LinalgOp epilogue; ///< null if the accumulators are the result
  Value result;              ///< what the kernel computes
  bool isBatched = false;
  int64_t m, n, k = 0;
  Type accumulatorType;
};

} // namespace

static bool isZeroFill(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return false;
  Value value0 = fill.getInputs()[0];
  return matchPattern(value0, m_AnyZeroFloat()) ||
         matchPattern(value0, m_Zero());
}

static bool isElementwise(linalg::LinalgOp op) {
  return op.getNumLoops() == op.getNumParallelLoops() &&
         op.getNumDpsInits() == 1 && op.hasPureTensorSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         !op.hasIndexSemantics() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation(
               /*allowZeroInResults=*/
               true);
         });
}

/// Reads the operands of a product whose maps are [batch,] rows, columns, with
/// those of lhs and rhs in either order, and rhs with or without the batch.
static LogicalResult readProduct(linalg::LinalgOp op, BlockPlan &plan) {
  if (!linalg::isaContractionOpInterface(op) || op.getNumDpsInputs() != 2 ||
      op.getNumReductionLoops() != 1)
    return op.emitOpError("cannot be cut into block tiles: expected a matrix "
                          "product with one loop over K, or an elementwise op");
  auto getLoops = [&](OpOperand *operand) {
    // All maps of a contraction are projected permutations.
    return llvm::map_to_vector(op.getMatchingIndexingMap(operand).getResults(),
                               [](AffineExpr expr) {
                                 return cast<AffineDimExpr>(expr).getPosition();
                               });
  };
  SmallVector<unsigned> result = getLoops(op.getDpsInitOperand(0));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  const unsigned k = reductions.front();
  if ((result.size() != 2 && result.size() != 3) ||
      op.getNumLoops() != result.size() + 1)
    return op.emitOpError("cannot be cut into block tiles: expected a result "
                          "of M x N or batch x M x N, got ")
           << op->getResult(0).getType();
  plan.isBatched = result.size() == 3;
  const unsigned n = result.pop_back_val(), m = result.pop_back_val();

  auto read = [&](OpOperand *operand, unsigned row, unsigned col,
                  StringRef name, Operand &info) -> LogicalResult {
    SmallVector<unsigned> loops = getLoops(operand);
    info.tensor = operand->get();
    info.hasBatch = loops.size() == 3;
    ArrayRef<unsigned> matrix(loops);
    if (info.hasBatch && loops.front() == (plan.isBatched ? result[0] : ~0u))
      matrix = matrix.drop_front();
    info.transposed = matrix == ArrayRef({col, row});
    if (matrix == ArrayRef({row, col}) || info.transposed)
      return success();
    return op.emitOpError("cannot be cut into block tiles: expected '")
           << name << "' to be a matrix, or a batch of them in front, got map "
           << AffineMapAttr::get(op.getMatchingIndexingMap(operand));
  };
  if (failed(read(op.getDpsInputOperand(0), m, k, "lhs", plan.lhs)) ||
      failed(read(op.getDpsInputOperand(1), k, n, "rhs", plan.rhs)))
    return failure();

  Type lhs = getElementTypeOrSelf(plan.lhs.tensor);
  Type rhs = getElementTypeOrSelf(plan.rhs.tensor);
  if (lhs != rhs || !isTileElementType(lhs) || lhs.isInteger(32))
    return op.emitOpError("cannot be cut into block tiles: expected operands "
                          "of one type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 "
                          "or i8, got ")
           << lhs << " and " << rhs;
  plan.accumulatorType = getAccumulatorType(lhs);
  if (getElementTypeOrSelf(op->getResult(0)) != plan.accumulatorType)
    return op.emitOpError("cannot be cut into block tiles: expected sums in ")
           << plan.accumulatorType << ", got "
           << getElementTypeOrSelf(op->getResult(0));
  if (!isZeroFill(op.getDpsInits()[0]))
    return op.emitOpError("cannot be cut into block tiles: expected 'outs' to "
                          "be filled with 0");
  plan.product = op;
  plan.k = op.getStaticLoopRanges()[k];
  return success();
}

/// The elementwise op that is the only user of the product's result. One that
/// carries a schedule asks for a kernel of its own.
static linalg::LinalgOp findEpilogue(linalg::LinalgOp product) {
  Value result = product->getResult(0);
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.use_begin();
  auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!user || ScheduleAttr::getFrom(user) || !isElementwise(user) ||
      !user.isDpsInput(&use) ||
      !user.getMatchingIndexingMap(&use).isIdentity() ||
      user.payloadUsesValueFromOperand(user.getDpsInitOperand(0)))
    return {};
  return user;
}

static LogicalResult checkSchedule(linalg::LinalgOp op, ScheduleAttr schedule) {
  if (schedule.getEngine() != Engine::simt)
    return op.emitOpError("cannot be cut into block tiles: engine '")
           << stringifyEngine(schedule.getEngine())
           << "' has no kernels yet; use 'simt'";
  if (schedule.getClusterM() * schedule.getClusterN() != 1 ||
      schedule.getSplitK() != 1)
    return op.emitOpError("cannot be cut into block tiles: engine 'simt' takes "
                          "'cluster' = [1, 1] and 'split_k' = 1");
  return success();
}

static FailureOr<BlockPlan> planBlocks(linalg::LinalgOp op,
                                       ScheduleAttr schedule) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("cannot be cut into block tiles: expected tensors");
  if (failed(checkSchedule(op, schedule)))
    return failure();
  BlockPlan plan;
  if (isElementwise(op)) {
    Type type = getElementTypeOrSelf(op->getResult(0));
    if (!isTileElementType(type))
      return op.emitOpError("cannot be cut into block tiles: expected a "
                            "result of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, "
                            "i8 or i32, got ")
             << op->getResult(0).getType();
    plan.epilogue = op;
    plan.accumulatorType = getAccumulatorType(type);
    const unsigned rank = op.getNumLoops();
    if (rank != 2 && rank != 3)
      return op.emitOpError("cannot be cut into block tiles: expected a result "
                            "of M x N or batch x M x N, got ")
             << op->getResult(0).getType();
    plan.isBatched = rank == 3;
  } else {
    if (failed(readProduct(op, plan)))
      return failure();
    plan.epilogue = findEpilogue(op);
  }
  plan.result = (plan.epilogue ? plan.epilogue : op)->getResult(0);
  auto type = cast<RankedTensorType>(plan.result.getType());
  const char *names[] = {"batch", "M", "N"};
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      return op.emitOpError("cannot be cut into block tiles: ")
             << names[d + 3 - type.getRank()]
             << " is dynamic; GPU kernels are made for static sizes";
  if (ShapedType::isDynamic(plan.k))
    return op.emitOpError("cannot be cut into block tiles: K is dynamic; GPU "
                          "kernels are made for static sizes");
  plan.m = type.getDimSize(type.getRank() - 2);
  plan.n = type.getDimSize(type.getRank() - 1);
  return plan;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

/// Position and size of the tile along one axis.
struct TileRange {
  OpFoldResult offset, size;
};

class BlockWriter {
public:
  BlockWriter(RewriterBase &rewriter, const BlockPlan &plan,
              ScheduleAttr schedule)
      : b(rewriter), loc(plan.result.getLoc()), plan(plan), schedule(schedule) {
  }

  scf::ForallOp write();

private:
  TileRange getRange(Value iv, int64_t extent, int64_t tile);
  Value slice(Value tensor, ArrayRef<TileRange> ranges, bool dropBatch);
  Value load(const Operand &operand, TileRange row, TileRange col, int64_t rows,
             int64_t cols);
  Value multiply();
  Value store(Value tile, Value destination);
  Value sliceInput(Value tensor, AffineMap map, AffineMap &tileMap);

  RewriterBase &b;
  Location loc;
  BlockPlan plan;
  ScheduleAttr schedule;
  TileRange batch, m, n;
};

} // namespace

/// The size is static unless the last tile is smaller than the others.
TileRange BlockWriter::getRange(Value iv, int64_t extent, int64_t tile) {
  if (extent <= tile)
    return {iv, b.getIndexAttr(extent)};
  if (extent % tile == 0)
    return {iv, b.getIndexAttr(tile)};
  AffineExpr d0 = b.getAffineDimExpr(0);
  AffineMap map = AffineMap::get(
      1, 0, {b.getAffineConstantExpr(tile), extent - d0}, b.getContext());
  return {iv, affine::makeComposedFoldedAffineMin(b, loc, map, {iv})};
}

Value BlockWriter::slice(Value tensor, ArrayRef<TileRange> ranges,
                         bool dropBatch) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(ranges.size(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (auto [index, range] : llvm::enumerate(ranges)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
    if (!dropBatch || index != 0)
      shape.push_back(
          getConstantIntValue(range.size).value_or(ShapedType::kDynamic));
  }
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      offsets, sizes, strides);
}

Value BlockWriter::load(const Operand &operand, TileRange row, TileRange col,
                        int64_t rows, int64_t cols) {
  if (operand.transposed) {
    std::swap(row, col);
    std::swap(rows, cols);
  }
  SmallVector<TileRange> ranges = {row, col};
  if (operand.hasBatch)
    ranges.insert(ranges.begin(), batch);
  Value source = slice(operand.tensor, ranges, operand.hasBatch);
  Type type = getElementTypeOrSelf(source);
  return TileLoadOp::create(
      b, loc, TileType::get(b.getContext(), TileLevel::block, rows, cols, type),
      source);
}

/// The sums of the block's tile: zeros, and a loop over K.
Value BlockWriter::multiply() {
  const int64_t bm = schedule.getBlockM(), bn = schedule.getBlockN(),
                bk = schedule.getBlockK();
  auto type = TileType::get(b.getContext(), TileLevel::block, bm, bn,
                            plan.accumulatorType);
  Value zero = TileZeroOp::create(b, loc, type);
  if (!plan.product || plan.k == 0)
    return zero;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop = scf::ForOp::create(b, loc, constant(0), constant(plan.k),
                                 constant(bk), ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  TileRange k = getRange(loop.getInductionVar(), plan.k, bk);
  Value lhs = load(plan.lhs, m, k, bm, bk);
  Value rhs = load(plan.rhs, k, n, bk, bn);
  Value next =
      TileMmaOp::create(b, loc, type, lhs, rhs, loop.getRegionIterArg(0),
                        plan.lhs.transposed, plan.rhs.transposed);
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
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) { // a constant 0: broadcast
      offsets.push_back(b.getIndexAttr(0));
      sizes.push_back(b.getIndexAttr(1));
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

Value BlockWriter::store(Value tile, Value destination) {
  SmallVector<Value> inputs;
  SmallVector<Attribute> maps;
  SmallVector<Type> argTypes = {plan.accumulatorType};
  // Which argument of the store's region each input of the epilogue becomes; 0
  // is the accumulator.
  SmallVector<unsigned> positions;
  SmallVector<Value> scalars;
  if (plan.epilogue)
    for (OpOperand *operand : plan.epilogue.getDpsInputOperands()) {
      scalars.push_back(Value());
      positions.push_back(0);
      if (plan.product && operand->get() == plan.product->getResult(0))
        continue;
      if (!isa<RankedTensorType>(operand->get().getType())) {
        scalars.back() = operand->get();
        continue;
      }
      AffineMap map;
      inputs.push_back(sliceInput(
          operand->get(), plan.epilogue.getMatchingIndexingMap(operand), map));
      maps.push_back(AffineMapAttr::get(map));
      argTypes.push_back(getElementTypeOrSelf(operand->get()));
      positions.back() = inputs.size();
    }

  ArrayAttr mapsAttr = inputs.empty() ? ArrayAttr() : b.getArrayAttr(maps);
  auto op = TileStoreOp::create(b, loc, destination.getType(), tile,
                                destination, ValueRange(), inputs, mapsAttr,
                                b.getDenseI64ArrayAttr({1, 1}));
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&op.getBody());
  for (Type type : argTypes)
    body->addArgument(type, loc);
  if (!plan.epilogue) {
    YieldOp::create(b, loc, body->getArgument(0));
    return op.getResult();
  }
  IRMapping mapping;
  for (auto [index, arg] : llvm::enumerate(plan.epilogue.getRegionInputArgs()))
    mapping.map(arg, scalars[index] ? scalars[index]
                                    : body->getArgument(positions[index]));
  for (Operation &inner : plan.epilogue.getBlock()->without_terminator())
    b.clone(inner, mapping);
  Value yielded = plan.epilogue.getBlock()->getTerminator()->getOperand(0);
  YieldOp::create(b, loc, mapping.lookupOrDefault(yielded));
  return op.getResult();
}

scf::ForallOp BlockWriter::write() {
  MLIRContext *context = b.getContext();
  linalg::LinalgOp last = plan.epilogue ? plan.epilogue : plan.product;
  Value init = last.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0]; // the kernel starts from zeros by itself
  auto type = cast<RankedTensorType>(plan.result.getType());

  SmallVector<OpFoldResult> lower, upper, steps;
  SmallVector<Attribute> mapping;
  auto addLoop = [&](int64_t extent, int64_t step, gpu::MappingId id) {
    lower.push_back(b.getIndexAttr(0));
    upper.push_back(b.getIndexAttr(extent));
    steps.push_back(b.getIndexAttr(step));
    mapping.push_back(gpu::GPUBlockMappingAttr::get(context, id));
  };
  if (plan.isBatched)
    addLoop(type.getDimSize(0), 1, gpu::MappingId::DimZ);
  addLoop(plan.m, schedule.getBlockM(), gpu::MappingId::DimY);
  addLoop(plan.n, schedule.getBlockN(), gpu::MappingId::DimX);

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(last);
  auto forall = scf::ForallOp::create(
      b, loc, lower, upper, steps, ValueRange{init}, b.getArrayAttr(mapping));
  schedule.setOn(forall);
  b.setInsertionPointToStart(forall.getBody());
  ValueRange ivs = forall.getInductionVars();
  if (plan.isBatched)
    batch = {ivs.front(), b.getIndexAttr(1)};
  m = getRange(ivs[ivs.size() - 2], plan.m, schedule.getBlockM());
  n = getRange(ivs[ivs.size() - 1], plan.n, schedule.getBlockN());

  Value tile = multiply();
  SmallVector<TileRange> ranges = {m, n};
  if (plan.isBatched)
    ranges.insert(ranges.begin(), batch);
  Value destination = forall.getRegionIterArgs()[0];
  Value stored = store(tile, slice(destination, ranges, plan.isBatched));

  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<OpFoldResult> strides(ranges.size(), b.getIndexAttr(1));
  for (const TileRange &range : ranges) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  b.setInsertionPointToStart(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, stored, destination, offsets,
                                        sizes, strides);
  return forall;
}

SmallVector<scf::ForallOp> top::getKernels(Operation *root) {
  SmallVector<scf::ForallOp> kernels;
  root->walk([&](scf::ForallOp op) {
    if (ScheduleAttr::getFrom(op))
      kernels.push_back(op);
  });
  return kernels;
}

FailureOr<scf::ForallOp> top::tileToBlocks(RewriterBase &rewriter,
                                           linalg::LinalgOp op,
                                           ScheduleAttr schedule) {
  FailureOr<BlockPlan> plan = planBlocks(op, schedule);
  if (failed(plan))
    return failure();
  scf::ForallOp kernel = BlockWriter(rewriter, *plan, schedule).write();
  rewriter.replaceAllUsesWith(plan->result, kernel.getResult(0));
  if (plan->epilogue)
    rewriter.eraseOp(plan->epilogue);
  if (plan->product)
    rewriter.eraseOp(plan->product);
  return kernel;
}

namespace {

struct TopTileToBlocks
    : mlir::top::impl::TopTileToBlocksPassBase<TopTileToBlocks> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (ScheduleAttr::getFrom(op))
        ops.push_back(op);
    });
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    if (ops.empty())
      remark::missed(getOperation().getLoc(), remarkOpts("NoSchedule"))
          << remark::reason("no linalg op carries {0}",
                            ScheduleAttr::name.str());
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      ScheduleAttr schedule = ScheduleAttr::getFrom(op);
      FailureOr<scf::ForallOp> kernel = tileToBlocks(rewriter, op, schedule);
      if (failed(kernel))
        return signalPassFailure();
      int64_t blocks = 1;
      for (auto [extent, step] :
           llvm::zip(kernel->getStaticUpperBound(), kernel->getStaticStep()))
        blocks *= llvm::divideCeil(extent, step);
      remark::passed(kernel->getLoc(), remarkOpts("Blocks")) << remark::add(
          "{0} blocks of {1}x{2}, {3} along K a step", blocks,
          schedule.getBlockM(), schedule.getBlockN(), schedule.getBlockK());
    }
  }
};

} // namespace
