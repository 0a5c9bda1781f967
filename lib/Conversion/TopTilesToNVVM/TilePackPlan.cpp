//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TilePack.h.
//
//===----------------------------------------------------------------------===//

#include "TilePack.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "top/GPU/Utils/MemRefAlignment.h"
#include "top/Target/MemoryAccess.h"
#include <numeric>

using namespace mlir;
using namespace mlir::top;

/// What every chip gives a block without being asked for more.
static constexpr int64_t maxSharedBytes = 48 * 1024;
/// Vectors of a pixel that follow each other lie so far apart in shared memory,
/// modulo all banks: lanes that collect neighbours meet other banks.
static constexpr int64_t vectorSkew = 16;
/// Narrower accesses are of one element; cp.async has none.
static constexpr int64_t minChunkBytes = 4;

/// Extents of blocks that are smaller at edges come from the schedule.
LogicalResult PackPlan::readExtents(TilePackOp op, ScheduleAttr schedule) {
  auto sourceType = cast<MemRefType>(op.getSource().getType());
  auto destType = cast<MemRefType>(op.getDest().getType());
  ArrayRef<int64_t> box = schedule.getBox();
  const int64_t fromSchedule[] = {
      box.empty() ? 0 : box[1], box.empty() ? 0 : box[2], schedule.getBlockM()};
  auto getMost = [&](MemRefType type, unsigned dim, unsigned axis) {
    return type.isDynamicDim(dim) ? fromSchedule[axis]
                                  : std::max<int64_t>(type.getDimSize(dim), 1);
  };
  maxRows = getMost(destType, 0, 0);
  maxCols = getMost(destType, 1, 1);
  maxDestChannels = getMost(destType, destType.getRank() - 1, 2);
  maxSourceChannels =
      std::min(getMost(sourceType, sourceDims[0], 2), maxDestChannels);
  if (maxRows == 0 || maxCols == 0)
    return op.emitOpError("cannot be lowered: expected a schedule with a 'box' "
                          "of the most pixels that 'dest' has, ")
           << destType;
  return success();
}

/// The argument, or buffer, that the source is a part of.
LogicalResult PackPlan::readRoot(TilePackOp op, const IRMapping &mapping) {
  Value root = op.getSource();
  while (!mapping.contains(root)) {
    auto view = root.getDefiningOp<ViewLikeOpInterface>();
    if (!view) // resolveView has found none other
      break;
    root = view.getViewSource();
  }
  auto type = cast<MemRefType>(root.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, [](int64_t stride) { return stride < 0; }))
    return op.emitOpError("cannot be lowered: expected strides that are "
                          "static and not negative, got ")
           << type;
  int64_t elements = 1;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides))
    elements += (extent - 1) * stride;
  rootBytes = ShapedType::getNumElements(type.getShape()) == 0
                  ? 0
                  : elements * elementBytes;
  const int64_t divisor = getOffsetDivisor(root);
  rootAlignment = kWidestAccessBytes;
  while (rootAlignment > elementBytes &&
         divisor * elementBytes % rootAlignment != 0)
    rootAlignment /= 2;
  return success();
}

void PackPlan::planStage(TilePackOp op, bool mayBeDense) {
  auto sourceType = cast<MemRefType>(op.getSource().getType());
  const int64_t cols = sourceType.isDynamicDim(sourceDims[2]) ? 0 : maxCols;
  const int64_t rows = sourceType.isDynamicDim(sourceDims[1]) ? 0 : maxRows;
  // The stride of a dimension of one element says nothing: it becomes what it
  // is where nothing lies between that dimension and the next.
  SmallVectorImpl<int64_t> &strides = source.strides;
  if (cols == 1)
    strides[2] = rows == 1 ? strides[0] : strides[1];
  if (rows == 1)
    strides[1] = cols * strides[2];

  const int64_t step = strides[2] * elementBytes;
  stage = PackStage();
  stage.chunk = rootAlignment;
  stage.isInterleaved = maxSourceChannels > 1 && strides[0] == 1 &&
                        !sourceType.isDynamicDim(sourceDims[0]) &&
                        step >= maxSourceChannels * elementBytes;
  stage.pixelBytes =
      elementBytes * (stage.isInterleaved ? maxSourceChannels : 1);
  // Where there is a chunk or more between pixels, each is read by itself.
  const int64_t gap = step - stage.pixelBytes;
  stage.isDense = mayBeDense && gap >= 0 &&
                  gap < kWidestAccessBytes - elementBytes &&
                  stage.chunk >= minChunkBytes && stage.chunk > elementBytes;
  if (!stage.isDense) {
    stage.isInterleaved = false;
    stage.pixelBytes = stage.chunk = elementBytes;
  }
  stage.pixelStep = stage.isDense ? step : elementBytes;

  // What follows without a gap is one run, unless that would cost the alignment
  // that its parts have.
  const int64_t channelStep = strides[0] * elementBytes;
  stage.mergesRows = rows == 1 || (cols > 0 && strides[1] == cols * strides[2]);
  stage.mergesChannels =
      stage.isInterleaved || (stage.mergesRows && rows > 0 && cols > 0 &&
                              strides[0] == rows * cols * strides[2] &&
                              channelStep % stage.chunk != 0);
  const int64_t groups = countGroups();
  // Where runs have one channel each, a vector's missing ones are runs of
  // zeros.
  stage.channels = groups == 1 || stage.isInterleaved
                       ? maxSourceChannels
                       : llvm::alignTo(maxSourceChannels, vector);
  stage.channels = std::min(stage.channels, groups * vector);

  stage.isAligned = !stage.isDense;
  if (stage.isDense) {
    int64_t divisor = getOffsetDivisor(op.getSource());
    if (!stage.mergesChannels)
      divisor = std::gcd(divisor, strides[0]);
    if (!stage.mergesRows)
      divisor = std::gcd(divisor, strides[1]);
    stage.isAligned = divisor * elementBytes % stage.chunk == 0;
  }
  int64_t pixels = maxCols;
  if (stage.mergesRows)
    pixels *= maxRows;
  if (stage.mergesChannels && !stage.isInterleaved)
    pixels *= stage.channels;
  const int64_t runBytes = (pixels - 1) * stage.pixelStep + stage.pixelBytes +
                           (stage.isAligned ? 0 : stage.chunk - elementBytes);
  stage.chunksPerRun = llvm::divideCeil(runBytes, stage.chunk);
  const int64_t runPitch = stage.chunksPerRun * stage.chunk;

  stage.rowPitch = stage.mergesRows ? maxCols * stage.pixelStep : runPitch;
  if (stage.isInterleaved) {
    stage.channelPitch = elementBytes;
    stage.bytes = countRuns() * runPitch;
    return;
  }
  if (stage.mergesChannels) {
    stage.channelPitch = maxRows * stage.rowPitch;
    stage.bytes = runPitch;
    return;
  }
  stage.channelPitch = stage.mergesRows ? runPitch : maxRows * runPitch;
  // Both are multiples of a chunk, as 16 is.
  const int64_t allBanks = kNumBanks * kBankBytes;
  stage.groupSkew =
      (allBanks + vectorSkew - vector * stage.channelPitch % allBanks) %
      allBanks;
  stage.bytes =
      stage.channels * stage.channelPitch +
      (llvm::divideCeil(stage.channels, vector) - 1) * stage.groupSkew;
}

