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
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "top/GPU/Utils/MemRefAlignment.h"
#include "top/Target/MemoryAccess.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPPROMOTESHAREDPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

unsigned top::promoteToShared(RewriterBase &rewriter, scf::ForallOp kernel) {
  // Loads by the block in which they stand: one pair of barriers a block.
  llvm::MapVector<Block *, SmallVector<TileLoadOp>> loads;
  kernel.walk([&](TileLoadOp load) {
    if (isa<MemRefType>(load.getSource().getType()) &&
        llvm::any_of(load->getUsers(), llvm::IsaPred<TileMmaOp>))
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
    for (auto [load, ring] : llvm::zip(group, rings)) {
      for (Operation *user : load->getUsers()) {
        // A use inside a nested loop keeps the tile alive until that loop ends.
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (lastUse->isBeforeInBlock(ancestor))
          lastUse = ancestor;
      }
      rewriter.setInsertionPoint(load);
      TileType tile = load.getType();
      int64_t bytes = getRowAlignment(load.getSource());
      const int64_t element = getElementBytes(tile.getElementType());
      // A piece of a window is channels of one tap of one pixel; pixels with
      // their channels first are not side by side for taps in general.
      int64_t runBytes = cast<RingType>(ring.getType()).getRowBytes();
      if (WindowAttr window = load.getWindowAttr()) {
        auto source = cast<MemRefType>(load.getSource().getType());
        runBytes = window.isChannelsLast()
                       ? source.getDimSize(window.getChannelDim()) * element
                       : element;
      }
      while (cast<RingType>(ring.getType()).getRowBytes() % bytes != 0 ||
             runBytes % bytes != 0)
        bytes /= 2;
      TileCopyOp::create(rewriter, loc, load.getSource(), load.getPosition(),
                         ring, slot, load.getWindowAttr(), load.getDimsAttr(),
                         /*async=*/false, bytes,
                         load.getWindow() ||
                             getRowDivisor(load.getSource()) * element %
                                     bytes ==
                                 0);
    }
    rewriter.setInsertionPointAfter(group.back());
    gpu::BarrierOp::create(rewriter, loc);
    for (auto [load, ring] : llvm::zip(group, rings)) {
      Value view =
          TileViewOp::create(rewriter, loc, load.getType(), ring, slot);
      rewriter.replaceOp(load, view);
      ++count;
    }
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
