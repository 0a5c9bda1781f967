//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-reduce with the `top` dialect, its passes and patterns that take tensor
// code apart. mlir-reduce itself knows no plugins, so it cannot load ours.
//
//===----------------------------------------------------------------------===//

#include "ReductionPatterns.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "top/InitAll.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::top::registerAllTopPasses();
  mlir::top::registerAllTopPipelines();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::top::registerAllTopDialects(registry);
  mlir::top::registerAllTopExtensions(registry);
  mlir::top::registerReductionPatterns(registry);
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
