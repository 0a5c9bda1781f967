//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three cuts: a function returns early, a computation becomes tensor.empty, a
// layer op loses its bias and epilogue. Together they take a network apart down
// to the op that matters.
//
//===----------------------------------------------------------------------===//

#include "ReductionPatterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Transforms/RegionUtils.h"
#include "top/Dialect/Top/IR/Top.h"

using namespace mlir;
using namespace mlir::top;

/// The function behind `op` returns its result and nothing else; what comes
/// after it is then dead.
static LogicalResult returnEarly(Operation *op, RewriterBase &rewriter) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  auto end = dyn_cast_or_null<func::ReturnOp>(
      op->getBlock()->mightHaveTerminator() ? op->getBlock()->getTerminator()
                                            : nullptr);
  if (!function || !end || ValueRange(end.getOperands()) == op->getResults())
    return failure();
  rewriter.modifyOpInPlace(function, [&] {
    function.setFunctionType(rewriter.getFunctionType(
        function.getArgumentTypes(), op->getResultTypes()));
    function.setResAttrsAttr(nullptr);
  });
  rewriter.modifyOpInPlace(
      end, [&] { end.getOperandsMutable().assign(op->getResults()); });
  return success();
}

/// What `op` computes is not needed, only its type; what comes before it may
/// then be dead.
static LogicalResult replaceByEmpty(Operation *op, RewriterBase &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (isa<tensor::EmptyOp>(op) || !type || !type.hasStaticShape())
    return failure();
  rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
      op, type.getShape(), type.getElementType(), type.getEncoding());
  return success();
}

/// A layer op with its two operands only.
static LogicalResult dropEpilogue(Operation *op, RewriterBase &rewriter) {
  auto drop = [&](auto layer) {
    if (!layer.getBias() && !layer.getEpilogueAttr())
      return failure();
    rewriter.modifyOpInPlace(layer, [&] {
      layer.getBiasMutable().clear();
      layer.getEpilogueOperandsMutable().clear();
      layer.removeEpilogueAttr();
    });
    return success();
  };
  if (auto conv = dyn_cast<Conv2DOp>(op))
    return drop(conv);
  if (auto product = dyn_cast<MatMulOp>(op))
    return drop(product);
  return failure();
}

namespace {

/// Applies the first cut that leaves the module interesting. The reducer tries
/// a pattern on all ops at once and cannot go on from a module that is not
/// interesting any more, so each cut is tried on a copy before.
struct CutComputation : public RewritePattern {
  CutComputation(MLIRContext *context, const Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || !isPure(op))
      return rewriter.notifyMatchFailure(op, "does not compute one value");
    for (auto cut : {returnEarly, replaceByEmpty, dropEpilogue})
      if (staysInteresting(op, cut))
        return cut(op, rewriter);
    return rewriter.notifyMatchFailure(op, "no cut leaves it interesting");
  }

private:
  bool staysInteresting(Operation *op,
                        LogicalResult (*cut)(Operation *,
                                             RewriterBase &)) const {
    IRMapping mapping;
    OwningOpRef<ModuleOp> copy =
        cast<ModuleOp>(op->getParentOfType<ModuleOp>()->clone(mapping));
    IRRewriter rewriter(op->getContext());
    Operation *target = mapping.lookup(op);
    rewriter.setInsertionPoint(target);
    if (failed(cut(target, rewriter)))
      return false;
    // The driver of the patterns erases dead ops: a cut that only leaves the
    // interesting op because it is not yet erased would lose it.
    (void)runRegionDCE(rewriter, copy->getOperation()->getRegions());
    return tester.isInteresting(*copy).first == Tester::Interestingness::True;
  }

  Tester tester;
};

struct ReductionPatterns : public DialectReductionPatternInterface {
  ReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {}

  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<CutComputation>(patterns.getContext(), tester);
  }
};

} // namespace

void top::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TopDialect *dialect) {
    dialect->addInterfaces<ReductionPatterns>();
    context->loadDialect<tensor::TensorDialect>();
  });
}
