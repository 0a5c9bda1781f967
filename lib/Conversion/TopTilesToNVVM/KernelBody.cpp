//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structure of a kernel's body: loops, rings, views, and how many
// accumulators a thread has. What the big ops do is in TileCopy.cpp,
// SimtMma.cpp, MmaSync.cpp and TileStore.cpp.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Dialect/Top/IR/KnownDivisor.h"
#include "top/Target/GPUTarget.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;

FailureOr<int64_t> KernelBody::getNumAccumulators(Operation *op,
                                                  TileType type) const {
  switch (type.getLevel()) {
  case TileLevel::thread:
    return type.getRows() * type.getCols();
  case TileLevel::block:
    return llvm::divideCeil(type.getRows() * type.getCols(),
                            schedule.getNumThreads());
  case TileLevel::warp:
    return getNumWarpAccumulators(op, type);
  }
  llvm_unreachable("a tile of no level");
}

/// Element number threadId + index * threads of a block's tile, row by row; the
/// last ones wrap round where threads do not divide it, and are computed twice.
std::pair<OpFoldResult, OpFoldResult>
KernelBody::getBlockPosition(const IndexMath &math, TileType type,
                             int64_t index) const {
  const int64_t elements = type.getRows() * type.getCols();
  const int64_t threads = schedule.getNumThreads();
  OpFoldResult number = math.add(threadId, math.constant(index * threads));
  if ((index + 1) * threads > elements)
    number = math.rem(number, elements);
  return {math.div(number, type.getCols()), math.rem(number, type.getCols())};
}

SmallVector<OpFoldResult> KernelBody::getNumbers(ValueRange values) const {
  SmallVector<OpFoldResult> numbers;
  for (Value value : values)
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      numbers.push_back(b.getIndexAttr(*constant));
    else
      numbers.push_back(mapping.lookupOrDefault(value));
  return numbers;
}

LogicalResult KernelBody::convert(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(convert(&op)))
      return failure();
  return success();
}

LogicalResult KernelBody::convert(Operation *op) {
  Location loc = op->getLoc();
  IndexMath math(b, loc);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TileZeroOp zero) -> LogicalResult {
        FailureOr<int64_t> count = getNumAccumulators(op, zero.getType());
        if (failed(count))
          return failure();
        Value value = arith::ConstantOp::create(
            b, loc, b.getZeroAttr(zero.getType().getElementType()));
        registerTiles[zero.getResult()].values.assign(*count, value);
        return success();
      })
      .Case([&](TileRingOp ring) { return convertRing(ring); })
      .Case([&](TileLoadOp load) { return convertLoad(load); })
      .Case([&](TileCopyOp copy) { return convertCopy(copy); })
      .Case([&](TileViewOp view) { return convertView(view); })
      .Case([&](TileSliceOp slice) { return convertSlice(slice); })
      .Case([&](TileFragmentOp fragment) { return convertFragment(fragment); })
      .Case([&](TileMmaOp mma) { return convertMma(mma); })
      .Case([&](TileConvOp conv) { return convertConv(conv); })
      .Case([&](TileStoreOp store) { return convertStore(store); })
      .Case([&](TileMapOp map) { return convertMap(map); })
      .Case([&](TilePackOp pack) { return convertPack(pack); })
      .Case([&](TileCommitOp) {
        NVVM::CpAsyncCommitGroupOp::create(b, loc);
        return success();
      })
      .Case([&](TileWaitOp wait) {
        NVVM::CpAsyncWaitGroupOp::create(b, loc, wait.getPending());
        return success();
      })
      .Case([&](gpu::BarrierOp) {
        NVVM::Barrier0Op::create(b, loc);
        return success();
      })
      .Case([&](gpu::LaneIdOp lane) {
        mapping.map(lane.getResult(),
                    math.value(math.rem(threadId, kThreadsPerWarp)));
        return success();
      })
      .Case([&](gpu::SubgroupIdOp warp) {
        mapping.map(warp.getResult(),
                    math.value(math.div(threadId, kThreadsPerWarp)));
        return success();
      })
      .Case<scf::ForOp>([&](auto) { return convertFor(op); })
      .Case<scf::IfOp>([&](auto) { return convertIf(op); })
      // Resolved where it is used.
      .Case<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
          [&](auto) { return success(); })
      .Default([&](Operation *) -> LogicalResult {
        auto isPlain = [](Type type) { return type.isIntOrIndexOrFloat(); };
        if (op->getNumRegions() != 0 ||
            !llvm::all_of(op->getOperandTypes(), isPlain) ||
            !llvm::all_of(op->getResultTypes(), isPlain))
          return op->emitOpError("has no place in a kernel");
        b.clone(*op, mapping);
        return success();
      });
}