/// How many lanes of a warp store neighbouring vectors of one pixel: those that
/// need the fewest turns of the banks, and then the fewest sectors.
void PackPlan::planLanes() {
  const int64_t groups = countGroups();
  int64_t best = 0;
  for (int64_t count = kThreadsPerWarp; count >= 1; count /= 2) {
    if (count / 2 >= groups)
      continue;
    SmallVector<int64_t> reads, writes;
    for (int64_t lane = 0; lane < kThreadsPerWarp; ++lane) {
      const int64_t group = lane % count, pixel = lane / count;
      const int64_t row = pixel / maxCols, col = pixel % maxCols;
      if (group >= groups || row >= maxRows)
        continue;
      reads.push_back(group * getGroupPitch() + row * stage.rowPitch +
                      col * stage.pixelStep);
      writes.push_back((row * dest.strides[0] + col * dest.strides[1] +
                        group * vector * dest.strides[2]) *
                       elementBytes);
    }
    // Lanes without work cost as much as the others.
    const int64_t turns = vector * countBankTurns(reads, elementBytes) +
                          countSectors(writes, vector * elementBytes);
    const int64_t cost =
        turns * kThreadsPerWarp / static_cast<int64_t>(reads.size());
    if (best != 0 && cost >= best)
      continue;
    best = cost;
    lanes = count;
  }
}

FailureOr<PackPlan> PackPlan::get(const IndexMath &math, TilePackOp op,
                                  ScheduleAttr schedule,
                                  const IRMapping &mapping) {
  PackPlan plan;
  if (!isa<MemRefType>(op.getDest().getType()))
    return op.emitOpError("cannot be lowered: expected memrefs; bufferize "
                          "first");
  FailureOr<GlobalView> source = resolveView(math, op, op.getSource(), mapping);
  FailureOr<GlobalView> dest = resolveView(math, op, op.getDest(), mapping);
  if (failed(source) || failed(dest))
    return failure();
  plan.source = *source;
  plan.dest = *dest;
  if (dest->sizes.size() == 4) {
    // From TH x TW x C to TH x TW x 1 x C'.
    plan.sourceDims = {2, 0, 1};
    for (unsigned i = 0; i < 3; ++i) {
      plan.source.sizes[i] = source->sizes[plan.sourceDims[i]];
      plan.source.strides[i] = source->strides[plan.sourceDims[i]];
    }
    plan.dest.sizes.erase(plan.dest.sizes.begin() + 2);
    plan.dest.strides.erase(plan.dest.strides.begin() + 2);
  }
  plan.elementBytes = getElementBytes(source->elementType);
  if (failed(plan.readExtents(op, schedule)) ||
      failed(plan.readRoot(op, mapping)))
    return failure();

  // As many channels as the destination's addresses and extent allow.
  plan.vector = 1;
  const int64_t widest = plan.dest.strides[2] == 1 || plan.maxDestChannels == 1
                             ? getRowAlignment(op.getDest()) / plan.elementBytes
                             : 1;
  const int64_t divisor = getRowDivisor(op.getDest());
  while (plan.vector * 2 <= widest && divisor % (plan.vector * 2) == 0)
    plan.vector *= 2;
  plan.planStage(op, /*mayBeDense=*/true);
  // Short runs are mostly what their chunks bring besides.
  if (plan.stage.bytes > maxSharedBytes)
    plan.planStage(op, /*mayBeDense=*/false);
  if (plan.stage.bytes > maxSharedBytes)
    return op.emitOpError("needs ")
           << plan.stage.bytes << " bytes of shared memory for a box of "
           << plan.maxSourceChannels << "x" << plan.maxRows << "x"
           << plan.maxCols << ", expected at most " << maxSharedBytes;
  plan.planLanes();
  return plan;
}
