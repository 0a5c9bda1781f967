//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The levels of a GPU kernel as functions, for those who build pipelines of
// their own. A *kernel* here is an scf.forall that carries `top.schedule`.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_TRANSFORMS_TRANSFORMS_H
#define TOP_GPU_TRANSFORMS_TRANSFORMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "top/Dialect/Top/IR/TopTiles.h"

namespace mlir::top {

/// The kernels in `root`, in order.
SmallVector<scf::ForallOp> getKernels(Operation *root);

/// Copies the operands of the product `op` whose rows do not begin at multiples
/// of 16 bytes. Returns how many; fails with an error at the op where a size is
/// dynamic.
FailureOr<unsigned> repackOperands(RewriterBase &rewriter, linalg::LinalgOp op,
                                   ScheduleAttr schedule);

/// The packs that a convolution reads, which become kernels: null where the
/// images lie as they are read, and where the filter is a constant or has one
/// tap, and channels enough.
struct PackedConvolution {
  linalg::PackOp images, filter;
};

/// Packs the images and the filter of `op`, a convolution of NCHW tensors, with
/// their channels last, and replaces it by one of these. Of images that a
/// linalg.transpose makes of N x H x W x C nothing but their channels is filled
/// up, where the schedule says `repack` and there are too few. Fails with a
/// reason, and changes nothing, where that cannot be done.
FailureOr<PackedConvolution>
packConvolution(RewriterBase &rewriter, linalg::LinalgOp op, StringRef &reason);

/// Cuts `op`, a product or an elementwise op on tensors, into block tiles by
/// `schedule`, of which an elementwise op takes nothing but that it becomes a
/// kernel. Returns the kernels in order: one, or with several parts of K one
/// that computes them and one that adds them. Fails with an error at the op;
/// the IR is then unchanged.
FailureOr<SmallVector<scf::ForallOp>> tileToBlocks(RewriterBase &rewriter,
                                                   linalg::LinalgOp op,
                                                   ScheduleAttr schedule);

/// Cuts `op`, a pack of [batch x] C x H x W or of [batch x] H x W x C to
/// [batch x] H x W x 1 x C', with constant zeros for channels that the source
/// does not have, into blocks of one top.tile_pack each, whose boxes follow
/// from shape and element type. Fails with an error at the op; the IR is then
/// unchanged.
FailureOr<scf::ForallOp> packToBlocks(RewriterBase &rewriter,
                                      linalg::PackOp op);

/// Replaces `op`, whatever its form, by a constant. Fails, with the IR
/// unchanged and without a diagnostic, where its source is no dense constant of
/// whole bytes an element, a shape or a tile is dynamic, or its padding is no
/// constant.
LogicalResult foldConstantPack(RewriterBase &rewriter, linalg::PackOp op);

/// Stages the operands of the products of `kernel` in shared memory. Returns
/// the number of rings made.
unsigned promoteToShared(RewriterBase &rewriter, scf::ForallOp kernel);

/// Makes software pipelines of `stages` slots of the loops of `kernel` that
/// copy into rings of one slot. Returns the number of loops; fails with an
/// error where a loop is not as promoteToShared leaves it.
FailureOr<unsigned> multiBuffer(RewriterBase &rewriter, scf::ForallOp kernel,
                                int64_t stages);

/// Gives the rings of `kernel` the swizzled layout. Returns how many got it.
unsigned swizzleRings(scf::ForallOp kernel);

/// Hands the accumulators of `kernel` to the threads of the schedule's engine.
LogicalResult tileToWarps(RewriterBase &rewriter, scf::ForallOp kernel,
                          ScheduleAttr schedule);

/// Cuts the products of warps' tiles in `kernel` into steps of one
/// instruction's depth, whose fragments are read one step ahead, in the
/// pipelines of multiBuffer also across the barrier. Returns the number of
/// products cut; fails with an error where a depth is no multiple of a step.
FailureOr<unsigned> prefetchFragments(RewriterBase &rewriter,
                                      scf::ForallOp kernel,
                                      ScheduleAttr schedule);

/// What a block of a kernel does while it runs.
struct PipelineCounts {
  int64_t copies = 0, asyncCopies = 0; ///< of tiles
  int64_t reads = 0;                   ///< of operands, by products
  int64_t barriers = 0;
  int64_t steps = 0; ///< of loops with tile ops in them
};

/// Follows `kernel` and checks that every read of a slot of shared memory finds
/// a finished copy, and that no copy writes what may still be read. Fails with
/// an error at the op that is too early, or at what cannot be followed.
FailureOr<PipelineCounts> verifyPipeline(scf::ForallOp kernel);

} // namespace mlir::top

#endif // TOP_GPU_TRANSFORMS_TRANSFORMS_H
