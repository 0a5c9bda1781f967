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
// can be fused) is read here; BlockWriter.cpp then only writes.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

bool top::isZeroFill(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return false;
  Value filled = fill.getInputs()[0];
  return matchPattern(filled, m_AnyZeroFloat()) ||
         matchPattern(filled, m_Zero());
}

bool top::isElementwise(linalg::LinalgOp op) {
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
                  StringRef name, ProductOperand &info) -> LogicalResult {
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

linalg::LinalgOp top::findEpilogue(Value sums) {
  if (!sums.hasOneUse())
    return {};
  OpOperand &use = *sums.use_begin();
  auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!user || ScheduleAttr::getFrom(user) || !isElementwise(user) ||
      !user.isDpsInput(&use) ||
      !user.getMatchingIndexingMap(&use).isIdentity() ||
      user.payloadUsesValueFromOperand(user.getDpsInitOperand(0)))
    return {};
  return user;
}

static LogicalResult checkSchedule(linalg::LinalgOp op, ScheduleAttr schedule) {
  if (schedule.getEngine() == Engine::wgmma)
    return op.emitOpError("cannot be cut into block tiles: engine '")
           << stringifyEngine(schedule.getEngine())
           << "' has no kernels yet; use 'simt' or 'mma_sync'";
  if (schedule.getClusterM() * schedule.getClusterN() != 1)
    return op.emitOpError("cannot be cut into block tiles: engine '")
           << stringifyEngine(schedule.getEngine())
           << "' takes 'cluster' = [1, 1]";
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
    if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return op.emitOpError("cannot be cut into block tiles: expected an "
                            "elementwise op that does not read 'outs'");
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
    plan.epilogue = findEpilogue(op->getResult(0));
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
  if (plan.product)
    plan.parts = KParts(schedule, plan.k);
  return plan;
}

SmallVector<scf::ForallOp> top::getKernels(Operation *root) {
  SmallVector<scf::ForallOp> kernels;
  root->walk([&](scf::ForallOp op) {
    if (ScheduleAttr::getFrom(op))
      kernels.push_back(op);
  });
  return kernels;
}

FailureOr<SmallVector<scf::ForallOp>> top::tileToBlocks(RewriterBase &rewriter,
                                                        linalg::LinalgOp op,
                                                        ScheduleAttr schedule) {
  if (schedule.getEngine() == Engine::direct) {
    FailureOr<scf::ForallOp> kernel = directToBlocks(rewriter, op, schedule);
    if (failed(kernel))
      return failure();
    return SmallVector<scf::ForallOp>{*kernel};
  }
  if (isElementwise(op) && op.getNumLoops() > 3) {
    FailureOr<scf::ForallOp> kernel = elementwiseToBlocks(rewriter, op);
    if (failed(kernel))
      return failure();
    return SmallVector<scf::ForallOp>{*kernel};
  }
  if (isConvolution(op)) {
    if (failed(checkSchedule(op, schedule)))
      return failure();
    return convToBlocks(rewriter, op, schedule);
  }
  FailureOr<BlockPlan> plan = planBlocks(op, schedule);
  if (failed(plan))
    return failure();
  SmallVector<scf::ForallOp> kernels = writeBlocks(rewriter, *plan, schedule);
  rewriter.replaceAllUsesWith(plan->result, kernels.back().getResult(0));
  if (plan->epilogue)
    rewriter.eraseOp(plan->epilogue);
  if (plan->product)
    rewriter.eraseOp(plan->product);
  return kernels;
}

static int64_t countBlocks(scf::ForallOp kernel) {
  int64_t blocks = 1;
  for (auto [extent, step] :
       llvm::zip(kernel.getStaticUpperBound(), kernel.getStaticStep()))
    blocks *= llvm::divideCeil(extent, step);
  return blocks;
}

static void remarkElementwise(scf::ForallOp kernel, remark::RemarkOpts opts) {
  ScheduleAttr used = ScheduleAttr::getFrom(kernel);
  remark::passed(kernel.getLoc(), opts) << remark::add(
      "{0} blocks of {1}x{2}, {3} columns side by side a thread, in {4} rows",
      countBlocks(kernel), used.getBlockM(), used.getBlockN(),
      used.getThreadN(), used.getThreadM());
}

