//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization of top.tile_load, which only reads, and of top.tile_store,
// which writes its destination in place.
//
//===----------------------------------------------------------------------===//

#include "top/GPU/Transforms/BufferizableOpInterfaceImpl.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/PatternMatch.h"
#include "top/Dialect/Top/IR/TopTiles.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

struct TileLoadModel
    : BufferizableOpInterface::ExternalModel<TileLoadModel, top::TileLoadOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {}; // a tile is no buffer
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto load = cast<top::TileLoadOp>(op);
    if (!isa<TensorType>(load.getSource().getType()))
      return success();
    FailureOr<Value> source =
        getBuffer(rewriter, load.getSource(), options, state);
    if (failed(source))
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { load.getSourceMutable().assign(*source); });
    return success();
  }
};

struct TileStoreModel
    : DstBufferizableOpInterfaceExternalModel<TileStoreModel,
                                              top::TileStoreOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto store = cast<top::TileStoreOp>(op);
    if (!isa<TensorType>(store.getDest().getType()))
      return success();
    FailureOr<Value> dest =
        getBuffer(rewriter, store.getDest(), options, state);
    if (failed(dest))
      return failure();
    SmallVector<Value> inputs;
    for (Value input : store.getInputs()) {
      FailureOr<Value> buffer = getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      inputs.push_back(*buffer);
    }
    auto stored = top::TileStoreOp::create(
        rewriter, op->getLoc(), /*result=*/Type(), store.getTile(), *dest,
        store.getOffsets(), inputs, store.getIndexingMapsAttr(),
        store.getStepAttr());
    rewriter.inlineRegionBefore(store.getBody(), stored.getBody(),
                                stored.getBody().begin());
    replaceOpWithBufferizedValues(rewriter, op, *dest);
    return success();
  }
};

} // namespace

void top::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TopDialect *) {
    TileLoadOp::attachInterface<TileLoadModel>(*context);
    TileStoreOp::attachInterface<TileStoreModel>(*context);
  });
}
