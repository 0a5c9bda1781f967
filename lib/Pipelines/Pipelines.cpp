//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command-line names of the pipelines.
//
//===----------------------------------------------------------------------===//

#include "top/Pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::top;

void top::registerTopPipelines() {
  PassPipelineRegistration<TopTilingPipelineOptions>(
      "top-tiling-pipeline",
      "cut layer ops into tiles, in canonical form before and after",
      buildTopTilingPipeline);
  PassPipelineRegistration<TopCPUPipelineOptions>(
      "top-cpu-pipeline",
      "lower functions of layer ops to the LLVM dialect, for the CPU",
      buildTopCPUPipeline);
  PassPipelineRegistration<TosaToTopPipelineOptions>(
      "tosa-to-top-pipeline",
      "lower tosa to linalg, and raise its convolutions and products to layer "
      "ops",
      buildTosaToTopPipeline);
}
