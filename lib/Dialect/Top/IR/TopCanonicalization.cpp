//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonical forms of the layer ops: a zero tensor.pad becomes pads, a cast
// that only hides static extents is looked through, and steps that do nothing
// disappear.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "top/Dialect/Top/IR/Top.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::top;

/// The result type that `op` has with other operand types and `attrs`, in its
/// own layout; failure where they do not agree.
static FailureOr<RankedTensorType> inferResultType(Conv2DOp op, Value input,
                                                   Value filter,
                                                   const Conv2DAttrs &attrs) {
  FailureOr<RankedTensorType> type = Conv2DOp::inferResultType(
      /*emitError=*/nullptr, cast<RankedTensorType>(input.getType()),
      cast<RankedTensorType>(filter.getType()), attrs,
      op.getResultType().getElementType());
  if (failed(type))
    return failure();
  return type->cloneWithEncoding(op.getResultType().getEncoding());
}
static FailureOr<RankedTensorType> inferResultType(Conv2DOp op, Value input,
                                                   Value filter) {
  return inferResultType(op, input, filter, op.getConvAttrs());
}
static FailureOr<RankedTensorType> inferResultType(MatMulOp op, Value lhs,
                                                   Value rhs) {
  return MatMulOp::inferResultType(
      /*emitError=*/nullptr, cast<RankedTensorType>(lhs.getType()),
      cast<RankedTensorType>(rhs.getType()), op.getTransposeA(),
      op.getTransposeB(), op.getResultType().getElementType());
}

/// Whether bias and epilogue operands still fit a result of type `result`,
/// which knows more static extents than the present one.
static bool fitResult(ValueRange operands, RankedTensorType result,
                      int64_t channelDim) {
  return llvm::all_of(operands, [&](Value operand) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.getType()).getShape();
    if (shape.size() == 1)
      return succeeded(
          verifyCompatibleShape(shape, {result.getDimSize(channelDim)}));
    return llvm::all_of(
        llvm::zip_equal(shape, result.getShape()), [](auto pair) {
          auto [size, expected] = pair;
          return size == 1 ||
                 succeeded(verifyCompatibleShape({size}, {expected}));
        });
  });
}

namespace {

/// Conv2D(tensor.pad(x)) with zeros on H and W -> Conv2D(x) with larger pads.
struct FoldZeroPad : OpRewritePattern<Conv2DOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2DOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<tensor::PadOp>();
    if (!pad)
      return rewriter.notifyMatchFailure(op, "input is not a tensor.pad");
    if (pad.getNofold())
      return rewriter.notifyMatchFailure(op, "tensor.pad is marked nofold");
    Value padding = pad.getConstantPaddingValue();
    if (!padding || !matchPattern(padding, m_AnyZeroFloat()))
      return rewriter.notifyMatchFailure(op, "padding value is not zero");

    Conv2DAttrs attrs = op.getConvAttrs();
    for (int64_t d = 0; d < 4; ++d) {
      std::optional<int64_t> low = getConstantIntValue(pad.getMixedLowPad()[d]);
      std::optional<int64_t> high =
          getConstantIntValue(pad.getMixedHighPad()[d]);
      if (!low || !high || *low < 0 || *high < 0)
        return rewriter.notifyMatchFailure(op, "pad sizes are not constants "
                                               "of at least 0");
      if (d < 2) {
        if (*low != 0 || *high != 0)
          return rewriter.notifyMatchFailure(op, "N or C is padded");
        continue;
      }
      std::optional<int64_t> sumLow = llvm::checkedAdd(attrs.pads[d - 2], *low);
      std::optional<int64_t> sumHigh = llvm::checkedAdd(attrs.pads[d], *high);
      if (!sumLow || !sumHigh)
        return rewriter.notifyMatchFailure(op, "sum of pads overflows");
      attrs.pads[d - 2] = *sumLow;
      attrs.pads[d] = *sumHigh;
    }
    FailureOr<RankedTensorType> type =
        inferResultType(op, pad.getSource(), op.getFilter(), attrs);
    if (failed(type) || *type != op.getResultType())
      return rewriter.notifyMatchFailure(op, "result type would change");
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(pad.getSource());
      op.setPads(attrs.pads);
    });
    return success();
  }
};

/// An operand that is a tensor.cast from a more static type is replaced by the
/// cast's source, so that tiles whose sizes became constants show them.
template <typename OpTy>
struct FoldCast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    // Operands 0 and 1 alone decide the result's shape.
    Value operands[2] = {op->getOperand(0), op->getOperand(1)};
    bool folds = false;
    for (Value &operand : operands) {
      auto cast = operand.getDefiningOp<tensor::CastOp>();
      if (!tensor::canFoldIntoConsumerOp(cast))
        continue;
      operand = cast.getSource();
      folds = true;
    }
    if (!folds)
      return rewriter.notifyMatchFailure(op, "no operand is a foldable cast");
    FailureOr<RankedTensorType> type =
        inferResultType(op, operands[0], operands[1]);
    const int64_t channelDim =
        std::is_same_v<OpTy, Conv2DOp> ? 1 : op.getResultType().getRank() - 1;
    if (failed(type) ||
        !fitResult(op->getOperands().drop_front(2), *type, channelDim))
      return rewriter.notifyMatchFailure(op, "static extents do not agree");
    auto folded = cast<OpTy>(rewriter.clone(*op));
    folded->setOperand(0, operands[0]);
    folded->setOperand(1, operands[1]);
    folded.getResult().setType(*type);
    Value result = folded.getResult();
    if (*type != op.getResultType())
      result = tensor::CastOp::create(rewriter, op.getLoc(), op.getResultType(),
                                      result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// An empty epilogue is none, and a relu after a relu does nothing.
template <typename OpTy>
struct SimplifyEpilogue : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!op.getEpilogueAttr())
      return rewriter.notifyMatchFailure(op, "no epilogue");
    SmallVector<Attribute> kept;
    for (StepAttr step : op.getSteps())
      if (kept.empty() || step != kept.back() ||
          (step.getKind() != StepKind::relu &&
           step.getKind() != StepKind::clamp))
        kept.push_back(step);
    if (!kept.empty() && kept.size() == op.getEpilogueAttr().size())
      return rewriter.notifyMatchFailure(op, "nothing to simplify");
    rewriter.modifyOpInPlace(op, [&] {
      if (kept.empty())
        op.removeEpilogueAttr();
      else
        op.setEpilogueAttr(rewriter.getArrayAttr(kept));
    });
    return success();
  }
};

} // namespace

void Conv2DOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FoldZeroPad, FoldCast<Conv2DOp>, SimplifyEpilogue<Conv2DOp>>(
      context);
}

void MatMulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FoldCast<MatMulOp>, SimplifyEpilogue<MatMulOp>>(context);
}
