//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ConvPlan.h.
//
//===----------------------------------------------------------------------===//

#include "ConvPlan.h"
#include "BlockPlan.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Dialect/Top/Utils/PixelBox.h"

using namespace mlir;
using namespace mlir::top;

static bool isNamedConvolution(linalg::LinalgOp op) {
  return isa<linalg::Conv2DNchwFchwOp, linalg::Conv2DNgchwGfchwOp,
             linalg::DepthwiseConv2DNchwChwOp>(op.getOperation());
}

bool top::isConvolution(linalg::LinalgOp op) {
  if (isNamedConvolution(op))
    return true;
  if (op.getNumDpsInputs() != 2 || op.getNumReductionLoops() < 2)
    return false;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  return succeeded(dims) && dims->outputImage.size() == 2 &&
         dims->filterLoop.size() == 2;
}

namespace {

class Reader {
public:
  Reader(RewriterBase &rewriter, linalg::LinalgOp op) : b(rewriter), op(op) {}

  FailureOr<ConvPlan> read();

private:
  LogicalResult fail(const Twine &expected) {
    return op.emitOpError("cannot be cut into block tiles: expected ")
           << expected;
  }
  std::optional<ConvDim> getDim(AffineExpr expr) const;
  LogicalResult readDims(OpOperand *operand, SmallVectorImpl<ConvDim> &dims);
  LogicalResult readShape(ArrayRef<ConvDim> filterDims);
  LogicalResult readInput();
  LogicalResult readResult();
  LogicalResult absorbPad(tensor::PadOp pad);

  RewriterBase &b;
  linalg::LinalgOp op;
  linalg::ConvolutionDimensions loops;
  ConvPlan plan;
};

} // namespace

/// What a result of an indexing map selects.
std::optional<ConvDim> Reader::getDim(AffineExpr expr) const {
  auto isOneOf = [&](ArrayRef<unsigned> dims) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && llvm::is_contained(dims, dim.getPosition());
  };
  if (isOneOf(loops.batch))
    return ConvDim::N;
  if (isOneOf(loops.depth))
    return ConvDim::G;
  if (isOneOf(loops.outputChannel))
    return ConvDim::F;
  if (isOneOf(loops.inputChannel))
    return ConvDim::C;
  for (auto [axis, dim] : {std::pair(0, ConvDim::H), std::pair(1, ConvDim::W)})
    if (expr.isFunctionOfDim(loops.outputImage[axis]) ||
        isOneOf(loops.filterLoop[axis]))
      return dim;
  return std::nullopt;
}

LogicalResult Reader::readDims(OpOperand *operand,
                               SmallVectorImpl<ConvDim> &dims) {
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
    std::optional<ConvDim> dim = getDim(expr);
    if (!dim)
      return fail("operands of images, filters and results of a convolution");
    dims.push_back(*dim);
  }
  return success();
}

LogicalResult Reader::readShape(ArrayRef<ConvDim> filterDims) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto size = [&](ArrayRef<unsigned> dims) {
    return dims.empty() ? 1 : ranges[dims.front()];
  };
  ConvShape &shape = plan.shape;
  shape.group = size(loops.depth);
  shape.n = size(loops.batch);
  shape.f = shape.group * size(loops.outputChannel);
  shape.c = shape.group * size(loops.inputChannel);
  shape.kh = ranges[loops.filterLoop[0]];
  shape.kw = ranges[loops.filterLoop[1]];
  shape.oh = ranges[loops.outputImage[0]];
  shape.ow = ranges[loops.outputImage[1]];
  for (unsigned axis = 0; axis < 2; ++axis) {
    shape.strides[axis] = loops.strides[axis];
    shape.dilations[axis] = loops.dilations[axis];
  }
  const std::pair<StringRef, int64_t> extents[] = {
      {"N", shape.n}, {"OH", shape.oh}, {"OW", shape.ow}};
  for (auto [name, extent] : extents)
    if (ShapedType::isDynamic(extent))
      return op.emitOpError("cannot be cut into block tiles: ")
             << name << " is dynamic; GPU kernels are made for static sizes";
  return success();
}

