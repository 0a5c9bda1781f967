//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-tile-to-blocks of a linalg.pack that puts the channels of images last, or
// fills up channels that are last: an scf.forall over images, boxes of pixels
// and channel blocks. Such a kernel is bound by memory: what counts is that
// both sides are read and written in runs of a line or more, and that enough
// bytes are under way.
//
//===----------------------------------------------------------------------===//

#include "PackBlocks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "top/GPU/Transforms/Transforms.h"
#include "top/Target/GPUTarget.h"
#include "top/Target/MemoryAccess.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::top;

/// Bytes that a block writes, about: with as many in each of the blocks of an
/// SM, what is under way hides the latency of memory.
static constexpr int64_t maxBytesPerBlock = 16 * 1024;
/// Less where there would not be so many blocks: two for each SM of an H200.
static constexpr int64_t wantedBlocks = 2 * 132, minBytesPerBlock = 4 * 1024;
/// Bytes of a pixel's channels that a block writes side by side where there are
/// as many, a line.
static constexpr int64_t channelBytesPerBlock = 128;
/// Accesses of 16 bytes of a thread, about.
static constexpr int64_t accessesPerThread = 4;
static constexpr int64_t maxThreads = 256;

/// `extent` in `divideCeil(extent, most)` parts of equal size but for rounding
/// up to multiples of `unit`.
static int64_t splitEvenly(int64_t extent, int64_t most, int64_t unit) {
  if (extent <= most)
    return extent;
  const int64_t parts = llvm::divideCeil(extent, most);
  return std::min<int64_t>(llvm::alignTo(llvm::divideCeil(extent, parts), unit),
                           extent);
}

PackBox top::getPackBox(PackForm form, int64_t images, int64_t packedChannels,
                        int64_t height, int64_t width, int64_t elementBytes,
                        int64_t pixelStep) {
  // Of an empty image there are no blocks, but steps of loops are positive.
  height = std::max<int64_t>(height, 1);
  width = std::max<int64_t>(width, 1);
  // Where a row of the source is cut, that is at a multiple of an access.
  const int64_t unit =
      form == PackForm::Move ? kWidestAccessBytes / elementBytes : 1;
  // What passes through shared memory between two pixels that are kept does
  // so for nothing, up to the distance from which pixels are read one by one.
  const int64_t step =
      pixelStep * elementBytes < kWidestAccessBytes ? pixelStep : 1;
  const int64_t pixels = height * width;
  int64_t bytes = maxBytesPerBlock;
  // In double: the product may pass 64 bits.
  const double allBytes =
      double(images) * pixels * packedChannels * elementBytes;
  while (bytes > minBytesPerBlock && allBytes / bytes < wantedBlocks)
    bytes /= 2;
  const int64_t elements = bytes / elementBytes / step;

  PackBox box;
  // Channels that are last already are read with all others of their pixel: to
  // cut them would only cut runs.
  const int64_t line =
      (form == PackForm::Move ? channelBytesPerBlock : maxBytesPerBlock) /
      elementBytes;
  box.channels = std::min(packedChannels, line);
  if (form == PackForm::Fill && packedChannels > line)
    return {/*height=*/1, /*width=*/1, box.channels};
  const int64_t wanted = std::max<int64_t>(elements / box.channels, 1);
  // Rows up to half as long again are taken whole: the rest of a row would be a
  // block of few pixels.
  box.width =
      width * 2 <= wanted * 3 ? width : splitEvenly(width, wanted, unit);
  // Whole images are one run of all their channels.
  const bool isWhole = box.width == width && pixels <= wanted * 2;
  box.height =
      isWhole
          ? height
          : splitEvenly(height, std::max<int64_t>(wanted / box.width, 1), 1);
  if (isWhole && pixels < wanted && packedChannels > line)
    box.channels = splitEvenly(
        packedChannels,
        std::max<int64_t>(llvm::alignDown(elements / pixels, line), line),
        line);
  // A schedule has extents up to 2^16 only.
  box.channels = std::min<int64_t>(box.channels, 1 << 15);
  return box;
}

ScheduleAttr top::getPackSchedule(MLIRContext *context, const PackBox &box,
                                  int64_t elementBytes) {
  // The block's tile has the channels as rows and the pixels as columns, and
  // all extents are powers of two, so that any split into threads is valid.
  const int64_t rows = llvm::PowerOf2Ceil(box.channels);
  const int64_t pixels = box.height * box.width;
  const int64_t cols =
      std::max<int64_t>(llvm::PowerOf2Ceil(pixels), kThreadsPerWarp);
  const int64_t accesses = llvm::divideCeil(
      box.channels * pixels * elementBytes, kWidestAccessBytes);
  const int64_t threads = std::clamp<int64_t>(
      llvm::PowerOf2Ceil(llvm::divideCeil(accesses, accessesPerThread)),
      kThreadsPerWarp, std::min(maxThreads, rows * cols));
  const int64_t warps = threads / kThreadsPerWarp;
  const int64_t warpsN = std::min(warps, cols / kThreadsPerWarp);
  const int64_t warpsM = warps / warpsN;

  ScheduleFields fields;
  fields.block = {rows, cols, 1};
  fields.warp = {rows / warpsM, cols / warpsN};
  fields.thread = {fields.warp[0], fields.warp[1] / kThreadsPerWarp};
  fields.box = {1, box.height, box.width};
  fields.stages = 1;
  return fields.get(context);
}

