//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the GPU pipeline phase by phase, see Compile.h.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Compile/Compile.h"

#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "top/Conversion/Passes.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "top/InitAll.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::top;

void top::registerCompileDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerAllTopDialects(registry);
  registerAllTopExtensions(registry);
}

static void fillOptions(const CompileOptions &options,
                        TopGPUPipelineOptions &pipeline) {
  pipeline.chip = options.target.arch.chip.str();
  pipeline.card = options.target.card.name.str();
  pipeline.ptxVersion = options.ptxVersion;
  pipeline.assignLayouts = options.assignLayouts;
  pipeline.promote = options.promote;
  pipeline.multiBuffer = options.multiBuffer;
  pipeline.swizzle = options.swizzle;
  pipeline.warps = options.warps;
  pipeline.prefetch = options.prefetch;
}

std::unique_ptr<Pass> top::createTilePass(StringRef options,
                                          std::string &error) {
  std::unique_ptr<Pass> pass = createTopTilePass();
  auto takeError = [&](const Twine &text) {
    error = StringRef(text.str()).trim().str();
    return failure();
  };
  if (failed(pass->initializeOptions(options, takeError)))
    return nullptr;
  return pass;
}

/// The phases of the pipeline, with top-tile among them if it is asked for:
/// behind the layouts, which are those of whole tensors.
static SmallVector<GPUPhase> getCompilePhases(const CompileOptions &options) {
  TopGPUPipelineOptions pipeline;
  fillOptions(options, pipeline);
  SmallVector<GPUPhase> phases = getGPUPhases(pipeline);
  if (options.tile.empty())
    return phases;
  auto *at = llvm::find_if(phases, [](const GPUPhase &phase) {
    return phase.pass != "top-assign-layouts";
  });
  phases.insert(
      at, {"top-tile", GPULevel::Top, [tile = options.tile](OpPassManager &pm) {
             std::string error;
             pm.addNestedPass<func::FuncOp>(createTilePass(tile, error));
           }});
  return phases;
}

SmallVector<StringRef> top::getCompilePasses(const CompileOptions &options) {
  return llvm::map_to_vector(getCompilePhases(options),
                             [](const GPUPhase &phase) { return phase.pass; });
}

/// Every layer op must have got a schedule: what has none would silently have
/// no kernel.
static LogicalResult
collectProblems(ModuleOp module, SmallVectorImpl<ScheduledProblem> *problems) {
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<Conv2DOp, MatMulOp>(op))
      return WalkResult::advance();
    ScheduleAttr schedule = ScheduleAttr::getFrom(op);
    std::string reason;
    FailureOr<ProductProblem> problem = getProblem(op, reason);
    if (!schedule || failed(problem)) {
      if (succeeded(problem))
        reason = "there are no kernels for it yet";
      op->emitOpError("cannot be compiled for a GPU: ") << reason;
      return WalkResult::interrupt();
    }
    if (problems)
      problems->push_back({*problem, schedule});
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult top::compileToLevel(ModuleOp module,
                                  const CompileOptions &options, GPULevel level,
                                  StringRef stopAfter,
                                  SmallVectorImpl<ScheduledProblem> *problems) {
  MLIRContext *context = module.getContext();
  if (options.allowTF32)
    module.walk([&](Operation *op) {
      if (auto conv = dyn_cast<Conv2DOp>(op);
          conv && conv.getResultType().getElementType().isF32())
        conv.setAllowTf32(true);
      if (auto product = dyn_cast<MatMulOp>(op);
          product && product.getLhsType().getElementType().isF32())
        product.setAllowTf32(true);
    });
  std::string tileError;
  if (!options.tile.empty() && !createTilePass(options.tile, tileError))
    return module.emitError("top-tile: ") << tileError;
  for (const GPUPhase &phase : getCompilePhases(options)) {
    if (stopAfter.empty() && phase.level > level)
      return success();
    PassManager pm(context);
    phase.add(pm);
    if (failed(pm.run(module)))
      return failure();
    if (phase.pass == "top-assign-schedule" &&
        failed(collectProblems(module, problems)))
      return failure();
    if (phase.pass == stopAfter)
      return success();
  }
  return success();
}

/// A module with copies of the kernels of `module` and nothing else.
static OwningOpRef<ModuleOp> extractKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(kernels->getBody());
  module.walk([&](gpu::GPUModuleOp op) { b.clone(*op); });
  return kernels;
}

