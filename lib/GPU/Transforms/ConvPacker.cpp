//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout step of one convolution. Images and filter are packed with their
// channels last, so that the channels of a tap lie side by side and copies of
// them are wide and aligned. Images and results that are channels last by
// themselves are read and written as they are, but that images have their
// channels filled up.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "LayoutFolding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Dialect/Top/Utils/ConvShape.h"
#include "top/GPU/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::top;

namespace {

class ConvPacker {
public:
  ConvPacker(RewriterBase &rewriter, linalg::LinalgOp op)
      : b(rewriter), op(op), loc(op.getLoc()) {}

  FailureOr<PackedConvolution> run(StringRef &reason);

private:
  Value moveOnePixel(Value source);
  Value packChannels(Value source, bool isLast, linalg::PackOp &pack);
  Value keepPixels(Value images, unsigned firstAxis);
  Value addPad(Value images, unsigned firstAxis, tensor::PadOp pad);
  Value packImages();
  Value getLastImages();
  Value packFilter();
  Value getInit();
  linalg::GenericOp createConvolution(Value images, Value filter);
  void replaceResult(linalg::GenericOp packed);
  SmallVector<int64_t> getNumbers(StringRef name) {
    return llvm::to_vector(
        op->getAttrOfType<DenseIntElementsAttr>(name).getValues<int64_t>());
  }

  RewriterBase &b;
  linalg::LinalgOp op;
  Location loc;
  bool hasGroups = false;
  bool packs = false;         ///< the schedule asks for it
  bool imagesAreLast = false; ///< by themselves, and then packed or not
  bool imagesHaveGroupsInside = false; ///< N x H x W x G x C
  /// The reshape that makes one dimension of the groups' channels; null without
  /// groups.
  tensor::CollapseShapeOp collapse;
  std::optional<ChannelsLastResult> lastResult;
  SmallVector<int64_t> strides, dilations;
  PackedConvolution result;
};

} // namespace

/// `source`, [batch x] C x 1 x 1, as [batch x] 1 x 1 x C: what it is in memory.
Value ConvPacker::moveOnePixel(Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  const int64_t last = type.getRank() - 3;
  SmallVector<ReassociationIndices> dims;
  for (int64_t dim = 0; dim < last; ++dim)
    dims.push_back({dim});
  dims.push_back({last, last + 1, last + 2});
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[last], shape[last + 2]);
  Value channels = tensor::CollapseShapeOp::create(b, loc, source, dims);
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), channels,
      dims);
}

/// `source`, [batch x] C x H x W, or with `isLast` [batch x] H x W x C, with
/// its channels behind its rows and columns, and filled up where the schedule
/// asks for packs. `pack` becomes what does that; null where it is a constant
/// now, or nothing has to move.
Value ConvPacker::packChannels(Value source, bool isLast,
                               linalg::PackOp &pack) {
  auto type = cast<RankedTensorType>(source.getType());
  const int64_t rank = type.getRank();
  const int64_t channelDim = isLast ? rank - 1 : rank - 3;
  const int64_t channels = type.getDimSize(channelDim);
  const int64_t packed =
      packs
          ? getPackedChannels(channels, getElementBytes(type.getElementType()))
          : channels;
  if (!isLast && packed == channels && type.getDimSize(rank - 2) == 1 &&
      type.getDimSize(rank - 1) == 1)
    return moveOnePixel(source);
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (!isLast)
    std::rotate(perm.end() - 3, perm.end() - 2, perm.end());
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), perm);
  shape.back() = 1;
  shape.push_back(packed);
  // Not tensor.empty: those of two packs may be equal and become one.
  auto spaceType = RankedTensorType::get(shape, type.getElementType());
  Value space =
      bufferization::AllocTensorOp::create(b, loc, spaceType, ValueRange());
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  if (isLast)
    perm.clear(); // as linalg.pack says it
  pack = linalg::PackOp::create(b, loc, source, space, {channelDim},
                                {b.getIndexAttr(packed)}, zero, perm);
  ScheduleAttr::get(b.getContext()).setOn(pack);
  SmallVector<ReassociationIndices> indices;
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    indices.push_back({dim});
  indices.push_back({rank - 1, rank});
  auto collapsed =
      tensor::CollapseShapeOp::create(b, loc, pack.getResult(), indices);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(pack);
  if (succeeded(foldConstantPack(b, pack))) {
    b.eraseOp(space.getDefiningOp());
    pack = nullptr;
  }
  return collapsed;
}

