//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-fold-self-copies: a clean-up behind bufferization that leaves kernels
// alone.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "top/GPU/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPFOLDSELFCOPIESPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;

namespace {

struct TopFoldSelfCopies
    : mlir::top::impl::TopFoldSelfCopiesPassBase<TopFoldSelfCopies> {
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) {
      if (copy.getSource() == copy.getTarget())
        copy.erase();
    });
  }
};

} // namespace
