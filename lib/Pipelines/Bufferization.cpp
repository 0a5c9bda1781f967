//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors to memrefs, see Bufferization.h.
//
//===----------------------------------------------------------------------===//

#include "Bufferization.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "top/Dialect/Top/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::top;

void top::addBufferization(OpPassManager &pm) {
  // The caller's data must not change: in-place writes end at the arguments.
  pm.addNestedPass<func::FuncOp>(createTopPrepareFunctionsPass());
  pm.addNestedPass<func::FuncOp>(createTopIsolateDestinationsPass());
  // Before bufferization decides what is in place: a value that is only
  // copied to its destination is computed there.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions oneShot;
  oneShot.bufferizeFunctionBoundaries = true;
  oneShot.allowReturnAllocsFromLoops = true;
  oneShot.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  oneShot.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(oneShot));
}
