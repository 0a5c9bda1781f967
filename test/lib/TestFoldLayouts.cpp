//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that shows what LayoutFolding.h does, on CPU and GPU alike: each
// linalg.conv_2d_nchw_fchw becomes a linalg.generic that reads and writes
// channels last wherever its operand and its result are moved there and back.
//
//===----------------------------------------------------------------------===//

#include "../../lib/GPU/Transforms/LayoutFolding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "top/Dialect/Top/IR/Layout.h"

using namespace mlir;
using namespace mlir::top;

namespace {

struct TestFoldLayoutsPass
    : PassWrapper<TestFoldLayoutsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestFoldLayoutsPass)

  StringRef getArgument() const final { return "test-top-fold-layouts"; }
  StringRef getDescription() const final {
    return "convolutions that read and write channels last";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<linalg::LinalgDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    SmallVector<linalg::Conv2DNchwFchwOp> convs;
    getOperation().walk(
        [&](linalg::Conv2DNchwFchwOp conv) { convs.push_back(conv); });
    IRRewriter rewriter(&getContext());
    for (linalg::Conv2DNchwFchwOp conv : convs)
      fold(rewriter, conv);
    SmallVector<linalg::GenericOp> generics;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getNumParallelLoops() == op.getNumLoops())
        generics.push_back(op);
    });
    for (linalg::GenericOp op : generics)
      foldPermutedInputs(rewriter, op);
  }

private:
  static void fold(RewriterBase &b, linalg::Conv2DNchwFchwOp conv);
};

} // namespace

/// The sums over c, kh, kw at n, f, oh, ow, with the layouts that there are.
void TestFoldLayoutsPass::fold(RewriterBase &b, linalg::Conv2DNchwFchwOp conv) {
  Location loc = conv.getLoc();
  Value sums = conv->getResult(0);
  std::optional<ChannelsLastResult> result = matchChannelsLastResult(sums);
  b.setInsertionPoint(conv);
  Value image = getChannelsLastSource(b, conv.getInputs()[0]);
  if (!image && !result)
    return;
  AffineExpr n, f, oh, ow, c, kh, kw;
  bindDims(b.getContext(), n, f, oh, ow, c, kh, kw);
  auto strides = llvm::to_vector(conv.getStrides().getValues<int64_t>());
  auto dilations = llvm::to_vector(conv.getDilations().getValues<int64_t>());
  SmallVector<AffineExpr> from = {n, c, oh * strides[0] + kh * dilations[0],
                                  ow * strides[1] + kw * dilations[1]};
  SmallVector<AffineExpr> to = {n, f, oh, ow};
  Value init = conv.getOutputs()[0];
  if (image)
    from = toChannelsLast(ArrayRef<AffineExpr>(from));
  if (result) {
    to = toChannelsLast(ArrayRef<AffineExpr>(to));
    auto fill = init.getDefiningOp<linalg::FillOp>();
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(
        b, loc, toChannelsLast(type.getShape()), type.getElementType());
    init =
        linalg::FillOp::create(b, loc, fill.getInputs()[0], empty).getResult(0);
  }
  auto getMap = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(7, 0, exprs, b.getContext());
  };
  SmallVector<utils::IteratorType> iterators(7, utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), 4, utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      b, loc, init.getType(),
      ValueRange{image ? image : conv.getInputs()[0], conv.getInputs()[1]},
      init,
      ArrayRef<AffineMap>{getMap(from), getMap({f, c, kh, kw}), getMap(to)},
      iterators);
  b.cloneRegionBefore(conv->getRegion(0), sum.getRegion(),
                      sum.getRegion().begin());
  if (result)
    rewriteChannelsLastResult(b, sums, *result, sum.getResult(0));
  else
    b.replaceAllUsesWith(sums, sum.getResult(0));
  b.eraseOp(conv);
}

namespace mlir::top::test {
void registerTestFoldLayoutsPass() { PassRegistration<TestFoldLayoutsPass>(); }
} // namespace mlir::top::test
