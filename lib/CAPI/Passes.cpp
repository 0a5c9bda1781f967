//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See top-c/Passes.h.
//
//===----------------------------------------------------------------------===//

#include "top-c/Passes.h"

#include "CallerHandler.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "top/InitAll.h"
#include "top/Pipelines/Pipelines.h"

using namespace mlir;

void topRegisterAllPasses() {
  // The registry is the process's and refuses a second registration.
  static const bool once = [] {
    top::registerAllTopPasses();
    top::registerAllTopPipelines();
    return true;
  }();
  (void)once;
}

MlirLogicalResult topRunPipeline(MlirModule module, MlirStringRef pipeline,
                                 MlirDiagnosticHandler handler,
                                 void *userData) {
  ModuleOp op = unwrap(module);
  top::CallerHandler scope(op.getContext(), handler, userData);
  std::string errors;
  llvm::raw_string_ostream os(errors);
  FailureOr<OpPassManager> parsed = parsePassPipeline(unwrap(pipeline), os);
  if (failed(parsed)) {
    emitError(op.getLoc()) << StringRef(errors).trim();
    return mlirLogicalResultFailure();
  }
  PassManager pm(op.getContext(), ModuleOp::getOperationName());
  if (parsed->getOpAnchorName() != pm.getOpAnchorName()) {
    emitError(op.getLoc()) << "expected a pipeline on '" << pm.getOpAnchorName()
                           << "', got one on '" << parsed->getOpAnchorName()
                           << "'";
    return mlirLogicalResultFailure();
  }
  static_cast<OpPassManager &>(pm) = std::move(*parsed);
  return wrap(pm.run(op));
}

MlirLogicalResult topTileModule(MlirModule module,
                                const TopTileOptions *options,
                                MlirDiagnosticHandler handler, void *userData) {
  ModuleOp op = unwrap(module);
  top::CallerHandler scope(op.getContext(), handler, userData);
  // Nothing past `version` may be read before it is known.
  if (options->version != TOP_TILE_OPTIONS_VERSION) {
    emitError(op.getLoc()) << "expected 'version' of TopTileOptions to be "
                           << TOP_TILE_OPTIONS_VERSION << ", got "
                           << options->version;
    return mlirLogicalResultFailure();
  }
  if (options->form != TopTileFormLoop && options->form != TopTileFormUnroll) {
    emitError(op.getLoc()) << "expected 'form' of TopTileOptions to be 0 "
                              "(loop) or 1 (unroll), got "
                           << options->form;
    return mlirLogicalResultFailure();
  }
  top::TopTilingPipelineOptions tiling;
  tiling.batch = options->batch;
  tiling.height = options->height;
  tiling.width = options->width;
  tiling.channels = options->channels;
  tiling.m = options->m;
  tiling.n = options->n;
  tiling.form = options->form == TopTileFormUnroll ? top::TileForm::Unroll
                                                   : top::TileForm::Loop;
  tiling.maxTileBytes = options->maxTileBytes;
  PassManager pm(op.getContext(), ModuleOp::getOperationName());
  top::buildTopTilingPipeline(pm, tiling);
  return wrap(pm.run(op));
}