/// What is read through the pad is read without it, from another place.
LogicalResult Reader::absorbPad(tensor::PadOp pad) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !(matchPattern(padding, m_AnyZeroFloat()) ||
                    matchPattern(padding, m_Zero())))
    return fail("the tensor.pad in front to add zeros: nothing else can be "
                "absorbed by a tile's load");
  for (auto [dim, low, high] :
       llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad())) {
    std::optional<int64_t> before = getConstantIntValue(low);
    std::optional<int64_t> after = getConstantIntValue(high);
    if (!before || !after)
      return fail(
          "the tensor.pad in front to be static: border tiles whose sizes "
          "are known at run time only have no kernels");
    const ConvDim axis = plan.inputDims[dim];
    if (axis == ConvDim::H)
      plan.shape.pads[0] = *before;
    else if (axis == ConvDim::W)
      plan.shape.pads[1] = *before;
    else if (*before != 0 || *after != 0)
      return fail("the tensor.pad in front to add rows and columns only");
  }
  plan.input = pad.getSource();
  return success();
}

/// The images without the zeros round them. Groups are seen as a dimension of
/// their own by a reshape that may stand behind the pad.
LogicalResult Reader::readInput() {
  plan.input = op.getDpsInputs()[0];
  if (auto expand = plan.input.getDefiningOp<tensor::ExpandShapeOp>()) {
    auto pad = expand.getSrc().getDefiningOp<tensor::PadOp>();
    if (pad) {
      SmallVector<ConvDim> expanded = plan.inputDims;
      // N, (G, C), H, W: what the pad sees.
      auto *group = llvm::find(plan.inputDims, ConvDim::G);
      if (group != plan.inputDims.end())
        plan.inputDims.erase(group);
      if (plan.inputDims.size() !=
              static_cast<size_t>(pad.getResultType().getRank()) ||
          failed(absorbPad(pad)))
        return failure();
      plan.inputDims = std::move(expanded);
      auto type = cast<RankedTensorType>(plan.input.getType());
      SmallVector<int64_t> shape(expand.getResultType().getShape());
      for (auto [dim, axis] : llvm::enumerate(plan.inputDims))
        if (axis == ConvDim::H || axis == ConvDim::W)
          shape[dim] = type.getDimSize(axis == ConvDim::H ? 2 : 3);
      plan.input = tensor::ExpandShapeOp::create(
          b, op.getLoc(), RankedTensorType::get(shape, type.getElementType()),
          plan.input, expand.getReassociationIndices());
    }
  } else if (auto pad = plan.input.getDefiningOp<tensor::PadOp>()) {
    if (failed(absorbPad(pad)))
      return failure();
  }
  auto type = cast<RankedTensorType>(plan.input.getType());
  if (!type.hasStaticShape())
    return fail("images of static sizes");
  for (auto [dim, axis] : llvm::enumerate(plan.inputDims)) {
    if (axis == ConvDim::H)
      plan.shape.h = type.getDimSize(dim);
    if (axis == ConvDim::W)
      plan.shape.w = type.getDimSize(dim);
  }
  return success();
}

tensor::CollapseShapeOp top::collapseGroups(RewriterBase &rewriter, Value sums,
                                            int64_t first) {
  auto type = cast<RankedTensorType>(sums.getType());
  SmallVector<ReassociationIndices> dims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == first + 1)
      dims.back().push_back(dim);
    else
      dims.push_back({dim});
  }
  if (sums.hasOneUse())
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(*sums.user_begin());
        collapse && collapse.getReassociationIndices() == dims)
      return collapse;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(sums);
  auto collapse =
      tensor::CollapseShapeOp::create(rewriter, sums.getLoc(), sums, dims);
  auto apart = tensor::ExpandShapeOp::create(rewriter, sums.getLoc(), type,
                                             collapse, dims);
  rewriter.replaceAllUsesExcept(sums, apart, collapse);
  return collapse;
}

/// The result, behind the epilogue and behind the reshape that makes one
/// dimension of the groups' channels.
LogicalResult Reader::readResult() {
  if (failed(readDims(op.getDpsInitOperand(0), plan.resultDims)))
    return failure();
  plan.sums = op->getResult(0);
  auto *group = llvm::find(plan.resultDims, ConvDim::G);
  if (group == plan.resultDims.end() || plan.shape.group == 1) {
    // With one group they are the same.
    if (group != plan.resultDims.end())
      return fail("more than one group where groups are a dimension");
    for (ConvDim &dim : plan.resultDims)
      if (dim == ConvDim::F)
        dim = ConvDim::FG;
  } else if (!llvm::is_contained(plan.resultDims, ConvDim::F)) {
    *group = ConvDim::FG; // depthwise: a channel a group
  } else {
    if (group + 1 == plan.resultDims.end() || group[1] != ConvDim::F)
      return fail("the channels of a group of the result to be side by side "
                  "with the groups");
    plan.sums = collapseGroups(b, plan.sums, group - plan.resultDims.begin());
    *group = ConvDim::FG;
    plan.resultDims.erase(group + 1);
  }
  plan.epilogue = findEpilogue(plan.sums);
  plan.result = plan.epilogue ? plan.epilogue->getResult(0) : plan.sums;
  return success();
}

