//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes from layer ops to PTX in order, see GPUPipeline.h.
//
//===----------------------------------------------------------------------===//

#include "top/Pipelines/GPUPipeline.h"

#include "Bufferization.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/Tuning/Passes.h"

using namespace mlir;
using namespace mlir::top;

SmallVector<GPUPhase> top::getGPUPhases(const TopGPUPipelineOptions &options) {
  SmallVector<GPUPhase> phases;
  auto onFunctions = [](auto create) {
    return [create](OpPassManager &pm) {
      pm.addNestedPass<func::FuncOp>(create());
      // Index arithmetic that several slices share. Not the canonicalizer: it
      // inlines a kernel of one block, whose scf.forall has one iteration.
      pm.addNestedPass<func::FuncOp>(createCSEPass());
    };
  };
  TopAssignLayoutsPassOptions layouts;
  layouts.chip = options.chip;
  layouts.card = options.card;
  if (options.assignLayouts)
    phases.push_back(
        {"top-assign-layouts", GPULevel::Top, [layouts](OpPassManager &pm) {
           pm.addNestedPass<func::FuncOp>(createTopAssignLayoutsPass(layouts));
         }});
  TopAssignSchedulePassOptions assign;
  assign.chip = options.chip;
  assign.card = options.card;
  phases.push_back(
      {"top-assign-schedule", GPULevel::Top, [assign](OpPassManager &pm) {
         pm.addPass(createTopAssignSchedulePass(assign));
       }});
  TopVerifySchedulePassOptions verify;
  verify.chip = options.chip;
  verify.card = options.card;
  phases.push_back(
      {"top-verify-schedule", GPULevel::Top, [verify](OpPassManager &pm) {
         pm.addPass(createTopVerifySchedulePass(verify));
       }});
  // Behind the choice of schedules, which depends on the layouts and stays on
  // the ops.
  phases.push_back(
      {"top-lower-layouts", GPULevel::Linalg,
       [](OpPassManager &pm) { pm.addPass(createTopLowerLayoutsPass()); }});
  phases.push_back(
      {"convert-top-to-linalg", GPULevel::Linalg, [](OpPassManager &pm) {
         pm.addPass(createConvertTopToLinalgPass());
         pm.addPass(createCanonicalizerPass());
         pm.addPass(createCSEPass());
       }});
  phases.push_back({"top-pack-convolutions", GPULevel::Linalg, onFunctions([] {
                      return createTopPackConvolutionsPass();
                    })});
  phases.push_back({"top-repack-operands", GPULevel::Linalg,
                    onFunctions([] { return createTopRepackOperandsPass(); })});
  phases.push_back({"top-tile-to-blocks", GPULevel::Tiles,
                    onFunctions([] { return createTopTileToBlocksPass(); })});
  phases.push_back(
      {"one-shot-bufferize", GPULevel::Tiles, [](OpPassManager &pm) {
         addBufferization(pm);
         pm.addNestedPass<func::FuncOp>(createCSEPass());
         pm.addPass(createTopFoldSelfCopiesPass());
       }});
  if (options.promote)
    phases.push_back({"top-promote-shared", GPULevel::Tiles, onFunctions([] {
                        return createTopPromoteSharedPass();
                      })});
  if (options.multiBuffer)
    phases.push_back({"top-multi-buffer", GPULevel::Tiles,
                      onFunctions([] { return createTopMultiBufferPass(); })});
  if (options.swizzle)
    phases.push_back({"top-swizzle", GPULevel::Tiles,
                      onFunctions([] { return createTopSwizzlePass(); })});
  if (options.warps)
    phases.push_back({"top-tile-to-warps", GPULevel::Tiles,
                      onFunctions([] { return createTopTileToWarpsPass(); })});
  if (options.prefetch)
    phases.push_back(
        {"top-prefetch-fragments", GPULevel::Tiles,
         onFunctions([] { return createTopPrefetchFragmentsPass(); })});
  // Behind all that moves copies, waits and barriers.
  phases.push_back(
      {"top-verify-pipeline", GPULevel::Tiles, [](OpPassManager &pm) {
         pm.addNestedPass<func::FuncOp>(createTopVerifyPipelinePass());
       }});
  ConvertTopTilesToNVVMPassOptions convert;
  convert.chip = options.chip;
  convert.ptxVersion = options.ptxVersion;
  phases.push_back({"convert-top-tiles-to-nvvm", GPULevel::NVVM,
                    [convert](OpPassManager &pm) {
                      pm.addPass(createConvertTopTilesToNVVMPass(convert));
                      pm.addNestedPass<gpu::GPUModuleOp>(createCSEPass());
                    }});
  return phases;
}

void top::buildTopGPUPipeline(OpPassManager &pm,
                              const TopGPUPipelineOptions &options) {
  for (const GPUPhase &phase : getGPUPhases(options))
    phase.add(pm);
}

void top::buildTopKernelsToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createLowerAffinePass());
  pm.addPass(createTopExpandFloat8Pass());
  pm.addPass(createTopExpandMathPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Positions and slots are not negative: unsigned division needs no fixing up.
  pm.addPass(arith::createArithUnsignedWhenEquivalentPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void top::buildTopKernelsToPTXPipeline(OpPassManager &pm) {
  pm.addPass(createConvertNVVMToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}
