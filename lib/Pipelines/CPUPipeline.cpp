//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-cpu-pipeline: functions of layer ops to the LLVM dialect. See
// docs/Rationale/CPUPipeline.md for why it is cut the way it is.
//
//===----------------------------------------------------------------------===//

#include "Bufferization.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/Pipelines/Pipelines.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::top;

/// Many tiles to few functions, while a tile is one op.
static void addTilesToFunctions(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createTopInsertChainsToDestinationPass());
  pm.addPass(createTopOutlineTilesPass());
}

/// Layer ops and arithmetic on tensors to linalg on tensors.
static void addLayersToLinalg(OpPassManager &pm) {
  pm.addPass(createConvertTopToLinalgPass());
  // Arithmetic on whole tensors is not destination style, so that
  // bufferization refuses it.
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Each buffer is freed where its life ends.
static void addDeallocation(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());
  pm.addPass(createConvertBufferizationToMemRefPass());
}

/// Structured ops on memrefs to loops.
static void addLinalgToLoops(OpPassManager &pm,
                             const TopCPUPipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(createTopCopiesToLinalgPass());
  TopVectorizeContractionsPassOptions vectorize;
  vectorize.vectorBits = options.vectorBits;
  pm.addNestedPass<func::FuncOp>(createTopVectorizeContractionsPass(vectorize));
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(memref::createFoldMemRefAliasOpsPass());
}

/// Loops, memrefs and arithmetic to the LLVM dialect.
static void addToLLVM(OpPassManager &pm) {
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
  pm.addPass(createSCFToControlFlowPass());
  // Before anything becomes LLVM: the conversions of bf16 and of 8-bit floats
  // as integer arithmetic, since the instruction or library call is not
  // everywhere.
  pm.addPass(createTopExpandFloat8Pass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expand));
  pm.addPass(createConvertVectorToLLVMPass());
  // Intrinsics where LLVM has them, libm for the rest (erf).
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

int64_t top::getHostVectorBits() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup("avx512f") ? 512 : features.lookup("avx") ? 256 : 128;
}

void top::buildTopCPUPipeline(OpPassManager &pm,
                              const TopCPUPipelineOptions &options) {
  // First of all, so that what follows sees tensors as they lie in memory.
  pm.addPass(createTopLowerLayoutsPass());
  addTilesToFunctions(pm);
  addLayersToLinalg(pm);
  addBufferization(pm);
  addDeallocation(pm);
  addLinalgToLoops(pm, options);
  addToLLVM(pm);
}
