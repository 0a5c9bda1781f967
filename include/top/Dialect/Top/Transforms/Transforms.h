//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transformations of layer ops as functions; the passes and the transform
// dialect call these.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_TRANSFORMS_TRANSFORMS_H
#define TOP_DIALECT_TOP_TRANSFORMS_TRANSFORMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

/// How the tiles of an op are written.
enum class TileForm {
  Loop,   ///< loops over the interior, border tiles apart
  Unroll, ///< every tile written out
};

/// What to cut. A size of 0 leaves the axis whole or, with a budget, free.
struct TileOptions {
  int64_t batch = 0;    ///< N, or B of a product
  int64_t height = 0;   ///< OH
  int64_t width = 0;    ///< OW
  int64_t channels = 0; ///< F
  int64_t m = 0, n = 0; ///< of a product
  TileForm form = TileForm::Loop;
  int64_t maxTileBytes = 0; ///< 0 = no budget
};

/// What tiling an op left behind.
struct TiledLayer {
  Value result;                   ///< replaces the op's result
  SmallVector<Operation *> tiles; ///< the layer ops that compute the tiles
};

/// Reports every size of `options` that is negative, by its option's name.
LogicalResult verifyTileOptions(function_ref<InFlightDiagnostic()> emitError,
                                const TileOptions &options);

/// Fills in the sizes of `options` that are 0 so that a tile of `op` fits its
/// budget: the largest tile, cut along N only if a whole image does not fit,
/// then along H, W and F (for a product along B, M and N). Sizes that are given
/// stay. Failure, after an error at `op`, where not even the smallest tile
/// fits. No effect without a budget.
LogicalResult chooseTileSizes(TilingInterface op, TileOptions &options);

/// Bytes that one tile of `op` touches: its input window, filter or operands,
/// bias, epilogue operands and result. Sizes of 0 stand for whole axes, and a
/// dynamic extent counts as unbounded; saturates at the largest int64_t.
int64_t getTileBytes(TilingInterface op, const TileOptions &options);

/// Replaces the layer op `op` by tiles, as the pass `top-tile` describes.
/// Returns std::nullopt, after a remark, where no axis is cut; failure, after
/// an error at `op` and with the IR untouched, where the request cannot be
/// met.
FailureOr<std::optional<TiledLayer>> tileLayer(RewriterBase &rewriter,
                                               TilingInterface op,
                                               const TileOptions &options);

/// Writes chains of at least `minLength` tensor.insert_slice of `func` into one
/// buffer each, as the pass `top-insert-chains-to-destination` describes. Takes
/// time linear in the links.
void writeInsertChainsToDestination(RewriterBase &rewriter,
                                    FunctionOpInterface func,
                                    int64_t minLength);

/// Moves layer ops that occur at least `minCount` times in `module` and are
/// written to buffers into functions, one for each distinct op, as the pass
/// `top-outline-tiles` describes.
void outlineTiles(RewriterBase &rewriter, ModuleOp module, int64_t minCount);

/// Lowers every tensor type of `module` that is channels last to the plain type
/// of its memory, see top-lower-layouts. Fails, after one error and with the
/// module untouched, where an op cannot be converted.
LogicalResult lowerLayouts(ModuleOp module);

/// Patterns of the pass `top-expand-float8`.
void populateExpandFloat8Patterns(RewritePatternSet &patterns);

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_TRANSFORMS_TRANSFORMS_H
