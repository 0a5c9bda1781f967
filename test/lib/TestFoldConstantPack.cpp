//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds every pack of a constant, with foldConstantPack.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "top/GPU/Transforms/Transforms.h"

using namespace mlir;

namespace {

struct TestFoldConstantPackPass
    : PassWrapper<TestFoldConstantPackPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestFoldConstantPackPass)

  StringRef getArgument() const final { return "test-top-fold-constant-pack"; }
  StringRef getDescription() const final { return "fold packs of constants"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](linalg::PackOp op) {
      rewriter.setInsertionPoint(op);
      (void)top::foldConstantPack(rewriter, op);
    });
  }
};

} // namespace

namespace mlir::top::test {
void registerTestFoldConstantPackPass() {
  PassRegistration<TestFoldConstantPackPass>();
}
} // namespace mlir::top::test
