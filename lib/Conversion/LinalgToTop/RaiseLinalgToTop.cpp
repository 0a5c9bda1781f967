//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass raise-linalg-to-top and its driver: first every convolution and
// contraction becomes a layer op alone, then each takes in what stands behind
// it. Roots first, since the operand of a residual add may itself be the end of
// another convolution's chain.
//
//===----------------------------------------------------------------------===//

#include "top/Conversion/LinalgToTop/LinalgToTop.h"

#include "EpilogueChain.h"
#include "Rearrange.h"
#include "ResultView.h"
#include "Roots.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {
#define GEN_PASS_DEF_RAISELINALGTOTOPPASS
#include "top/Conversion/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

static constexpr llvm::StringLiteral category = "raise-linalg-to-top";

/// Adds one op of a kind that is left for a reason.
static void addLeft(SmallVectorImpl<RaiseSummary::Left> &left, StringRef name,
                    StringRef reason) {
  for (RaiseSummary::Left &known : left)
    if (known.name == name && known.reason == reason) {
      ++known.count;
      return;
    }
  left.push_back({name.str(), reason.str(), 1});
}

/// Whether an input is read through windows.
static bool hasWindows(linalg::LinalgOp op) {
  if (isa<linalg::ConvolutionOpInterface>(*op))
    return true;
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return llvm::any_of(op.getMatchingIndexingMap(operand).getResults(),
                        llvm::IsaPred<AffineBinaryOpExpr>);
  });
}

static void raiseRoots(RewriterBase &rewriter, Operation *root,
                       RaiseSummary &summary) {
  SmallVector<linalg::LinalgOp> candidates;
  root->walk([&](linalg::LinalgOp op) {
    if (isCandidate(op))
      candidates.push_back(op);
  });
  summary.candidates = candidates.size();
  for (linalg::LinalgOp op : candidates) {
    std::string name = op->getName().getStringRef().str();
    std::string reason;
    FailureOr<Operation *> layer = hasWindows(op)
                                       ? raiseConvolution(rewriter, op, reason)
                                       : raiseContraction(rewriter, op, reason);
    if (succeeded(layer))
      ++summary.raised;
    else
      addLeft(summary.left, name, reason);
  }
}

static SmallVector<Operation *> findLayers(Operation *root) {
  SmallVector<Operation *> layers;
  root->walk([&](Operation *op) {
    if (isa<Conv2DOp, MatMulOp>(op))
      layers.push_back(op);
  });
  return layers;
}

/// Grows epilogues until nothing changes: what one layer op takes in may have
/// been the other use of a value behind another. Returns why each one stopped.
static llvm::DenseMap<Operation *, std::string>
growEpilogues(RewriterBase &rewriter, Operation *root,
              const RaiseOptions &options, RaiseSummary &summary) {
  llvm::DenseMap<Operation *, std::string> reasons;
  bool changed = true;
  while (changed) {
    changed = false;
    reasons.clear();
    for (Operation *layer : findLayers(root)) {
      EpilogueResult result = growEpilogue(rewriter, layer, options);
      summary.absorbed += result.absorbed;
      changed |= result.layer != layer;
      reasons[result.layer] = result.reason;
    }
  }
  return reasons;
}

/// Counts the elementwise ops that are reached from layer ops through nothing
/// but elementwise ops and rearrangements.
static void countBehind(Operation *root,
                        const llvm::DenseMap<Operation *, std::string> &reasons,
                        RaiseSummary &summary) {
  llvm::DenseSet<Operation *> seen;
  for (Operation *layer : findLayers(root)) {
    // Ops that use the result itself are left for a reason of their own.
    SmallVector<std::pair<Value, bool>> worklist = {
        {layer->getResult(0), true}};
    while (!worklist.empty()) {
      auto [value, isResult] = worklist.pop_back_val();
      for (Operation *user : value.getUsers()) {
        if (isa<Conv2DOp, MatMulOp>(user) || user->getNumResults() != 1)
          continue;
        auto op = dyn_cast<linalg::LinalgOp>(user);
        const bool isComputed = op && isArithmetic(op);
        if ((!isComputed && !ResultView::match(user)) ||
            !seen.insert(user).second)
          continue;
        worklist.push_back({user->getResult(0), isResult && !isComputed});
        if (!isComputed)
          continue;
        ++summary.behind;
        auto reason = reasons.find(layer);
        addLeft(summary.leftBehind, user->getName().getStringRef(),
                isResult && reason != reasons.end() && !reason->second.empty()
                    ? reason->second
                    : "it follows an op that is left");
      }
    }
  }
}

/// Erases what the raise has left without users.
static void eraseDeadOps(RewriterBase &rewriter, Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (op != root)
      ops.push_back(op);
  });
  // Users come behind what they use, nested ops in front of their parents.
  for (Operation *op : llvm::reverse(ops))
    if (op->getNumResults() != 0 && op->use_empty() && op->getBlock() &&
        isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

RaiseSummary top::raiseLinalgToTop(RewriterBase &rewriter, Operation *root,
                                   const RaiseOptions &options) {
  RaiseSummary summary;
  raiseRoots(rewriter, root, summary);
  cancelRearrangements(rewriter, root);
  eraseDeadOps(rewriter, root);
  auto reasons = growEpilogues(rewriter, root, options, summary);
  cancelRearrangements(rewriter, root);
  eraseDeadOps(rewriter, root);
  countBehind(root, reasons, summary);
  return summary;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static std::string describe(ArrayRef<RaiseSummary::Left> left) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleave(
      left, out,
      [&](const RaiseSummary::Left &kind) {
        out << kind.count << " x " << kind.name << ": " << kind.reason;
      },
      "; ");
  return text;
}

static void emitRemark(func::FuncOp function, const RaiseSummary &summary) {
  const bool isPassed =
      summary.raised != 0 || (summary.candidates == 0 && summary.absorbed != 0);
  const remark::RemarkOpts name = isPassed
                                      ? remark::RemarkOpts::name("Raised")
                                      : remark::RemarkOpts::name("NotRaised");
  const remark::RemarkOpts opts =
      name.category(category).function(function.getName());
  auto remark = isPassed ? remark::passed(function.getLoc(), opts)
                         : remark::missed(function.getLoc(), opts);
  if (!remark)
    return;
  std::string text =
      llvm::formatv("raised {0} of {1} convolutions and products; {2} of {3} "
                    "elementwise ops behind them are in their epilogues",
                    summary.raised, summary.candidates, summary.absorbed,
                    summary.absorbed + summary.behind);
  if (!summary.left.empty())
    text += "; left: " + describe(summary.left);
  if (!summary.leftBehind.empty())
    text += "; left behind: " + describe(summary.leftBehind);
  remark << remark::add("{0}", text)
         << remark::metric("Candidates", summary.candidates)
         << remark::metric("Raised", summary.raised)
         << remark::metric("Absorbed", summary.absorbed)
         << remark::metric("Behind", summary.behind);
}

namespace {

struct RaiseLinalgToTopPass
    : top::impl::RaiseLinalgToTopPassBase<RaiseLinalgToTopPass> {
  using RaiseLinalgToTopPassBase::RaiseLinalgToTopPassBase;

  void runOnOperation() override {
    RaiseOptions options;
    options.foldConstants = foldConstants;
    IRRewriter rewriter(&getContext());
    emitRemark(getOperation(),
               raiseLinalgToTop(rewriter, getOperation(), options));
  }
};

} // namespace