/// What upstream's lowering of scf.for forwards to the branch that closes it.
static constexpr llvm::StringLiteral loopAnnotationName =
    "llvm.loop_annotation";

FailureOr<OwningOpRef<ModuleOp>>
top::lowerKernelsToLLVMAndNVVM(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = extractKernels(module);
  PassManager pm(module.getContext());
  buildTopKernelsToLLVMPipeline(pm);
  if (failed(pm.run(*kernels)))
    return failure();
  // Branches have kept the annotation of the scf.for that they are made of, but
  // as an attribute that the translation does not read.
  (*kernels)->walk([](LLVM::BrOp branch) {
    if (auto annotation =
            branch->getAttrOfType<LLVM::LoopAnnotationAttr>(loopAnnotationName))
      branch.setLoopAnnotationAttr(annotation);
    branch->removeDiscardableAttr(loopAnnotationName);
  });
  // Anything else would make the translation stop without a location.
  WalkResult result = kernels->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "llvm" || dialect == "nvvm" || dialect == "gpu" ||
        dialect == "builtin")
      return WalkResult::advance();
    op->emitOpError("could not be lowered to the LLVM dialect");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return kernels;
}

FailureOr<OwningOpRef<ModuleOp>> top::lowerKernelsToLLVM(ModuleOp module) {
  FailureOr<OwningOpRef<ModuleOp>> kernels = lowerKernelsToLLVMAndNVVM(module);
  if (failed(kernels))
    return failure();
  PassManager pm(module.getContext());
  buildTopKernelsToPTXPipeline(pm);
  if (failed(pm.run(**kernels)))
    return failure();
  return kernels;
}

FailureOr<std::string> top::translateKernelsToPTX(ModuleOp module) {
  FailureOr<OwningOpRef<ModuleOp>> kernels = lowerKernelsToLLVM(module);
  if (failed(kernels))
    return failure();
  PassManager pm(module.getContext());
  GpuModuleToBinaryPassOptions options;
  options.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(options));
  if (failed(pm.run(**kernels)))
    return failure();
  std::string ptx;
  (*kernels)->walk([&](gpu::BinaryOp binary) {
    for (Attribute object : binary.getObjects())
      ptx += cast<gpu::ObjectAttr>(object).getObject().getValue();
  });
  // The text is handed over as a C string.
  while (!ptx.empty() && ptx.back() == '\0')
    ptx.pop_back();
  return ptx;
}

FailureOr<std::string> top::translateKernelsToSimulation(ModuleOp module) {
  FailureOr<OwningOpRef<ModuleOp>> kernels = lowerKernelsToLLVMAndNVVM(module);
  if (failed(kernels))
    return failure();
  std::string text;
  if ((*kernels)->getBody()->empty())
    return text;
  PassManager pm(module.getContext());
  pm.addPass(createTopNVVMToSimPass());
  if (failed(pm.run(**kernels)))
    return failure();
  llvm::raw_string_ostream(text) << **kernels;
  return text;
}

FailureOr<std::vector<LaunchPlan>> top::buildLaunchPlans(ModuleOp module) {
  std::vector<LaunchPlan> plans;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    FailureOr<LaunchPlan> plan = buildLaunchPlan(function);
    if (failed(plan))
      return failure();
    plans.push_back(std::move(*plan));
  }
  return plans;
}

std::vector<KernelReport>
top::reportKernels(ModuleOp module, const CompileOptions &options,
                   ArrayRef<ScheduledProblem> problems,
                   const PtxasReport *actual) {
  // Launches stand in the order of the ops that they were made of. An op with
  // an empty result has none, and kernels that multiply nothing (copies of
  // operands, sums of parts of K, products with K = 0) have another schedule
  // than the op's.
  llvm::MapVector<StringRef, const ScheduledProblem *> kernels;
  const ScheduledProblem *next = problems.begin();
  module.walk([&](gpu::LaunchFuncOp launch) {
    while (next != problems.end() && next->problem.isEmpty())
      ++next;
    Operation *kernel =
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
    if (next == problems.end() || !kernel ||
        ScheduleAttr::getFrom(kernel) != next->schedule)
      return;
    kernels.try_emplace(launch.getKernelName().getValue(), next++);
  });
  std::vector<KernelReport> reports;
  for (auto [name, scheduled] : kernels)
    reports.push_back(computeReport(name, ScheduleFields(scheduled->schedule),
                                    scheduled->problem, options.target,
                                    actual ? actual->find(name) : nullptr));
  return reports;
}
