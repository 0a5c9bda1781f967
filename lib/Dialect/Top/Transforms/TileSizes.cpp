//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tile sizes from a byte budget: how much memory a tile of a layer op touches,
// and the largest tile that fits.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/Transforms/TileAxes.h"
#include "top/Dialect/Top/Transforms/Transforms.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::top;

/// Sizes are counted in uint64_t, saturating, so that an axis of unknown
/// extent simply never fits.
static constexpr uint64_t unbounded = std::numeric_limits<int64_t>::max();

static uint64_t bytesOf(Type element, ArrayRef<uint64_t> extents) {
  uint64_t bytes = element.getIntOrFloatBitWidth() / 8;
  for (uint64_t extent : extents)
    bytes = llvm::SaturatingMultiply(bytes, extent);
  return bytes;
}

static uint64_t extentOf(int64_t extent) {
  return ShapedType::isDynamic(extent) ? unbounded : extent;
}

/// Bias and epilogue operands of a tile of `sizes` (one per result dimension).
static uint64_t getEpilogueBytes(Value bias, ValueRange operands,
                                 ArrayRef<uint64_t> sizes, int64_t channelDim) {
  SmallVector<Value> all(operands);
  if (bias)
    all.push_back(bias);
  uint64_t bytes = 0;
  for (Value operand : all) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<uint64_t> extents;
    if (type.getRank() == 1)
      extents.push_back(sizes[channelDim]);
    else
      for (int64_t d = 0; d < type.getRank(); ++d)
        extents.push_back(type.getDimSize(d) == 1 ? 1 : sizes[d]);
    bytes = llvm::SaturatingAdd(bytes, bytesOf(type.getElementType(), extents));
  }
  return bytes;
}

static uint64_t getTileBytes(Conv2DOp op, ArrayRef<uint64_t> sizes) {
  RankedTensorType input = op.getInputType(), filter = op.getFilterType();
  const uint64_t f = sizes[1];
  // A tile of F inside one group reads that group's channels only.
  const uint64_t channelsPerGroup = filter.getDimSize(1);
  const uint64_t perGroup = filter.getDimSize(0) / op.getGroup();
  const uint64_t channels = llvm::divideCeil(f, perGroup) * channelsPerGroup;
  uint64_t window[2];
  for (unsigned axis = 0; axis < 2; ++axis) {
    AxisGeometry geometry = op.getAxisGeometry(axis);
    uint64_t span = llvm::SaturatingMultiplyAdd<uint64_t>(
        sizes[2 + axis] - 1, geometry.stride, *geometry.kernelExtent());
    window[axis] = std::min(span, extentOf(geometry.extent));
  }
  Type element = input.getElementType();
  uint64_t bytes = bytesOf(element, {sizes[0], channels, window[0], window[1]});
  bytes = llvm::SaturatingAdd(
      bytes,
      bytesOf(element, {f, channelsPerGroup, (uint64_t)filter.getDimSize(2),
                        (uint64_t)filter.getDimSize(3)}));
  return llvm::SaturatingAdd(
      bytes, getEpilogueBytes(op.getBias(), op.getEpilogueOperands(), sizes,
                              /*channelDim=*/1));
}

static uint64_t getTileBytes(MatMulOp op, ArrayRef<uint64_t> sizes) {
  const unsigned m = sizes.size() - 2, n = m + 1;
  const uint64_t k = extentOf(op.getLhsType().getDimSize(op.getLhsDimK()));
  const uint64_t batch = op.isBatched() ? sizes[0] : 1;
  const uint64_t rhsBatch = op.getRhsType().getRank() == 3 ? batch : 1;
  Type element = op.getLhsType().getElementType();
  uint64_t bytes =
      llvm::SaturatingAdd(bytesOf(element, {batch, sizes[m], k}),
                          bytesOf(element, {rhsBatch, k, sizes[n]}));
  return llvm::SaturatingAdd(
      bytes, getEpilogueBytes(op.getBias(), op.getEpilogueOperands(), sizes,
                              /*channelDim=*/n));
}

int64_t top::getTileBytes(TilingInterface op, const TileOptions &options) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<uint64_t> sizes =
      llvm::map_to_vector(result.getShape(), extentOf);
  for (const TileAxis &axis : getTileAxes(op))
    if (int64_t tile = options.*axis.option)
      sizes[axis.dim] = std::min<uint64_t>(tile, sizes[axis.dim]);
  // An empty result touches nothing worth counting, and the formulas below
  // want at least one output.
  if (llvm::is_contained(sizes, 0))
    return 0;
  uint64_t bytes = isa<Conv2DOp>(*op)
                       ? ::getTileBytes(cast<Conv2DOp>(*op), sizes)
                       : ::getTileBytes(cast<MatMulOp>(*op), sizes);
  bytes = llvm::SaturatingAdd(bytes, bytesOf(result.getElementType(), sizes));
  return std::min(bytes, unbounded);
}

/// The largest legal tile of F that is at most `limit`: whole groups, or a part
/// of one that divides it.
static int64_t roundToGroups(Conv2DOp op, int64_t limit) {
  const int64_t perGroup = op.getFilterType().getDimSize(0) / op.getGroup();
  if (limit >= perGroup)
    return limit / perGroup * perGroup;
  while (perGroup % limit != 0)
    --limit;
  return limit;
}

LogicalResult top::chooseTileSizes(TilingInterface op, TileOptions &options) {
  if (options.maxTileBytes == 0)
    return success();
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto fits = [&](const TileOptions &candidate) {
    return getTileBytes(op, candidate) <= options.maxTileBytes;
  };
  for (const TileAxis &axis : getTileAxes(op)) {
    if (fits(options))
      return success();
    if (options.*axis.option != 0)
      continue; // given by the user
    TileOptions candidate = options;
    auto fitsWith = [&](int64_t tile) {
      candidate.*axis.option = tile;
      return fits(candidate);
    };
    // Bytes grow with the tile, so bisect for the largest that fits, or 1.
    int64_t first = 1;
    int64_t last = ShapedType::isDynamic(result.getDimSize(axis.dim))
                       ? options.maxTileBytes
                       : result.getDimSize(axis.dim);
    while (first < last) {
      int64_t middle = first + (last - first + 1) / 2;
      if (fitsWith(middle))
        first = middle;
      else
        last = middle - 1;
    }
    if (auto conv = dyn_cast<Conv2DOp>(*op); conv && axis.dim == 1)
      first = roundToGroups(conv, first);
    options.*axis.option = first;
  }
  if (fits(options))
    return success();
  return op->emitOpError("has no tile that fits 'max-tile-bytes' = ")
         << options.maxTileBytes << ": the smallest needs "
         << getTileBytes(op, options) << " bytes";
}
