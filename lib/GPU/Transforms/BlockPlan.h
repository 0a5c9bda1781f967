//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What top-tile-to-blocks has read of an op before it writes kernels. Internal
// to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_GPU_TRANSFORMS_BLOCKPLAN_H
#define TOP_LIB_GPU_TRANSFORMS_BLOCKPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/IR/TopTiles.h"

namespace mlir::top {

/// One operand of the product: [batch x] rows x cols.
struct ProductOperand {
  Value tensor;
  bool hasBatch = false;
  bool transposed = false; ///< K x M of lhs, N x K of rhs
};

/// A scheduled op and what is fused with it.
struct BlockPlan {
  linalg::LinalgOp product; ///< null where nothing is multiplied
  ProductOperand lhs, rhs;
  linalg::LinalgOp epilogue; ///< null if the accumulators are the result
  Value result;              ///< what the kernels compute
  bool isBatched = false;
  int64_t m, n, k = 0;
  Type accumulatorType;
  KParts parts; ///< one where nothing is multiplied
};

/// Whether `op` computes each element of one result from one of each operand,
/// on tensors.
bool isElementwise(linalg::LinalgOp op);

/// Writes a kernel that computes a tensor like `init`, of static shape and rank
/// 2 at least, by the elementwise `op` (or, where that is null, as it is): of
/// the sum of `parts`, one more dimension in front, in place of `sums`, or of
/// the op's own operands where both are null. It goes behind the insertion
/// point, which then is behind it.
scf::ForallOp writeElementwise(OpBuilder &b, Location loc, Value init,
                               linalg::LinalgOp op, Value sums, Value parts);

/// Writes the kernel of an elementwise op of static shape and rank 2 at least,
/// and replaces it. Fails with one error at `op`.
FailureOr<scf::ForallOp> elementwiseToBlocks(RewriterBase &rewriter,
                                             linalg::LinalgOp op);

/// Whether `value` is a tensor filled with zeros.
bool isZeroFill(Value value);

/// The elementwise op that is the only user of `sums`; null where there is none
/// that a kernel can take in. One that carries a schedule asks for a kernel of
/// its own.
linalg::LinalgOp findEpilogue(Value sums);

/// Writes the kernel of a convolution by engine `direct` and replaces it, its
/// padding and its epilogue. Fails with one error at `op`, and then has changed
/// nothing that counts.
FailureOr<scf::ForallOp> directToBlocks(RewriterBase &rewriter,
                                        linalg::LinalgOp op,
                                        ScheduleAttr schedule);

/// Whether `op` is a convolution over images.
bool isConvolution(linalg::LinalgOp op);

/// Writes the kernels of a convolution by the engines of matrix products, and
/// replaces it, its padding and its epilogue. Returns them as tileToBlocks
/// does. Fails with one error at `op`; the IR is then unchanged but for ops
/// without uses.
FailureOr<SmallVector<scf::ForallOp>> convToBlocks(RewriterBase &rewriter,
                                                   linalg::LinalgOp op,
                                                   ScheduleAttr schedule);

/// Writes the kernels of `plan` at the last of its ops: one, or with several
/// parts of K one that computes the parts and one that adds them. Returns them
/// in order; the last one's result is the plan's.
SmallVector<scf::ForallOp> writeBlocks(RewriterBase &rewriter,
                                       const BlockPlan &plan,
                                       ScheduleAttr schedule);

/// The schedule of a kernel that computes rows x cols elements, `batch` times,
/// and multiplies nothing. Each thread moves `width` elements side by side at a
/// time, and up to `pieces` such pieces. All are at least 1; `width` is a power
/// of two.
ScheduleAttr getElementwiseSchedule(MLIRContext *context, int64_t batch,
                                    int64_t rows, int64_t cols, int64_t width,
                                    int64_t pieces);

/// How many elements side by side a thread of the elementwise `op` should move:
/// 16 bytes of the widest of its types, but no more than stores to its
/// destination can have in one access.
int64_t getElementwiseWidth(linalg::LinalgOp op);

} // namespace mlir::top

#endif // TOP_LIB_GPU_TRANSFORMS_BLOCKPLAN_H
