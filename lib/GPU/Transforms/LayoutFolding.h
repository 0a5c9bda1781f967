//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `top-lower-layouts` puts round a convolution, taken in again: a
// convolution whose kernel reads and writes N x H x W x C needs none of the ops
// that move elements to N x C x H x W and back.
//
//   %t = linalg.transpose ins(%x)  [0, 3, 1, 2]     N x H x W x C
//   %p = tensor.pad %t                              N x C x H x W
//   %s = convolution(%p)                            N x F x OH x OW
//   %e = linalg.generic elementwise (%s, ...)
//   %r = linalg.generic that moves elements (%e)    N x OH x OW x F
//
// And such ops made where they are not yet, for an elementwise op in front.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_LAYOUTFOLDING_H
#define TOP_LIB_GPU_TRANSFORMS_LAYOUTFOLDING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::top {

/// The tensor that `value` holds the elements of in another order, where it is
/// the result of a linalg.transpose, or of a linalg.generic that does the same:
/// dimension `i` of `value` is dimension `order[i]` of the source. Null where
/// it is not.
Value getPermutedSource(Value value, ArrayRef<int64_t> order);

/// `image`, N x C x H x W, as the tensor N x H x W x C that it is made of,
/// where it is such a permuted one; where that is behind a tensor.pad by a
/// constant, the pad is made anew on the tensor N x H x W x C, at the insertion
/// point, which `image` dominates. Null, and nothing is created, where `image`
/// is neither.
Value getChannelsLastSource(RewriterBase &rewriter, Value image);

/// The way from the sums of a convolution to a channels-last result; each op is
/// the only user of the one before.
struct ChannelsLastResult {
  linalg::GenericOp epilogue; ///< elementwise; null where the sums are moved
  linalg::LinalgOp move;      ///< to N x OH x OW x F
};

/// The ops behind `sums`, N x F x OH x OW; nullopt where these are not their
/// only users.
std::optional<ChannelsLastResult> matchChannelsLastResult(Value sums);

/// Replaces the ops of `result`, the match of `sums`, for a convolution that
/// gives `lastSums`, N x OH x OW x F, instead: the epilogue runs over N, OH,
/// OW, F, its other operands are read by permuted maps, and those that are
/// transposed from N x OH x OW x F are read where they are. `lastSums`
/// dominates `result.move`. Returns what replaces the result of the move;
/// `sums` has no user then.
Value rewriteChannelsLastResult(RewriterBase &rewriter, Value sums,
                                const ChannelsLastResult &result,
                                Value lastSums);

/// Lets an elementwise `generic` read inputs that are transposed from
/// N x H x W x C where they are. Returns whether there were any.
bool foldPermutedInputs(RewriterBase &rewriter, linalg::GenericOp generic);

/// Lets an elementwise `generic`, of one result N x C x H x W that it reads
/// nothing of, compute N x H x W x C instead, with its other operands read as
/// rewriteChannelsLastResult has it; what read its result reads a
/// linalg.transpose of that.
void writeChannelsLast(RewriterBase &rewriter, linalg::GenericOp generic);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_LAYOUTFOLDING_H
