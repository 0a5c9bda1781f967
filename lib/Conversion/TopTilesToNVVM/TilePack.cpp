//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.tile_pack: the box goes through shared memory, where its elements change
// places, by the plan of TilePack.h.
//
//===----------------------------------------------------------------------===//

#include "TilePack.h"
#include "KernelBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "top/Target/MemoryAccess.h"

using namespace mlir;
using namespace mlir::top;

/// Of the chunks, and of the vectors, of a thread so many are written out, for
/// their accesses to be under way together; more are a loop.
static constexpr int64_t maxUnrolled = 8;
static constexpr int64_t minAsyncBytes = 4; ///< of cp.async

namespace {

/// Writes what the threads of a block do.
class PackWriter : PackPlan {
public:
  PackWriter(const IndexMath &math, const PackPlan &plan, int64_t threads,
             Value threadId, Value stageBase)
      : PackPlan(plan), math(math), b(math.b), loc(math.loc), threads(threads),
        threadId(threadId), stageBase(stageBase) {}

  void write() const;

private:
  Type getBits(int64_t bytes) const { return b.getIntegerType(bytes * 8); }
  OpFoldResult getMisalignment(OpFoldResult start) const;
  OpFoldResult countPixelsOfRun() const;
  OpFoldResult countBytes(OpFoldResult channel, OpFoldResult row,
                          OpFoldResult inRun, OpFoldResult misalignment,
                          OpFoldResult start) const;
  Value both(Value lhs, Value rhs) const;
  Value less(OpFoldResult lhs, OpFoldResult rhs, int64_t most) const;
  void forEach(int64_t count,
               llvm::function_ref<void(OpFoldResult number)> write) const;
  void copyChunk(OpFoldResult number) const;
  void copyBytes(Value destination, Value from, OpFoldResult bytes) const;
  Value loadElement(OpFoldResult group, OpFoldResult row, OpFoldResult col,
                    int64_t i) const;
  void storeVector(OpFoldResult number) const;

  const IndexMath &math;
  OpBuilder &b;
  Location loc;
  int64_t threads;
  Value threadId, stageBase;
};

} // namespace

Value PackWriter::both(Value lhs, Value rhs) const {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(b, loc, lhs, rhs);
}

/// i1: lhs < rhs, for an `lhs` below `most`; null where that is known to hold.
Value PackWriter::less(OpFoldResult lhs, OpFoldResult rhs, int64_t most) const {
  if (std::optional<int64_t> bound = getConstantIntValue(rhs);
      bound && most <= *bound)
    return {};
  return math.less(lhs, rhs);
}

/// How far the run that begins at element `start` of the root is beyond a
/// multiple of a chunk, in bytes.
OpFoldResult PackWriter::getMisalignment(OpFoldResult start) const {
  if (stage.isAligned)
    return math.constant(0);
  return math.rem(math.mul(start, elementBytes), stage.chunk);
}

