//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-isolate-destinations: makes it safe, and worth while, to compute a tensor
// where it is going to be.
//
// Canonicalization merges equal fills, so that several products start from one
// tensor of zeros. Empty tensor elimination then computes that tensor in the
// destination of the first product, a memref; bufferization does not know that
// the memref and the tensor are one, lets the product write over the zeros, and
// the next product starts from a result. (22.1.8; on tensors it does know.)
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPISOLATEDESTINATIONSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using bufferization::MaterializeInDestinationOp;

/// Gives each op that computes in the result of `fill` a fill of its own.
static void splitFill(linalg::FillOp fill) {
  if (!fill.hasPureTensorSemantics() || fill->hasOneUse() ||
      !fill.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>())
    return;
  for (OpOperand &use :
       llvm::make_early_inc_range(llvm::drop_begin(fill->getUses()))) {
    auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (!user || !user.isDpsInit(&use))
      continue;
    OpBuilder builder(user);
    use.set(builder.clone(*fill)->getResult(0));
  }
}

/// Whether the values that `value` is computed in, back to the tensor that they
/// start from, are known to the next one only.
static bool isComputedInPrivate(Value value) {
  while (value.hasOneUse()) {
    auto result = dyn_cast<OpResult>(value);
    auto op = value.getDefiningOp<DestinationStyleOpInterface>();
    if (!op)
      // Any start is fine but one that is computed in a way not looked into.
      return !result || result.getOwner()->getNumRegions() == 0;
    value = op.getTiedOpOperand(result)->get();
    if (value.getDefiningOp<tensor::EmptyOp>())
      return true;
  }
  return false;
}

namespace {

struct TopIsolateDestinationsPass
    : top::impl::TopIsolateDestinationsPassBase<TopIsolateDestinationsPass> {
  void runOnOperation() override {
    getOperation().walk([](linalg::FillOp fill) { splitFill(fill); });
    getOperation().walk([](MaterializeInDestinationOp write) {
      if (isa<MemRefType>(write.getDest().getType()) &&
          !isComputedInPrivate(write.getSource()))
        write.setRestrict(false);
    });
  }
};

} // namespace
