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
#include "top/InputHints/InputHints.h"

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
  mlir::top::test::registerTestBreakPipelinePass();
  mlir::top::test::registerTestFoldConstantPackPass();
  mlir::top::test::registerTestFoldLayoutsPass();
  mlir::top::test::registerTestShiftWindowPass();
#endif
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "optimizer driver of the top tiling compiler\n", registry);
  // After the flags, since a plugin may bring a dialect that we only know by
  // name.
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (!config.shouldAllowUnregisteredDialects() && !config.shouldShowDialects())
    mlir::top::registerInputHints(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