LogicalResult KernelBody::convertFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs()) {
    if (!isa<TileType>(init.getType())) {
      inits.push_back(mapping.lookupOrDefault(init));
      continue;
    }
    auto found = registerTiles.find(init);
    if (found == registerTiles.end())
      return loop.emitOpError("cannot be lowered: it carries a tile that is "
                              "neither sums nor a fragment");
    llvm::append_range(inits, found->second.values);
  }
  auto result = scf::ForOp::create(
      b, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
      mapping.lookupOrDefault(loop.getUpperBound()),
      mapping.lookupOrDefault(loop.getStep()), inits);
  mapping.map(loop.getInductionVar(), result.getInductionVar());
  // A tile is carried in the form in which it comes in.
  auto assign = [&](ValueRange from, ValueRange to) {
    unsigned next = 0;
    for (auto [value, init] : llvm::zip(from, loop.getInitArgs())) {
      if (!isa<TileType>(value.getType())) {
        mapping.map(value, to[next++]);
        continue;
      }
      RegisterTile tile = registerTiles.lookup(init);
      const size_t count = tile.values.size();
      tile.values = llvm::to_vector(to.slice(next, count));
      registerTiles[value] = std::move(tile);
      next += count;
    }
  };
  assign(loop.getRegionIterArgs(), result.getRegionIterArgs());

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(result.getBody());
  if (failed(convert(*loop.getBody())))
    return failure();
  SmallVector<Value> yielded;
  for (auto [value, init] :
       llvm::zip(loop.getBody()->getTerminator()->getOperands(),
                 loop.getInitArgs())) {
    if (!isa<TileType>(value.getType())) {
      yielded.push_back(mapping.lookupOrDefault(value));
      continue;
    }
    const RegisterTile before = registerTiles.lookup(init);
    const RegisterTile after = registerTiles.lookup(value);
    if (after.values.size() != before.values.size() ||
        after.kind != before.kind || after.transposed != before.transposed)
      return loop.emitOpError("cannot be lowered: expected it to yield tiles "
                              "in the form in which they come in");
    llvm::append_range(yielded, after.values);
  }
  if (!inits.empty())
    scf::YieldOp::create(b, loop.getLoc(), yielded);
  assign(loop.getResults(), result.getResults());
  return success();
}

LogicalResult KernelBody::convertIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  if (branch.getNumResults() != 0 || branch.elseBlock())
    return op->emitOpError("has no place in a kernel: expected no results and "
                           "no else");
  Value condition = mapping.lookupOrDefault(branch.getCondition());
  // Asynchronous copies need no branch: each has the condition itself.
  auto isAsyncCopy = [](Operation &inner) {
    auto copy = dyn_cast<TileCopyOp>(inner);
    return copy && copy.getAsync();
  };
  Block::OpListType &ops = branch.thenBlock()->getOperations();
  if (llvm::all_of(llvm::drop_end(ops), isAsyncCopy)) {
    for (Operation &inner : llvm::drop_end(ops))
      if (failed(convertCopy(cast<TileCopyOp>(inner), condition)))
        return failure();
    return success();
  }
  auto result = scf::IfOp::create(b, op->getLoc(), condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(result.thenBlock());
  return convert(*branch.thenBlock());
}

Value KernelBody::getSlotAddress(const IndexMath &math, Value base,
                                 RingType ring, Value slot) const {
  OpFoldResult number = mapping.lookupOrDefault(slot);
  if (ring.getStages() == 1)
    number = math.constant(0);
  return getByteAddress(math, base,
                        math.mul(number, llvm::alignTo(ring.getSlotBytes(),
                                                       kSharedTileAlignment)));
}

