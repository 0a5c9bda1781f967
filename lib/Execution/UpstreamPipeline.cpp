//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See UpstreamPipeline.h.
//
//===----------------------------------------------------------------------===//

#include "UpstreamPipeline.h"

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
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/RegionUtils.h"
#include "top/Dialect/Top/Transforms/Passes.h"

using namespace mlir;

namespace {

/// Moves the body of each outermost loop nest into a function. LLVM looks at
/// all loops in front of one while it compiles it, which takes minutes for the
/// hundreds in a network. What is left, one block of calls with a descriptor of
/// every buffer, is not worth optimising, which takes as long.
struct OutlineLoopNests
    : PassWrapper<OutlineLoopNests, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlineLoopNests)

  StringRef getName() const override { return "outline-loop-nests"; }
  void runOnOperation() override;
};

} // namespace

void OutlineLoopNests::runOnOperation() {
  SmallVector<scf::ForOp> nests;
  for (auto func : getOperation().getOps<func::FuncOp>())
    for (Block &block : func.getBody())
      for (auto loop : block.getOps<scf::ForOp>())
        if (loop.getNumResults() == 0 && !loop.getOps<scf::ForOp>().empty())
          nests.push_back(loop);
  IRRewriter rewriter(&getContext());
  SymbolTable symbols(getOperation());
  for (scf::ForOp loop : nests) {
    // Bounds stay constants.
    rewriter.setInsertionPointToStart(loop.getBody());
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(loop.getRegion(), outside);
    for (Value value : outside)
      if (Operation *def = value.getDefiningOp();
          def && def->hasTrait<OpTrait::ConstantLike>())
        replaceAllUsesInRegionWith(value, rewriter.clone(*def)->getResult(0),
                                   loop.getRegion());
    func::CallOp call;
    FailureOr<func::FuncOp> function = outlineSingleBlockRegion(
        rewriter, loop.getLoc(), loop.getRegion(), "loop_nest", &call);
    if (failed(function))
      continue;
    // The table makes the name differ from those of the file.
    function->getOperation()->remove();
    symbols.insert(*function);
    call.setCallee(function->getName());
    loop->getParentOfType<func::FuncOp>()->setAttr(
        "passthrough", rewriter.getStrArrayAttr({"noinline", "optnone"}));
    function->setPrivate();
    (*function)->setAttr("passthrough", rewriter.getStrArrayAttr({"noinline"}));
  }
}

void top::buildUpstreamPipeline(OpPassManager &pm) {
  // First, since the lowering to linalg takes no tosa.yield.
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  // Without tosa-validate, which asks for the profile of a device.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(),
                              /*validationOptions=*/std::nullopt);
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  TosaToArithPassOptions tosaToArith;
  tosaToArith.includeApplyRescale = true;
  pm.addNestedPass<func::FuncOp>(createTosaToArithPass(tosaToArith));
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());

  bufferization::OneShotBufferizePassOptions oneShot;
  oneShot.bufferizeFunctionBoundaries = true;
  oneShot.allowReturnAllocsFromLoops = true;
  oneShot.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  oneShot.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(oneShot));
  pm.addPass(createConvertBufferizationToMemRefPass());

  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(std::make_unique<OutlineLoopNests>());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  // The one pass of ours, as upstream's conversion of 8-bit floats calls a
  // library. A test compares it with APFloat for every number.
  pm.addPass(createTopExpandFloat8Pass());
  // bf16 is not in every processor: arithmetic in f32, conversions as integer
  // operations.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  emulate.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}
