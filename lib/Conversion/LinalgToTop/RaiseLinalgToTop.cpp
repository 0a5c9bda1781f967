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

namespace {

/// What a layer op's result goes into, in its block.
class Behind {
public:
  explicit Behind(Operation *layer)
      : type(cast<RankedTensorType>(layer->getResult(0).getType())) {
    depends.insert(layer->getResult(0));
    local.insert(layer->getResult(0));
    asItIs.insert(layer->getResult(0));
  }

  /// Visits the next op; whether it is an elementwise op behind the layer, that
  /// is: whether each of its elements depends on one element of the layer's
  /// result and on no other.
  bool visit(Operation *op);

  /// Whether a computed op reads the result as it is.
  bool readsResult(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value v) { return asItIs.contains(v); });
  }

private:
  bool isLocal(Value value) const {
    return local.contains(value) || !depends.contains(value);
  }

  RankedTensorType type;
  llvm::DenseSet<Value> depends; ///< on the result, in any way
  llvm::DenseSet<Value> local;   ///< on one element of it
  llvm::DenseSet<Value> asItIs;  ///< the result and rearrangements of it
};

} // namespace

bool Behind::visit(Operation *op) {
  bool reads = false;
  op->walk([&](Operation *nested) {
    reads |= llvm::any_of(nested->getOperands(),
                          [&](Value v) { return depends.contains(v); });
  });
  if (!reads)
    return false;
  depends.insert(op->result_begin(), op->result_end());
  if (isa<Conv2DOp, MatMulOp>(op) || op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && isArithmetic(linalgOp)) {
    auto resultType = dyn_cast<RankedTensorType>(result.getType());
    // Of as many elements, and not a smaller one repeated.
    auto countElements = [](RankedTensorType type) {
      int64_t extents = 1;
      for (int64_t extent : type.getShape())
        extents *= ShapedType::isDynamic(extent) ? 1 : extent;
      return std::make_pair(extents, type.getNumDynamicDims());
    };
    if (!resultType || countElements(resultType) != countElements(type))
      return false;
    for (OpOperand &operand : op->getOpOperands())
      if (linalgOp.payloadUsesValueFromOperand(&operand) &&
          !isLocal(operand.get()))
        return false;
    local.insert(result);
    return true;
  }
  if (!ResultView::match(op) || !isLocal(op->getOperand(0)))
    return false;
  local.insert(result);
  if (asItIs.contains(op->getOperand(0)))
    asItIs.insert(result);
  return false;
}

/// Counts the elementwise ops behind layer ops that are left.
static void countBehind(Operation *root,
                        const llvm::DenseMap<Operation *, std::string> &reasons,
                        RaiseSummary &summary) {
  llvm::DenseSet<Operation *> seen;
  for (Operation *layer : findLayers(root)) {
    Behind behind(layer);
    auto reason = reasons.find(layer);
    for (Operation *op = layer->getNextNode(); op; op = op->getNextNode()) {
      if (!behind.visit(op) || !seen.insert(op).second)
        continue;
      ++summary.behind;
      addLeft(summary.leftBehind, op->getName().getStringRef(),
              behind.readsResult(op) && reason != reasons.end() &&
                      !reason->second.empty()
                  ? reason->second
                  : "it follows an op that is left");
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