/// Slots begin at the first bank, so that a swizzle that counts rows from the
/// slot's start meets the banks it was made for.
LogicalResult KernelBody::convertRing(TileRingOp op) {
  RingType ring = op.getType();
  IndexMath math(b, op.getLoc());
  ringBytes = llvm::alignTo(ringBytes, kSharedTileAlignment);
  rings[op.getRing()] =
      getByteAddress(math, sharedMemory, math.constant(ringBytes));
  ringBytes += ring.getStages() *
               llvm::alignTo(ring.getSlotBytes(), kSharedTileAlignment);
  return success();
}

template <typename OpTy>
FailureOr<WindowSource> KernelBody::getWindow(const IndexMath &math, OpTy op,
                                              int64_t rows,
                                              int64_t cols) const {
  FailureOr<GlobalView> images = resolveView(math, op, op.getSource(), mapping);
  if (failed(images))
    return failure();
  WindowAttr window = op.getWindowAttr();
  if (!getConstantIntValue(images->sizes[window.getChannelDim()]))
    return op.emitOpError("cannot be lowered: expected a static number of "
                          "channels, got ")
           << op.getSource().getType();
  auto index = [&](unsigned i) -> OpFoldResult {
    Value value = mapping.lookupOrDefault(op.getPosition()[i]);
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return math.constant(*constant);
    return value;
  };
  const bool isLast = window.isChannelsLast();
  return WindowSource{*images,
                      window,
                      index(0),
                      index(1),
                      index(2),
                      isLast ? rows : cols,
                      isLast ? cols : rows};
}

template FailureOr<WindowSource>
KernelBody::getWindow(const IndexMath &, TileLoadOp, int64_t, int64_t) const;
template FailureOr<WindowSource>
KernelBody::getWindow(const IndexMath &, TileCopyOp, int64_t, int64_t) const;

LogicalResult KernelBody::convertLoad(TileLoadOp op) {
  IndexMath math(b, op.getLoc());
  if (!isa<MemRefType>(op.getSource().getType()))
    return op.emitOpError("cannot be lowered: expected a memref; bufferize "
                          "first");
  MemoryTile tile;
  tile.type = op.getType();
  if (op.getWindow()) {
    FailureOr<WindowSource> window =
        getWindow(math, op, op.getType().getRows(), op.getType().getCols());
    if (failed(window))
      return failure();
    tile.window = std::make_shared<WindowSource>(*window);
  } else {
    FailureOr<GlobalView> view = resolveView(math, op, op.getSource(), mapping);
    if (failed(view))
      return failure();
    if (op.getDims())
      tile.box =
          GlobalBox{*view, op.getDimsAttr(), getNumbers(op.getPosition())};
    else
      tile.view = *view;
  }
  tile.row = tile.col = math.constant(0);
  memoryTiles[op.getResult()] = tile;
  return success();
}

LogicalResult KernelBody::convertView(TileViewOp op) {
  IndexMath math(b, op.getLoc());
  Value ring = rings.lookup(op.getRing());
  if (!ring)
    return op.emitOpError("cannot be lowered: expected the ring of a "
                          "top.tile_ring of this kernel");
  RingType type = op.getRing().getType();
  MemoryTile tile;
  tile.type = op.getType();
  tile.ring = type;
  tile.slot = getSlotAddress(math, ring, type, op.getSlot());
  tile.row = tile.col = math.constant(0);
  memoryTiles[op.getResult()] = tile;
  return success();
}

LogicalResult KernelBody::convertSlice(TileSliceOp op) {
  IndexMath math(b, op.getLoc());
  auto source = memoryTiles.find(op.getSource());
  if (source == memoryTiles.end())
    return op.emitOpError("cannot be lowered: expected a part of a tile that "
                          "is loaded or viewed");
  MemoryTile tile = source->second;
  auto shift = [&](OpFoldResult &start, int64_t &step, int64_t &divisor,
                   Value offset, int64_t factor) {
    divisor = std::gcd(divisor, getKnownDivisor(offset) * step);
    start = math.add(
        start, math.mul(OpFoldResult(mapping.lookupOrDefault(offset)), step));
    step *= factor;
  };
  shift(tile.row, tile.rowStep, tile.rowDivisor, op.getRow(), op.getStep()[0]);
  shift(tile.col, tile.colStep, tile.colDivisor, op.getCol(), op.getStep()[1]);
  memoryTiles[op.getResult()] = tile;
  return success();
}
