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
#include "top/Pipelines/GPUPipeline.h"

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
  PassPipelineRegistration<TopGPUPipelineOptions>(
      "top-gpu-pipeline",
      "lower functions of layer ops with schedules to GPU kernels of nvvm ops",
      buildTopGPUPipeline);
  PassPipelineRegistration<>(
      "top-kernels-to-llvm-pipeline",
      "lower kernels of nvvm, scf, arith and math ops to the LLVM dialect",
      buildTopKernelsToLLVMPipeline);
  PassPipelineRegistration<TosaToTopPipelineOptions>(
      "tosa-to-top-pipeline",
      "lower tosa to linalg, and raise its convolutions and products to layer "
      "ops",
      buildTosaToTopPipeline);
}
