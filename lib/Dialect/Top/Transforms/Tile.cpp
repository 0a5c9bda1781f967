//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass `top-tile`: gathers the layer ops of a function and tiles each.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPTILEPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

namespace {

struct TopTilePass : top::impl::TopTilePassBase<TopTilePass> {
  using TopTilePassBase::TopTilePassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const TileOptions options{batch, height, width, channels,
                              m,     n,      form,  maxTileBytes};
    if (failed(
            verifyTileOptions([&] { return function.emitOpError(); }, options)))
      return signalPassFailure();
    SmallVector<TilingInterface> layers;
    function.walk([&](TilingInterface op) {
      if (isa<Conv2DOp, MatMulOp>(*op))
        layers.push_back(op);
    });
    if (layers.empty())
      remark::missed(function.getLoc(), remark::RemarkOpts::name("NotTiled")
                                            .category("top-tile")
                                            .function(function.getName()))
          << remark::reason("the function has no layer op");
    IRRewriter rewriter(&getContext());
    for (TilingInterface op : layers)
      if (failed(tileLayer(rewriter, op, options)))
        return signalPassFailure();
  }
};

} // namespace
