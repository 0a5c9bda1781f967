//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.MatMul to a named product of linalg and the epilogue behind it.
//
//   2-D                             matmul
//   batched                         batch_matmul
//   batched, rhs shared             batch_matmul whose map of rhs has no batch
//   batched, rhs shared and N x K   contract: batch_matmul refuses that map
//
// Transposes are in the indexing maps, so that no operand is ever copied.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "top/Dialect/Top/IR/RuntimeChecks.h"

using namespace mlir;
using namespace mlir::top;

/// Maps of lhs, rhs and result over the loops ([batch,] m, n, k).
static ArrayAttr getIndexingMaps(OpBuilder &b, MatMulOp op) {
  const unsigned batch = op.isBatched();
  AffineExpr m = b.getAffineDimExpr(batch);
  AffineExpr n = b.getAffineDimExpr(batch + 1);
  AffineExpr k = b.getAffineDimExpr(batch + 2);
  auto map = [&](bool hasBatch, AffineExpr row, AffineExpr column,
                 bool transpose) {
    SmallVector<AffineExpr> exprs = {row, column};
    if (transpose)
      std::swap(exprs[0], exprs[1]);
    if (hasBatch)
      exprs.insert(exprs.begin(), b.getAffineDimExpr(0));
    return AffineMap::get(batch + 3, 0, exprs, b.getContext());
  };
  return b.getAffineMapArrayAttr(
      {map(batch, m, k, op.getTransposeA()),
       map(op.getRhsType().getRank() == 3, k, n, op.getTransposeB()),
       map(batch, m, n, false)});
}

/// The sums, in the accumulator's type. The named op extends what it reads to
/// the type that it accumulates in.
static Value createProduct(OpBuilder &b, MatMulOp op, const LayerInfo &layer) {
  Location loc = op.getLoc();
  Value zeros = createZeros(b, loc, layer.resultShape, layer.accumulatorType);
  ValueRange inputs(op->getOperands().take_front(2));
  ArrayAttr maps = getIndexingMaps(b, op);
  NamedAttribute mapsAttr = b.getNamedAttr("indexing_maps", maps);
  const bool isShared = op.isBatched() && op.getRhsType().getRank() == 2;
  Operation *product;
  if (!op.isBatched())
    product = linalg::MatmulOp::create(b, loc, zeros.getType(), inputs, zeros,
                                       mapsAttr);
  else if (isShared && op.getTransposeB())
    product = linalg::ContractOp::create(b, loc, zeros.getType(), inputs, zeros,
                                         maps);
  else
    product = linalg::BatchMatmulOp::create(b, loc, zeros.getType(), inputs,
                                            zeros, mapsAttr);
  forwardAttributes(op, op.getAllowTf32(), product);
  return product->getResult(0);
}

namespace {

struct LowerMatMul : OpRewritePattern<MatMulOp> {
  using OpRewritePattern<MatMulOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MatMulOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<LayerInfo> layer = getLayerInfo(
        rewriter, op, /*channelDim=*/op.getResultType().getRank() - 1);
    if (failed(layer))
      return rewriter.notifyMatchFailure(op, "the result has no shape");
    emitRuntimeChecks(rewriter, op, layer->resultShape);

    // A sum over no K is zero.
    Value sums;
    if (op.getLhsType().getDimSize(op.getLhsDimK()) != 0 &&
        op.getRhsType().getDimSize(op.getRhsDimK()) != 0)
      sums = createProduct(rewriter, op, *layer);
    Value result = createResult(rewriter, *layer, sums);
    // Without a product, what is left of the op is its epilogue.
    if (Operation *epilogue = result.getDefiningOp(); epilogue && !sums)
      forwardAttributes(op, op.getAllowTf32(), epilogue);
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void top::populateMatMulToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMatMul>(patterns.getContext());
}
