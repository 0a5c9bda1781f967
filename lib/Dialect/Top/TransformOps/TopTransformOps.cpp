//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `transform.top.tile`.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/TransformOps/TopTransformOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "top/Dialect/Top/Transforms/Transforms.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::top;

#define GET_OP_CLASSES
#include "top/Dialect/Top/TransformOps/TopTransformOps.cpp.inc"

/// Runs tileLayer and turns what it reports into one silenceable failure.
static DiagnosedSilenceableFailure
tileSilenceably(RewriterBase &rewriter, TilingInterface op,
                const TileOptions &options,
                SmallVectorImpl<Operation *> &tiles) {
  SmallVector<Diagnostic> reported;
  FailureOr<std::optional<TiledLayer>> tiled = failure();
  {
    // A handler sees what every thread of the context reports; take our own.
    ScopedDiagnosticHandler capture(
        op.getContext(),
        [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread ||
              diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          reported.push_back(std::move(diagnostic));
          return success();
        });
    tiled = tileLayer(rewriter, op, options);
  }
  if (failed(tiled))
    return DiagnosedSilenceableFailure::silenceableFailure(std::move(reported));
  if (*tiled)
    llvm::append_range(tiles, (*tiled)->tiles);
  else
    tiles.push_back(op);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
top::TileTransformOp::apply(transform::TransformRewriter &rewriter,
                            transform::TransformResults &results,
                            transform::TransformState &state) {
  const TileOptions options{static_cast<int64_t>(getBatch()),
                            static_cast<int64_t>(getHeight()),
                            static_cast<int64_t>(getWidth()),
                            static_cast<int64_t>(getChannels()),
                            static_cast<int64_t>(getM()),
                            static_cast<int64_t>(getN()),
                            getForm() == "unroll" ? TileForm::Unroll
                                                  : TileForm::Loop,
                            static_cast<int64_t>(getMaxTileBytes())};
  SmallVector<Operation *> tiles;
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  for (Operation *target : targets) {
    auto op = dyn_cast<TilingInterface>(target);
    if (!op || !isa<Conv2DOp, MatMulOp>(target)) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError() << "expected layer ops (top.Conv2D or "
                                    "top.MatMul) as target, got '"
                                 << target->getName() << "'";
      failure.attachNote(target->getLoc()) << "target op";
      return failure;
    }
    DiagnosedSilenceableFailure outcome =
        tileSilenceably(rewriter, op, options, tiles);
    if (!outcome.succeeded())
      return outcome;
  }
  results.set(cast<OpResult>(getTiles()), tiles);
  return DiagnosedSilenceableFailure::success();
}

void top::TileTransformOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

LogicalResult top::TileTransformOp::verify() {
  if (getForm() != "loop" && getForm() != "unroll")
    return emitOpError("expected 'form' to be \"loop\" or \"unroll\", got \"")
           << getForm() << "\"";
  return success();
}

namespace {

struct TopTransformDialectExtension
    : transform::TransformDialectExtension<TopTransformDialectExtension> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TopTransformDialectExtension)

  void init() {
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<cf::ControlFlowDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "top/Dialect/Top/TransformOps/TopTransformOps.cpp.inc"
        >();
  }
};

} // namespace

void top::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<TopTransformDialectExtension>();
}