/// The form of `op`, if there is a kernel for it; if not, one error.
static FailureOr<PackForm> readPack(linalg::PackOp op) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto dest = cast<RankedTensorType>(op.getDest().getType());
  auto error = [&]() -> InFlightDiagnostic {
    return op.emitOpError("cannot be cut into block tiles: ");
  };
  if (!source.hasStaticShape() || !dest.hasStaticShape() ||
      !op.getInnerTiles().empty())
    return error() << "expected static shapes, got " << source << " and "
                   << dest;
  if (!isTileElementType(source.getElementType()))
    return error() << "expected elements of f64, f32, f16, bf16, f8E4M3FN, "
                      "f8E5M2, i8 or i32, got "
                   << source;
  const int64_t rank = source.getRank();
  const SmallVector<int64_t> stay = llvm::to_vector(llvm::seq<int64_t>(rank));
  SmallVector<int64_t> move(stay);
  if (rank >= 3)
    std::rotate(move.end() - 3, move.end() - 2, move.end());
  ArrayRef<int64_t> perm = op.getOuterDimsPerm();
  if (perm.empty())
    perm = stay;
  const bool moves =
      perm == ArrayRef(move) && op.getInnerDimsPos() == ArrayRef({rank - 3});
  const bool fills =
      perm == ArrayRef(stay) && op.getInnerDimsPos() == ArrayRef({rank - 1});
  if (rank < 3 || (!moves && !fills) || dest.getDimSize(rank - 1) != 1)
    return error() << "expected [batch x] C x H x W or [batch x] H x W x C "
                      "packed to [batch x] H x W x 1 x C', got "
                   << source << " packed to " << dest
                   << " with 'outer_dims_perm' = ["
                   << llvm::interleaved(op.getOuterDimsPerm())
                   << "] and 'inner_dims_pos' = ["
                   << llvm::interleaved(op.getInnerDimsPos()) << "]";
  if (Value padding = op.getPaddingValue();
      padding && !matchPattern(padding, m_AnyZeroFloat()) &&
      !matchPattern(padding, m_Zero()))
    return error() << "expected 'padding_value' to be a constant 0";
  for (int64_t extent : source.getShape())
    if (extent > std::numeric_limits<int32_t>::max())
      return error() << "expected extents below 2^31, got " << source;
  return moves ? PackForm::Move : PackForm::Fill;
}

namespace {

/// Position and size of a block along one axis of both tensors; what `source`
/// has of it may be less.
struct PackRange {
  OpFoldResult offset, size, sourceSize;
};

} // namespace

/// The block at `iv` of `extent` elements, of which the source has `has`.
static PackRange getRange(OpBuilder &b, Location loc, Value iv, int64_t extent,
                          int64_t has, int64_t tile) {
  auto constant = [&](int64_t value) -> OpFoldResult {
    return b.getIndexAttr(value);
  };
  auto getLeft = [&](int64_t total) -> OpFoldResult {
    if (total % tile == 0 && total >= extent)
      return constant(tile);
    AffineExpr d0 = b.getAffineDimExpr(0);
    AffineMap least = AffineMap::get(
        1, 0, {b.getAffineConstantExpr(tile), total - d0}, b.getContext());
    OpFoldResult left =
        affine::makeComposedFoldedAffineMin(b, loc, least, {OpFoldResult(iv)});
    if ((llvm::divideCeil(extent, tile) - 1) * tile < total)
      return left;
    // Some blocks are all padding.
    return affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(1, 0, {b.getAffineConstantExpr(0), d0}, b.getContext()),
        {left});
  };
  if (extent <= tile) // as in getTileRange
    return {constant(0), constant(extent), constant(has)};
  OpFoldResult size = getLeft(extent);
  return {iv, size, has == extent ? size : getLeft(has)};
}

/// The pixels that lie between two neighbours in a row of `tensor`, whose
/// columns are the last dimension but `behind`.
static int64_t getPixelStep(Value tensor, unsigned behind) {
  int64_t step = 1;
  while (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    const int64_t columns = slice.getSourceType().getRank() - 1 - behind;
    if (columns < 0 || slice.getDroppedDims().test(columns))
      return step;
    // A step that is known at run time only may be as large as any.
    int64_t factor =
        getConstantIntValue(slice.getMixedStrides()[columns]).value_or(1);
    step = std::clamp<int64_t>(factor, 1, kWidestAccessBytes) * step;
    if (step >= kWidestAccessBytes)
      return kWidestAccessBytes;
    tensor = slice.getSource();
  }
  return step;
}

