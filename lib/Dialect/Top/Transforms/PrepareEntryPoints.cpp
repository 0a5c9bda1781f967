//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-prepare-entry-points: what a function promises to a caller outside the
// module, written on it as attributes that bufferization and the lowering to
// LLVM read.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "top/Dialect/Top/Transforms/Passes.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPPREPAREENTRYPOINTSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using bufferization::BufferizationDialect;

namespace {

struct TopPrepareEntryPointsPass
    : top::impl::TopPrepareEntryPointsPassBase<TopPrepareEntryPointsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isPrivate() || func.isExternal())
      return;
    Builder builder(func.getContext());
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
