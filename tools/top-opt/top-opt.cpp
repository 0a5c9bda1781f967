//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with the `top` dialect, its passes and pipelines, and all that
// upstream registers.
//
//===----------------------------------------------------------------------===//

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "top/InitAll.h"

#ifdef TOP_INCLUDE_TESTS
#include "TestPasses.h"
#endif

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::top::registerAllTopDialects(registry);
  mlir::top::registerAllTopExtensions(registry);
  mlir::top::registerAllTopPasses();
  mlir::top::registerAllTopPipelines();
#ifdef TOP_INCLUDE_TESTS
  mlir::top::test::registerTestShiftWindowPass();
#endif
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "optimizer driver of the top tiling compiler\n", registry));
}
