//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tosa-to-top-pipeline: TOSA to layer ops, by upstream's lowering to linalg and
// the raise from there. Exporters put transposes round each convolution, since
// TOSA is channels-last and their networks are not; those meet their inverses
// in the raise, and go.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "top/Conversion/Passes.h"
#include "top/Pipelines/Pipelines.h"

using namespace mlir;
using namespace mlir::top;

/// TOSA to linalg, tensor, arith and scf.
static void addTosaToLinalg(OpPassManager &pm) {
  // First the ops with regions: the lowering to linalg takes no tosa.yield.
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  // Named ops before the rest, or convolutions would have lost their zero
  // points. Without tosa-validate, which asks for the profile of a device.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(),
                              /*validationOptions=*/std::nullopt);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToTensorPass());
  // Rescaling is a scalar op inside what tosa-to-linalg made of it.
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(arith));
  // A depthwise convolution of TOSA has one more dimension, its multiplier;
  // where that is 1, transposes would not meet across it.
  functions.addPass(createSimplifyDepthwiseConvPass());
}

void top::buildTosaToTopPipeline(OpPassManager &pm,
                                 const TosaToTopPipelineOptions &options) {
  addTosaToLinalg(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // The bounds and shapes that the lowering left as ops are constants then.
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  RaiseLinalgToTopPassOptions raise;
  raise.foldConstants = options.foldConstants;
  functions.addPass(createRaiseLinalgToTopPass(raise));
  // What the raise has taken in is unused now.
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
}