FailureOr<scf::ForallOp> top::packToBlocks(RewriterBase &b, linalg::PackOp op) {
  FailureOr<PackForm> form = readPack(op);
  if (failed(form))
    return failure();
  const bool fills = *form == PackForm::Fill;
  Location loc = op.getLoc();
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto dest = cast<RankedTensorType>(op.getDest().getType());
  const int64_t batches = source.getRank() - 3;
  const int64_t channels = source.getDimSize(fills ? batches + 2 : batches);
  const int64_t height = source.getDimSize(fills ? batches : batches + 1);
  const int64_t width = source.getDimSize(fills ? batches + 1 : batches + 2);
  const int64_t packedChannels = dest.getShape().back();
  const int64_t elementBytes = getElementBytes(source.getElementType());
  PackBox box = getPackBox(
      *form, ShapedType::getNumElements(source.getShape().take_front(batches)),
      packedChannels, height, width, elementBytes,
      (fills ? channels : 1) * getPixelStep(op.getSource(), fills));

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  auto index = [&](int64_t value) -> OpFoldResult {
    return b.getIndexAttr(value);
  };
  SmallVector<OpFoldResult> lower, upper, steps;
  auto addLoop = [&](int64_t extent, int64_t step) {
    lower.push_back(index(0));
    upper.push_back(index(extent));
    steps.push_back(index(step));
  };
  for (int64_t batch = 0; batch < batches; ++batch)
    addLoop(source.getDimSize(batch), 1);
  addLoop(height, box.height);
  addLoop(width, box.width);
  addLoop(packedChannels, box.channels);
  auto kernel = scf::ForallOp::create(b, loc, lower, upper, steps,
                                      ValueRange{op.getDest()},
                                      /*mapping=*/std::nullopt);
  getPackSchedule(b.getContext(), box, elementBytes).setOn(kernel);

  b.setInsertionPointToStart(kernel.getBody());
  ValueRange ivs = kernel.getInductionVars();
  auto getBlockRange = [&](int64_t loop, int64_t extent, int64_t has,
                           int64_t tile) {
    return getRange(b, loc, ivs[batches + loop], extent, has, tile);
  };
  PackRange h = getBlockRange(0, height, height, box.height);
  PackRange w = getBlockRange(1, width, width, box.width);
  PackRange c = getBlockRange(2, packedChannels, channels, box.channels);

  // A box in the image that the outer loops select.
  auto getShape = [](ArrayRef<OpFoldResult> sizes) {
    return llvm::map_to_vector(sizes, [](OpFoldResult size) {
      return getConstantIntValue(size).value_or(ShapedType::kDynamic);
    });
  };
  SmallVector<OpFoldResult> images;
  for (int64_t batch = 0; batch < batches; ++batch)
    images.push_back(source.getDimSize(batch) == 1 ? index(0)
                                                   : OpFoldResult(ivs[batch]));
  auto slice = [&](Value tensor, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<OpFoldResult> strides(type.getRank(), index(1));
    return tensor::ExtractSliceOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
        offsets, sizes, strides);
  };
  SmallVector<OpFoldResult> offsets(images);
  SmallVector<OpFoldResult> sizes(batches, index(1));
  SmallVector<OpFoldResult> boxOffsets = {c.offset, h.offset, w.offset};
  SmallVector<OpFoldResult> boxSizes = {c.sourceSize, h.size, w.size};
  if (fills) {
    std::rotate(boxOffsets.begin(), boxOffsets.begin() + 1, boxOffsets.end());
    std::rotate(boxSizes.begin(), boxSizes.begin() + 1, boxSizes.end());
  }
  offsets.append(boxOffsets);
  sizes.append(boxSizes);
  Value from = slice(op.getSource(), offsets, sizes, getShape(boxSizes));
  offsets.assign(images.begin(), images.end());
  sizes.assign(batches, index(1));
  offsets.append({h.offset, w.offset, index(0), c.offset});
  sizes.append({h.size, w.size, index(1), c.size});
  // The tile's dimension of one says that its source has channels last.
  SmallVector<int64_t> shape = getShape({h.size, w.size, c.size});
  if (fills)
    shape.insert(shape.begin() + 2, 1);
  Value into = slice(kernel.getRegionIterArgs()[0], offsets, sizes, shape);
  auto pack = TilePackOp::create(b, loc, into.getType(), from, into);

  b.setInsertionPointToStart(kernel.getTerminator().getBody());
  SmallVector<OpFoldResult> strides(dest.getRank(), index(1));
  tensor::ParallelInsertSliceOp::create(b, loc, pack.getResult(),
                                        kernel.getRegionIterArgs()[0], offsets,
                                        sizes, strides);
  b.replaceOp(op, kernel.getResults());
  return kernel;
}
