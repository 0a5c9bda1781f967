//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-pack-convolutions: convolutions get their channels last (ConvPacker.cpp),
// elementwise ops write what these read, and no pack happens twice.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "LayoutFolding.h"
#include "LayoutMoves.h"
#include "SharePacks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Dialect/Top/Utils/ConvShape.h"
#include "top/GPU/Transforms/Passes.h"
#include "top/GPU/Transforms/Transforms.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPPACKCONVOLUTIONSPASS
#include "top/GPU/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

/// Whether only packed convolutions read `value`, as their images, with or
/// without constants round them, and with no channels to be filled up.
static bool
isReadByPacked(Value value,
               const llvm::SmallDenseSet<Operation *> &convolutions) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto pad = dyn_cast<tensor::PadOp>(user))
      return pad.getConstantPaddingValue() && use.getOperandNumber() == 0 &&
             isReadByPacked(pad.getResult(), convolutions);
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      return isReadByPacked(expand.getResult(), convolutions);
    if (!convolutions.contains(user) || use.getOperandNumber() != 0 ||
        !isa<linalg::Conv2DNchwFchwOp, linalg::Conv2DNgchwGfchwOp>(user))
      return false;
    auto type = cast<RankedTensorType>(value.getType());
    const int64_t channels = type.getDimSize(type.getRank() - 3);
    return getPackedChannels(
               channels, getElementBytes(type.getElementType())) == channels;
  });
}

/// Whether a kernel of its own computes `op`, elementwise over images.
static bool isImageKernel(linalg::GenericOp op) {
  if (op.getNumLoops() != 4 || !isElementwise(op) ||
      ScheduleAttr::getFrom(op) || op->use_empty() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return false;
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      !isTileElementType(type.getElementType()) ||
      getPermutedSource(op.getResult(0), kChannelsLastPositions))
    return false;
  // What a kernel in front takes in stays as that writes it.
  return llvm::none_of(op.getDpsInputs(), [&](Value input) {
    auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>();
    Value sums = collapse ? collapse.getSrc() : input;
    auto product = sums.getDefiningOp<linalg::LinalgOp>();
    return product && ScheduleAttr::getFrom(product) &&
           findEpilogue(input).getOperation() == op.getOperation();
  });
}

/// Lets elementwise ops that nothing but `convolutions`, which are to be
/// packed, read write the images that these would pack. Returns their number.
static int64_t writeImagesLast(RewriterBase &rewriter,
                               ArrayRef<linalg::LinalgOp> convolutions) {
  llvm::SmallDenseSet<Operation *> packed;
  llvm::SetVector<Operation *> producers;
  for (linalg::LinalgOp op : convolutions) {
    packed.insert(op);
    Value images = op.getDpsInputs()[0];
    if (auto expand = images.getDefiningOp<tensor::ExpandShapeOp>())
      images = expand.getSrc();
    if (auto pad = images.getDefiningOp<tensor::PadOp>())
      images = pad.getSource();
    if (auto generic = images.getDefiningOp<linalg::GenericOp>();
        generic && isImageKernel(generic))
      producers.insert(generic);
  }
  int64_t count = 0;
  for (Operation *op : producers) {
    if (!isReadByPacked(op->getResult(0), packed))
      continue;
    writeChannelsLast(rewriter, cast<linalg::GenericOp>(op));
    ++count;
  }
  return count;
}

/// What the kernel of `pack` writes, where it is one of `left` and was not
/// counted before.
static int64_t countBytes(linalg::PackOp pack,
                          llvm::DenseSet<Operation *> &left) {
  if (!pack || !left.erase(pack))
    return 0;
  auto type = cast<ShapedType>(pack.getDest().getType());
  return type.getNumElements() * getElementBytes(type.getElementType());
}

namespace {

struct TopPackConvolutions
    : mlir::top::impl::TopPackConvolutionsPassBase<TopPackConvolutions> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    eraseDeadOps(rewriter, getOperation());
    SmallVector<linalg::LinalgOp> ops, unpacked;
    getOperation().walk([&](linalg::LinalgOp op) {
      ScheduleAttr schedule = ScheduleAttr::getFrom(op);
      if (!schedule || !isConvolution(op))
        return;
      // A direct kernel reads and writes channels first.
      if (schedule.getRepack())
        ops.push_back(op);
      else if (schedule.getEngine() != Engine::direct)
        unpacked.push_back(op);
    });
    auto remarkOpts = [&](StringRef name) {
      return remark::RemarkOpts::name(name)
          .category(getArgument())
          .function(getOperation().getName());
    };
    if (ops.empty())
      remark::missed(getOperation().getLoc(), remarkOpts("NoConvolutionToPack"))
          << remark::reason("no convolution's schedule says 'repack'");
    if (const int64_t count = writeImagesLast(rewriter, ops))
      remark::passed(getOperation().getLoc(), remarkOpts("WrittenChannelsLast"))
          << remark::add(
                 "{0} elementwise ops write images channels last, which "
                 "are not packed then",
                 count);
    for (linalg::LinalgOp op : unpacked) {
      StringRef reason;
      (void)packConvolution(rewriter, op, reason);
    }
    SmallVector<std::pair<Location, PackedConvolution>> packed;
    for (linalg::LinalgOp op : ops) {
      Location loc = op.getLoc();
      StringRef reason;
      FailureOr<PackedConvolution> result =
          packConvolution(rewriter, op, reason);
      if (succeeded(result))
        packed.push_back({loc, *result});
      else
        remark::missed(loc, remarkOpts("NotPacked"))
            << remark::reason("{0}", reason.str());
    }
    // What still moves elements to and fro.
    lowerLayoutMoves(rewriter, getOperation());
    SharedPacks shared = sharePacks(rewriter, getOperation());
    for (const auto &[loc, packs] : packed) {
      const int64_t imageBytes = countBytes(packs.images, shared.packs);
      const int64_t filterBytes = countBytes(packs.filter, shared.packs);
      remark::passed(loc, remarkOpts("PackedConvolution")) << remark::add(
          "channels last: {0} bytes of images and {1} of filters are packed by "
          "kernels",
          imageBytes, filterBytes);
    }
    if (shared.moved + shared.merged != 0)
      remark::passed(getOperation().getLoc(), remarkOpts("SharedPacks"))
          << remark::add(
                 "{0} packs moved out of loops; {1} more, of {2} bytes, "
                 "equal to others and left out",
                 shared.moved, shared.merged, shared.mergedBytes);
  }
};

} // namespace
