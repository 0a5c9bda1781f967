//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-top-to-linalg: applies the patterns of both layer ops and
// checks that nothing of `top` is left. After it, only linalg, tensor and
// arithmetic remain, which the CPU path and the kernel path both start from.
//
//===----------------------------------------------------------------------===//

#include "top/Conversion/TopToLinalg/TopToLinalg.h"

#include "LayerLowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"
#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/IR/Layout.h"

namespace mlir::top {
#define GEN_PASS_DEF_CONVERTTOPTOLINALGPASS
#include "top/Conversion/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

void top::populateTopToLinalgPatterns(RewritePatternSet &patterns) {
  populateConv2DToLinalgPatterns(patterns);
  populateMatMulToLinalgPatterns(patterns);
}

namespace {

struct ConvertTopToLinalgPass
    : top::impl::ConvertTopToLinalgPassBase<ConvertTopToLinalgPass> {
  void runOnOperation() override {
    // Said here, since a pattern that does not match has no voice.
    WalkResult sizes = getOperation()->walk([](Conv2DOp op) {
      if (llvm::any_of(op->getOperandTypes(), isChannelsLast) ||
          isChannelsLast(op.getType())) {
        op.emitOpError("has the encoding ")
            << getChannelsLast(op.getContext())
            << ", which linalg does not know; run 'top-lower-layouts' first";
        return WalkResult::interrupt();
      }
      if (succeeded(getPaddedInputType(op)))
        return WalkResult::advance();
      op.emitOpError("size of the padded 'input' overflows 64 bits: ")
          << op.getInputType() << " with pads " << op.getPads();
      return WalkResult::interrupt();
    });
    if (sizes.wasInterrupted())
      return signalPassFailure();

    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalDialect<TopDialect>();
    RewritePatternSet patterns(&getContext());
    populateTopToLinalgPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
