//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-copies-to-linalg: strided copies become structured ops, so that they are
// lowered to loops as any other. The lowering of memref to LLVM would call
// memrefCopy of MLIR's runtime library, which copies element by element.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPCOPIESTOLINALGPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// What the lowering of memref to LLVM makes a memcpy of.
static bool isDense(Value memref) {
  return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
}

namespace {

struct TopCopiesToLinalgPass
    : top::impl::TopCopiesToLinalgPassBase<TopCopiesToLinalgPass> {
  void runOnOperation() override {
    getOperation().walk([](memref::CopyOp copy) {
      if (!isa<MemRefType>(copy.getSource().getType()) ||
          !isa<MemRefType>(copy.getTarget().getType()) ||
          (isDense(copy.getSource()) && isDense(copy.getTarget())))
        return;
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      copy.erase();
    });
  }
};

} // namespace
