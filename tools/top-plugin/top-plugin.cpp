//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TopPlugin.so: the dialect, passes and pipelines for an mlir-opt that knows
// nothing of this project. Needs an MLIR of the release that it was built with,
// as a shared library that the tool has loaded.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "top/InitAll.h"

static void registerDialects(mlir::DialectRegistry *registry) {
  mlir::top::registerAllTopDialects(*registry);
  mlir::top::registerAllTopExtensions(*registry);
}

static void registerPasses() {
  mlir::top::registerAllTopPasses();
  mlir::top::registerAllTopPipelines();
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Top", TOP_VERSION, registerDialects};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Top", TOP_VERSION, registerPasses};
}