/// Writes `write` for the numbers below `count` that are a thread's.
void PackWriter::forEach(
    int64_t count, llvm::function_ref<void(OpFoldResult number)> write) const {
  const int64_t perThread = llvm::divideCeil(count, threads);
  auto writeIfExists = [&](OpFoldResult number, int64_t most) {
    OpBuilder::InsertionGuard guard(b);
    if (Value exists = less(number, math.constant(count), most)) {
      auto branch = scf::IfOp::create(b, loc, exists);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    write(number);
  };
  if (perThread <= maxUnrolled) {
    for (int64_t i = 0; i < perThread; ++i)
      writeIfExists(math.add(threadId, math.constant(i * threads)),
                    (i + 1) * threads);
    return;
  }
  const int64_t width = maxUnrolled * threads;
  auto loop = scf::ForOp::create(b, loc, math.value(math.constant(0)),
                                 math.value(math.constant(count)),
                                 math.value(math.constant(width)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  OpFoldResult first = math.add(OpFoldResult(loop.getInductionVar()), threadId);
  for (int64_t i = 0; i < maxUnrolled; ++i)
    writeIfExists(math.add(first, math.constant(i * threads)),
                  llvm::alignTo(count, width) -
                      (maxUnrolled - 1 - i) * threads);
}

/// The first `bytes` bytes of a chunk, and zeros.
void PackWriter::copyBytes(Value destination, Value from,
                           OpFoldResult bytes) const {
  const bool isWhole = isConstantIntValue(bytes, stage.chunk);
  if (stage.chunk >= minAsyncBytes) {
    Value size;
    if (!isWhole)
      size =
          arith::IndexCastOp::create(b, loc, b.getI32Type(), math.value(bytes));
    // cp.async.cg, which passes by L1, exists for 16 bytes only (PTX ISA).
    auto cache = stage.chunk == kWidestAccessBytes
                     ? NVVM::LoadCacheModifierKind::CG
                     : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(b, loc, destination, from, stage.chunk, cache,
                            size);
    return;
  }
  // One element, which exists or does not.
  Type type = getBits(stage.chunk);
  Value value;
  if (isWhole) {
    value = LLVM::LoadOp::create(b, loc, type, from, stage.chunk);
  } else {
    Value exists = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, math.value(bytes),
        math.value(math.constant(stage.chunk)));
    auto branch = scf::IfOp::create(b, loc, type, exists, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    value = LLVM::LoadOp::create(b, loc, type, from, stage.chunk);
    scf::YieldOp::create(b, loc, value);
    b.setInsertionPointToStart(branch.elseBlock());
    value = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    scf::YieldOp::create(b, loc, value);
    value = branch.getResult(0);
  }
  LLVM::StoreOp::create(b, loc, value, destination, stage.chunk);
}

OpFoldResult PackWriter::countPixelsOfRun() const {
  auto multiply = [&](OpFoldResult lhs, OpFoldResult rhs) -> OpFoldResult {
    if (std::optional<int64_t> factor = getConstantIntValue(lhs))
      return math.mul(rhs, *factor);
    if (std::optional<int64_t> factor = getConstantIntValue(rhs))
      return math.mul(lhs, *factor);
    return arith::MulIOp::create(b, loc, math.value(lhs), math.value(rhs))
        .getResult();
  };
  OpFoldResult pixels = source.sizes[2];
  if (stage.mergesRows)
    pixels = multiply(source.sizes[1], pixels);
  if (stage.mergesChannels && !stage.isInterleaved)
    pixels = multiply(source.sizes[0], pixels);
  return pixels;
}

/// How many bytes of the chunk that is `inRun` bytes behind the first of a run
/// are to be read. `start` is where it begins, in bytes of the root.
OpFoldResult PackWriter::countBytes(OpFoldResult channel, OpFoldResult row,
                                    OpFoldResult inRun,
                                    OpFoldResult misalignment,
                                    OpFoldResult start) const {
  OpFoldResult bytes = math.constant(stage.chunk);
  // The last chunk of the root may go on behind it.
  if (stage.isDense && rootBytes % stage.chunk != 0)
    bytes = math.max(math.min(math.sub(math.constant(rootBytes), start), bytes),
                     math.constant(0));
  Value exists;
  if (!stage.mergesChannels)
    exists = less(channel, source.sizes[0], stage.channels);
  if (!stage.mergesRows)
    exists = both(exists, less(row, source.sizes[1], maxRows));
  OpFoldResult pixels = countPixelsOfRun();
  const int64_t most = stage.chunksPerRun * stage.chunk;
  if (!getConstantIntValue(pixels))
    exists = both(exists, math.less(math.constant(0), pixels));
  OpFoldResult end =
      math.add(misalignment,
               math.add(math.mul(pixels, stage.pixelStep),
                        math.constant(stage.pixelBytes - stage.pixelStep)));
  // Chunks begin at multiples of one, and so does the last that exists.
  std::optional<int64_t> known = getConstantIntValue(end);
  if (!known || *known + stage.chunk <= most)
    exists = both(exists, math.less(inRun, end));
  if (!exists)
    return bytes;
  return arith::SelectOp::create(b, loc, exists, math.value(bytes),
                                 math.value(math.constant(0)))
      .getResult();
}

/// Run by run, neighbouring threads read neighbouring chunks. What does not
/// exist becomes zeros: that of a channel is looked at before it is dropped.
void PackWriter::copyChunk(OpFoldResult number) const {
  OpFoldResult run = math.div(number, stage.chunksPerRun);
  OpFoldResult inRun =
      math.mul(math.rem(number, stage.chunksPerRun), stage.chunk);
  OpFoldResult channel = math.constant(0), row = channel;
  if (stage.mergesRows && !stage.mergesChannels) {
    channel = run;
  } else if (!stage.mergesRows && stage.mergesChannels) {
    row = run;
  } else if (!stage.mergesRows) {
    channel = math.div(run, maxRows);
    row = math.rem(run, maxRows);
  }
  OpFoldResult start =
      math.add(source.offset, math.add(math.mul(channel, source.strides[0]),
                                       math.mul(row, source.strides[1])));
  OpFoldResult misalignment = getMisalignment(start);
  OpFoldResult from = math.mul(start, elementBytes);
  if (stage.isDense)
    from = math.add(math.sub(from, misalignment), inRun);
  else
    from = math.add(from, math.mul(inRun, source.strides[2]));
  OpFoldResult into =
      math.add(math.add(math.mul(channel, stage.channelPitch),
                        math.mul(math.div(channel, vector), stage.groupSkew)),
               math.add(math.mul(row, stage.rowPitch), inRun));
  copyBytes(getByteAddress(math, stageBase, into),
            getByteAddress(math, source.base, from),
            countBytes(channel, row, inRun, misalignment, from));
}

/// Channel `i` of a group of a pixel, in bits.
Value PackWriter::loadElement(OpFoldResult group, OpFoldResult row,
                              OpFoldResult col, int64_t i) const {
  Type type = getBits(elementBytes);
  auto getZero = [&]() -> Value {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  };
  if (i >= stage.channels)
    return getZero();
  // Groups of padding alone have no place.
  OpFoldResult place = group;
  if (countPlaces() < countGroups())
    place = math.min(group, math.constant(countPlaces() - 1));
  OpFoldResult inPixel = math.mul(place, getGroupPitch());
  int64_t inGroup = i * stage.channelPitch;
  if (stage.isInterleaved &&
      i >= stage.channels - (countPlaces() - 1) * vector) {
    // Behind the last channel is the next pixel, or nothing.
    inPixel = math.min(math.add(inPixel, math.constant(inGroup)),
                       math.constant((stage.channels - 1) * elementBytes));
    inGroup = 0;
  }
  OpFoldResult address =
      math.add(inPixel, math.add(math.mul(row, stage.rowPitch),
                                 math.mul(col, stage.pixelStep)));
  if (!stage.isAligned) {
    // Of the run that the element is in.
    OpFoldResult start = source.offset;
    if (!stage.mergesChannels)
      start =
          math.add(start, math.add(math.mul(place, vector * source.strides[0]),
                                   math.constant(i * source.strides[0])));
    if (!stage.mergesRows)
      start = math.add(start, math.mul(row, source.strides[1]));
    address = math.add(address, getMisalignment(start));
  }
  Value at = getByteAddress(math, getByteAddress(math, stageBase, address),
                            math.constant(inGroup));
  Value value = LLVM::LoadOp::create(b, loc, type, at, elementBytes);
  if (isEqualConstantIntOrValue(source.sizes[0], dest.sizes[2]))
    return value;
  Value exists = math.less(math.add(math.mul(group, vector), math.constant(i)),
                           source.sizes[0]);
  if (!exists)
    return value;
  return arith::SelectOp::create(b, loc, exists, value, getZero());
}

/// Vectors of a warp: `lanes` of each of some pixels.
void PackWriter::storeVector(OpFoldResult number) const {
  const int64_t groupBlocks = llvm::divideCeil(countGroups(), lanes);
  const int64_t pixels = kThreadsPerWarp / lanes;
  OpFoldResult warp = math.div(number, kThreadsPerWarp);
  OpFoldResult lane = math.rem(number, kThreadsPerWarp);
  OpFoldResult group = math.add(math.mul(math.rem(warp, groupBlocks), lanes),
                                math.rem(lane, lanes));
  OpFoldResult pixel = math.add(math.mul(math.div(warp, groupBlocks), pixels),
                                math.div(lane, lanes));
  OpFoldResult row = math.div(pixel, maxCols);
  OpFoldResult col = math.rem(pixel, maxCols);
  OpFoldResult channel = math.mul(group, vector);
  const int64_t allPixels = llvm::alignTo(maxRows * maxCols, pixels);
  Value exists = less(row, dest.sizes[0], llvm::divideCeil(allPixels, maxCols));
  exists = both(exists, less(col, dest.sizes[1], maxCols));
  exists = both(exists, less(channel, dest.sizes[2],
                             (groupBlocks * lanes - 1) * vector + 1));
  OpBuilder::InsertionGuard guard(b);
  if (exists) {
    auto branch = scf::IfOp::create(b, loc, exists);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  SmallVector<Value> values;
  for (int64_t i = 0; i < vector; ++i)
    values.push_back(loadElement(group, row, col, i));
  top::storeVector(math, values, dest.getAddress(math, {row, col, channel}));
}

void PackWriter::write() const {
  forEach(countRuns() * stage.chunksPerRun,
          [&](OpFoldResult number) { copyChunk(number); });
  if (stage.chunk >= minAsyncBytes) {
    NVVM::CpAsyncCommitGroupOp::create(b, loc);
    NVVM::CpAsyncWaitGroupOp::create(b, loc, 0);
  }
  NVVM::Barrier0Op::create(b, loc);
  forEach(countVectors(), [&](OpFoldResult number) { storeVector(number); });
}

LogicalResult KernelBody::convertPack(TilePackOp op) {
  IndexMath math(b, op.getLoc());
  FailureOr<PackPlan> plan = PackPlan::get(math, op, schedule, mapping);
  if (failed(plan))
    return failure();
  // In a loop, the step before may still read what this one is to write.
  if (!isa<scf::ForallOp>(op->getParentOp()))
    NVVM::Barrier0Op::create(b, op.getLoc());
  ringBytes = llvm::alignTo(ringBytes, kSharedTileAlignment);
  Value stage = getByteAddress(math, sharedMemory, math.constant(ringBytes));
  ringBytes += plan->stage.bytes;
  PackWriter(math, *plan, schedule.getNumThreads(), threadId, stage).write();
  return success();
}
