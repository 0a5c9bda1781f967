//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-prepare-functions: what a function promises to its callers, written on it
// as attributes that bufferization and the lowering to LLVM read.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPPREPAREFUNCTIONSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using bufferization::BufferizationDialect;

namespace {

struct TopPrepareFunctionsPass
    : top::impl::TopPrepareFunctionsPassBase<TopPrepareFunctionsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    Builder builder(func.getContext());
    if (func.isPrivate()) {
      func->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(&getContext(),
                                           LLVM::linkage::Linkage::Internal));
      // What func.func calls 'no_inline' gets lost on the way.
      if (func.getNoInline())
        func->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
      return;
    }
    func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                  builder.getUnitAttr());
    StringRef writable = BufferizationDialect::kWritableAttrName;
    for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
      if (isa<TensorType>(func.getArgumentTypes()[i]) &&
          !func.getArgAttr(i, writable))
        func.setArgAttr(i, writable, builder.getBoolAttr(false));
  }
};

} // namespace