/// The pixels of `images` that a filter of one tap reads, where its stride
/// leaves some out; they have a stride of 1 then. Dimension `firstAxis` is the
/// rows.
Value ConvPacker::keepPixels(Value images, unsigned firstAxis) {
  ArrayRef<int64_t> taps =
      cast<ShapedType>(op.getDpsInputs()[1].getType()).getShape().take_back(2);
  if (taps[0] != 1 || taps[1] != 1 || (strides[0] == 1 && strides[1] == 1))
    return images;
  auto type = cast<RankedTensorType>(images.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> steps(type.getRank(), b.getIndexAttr(1));
  SmallVector<int64_t> shape(type.getShape());
  ArrayRef<int64_t> outputs =
      cast<ShapedType>(op->getResult(0).getType()).getShape().take_back(2);
  for (unsigned axis = 0; axis < 2; ++axis) {
    shape[firstAxis + axis] = outputs[axis];
    steps[firstAxis + axis] = b.getIndexAttr(strides[axis]);
  }
  strides = {1, 1};
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), images,
      offsets, getAsIndexOpFoldResult(b.getContext(), shape), steps);
}

/// `images` with what `pad`, of images N x C x H x W, puts round their rows and
/// columns, which are the dimensions from `firstAxis` on.
Value ConvPacker::addPad(Value images, unsigned firstAxis, tensor::PadOp pad) {
  const int64_t rank = cast<ShapedType>(images.getType()).getRank();
  SmallVector<OpFoldResult> low(rank, b.getIndexAttr(0)), high = low;
  for (unsigned axis = 0; axis < 2; ++axis) {
    const int64_t from = pad.getResultType().getRank() - 2 + axis;
    low[firstAxis + axis] = pad.getMixedLowPad()[from];
    high[firstAxis + axis] = pad.getMixedHighPad()[from];
  }
  return tensor::PadOp::create(b, loc, /*resultType=*/Type(), images, low, high,
                               pad.getConstantPaddingValue());
}

/// The images packed, with the zeros round them added to what is packed: these
/// are never written, but absorbed by the loads of tiles.
Value ConvPacker::packImages() {
  Value images = op.getDpsInputs()[0];
  auto expand = images.getDefiningOp<tensor::ExpandShapeOp>();
  auto pad = (expand ? expand.getSrc() : images).getDefiningOp<tensor::PadOp>();
  if (pad) {
    Value source = pad.getSource();
    if (expand) {
      // Rows and columns, the last two, have no part in the groups.
      auto type = cast<RankedTensorType>(source.getType());
      SmallVector<int64_t> shape(expand.getResultType().getShape());
      for (int64_t i = 1; i <= 2; ++i)
        shape[shape.size() - i] = type.getDimSize(type.getRank() - i);
      source = tensor::ExpandShapeOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()), source,
          expand.getReassociationIndices());
    }
    images = source;
  }
  const unsigned rank = cast<ShapedType>(images.getType()).getRank();
  if (!pad)
    images = keepPixels(images, rank - 2);
  images = packChannels(images, /*isLast=*/false, result.images);
  return pad ? addPad(images, rank - 3, pad) : images;
}

