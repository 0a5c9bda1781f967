//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-tile-to-warps: who of the block computes what. The accumulators become
// those of one warp (`mma_sync`) or of one thread (`simt`), the operands are
// sliced to match, and the store learns where its owner's elements lie.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Remarks.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPTILETOWARPSPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

namespace {

/// Position of a warp, and of a thread, along one side of the block tile.
struct Position {
  Value warp;             ///< first row (column) of the warp's tile
  int64_t warpTile;       ///< extent of the warp's tile
  Value lane;             ///< position inside the warp's tile; null if the
                          ///< warp's tile is not cut further
  int64_t threadTile = 0; ///< elements of a thread, `lanes` apart
  int64_t lanes = 1;
};

} // namespace

/// Values that hold accumulators of the block: what starts from a tile_zero,
/// through products and loops.
static SmallVector<Value> findAccumulators(scf::ForallOp kernel) {
  SmallVector<Value> values;
  kernel.walk([&](TileZeroOp op) { values.push_back(op.getResult()); });
  for (unsigned i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      if (auto loop = dyn_cast<scf::ForOp>(use.getOwner())) {
        values.push_back(loop.getTiedLoopRegionIterArg(&use));
        values.push_back(loop.getTiedLoopResult(&use));
      } else if (auto mma = dyn_cast<TileMmaOp>(use.getOwner());
                 mma && mma.getAcc() == values[i]) {
        values.push_back(mma.getResult());
      }
    }
  return values;
}

/// The part of an operand that a warp, and then a thread, needs.
static Value sliceOperand(RewriterBase &b, Location loc, Value tile,
                          const Position &position, bool isRow, Value zero) {
  auto type = cast<TileType>(tile.getType());
  auto cut = [&](Value source, Value offset, int64_t extent, int64_t step,
                 TileLevel level) -> Value {
    const int64_t rows = isRow ? extent : type.getRows();
    const int64_t cols = isRow ? type.getCols() : extent;
    auto result =
        TileType::get(b.getContext(), level, rows, cols, type.getElementType());
    return TileSliceOp::create(
        b, loc, result, source, isRow ? offset : zero, isRow ? zero : offset,
        b.getDenseI64ArrayAttr({isRow ? step : 1, isRow ? 1 : step}));
  };
  Value warp = cut(tile, position.warp, position.warpTile, 1, TileLevel::warp);
  if (!position.lane)
    return warp;
  return cut(warp, position.lane, position.threadTile, position.lanes,
             TileLevel::thread);
}

LogicalResult top::tileToWarps(RewriterBase &b, scf::ForallOp kernel,
                               ScheduleAttr schedule) {
  if (schedule.getEngine() == Engine::wgmma)
    return kernel.emitOpError("cannot be cut into warp tiles: engine '")
           << stringifyEngine(schedule.getEngine())
           << "' has no kernels yet; use 'simt' or 'mma_sync'";
  // Written for threads from the start.
  if (schedule.getEngine() == Engine::direct)
    return success();
  SmallVector<Value> accumulators = findAccumulators(kernel);
  for (Value value : accumulators) {
    auto type = cast<TileType>(value.getType());
    if (type.getLevel() != TileLevel::block ||
        type.getRows() != schedule.getBlockM() ||
        type.getCols() != schedule.getBlockN())
      return kernel.emitOpError("cannot be cut into warp tiles: expected "
                                "accumulators of ")
             << schedule.getBlockM() << "x" << schedule.getBlockN()
             << " that belong to the block, got " << type;
  }

  OpBuilder::InsertionGuard guard(b);
  Location loc = kernel.getLoc();
  b.setInsertionPointToStart(kernel.getBody());
  auto split = [&](Value linear, int64_t rows, int64_t cols) {
    SmallVector<OpFoldResult> basis = {b.getIndexAttr(rows),
                                       b.getIndexAttr(cols)};
    return affine::AffineDelinearizeIndexOp::create(b, loc, linear, basis)
        .getResults();
  };
  auto scale = [&](Value value, int64_t factor) -> Value {
    return affine::AffineApplyOp::create(
        b, loc, AffineMap::get(1, 0, b.getAffineDimExpr(0) * factor), value);
  };
  auto warps = split(gpu::SubgroupIdOp::create(b, loc, nullptr),
                     schedule.getNumWarpsM(), schedule.getNumWarpsN());
  Position m{scale(warps[0], schedule.getWarpM()), schedule.getWarpM()};
  Position n{scale(warps[1], schedule.getWarpN()), schedule.getWarpN()};
  Value row = m.warp, col = n.warp;
  TileLevel level = TileLevel::warp;
  int64_t rows = schedule.getWarpM(), cols = schedule.getWarpN();
  if (schedule.getEngine() == Engine::simt) {
    auto lanes = split(gpu::LaneIdOp::create(b, loc, nullptr),
                       schedule.getNumLanesM(), schedule.getNumLanesN());
    m.lane = lanes[0];
    n.lane = lanes[1];
    m.threadTile = rows = schedule.getThreadM();
    n.threadTile = cols = schedule.getThreadN();
    m.lanes = schedule.getNumLanesM();
    n.lanes = schedule.getNumLanesN();
    level = TileLevel::thread;
    AffineMap sum =
        AffineMap::get(2, 0, b.getAffineDimExpr(0) + b.getAffineDimExpr(1));
    row =
        affine::AffineApplyOp::create(b, loc, sum, ValueRange{m.warp, m.lane});
    col =
        affine::AffineApplyOp::create(b, loc, sum, ValueRange{n.warp, n.lane});
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);

  for (Value value : accumulators) {
    auto type = cast<TileType>(value.getType());
    value.setType(TileType::get(b.getContext(), level, rows, cols,
                                type.getElementType()));
  }
  kernel.walk([&](TileMmaOp mma) {
    b.setInsertionPoint(mma);
    mma.getLhsMutable().assign(sliceOperand(b, mma.getLoc(), mma.getLhs(), m,
                                            !mma.getTransposeA(), zero));
    mma.getRhsMutable().assign(sliceOperand(b, mma.getLoc(), mma.getRhs(), n,
                                            mma.getTransposeB(), zero));
  });
  kernel.walk([&](TileStoreOp store) {
    store.getOffsetsMutable().assign(ValueRange{row, col});
    store.setStepAttr(b.getDenseI64ArrayAttr({m.lanes, n.lanes}));
  });
  return success();
}

namespace {

struct TopTileToWarps
    : mlir::top::impl::TopTileToWarpsPassBase<TopTileToWarps> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    SmallVector<scf::ForallOp> kernels = getKernels(getOperation());
    if (kernels.empty())
      remark::missed(getOperation().getLoc(), remarkOpts("NoKernel"))
          << remark::reason("no scf.forall carries {0}",
                            ScheduleAttr::name.str());
    for (scf::ForallOp kernel : kernels) {
      ScheduleAttr schedule = ScheduleAttr::getFrom(kernel);
      if (failed(tileToWarps(rewriter, kernel, schedule)))
        return signalPassFailure();
      std::string text =
          llvm::formatv("{0} warps of {1}x{2}", schedule.getNumWarps(),
                        schedule.getWarpM(), schedule.getWarpN());
      if (schedule.getEngine() == Engine::simt)
        text += llvm::formatv(", threads of {0}x{1}", schedule.getThreadM(),
                              schedule.getThreadN());
      remark::passed(kernel.getLoc(), remarkOpts("Warps"))
          << remark::add("{0}", text);
    }
  }
};

} // namespace
