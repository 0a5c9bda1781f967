//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InitAll.h.
//
//===----------------------------------------------------------------------===//

#include "top/InitAll.h"

#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Dialect/Top/TransformOps/TopTransformOps.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/GPU/Transforms/BufferizableOpInterfaceImpl.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/Pipelines/Pipelines.h"
#include "top/Tuning/Passes.h"

using namespace mlir;

void top::registerAllTopDialects(DialectRegistry &registry) {
  registry.insert<TopDialect>();
}

void top::registerAllTopExtensions(DialectRegistry &registry) {
  registerTransformDialectExtension(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
}

void top::registerAllTopPasses() {
  registerTopConversionPasses();
  registerTopTransformsPasses();
  registerTopGPUTransformsPasses();
  registerTopTuningPasses();
}

void top::registerAllTopPipelines() { registerTopPipelines(); }