/// The images, where they are channels last in memory, with their channels
/// filled up if the schedule asks for it and they need it, and with the zeros
/// round them made again there. Null where they are not.
Value ConvPacker::getLastImages() {
  Value images = op.getDpsInputs()[0];
  auto expand = images.getDefiningOp<tensor::ExpandShapeOp>();
  if (expand)
    images = expand.getSrc();
  auto pad = images.getDefiningOp<tensor::PadOp>();
  Value padding = pad ? pad.getConstantPaddingValue() : Value();
  if (pad && !padding)
    return nullptr;
  Value last =
      getPermutedSource(pad ? pad.getSource() : images, kChannelsLastPositions);
  if (!last)
    return nullptr;
  if (expand) {
    auto type = cast<RankedTensorType>(last.getType());
    SmallVector<int64_t> shape(type.getShape().drop_back());
    llvm::append_range(shape, expand.getResultType().getShape().slice(1, 2));
    last = tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), last,
        ArrayRef<ReassociationIndices>{{0}, {1}, {2}, {3, 4}});
  }
  auto type = cast<RankedTensorType>(last.getType());
  const int64_t channels = type.getShape().back();
  if (packs &&
      getPackedChannels(channels, getElementBytes(type.getElementType())) !=
          channels)
    last = packChannels(pad ? last : keepPixels(last, 1), /*isLast=*/true,
                        result.images);
  return pad ? addPad(last, 1, pad) : last;
}

/// As one tensor of all groups' filters: a constant is then packed at once.
Value ConvPacker::packFilter() {
  Value filter = op.getDpsInputs()[1];
  auto expand = filter.getDefiningOp<tensor::ExpandShapeOp>();
  if (!hasGroups || !expand)
    return packChannels(filter, /*isLast=*/false, result.filter);
  Value packed = packChannels(expand.getSrc(), /*isLast=*/false, result.filter);
  auto type = cast<RankedTensorType>(packed.getType());
  SmallVector<int64_t> shape(type.getShape());
  ArrayRef<int64_t> groups = expand.getResultType().getShape().take_front(2);
  shape.front() = groups[1];
  shape.insert(shape.begin(), groups[0]);
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), packed,
      expand.getReassociationIndices());
}

/// Zeros for the sums.
Value ConvPacker::getInit() {
  Value init = op.getDpsInits()[0];
  if (!lastResult)
    return init;
  auto type = cast<RankedTensorType>(init.getType());
  SmallVector<int64_t> shape(type.getShape());
  std::rotate(shape.begin() + 1, shape.end() - 2, shape.end());
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return linalg::FillOp::create(b, loc, fill.getInputs()[0], empty)
      .getResult(0);
}

linalg::GenericOp ConvPacker::createConvolution(Value images, Value filter) {
  // Loops: n, [g,] f, oh, ow, kh, kw, c.
  MLIRContext *context = b.getContext();
  const unsigned numParallel = hasGroups ? 5 : 4, numLoops = numParallel + 3;
  auto d = [&](unsigned loop) { return getAffineDimExpr(loop, context); };
  const unsigned f = hasGroups ? 2 : 1, oh = f + 1, kh = numParallel;
  auto position = [&](unsigned axis) {
    return d(oh + axis) * strides[axis] + d(kh + axis) * dilations[axis];
  };
  SmallVector<AffineExpr> group, channel = {d(kh + 2)};
  if (hasGroups)
    group.push_back(d(1));
  const SmallVector<AffineExpr> pixel = {position(0), position(1)};
  const SmallVector<AffineExpr> tap = {d(kh), d(kh + 1)};
  const SmallVector<AffineExpr> output = {d(oh), d(oh + 1)};
  auto list = [](ArrayRef<ArrayRef<AffineExpr>> parts) {
    SmallVector<AffineExpr> exprs;
    for (ArrayRef<AffineExpr> part : parts)
      llvm::append_range(exprs, part);
    return exprs;
  };
  SmallVector<AffineExpr> image, taps, sums;
  if (imagesHaveGroupsInside)
    image = list({d(0), pixel, group, channel});
  else if (imagesAreLast)
    image = list({d(0), group, pixel, channel});
  else
    image = list({d(0), group, channel, pixel});
  taps = imagesAreLast ? list({group, d(f), tap, channel})
                       : list({group, d(f), channel, tap});
  sums = lastResult ? list({d(0), output, group, d(f)})
                    : list({d(0), group, d(f), output});
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> exprs : {image, taps, sums})
    maps.push_back(AffineMap::get(numLoops, 0, exprs, context));
  SmallVector<utils::IteratorType> iterators(numParallel,
                                             utils::IteratorType::parallel);
  iterators.append(3, utils::IteratorType::reduction);
  Value init = getInit();
  auto generic = linalg::GenericOp::create(b, loc, init.getType(),
                                           ValueRange{images, filter}, init,
                                           maps, iterators);
  // What is multiplied and added does not change.
  b.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                      generic.getRegion().begin());
  for (StringRef name :
       {ScheduleAttr::name.str(), std::string("top.allow_tf32")})
    if (Attribute attribute = op->getAttr(name))
      generic->setAttr(name, attribute);
  return generic;
}

