//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that breaks a tiled function on purpose: one tile reads its input a
// row too low or too high. It shows that `top-run --verify` finds such a fault
// and names the tile.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "top/Dialect/Top/IR/Top.h"

using namespace mlir;
using namespace mlir::top;

namespace {

struct TestShiftWindowPass
    : PassWrapper<TestShiftWindowPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestShiftWindowPass)

  TestShiftWindowPass() = default;
  TestShiftWindowPass(const TestShiftWindowPass &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-top-shift-window"; }
  StringRef getDescription() const final {
    return "move the input window of one tile by a row (a planted fault)";
  }

  void runOnOperation() override {
    int64_t index = 0;
    bool shifted = false;
    getOperation().walk([&](Conv2DOp op) {
      auto slice = op.getInput().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || slice.isDynamicOffset(2) || index++ != tile)
        return;
      SmallVector<int64_t> offsets(slice.getStaticOffsets());
      // Stay inside the source, whichever way there is room.
      const int64_t end = offsets[2] + slice.getStaticSize(2);
      offsets[2] += end < slice.getSourceType().getDimSize(2) ? 1 : -1;
      if (offsets[2] < 0)
        return;
      slice.setStaticOffsets(offsets);
      shifted = true;
    });
    if (!shifted) {
      getOperation().emitOpError("has no tile ")
          << tile.getValue() << " to shift";
      signalPassFailure();
    }
  }

  Option<int64_t> tile{*this, "tile", llvm::cl::init(0),
                       llvm::cl::desc("which top.Conv2D with a static slice")};
};

} // namespace

namespace mlir::top::test {
void registerTestShiftWindowPass() { PassRegistration<TestShiftWindowPass>(); }
} // namespace mlir::top::test
