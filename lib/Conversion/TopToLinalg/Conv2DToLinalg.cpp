//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top.Conv2D to a named convolution of linalg, with the padding in front and
// the epilogue behind it.
//
//   group 1                conv_2d_nchw_fchw
//   group = C = F          depthwise_conv_2d_nchw_chw, filter C x KH x KW
//   any other group        conv_2d_ngchw_gfchw, the channels of input, filter
//                          and result seen as G x C/G and G x F/G
//
// Expanding and collapsing shapes moves no data, so the number of groups is
// only a number in types.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "top/Dialect/Top/IR/RuntimeChecks.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::top;

FailureOr<RankedTensorType> top::getPaddedInputType(Conv2DOp op) {
  RankedTensorType type = op.getInputType();
  SmallVector<int64_t> shape(type.getShape());
  // The verifier has computed the number of outputs, so these sums fit.
  for (unsigned axis = 0; axis < 2; ++axis)
    if (!type.isDynamicDim(2 + axis))
      shape[2 + axis] += op.getPads()[axis] + op.getPads()[axis + 2];
  std::optional<int64_t> bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t extent : shape)
    if (bytes && !ShapedType::isDynamic(extent) && extent != 0)
      bytes = llvm::checkedMul(*bytes, extent);
  if (!bytes)
    return failure();
  return RankedTensorType::get(shape, type.getElementType());
}

/// The input with its zeros round it; the input itself where there are none.
static Value createPadded(OpBuilder &b, Conv2DOp op,
                          RankedTensorType paddedType) {
  ArrayRef<int64_t> pads = op.getPads();
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return op.getInput();
  Location loc = op.getLoc();
  Value zero = arith::ConstantOp::create(
      b, loc, b.getZeroAttr(paddedType.getElementType()));
  SmallVector<OpFoldResult> low =
      getAsIndexOpFoldResult(b.getContext(), {0, 0, pads[0], pads[1]});
  SmallVector<OpFoldResult> high =
      getAsIndexOpFoldResult(b.getContext(), {0, 0, pads[2], pads[3]});
  return tensor::PadOp::create(b, loc, paddedType, op.getInput(), low, high,
                               zero);
}

/// A pair of neighbouring dimensions, `dim` and the next, as one of `rank`.
static SmallVector<ReassociationIndices> pairDims(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t first = d > dim ? d + 1 : d;
    groups.push_back({first});
    if (d == dim)
      groups.back().push_back(first + 1);
  }
  return groups;
}

/// Splits the static dimension `dim` of `source` into group x extent/group.
static Value splitDim(OpBuilder &b, Location loc, Value source, int64_t dim,
                      int64_t group) {
  auto type = cast<RankedTensorType>(source.getType());
  const int64_t part = type.getDimSize(dim) / group;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = group;
  shape.insert(shape.begin() + dim + 1, part);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, source);
  sizes[dim] = b.getIndexAttr(group);
  sizes.insert(sizes.begin() + dim + 1, b.getIndexAttr(part));
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), source,
      pairDims(type.getRank(), dim), sizes);
}

/// The sums, N x F x OH x OW in the accumulator's type. The named op extends
/// what it reads to the type that it accumulates in.
static Value createConvolution(OpBuilder &b, Conv2DOp op,
                               const LayerInfo &layer, Value input) {
  Location loc = op.getLoc();
  const int64_t group = op.getGroup();
  const int64_t channels = op.getInputType().getDimSize(1);
  const int64_t outputs = op.getFilterType().getDimSize(0);
  Attribute strides = b.getI64TensorAttr(op.getStrides());
  Attribute dilations = b.getI64TensorAttr(op.getDilations());
  Value filter = op.getFilter();
  auto build = [&](auto tag, Value zeros) {
    auto product = decltype(tag)::create(b, loc, zeros.getType(),
                                         ValueRange{input, filter}, zeros,
                                         strides, dilations);
    forwardAttributes(op, op.getAllowTf32(), product);
    return product->getResult(0);
  };

  SmallVector<OpFoldResult> shape = layer.resultShape;
  if (group == 1)
    return build(linalg::Conv2DNchwFchwOp(),
                 createZeros(b, loc, shape, layer.accumulatorType));
  if (group == channels && group == outputs) {
    filter = tensor::CollapseShapeOp::create(b, loc, filter, pairDims(3, 0));
    return build(linalg::DepthwiseConv2DNchwChwOp(),
                 createZeros(b, loc, shape, layer.accumulatorType));
  }
  input = splitDim(b, loc, input, /*dim=*/1, group);
  filter = splitDim(b, loc, filter, /*dim=*/0, group);
  shape[1] = b.getIndexAttr(group);
  shape.insert(shape.begin() + 2, b.getIndexAttr(outputs / group));
  Value sums = build(linalg::Conv2DNgchwGfchwOp(),
                     createZeros(b, loc, shape, layer.accumulatorType));
  return tensor::CollapseShapeOp::create(b, loc, sums, pairDims(4, 1));
}

namespace {

struct LowerConv2D : OpRewritePattern<Conv2DOp> {
  using OpRewritePattern<Conv2DOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2DOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> paddedType = getPaddedInputType(op);
    if (failed(paddedType))
      return rewriter.notifyMatchFailure(
          op, "size of the padded input overflows 64 bits");
    FailureOr<LayerInfo> layer = getLayerInfo(rewriter, op, /*channelDim=*/1);
    if (failed(layer))
      return rewriter.notifyMatchFailure(op, "the result has no shape");

    // Before anything is made with the sizes: a negative one is no tensor.
    emitRuntimeChecks(rewriter, op, layer->resultShape);

    // An empty result has no elements to compute.
    if (RankedTensorType type = op.getResultType();
        llvm::is_contained(type.getShape(), 0)) {
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
          op, layer->resultShape, type.getElementType(), type.getEncoding());
      return success();
    }

    // Without input rows or columns every tap is padding.
    Value sums;
    if (!llvm::is_contained(op.getInputType().getShape(), 0))
      sums = createConvolution(rewriter, op, *layer,
                               createPadded(rewriter, op, *paddedType));
    rewriter.replaceOp(op, createResult(rewriter, *layer, sums));
    return success();
  }
};

} // namespace

void top::populateConv2DToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerConv2D>(patterns.getContext());
}