/// Puts the sums of `packed` in the place of the op's.
void ConvPacker::replaceResult(linalg::GenericOp packed) {
  if (!lastResult) {
    b.replaceOp(op, packed);
    return;
  }
  Value sums = op->getResult(0), lastSums = packed.getResult(0);
  if (collapse) {
    sums = collapse.getResult();
    lastSums = tensor::CollapseShapeOp::create(
        b, loc, lastSums,
        ArrayRef<ReassociationIndices>{{0}, {1}, {2}, {3, 4}});
  }
  rewriteChannelsLastResult(b, sums, *lastResult, lastSums);
  if (collapse)
    b.eraseOp(collapse);
  b.eraseOp(op);
}

FailureOr<PackedConvolution> ConvPacker::run(StringRef &reason) {
  hasGroups = isa<linalg::Conv2DNgchwGfchwOp>(op.getOperation());
  if (!hasGroups && !isa<linalg::Conv2DNchwFchwOp>(op.getOperation())) {
    reason = "has one channel in each group, or its channels last already";
    return failure();
  }
  for (Value operand : op->getOperands())
    if (!isa<RankedTensorType>(operand.getType()) ||
        !cast<RankedTensorType>(operand.getType()).hasStaticShape()) {
      reason = "has operands that are no tensors of static shape";
      return failure();
    }
  Value source = op.getDpsInputs()[0];
  if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>())
    source = expand.getSrc();
  if (auto pad = source.getDefiningOp<tensor::PadOp>())
    source = pad.getSource();
  if (!cast<RankedTensorType>(source.getType()).hasStaticShape()) {
    reason = "has images whose size is known at run time only";
    return failure();
  }
  strides = getNumbers("strides");
  dilations = getNumbers("dilations");
  Value sums = op->getResult(0);
  if (hasGroups && sums.hasOneUse()) {
    collapse = dyn_cast<tensor::CollapseShapeOp>(*sums.getUsers().begin());
    if (collapse)
      sums = collapse.getResult();
  }
  if ((!hasGroups || collapse) &&
      op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
    lastResult = matchChannelsLastResult(sums);
  ScheduleAttr schedule = ScheduleAttr::getFrom(op);
  packs = schedule && schedule.getRepack();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Value images = getLastImages(), filter = op.getDpsInputs()[1];
  if (!images && !packs && !lastResult) {
    reason = "has a schedule without 'repack', and no layout to keep";
    return failure();
  }
  imagesAreLast = !!images;
  imagesHaveGroupsInside = hasGroups && images;
  if (!images)
    images = packs ? packImages() : op.getDpsInputs()[0];
  if (packs || imagesAreLast)
    filter = packFilter();
  imagesAreLast |= packs;
  replaceResult(createConvolution(images, filter));
  return result;
}

FailureOr<PackedConvolution> top::packConvolution(RewriterBase &rewriter,
                                                  linalg::LinalgOp op,
                                                  StringRef &reason) {
  return ConvPacker(rewriter, op).run(reason);
}
