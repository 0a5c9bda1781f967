//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-promote-shared: operands of a block's product are staged in shared
// memory. How wide the copies may be follows from where rows begin.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/IR/KnownDivisor.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "top/GPU/Utils/MemRefAlignment.h"
#include "top/Target/MemoryAccess.h"
#include <numeric>

namespace mlir::top {
#define GEN_PASS_DEF_TOPPROMOTESHAREDPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// cp.async moves 4, 8 or 16 bytes (PTX ISA, cp.async).
static constexpr int64_t kMinAsyncBytes = 4;

/// Whether a product takes `tile` or a part of it.
static bool isOperand(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    if (auto slice = dyn_cast<TileSliceOp>(user))
      return isOperand(slice.getResult());
    return isa<TileMmaOp, TileConvOp>(user);
  });
}

/// The last op of `block`, or in it, that uses `tile` or a part of it.
static void findLastUse(Value tile, Block *block, Operation *&last) {
  for (Operation *user : tile.getUsers()) {
    if (auto slice = dyn_cast<TileSliceOp>(user))
      findLastUse(slice.getResult(), block, last);
    // A use inside a nested loop keeps the tile alive until that loop ends.
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
}

/// Bytes of the accesses that fill a ring with rows of `rowBytes`: the widest
/// that rows of the source, or of the box of it, begin at.
static int64_t getCopyBytes(TileLoadOp load, int64_t rowBytes) {
  const int64_t element = getElementBytes(load.getType().getElementType());
  int64_t bytes = getRowAlignment(load.getSource());
  int64_t run = rowBytes; // of elements side by side
  if (WindowAttr window = load.getWindowAttr()) {
    // A piece of a window is channels of one tap of one pixel; pixels with
    // their channels first are not side by side for taps in general.
    auto source = cast<MemRefType>(load.getSource().getType());
    run = window.isChannelsLast()
              ? source.getDimSize(window.getChannelDim()) * element
              : element;
  } else if (load.getDims()) {
    // No access is partly outside the image then.
    run = std::gcd(getKnownDivisor(load.getPosition().back()),
                   getRowDivisor(load.getSource())) *
          element;
  }
  while (bytes > element && (rowBytes % bytes != 0 || run % bytes != 0))
    bytes /= 2;
  return bytes;
}

unsigned top::promoteToShared(RewriterBase &rewriter, scf::ForallOp kernel) {
  // Loads by the block in which they stand: one pair of barriers a block.
  llvm::MapVector<Block *, SmallVector<TileLoadOp>> loads;
  kernel.walk([&](TileLoadOp load) {
    if (isa<MemRefType>(load.getSource().getType()) &&
        isOperand(load.getResult()))
      loads[load->getBlock()].push_back(load);
  });

  OpBuilder::InsertionGuard guard(rewriter);
  unsigned count = 0;
  for (auto &[block, group] : loads) {
    Location loc = group.front().getLoc();
    rewriter.setInsertionPointToStart(kernel.getBody());
    Value slot = arith::ConstantIndexOp::create(rewriter, loc, 0);
    SmallVector<Value> rings;
    for (TileLoadOp load : group) {
      TileType tile = load.getType();
      rings.push_back(TileRingOp::create(
          rewriter, loc,
          RingType::get(tile.getContext(), /*stages=*/1, tile.getRows(),
                        tile.getCols(), tile.getElementType(),
                        /*swizzle=*/false)));
    }
    Operation *lastUse = group.front();
    // Copied once, a tile cannot be copied ahead of its use by multi-buffering;
    // asynchronous copies keep more of it under way than registers could.
    const bool isLoop = block != kernel.getBody();
    bool isAsync = false;
    for (auto [load, ring] : llvm::zip(group, rings)) {
      findLastUse(load.getResult(), block, lastUse);
      rewriter.setInsertionPoint(load);
      TileType tile = load.getType();
      const int64_t bytes =
          getCopyBytes(load, cast<RingType>(ring.getType()).getRowBytes());
      const bool isAsyncCopy = !isLoop && bytes >= kMinAsyncBytes;
      isAsync |= isAsyncCopy;
      TileCopyOp::create(
          rewriter, loc, load.getSource(), load.getPosition(), ring, slot,
          load.getWindowAttr(), load.getDimsAttr(), isAsyncCopy, bytes,
          load.getWindow() || getRowDivisor(load.getSource()) *
                                      getElementBytes(tile.getElementType()) %
                                      bytes ==
                                  0);
    }
    rewriter.setInsertionPointAfter(group.back());
    if (isAsync) {
      TileCommitOp::create(rewriter, loc);
      TileWaitOp::create(rewriter, loc, /*pending=*/0);
    }
    gpu::BarrierOp::create(rewriter, loc);
    for (auto [load, ring] : llvm::zip(group, rings)) {
      Value view =
          TileViewOp::create(rewriter, loc, load.getType(), ring, slot);
      rewriter.replaceOp(load, view);
      ++count;
    }
    if (!isLoop)
      continue; // nothing is copied over it
    rewriter.setInsertionPointAfter(lastUse);
    gpu::BarrierOp::create(rewriter, loc);
  }
  return count;
}

namespace {

struct TopPromoteShared
    : mlir::top::impl::TopPromoteSharedPassBase<TopPromoteShared> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    unsigned count = 0;
    for (scf::ForallOp kernel : getKernels(getOperation()))
      count += promoteToShared(rewriter, kernel);
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    if (count == 0) {
      remark::missed(getOperation().getLoc(), remarkOpts("NothingToPromote"))
          << remark::reason("no kernel loads a tile for a product");
      return;
    }
    getOperation().walk([&](TileCopyOp copy) {
      remark::passed(copy.getLoc(), remarkOpts("Promoted"))
          << remark::add("{0} bytes of shared memory",
                         copy.getRing().getType().getSlotBytes());
      if (copy.getVectorBytes() < kWidestAccessBytes)
        remark::analysis(copy.getLoc(), remarkOpts("NarrowCopy"))
            << remark::add(
                   "rows begin at multiples of {0} bytes, not of {1}: copied "
                   "with accesses of {0} bytes",
                   copy.getVectorBytes(), kWidestAccessBytes);
    });
  }
};

} // namespace
