//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization of top.tile_load, which only reads, and of top.tile_store,
// top.tile_map and top.tile_pack, which write their destination in place.
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

/// Of ops that read one tensor and make no other.
template <typename Model, typename OpTy>
struct ReaderModel : BufferizableOpInterface::ExternalModel<Model, OpTy> {
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
    OpOperand &operand = Model::getTensor(cast<OpTy>(op));
    if (!isa<TensorType>(operand.get().getType()))
      return success();
    FailureOr<Value> buffer =
        getBuffer(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { operand.set(*buffer); });
    return success();
  }
};

struct TileLoadModel : ReaderModel<TileLoadModel, top::TileLoadOp> {
  static OpOperand &getTensor(top::TileLoadOp op) {
    return op.getSourceMutable();
  }
};

struct TileConvModel : ReaderModel<TileConvModel, top::TileConvOp> {
  static OpOperand &getTensor(top::TileConvOp op) {
    return op.getFilterMutable();
  }
};

/// The buffers of what an elementwise op reads.
FailureOr<SmallVector<Value>> getBuffers(ValueRange tensors,
                                         RewriterBase &rewriter,
                                         const BufferizationOptions &options,
                                         BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value tensor : tensors) {
    FailureOr<Value> buffer = getBuffer(rewriter, tensor, options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  return buffers;
}

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
    FailureOr<SmallVector<Value>> inputs =
        getBuffers(store.getInputs(), rewriter, options, state);
    if (failed(inputs))
      return failure();
    auto stored = top::TileStoreOp::create(
        rewriter, op->getLoc(), /*result=*/Type(), store.getTile(), *dest,
        store.getOffsets(), *inputs, store.getIndexingMapsAttr(),
        store.getStepAttr(), store.getDimsAttr());
    rewriter.inlineRegionBefore(store.getBody(), stored.getBody(),
                                stored.getBody().begin());
    replaceOpWithBufferizedValues(rewriter, op, *dest);
    return success();
  }
};

struct TileMapModel
    : DstBufferizableOpInterfaceExternalModel<TileMapModel, top::TileMapOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto map = cast<top::TileMapOp>(op);
    if (!isa<TensorType>(map.getDest().getType()))
      return success();
    // The destination, then the parts, if any, and the inputs.
    FailureOr<SmallVector<Value>> buffers =
        getBuffers(op->getOperands(), rewriter, options, state);
    if (failed(buffers))
      return failure();
    const unsigned first = map.getParts() ? 2 : 1;
    auto mapped = top::TileMapOp::create(
        rewriter, op->getLoc(), /*result=*/Type(), buffers->front(),
        map.getParts() ? (*buffers)[1] : Value(),
        ArrayRef(*buffers).drop_front(first), map.getIndexingMapsAttr());
    rewriter.inlineRegionBefore(map.getBody(), mapped.getBody(),
                                mapped.getBody().begin());
    replaceOpWithBufferizedValues(rewriter, op, buffers->front());
    return success();
  }
};

struct TilePackModel
    : DstBufferizableOpInterfaceExternalModel<TilePackModel, top::TilePackOp> {
  // What the destination held is not read: channels of padding become zeros.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto pack = cast<top::TilePackOp>(op);
    if (!isa<TensorType>(pack.getDest().getType()))
      return success();
    FailureOr<SmallVector<Value>> buffers =
        getBuffers(op->getOperands(), rewriter, options, state);
    if (failed(buffers))
      return failure();
    top::TilePackOp::create(rewriter, op->getLoc(), /*result=*/Type(),
                            (*buffers)[0], (*buffers)[1]);
    replaceOpWithBufferizedValues(rewriter, op, (*buffers)[1]);
    return success();
  }
};

} // namespace

void top::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TopDialect *) {
    TileConvOp::attachInterface<TileConvModel>(*context);
    TileLoadOp::attachInterface<TileLoadModel>(*context);
    TileMapOp::attachInterface<TileMapModel>(*context);
    TilePackOp::attachInterface<TilePackModel>(*context);
    TileStoreOp::attachInterface<TileStoreModel>(*context);
  });
}