/// Whether an elementwise op without a schedule needs a kernel of its own: it
/// has static sizes, and is not what another op of linalg writes over.
static bool isRest(linalg::LinalgOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return !op->getParentOfType<scf::ForallOp>() && type &&
         type.hasStaticShape() && type.getRank() >= 2 &&
         isTileElementType(type.getElementType()) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         !op->use_empty() && llvm::none_of(op->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return user && user.isDpsInit(&use);
         });
}

namespace {

struct TopTileToBlocks
    : mlir::top::impl::TopTileToBlocksPassBase<TopTileToBlocks> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    SmallVector<linalg::PackOp> packs;
    getOperation().walk([&](Operation *op) {
      if (!ScheduleAttr::getFrom(op))
        return;
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        ops.push_back(linalgOp);
      else if (auto pack = dyn_cast<linalg::PackOp>(op))
        packs.push_back(pack);
    });
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    if (ops.empty() && packs.empty())
      remark::missed(getOperation().getLoc(), remarkOpts("NoSchedule"))
          << remark::reason("no linalg op carries {0}",
                            ScheduleAttr::name.str());
    IRRewriter rewriter(&getContext());
    for (linalg::PackOp op : packs) {
      FailureOr<scf::ForallOp> kernel = packToBlocks(rewriter, op);
      if (failed(kernel))
        return signalPassFailure();
      ArrayRef<int64_t> box = ScheduleAttr::getFrom(*kernel).getBox();
      auto packed = cast<ShapedType>(kernel->getResult(0).getType());
      const int64_t channels =
          std::min(packed.getShape().back(), kernel->getStaticStep().back());
      remark::passed(kernel->getLoc(), remarkOpts("PackBlocks"))
          << remark::add("{0} blocks of {1}x{2} pixels and {3} channels, {4} "
                         "bytes each",
                         countBlocks(*kernel), box[1], box[2], channels,
                         box[1] * box[2] * channels *
                             getElementBytes(packed.getElementType()));
    }
    for (linalg::LinalgOp op : ops) {
      ScheduleAttr schedule = ScheduleAttr::getFrom(op);
      FailureOr<SmallVector<scf::ForallOp>> kernels =
          tileToBlocks(rewriter, op, schedule);
      if (failed(kernels))
        return signalPassFailure();
      for (scf::ForallOp kernel : *kernels) {
        ScheduleAttr used = ScheduleAttr::getFrom(kernel);
        bool multiplies = false;
        kernel.walk([&](TileMmaOp) { multiplies = true; });
        if (used.getEngine() == Engine::direct) {
          kernel.walk([&](TileLoadOp load) {
            remark::passed(kernel.getLoc(), remarkOpts("DirectBlocks"))
                << remark::add("{0} blocks, each of {1} channels and {2} "
                               "threads; {3} elements of the input a step",
                               countBlocks(kernel), used.getBlockM(),
                               used.getNumThreads(),
                               load.getType().getRows() *
                                   load.getType().getCols());
          });
          continue;
        }
        if (!multiplies) {
          remarkElementwise(kernel, remarkOpts("ElementwiseBlocks"));
          continue;
        }
        remark::passed(kernel.getLoc(), remarkOpts("Blocks")) << remark::add(
            "{0} blocks of {1}x{2}, {3} along K a step", countBlocks(kernel),
            used.getBlockM(), used.getBlockN(), used.getBlockK());
      }
      if (kernels->size() == 2) {
        auto space = cast<ShapedType>(kernels->front().getResult(0).getType());
        remark::passed(kernels->front().getLoc(), remarkOpts("SplitK"))
            << remark::add("{0} parts of K, {1} bytes of workspace",
                           space.getDimSize(0),
                           space.getNumElements() *
                               getElementBytes(space.getElementType()));
      }
    }
    // What no kernel has taken in: tiles that lie in padding, for one.
    SmallVector<linalg::LinalgOp> rest;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isElementwise(op) && isRest(op))
        rest.push_back(op);
    });
    for (linalg::LinalgOp op : rest) {
      FailureOr<scf::ForallOp> kernel = elementwiseToBlocks(rewriter, op);
      if (failed(kernel))
        return signalPassFailure();
      remarkElementwise(*kernel, remarkOpts("ElementwiseBlocks"));
    }
  }
};

} // namespace