FailureOr<ConvPlan> Reader::read() {
  plan.op = op;
  if (!op.hasPureTensorSemantics())
    return fail("tensors");
  FailureOr<linalg::ConvolutionDimensions> found =
      linalg::inferConvolutionDims(op);
  if (failed(found) || found->outputImage.size() != 2 ||
      found->filterLoop.size() != 2 || found->batch.size() != 1 ||
      found->outputChannel.size() > 1 || found->inputChannel.size() > 1 ||
      found->depth.size() > 1)
    return fail("a convolution over the rows and columns of images");
  loops = *found;

  SmallVector<ConvDim> filterDims;
  OpOperand *filter = op.getDpsInputOperand(1);
  if (failed(readDims(op.getDpsInputOperand(0), plan.inputDims)) ||
      failed(readDims(filter, filterDims)) || failed(readShape(filterDims)) ||
      failed(readInput()) || failed(readResult()))
    return failure();

  Type type = getElementTypeOrSelf(plan.input);
  if (type != getElementTypeOrSelf(filter->get()) || !isTileElementType(type) ||
      type.isInteger(32))
    return fail("images and filter of one type that tiles have");
  plan.accumulatorType = getAccumulatorType(type);
  if (getElementTypeOrSelf(op->getResult(0)) != plan.accumulatorType)
    return op.emitOpError("cannot be cut into block tiles: expected sums in ")
           << plan.accumulatorType << ", got "
           << getElementTypeOrSelf(op->getResult(0));
  if (!isZeroFill(op.getDpsInits()[0]))
    return fail("'outs' to be filled with 0");

  // Depthwise images have a channel of each group only.
  SmallVector<ConvDim> images(plan.inputDims);
  const bool isDepthwise = loops.inputChannel.empty();
  if (isDepthwise)
    *llvm::find(images, ConvDim::G) = ConvDim::C;
  else
    llvm::erase(images, ConvDim::G);
  using D = ConvDim;
  plan.isChannelsLast = images == ArrayRef({D::N, D::H, D::W, D::C});
  if (!plan.isChannelsLast && images != ArrayRef({D::N, D::C, D::H, D::W}))
    return fail("images of N x C x H x W, or with the channels last");
  SmallVector<ConvDim> expected = {D::F, D::C, D::H, D::W};
  if (plan.isChannelsLast)
    expected = {D::F, D::H, D::W, D::C};
  if (isDepthwise) {
    llvm::erase(expected, D::C);
    *llvm::find(expected, D::F) = D::G;
  } else if (!loops.depth.empty()) {
    expected.insert(expected.begin(), D::G);
  }
  if (filterDims != expected)
    return fail("a filter with its channels and taps in the order of the "
                "images: F x C x KH x KW, or F x KH x KW x C");

  // Rows of the filter are output channels, of all groups.
  const int64_t rowDims = !isDepthwise && !loops.depth.empty() ? 2 : 1;
  auto filterType = cast<RankedTensorType>(filter->get().getType());
  SmallVector<ReassociationIndices> matrix(2);
  for (int64_t dim = 0; dim < filterType.getRank(); ++dim)
    matrix[dim < rowDims ? 0 : 1].push_back(dim);
  plan.filter =
      tensor::CollapseShapeOp::create(b, op.getLoc(), filter->get(), matrix);
  return std::move(plan);
}

FailureOr<ConvPlan> top::planConvolution(RewriterBase &rewriter,
                                         linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return Reader(rewriter, op).read();
}

SmallVector<int64_t, 3> top::getBox(ScheduleAttr schedule,
                                    const ConvShape &shape) {
  if (!schedule.getBox().empty())
    return SmallVector<int64_t, 3>(schedule.getBox());
  return choosePixelBox(shape, schedule.getPixels() == PixelAxis::rows
                                   ? schedule.getBlockM()
                                   : schedule.getBlockN());
}
