//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in front of a convolution's input: zero pads become its own, a
// slice that only leaves out what no window reads is dropped, and an input that
// is larger than what is read is cut to it.
//
//===----------------------------------------------------------------------===//

#include "Roots.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

/// Input elements from the first one on that windows read along an axis, pads
/// included; nullopt where that is not known.
static std::optional<int64_t> getSpan(const ConvInput &input, unsigned axis) {
  std::optional<int64_t> outputs = getConstantIntValue(input.outputs[axis]);
  if (!outputs || *outputs < 1)
    return std::nullopt;
  AxisGeometry geometry =
      getAxisGeometry(input.attrs, axis, 0, input.kernel[axis]);
  std::optional<int64_t> kernelExtent = geometry.kernelExtent();
  std::optional<int64_t> steps =
      llvm::checkedMul(*outputs - 1, geometry.stride);
  return kernelExtent && steps ? llvm::checkedAdd(*kernelExtent, *steps)
                               : std::nullopt;
}

static bool absorbPad(ConvInput &input, tensor::PadOp pad, ArrayRef<int> axes) {
  Value padding = pad.getConstantPaddingValue();
  if (pad.getNofold() || !padding || !matchPattern(padding, m_AnyZeroFloat()))
    return false;
  Conv2DAttrs attrs = input.attrs;
  SmallVector<OpFoldResult> lows = pad.getMixedLowPad();
  SmallVector<OpFoldResult> highs = pad.getMixedHighPad();
  for (auto [d, axis] : llvm::enumerate(axes)) {
    std::optional<int64_t> low = getConstantIntValue(lows[d]);
    std::optional<int64_t> high = getConstantIntValue(highs[d]);
    if (!low || !high || *low < 0 || *high < 0)
      return false;
    if (axis < 0) {
      if (*low != 0 || *high != 0)
        return false;
      continue;
    }
    std::optional<int64_t> sumLow = llvm::checkedAdd(attrs.pads[axis], *low);
    std::optional<int64_t> sumHigh =
        llvm::checkedAdd(attrs.pads[axis + 2], *high);
    if (!sumLow || !sumHigh)
      return false;
    attrs.pads[axis] = *sumLow;
    attrs.pads[axis + 2] = *sumHigh;
  }
  input.attrs = attrs;
  input.value = pad.getSource();
  return true;
}

/// A slice from the start whose source gives the same outputs: along each axis
/// the windows end inside the slice, and one more does not fit into the source.
static bool absorbSlice(ConvInput &input, tensor::ExtractSliceOp slice,
                        ArrayRef<int> axes) {
  RankedTensorType source = slice.getSourceType();
  if (source.getRank() != slice.getType().getRank())
    return false;
  Conv2DAttrs attrs = input.attrs;
  for (auto [d, axis] : llvm::enumerate(axes)) {
    if (!isConstantIntValue(slice.getMixedOffsets()[d], 0) ||
        !isConstantIntValue(slice.getMixedStrides()[d], 1))
      return false;
    const int64_t from = source.getDimSize(d);
    const int64_t to = slice.getType().getDimSize(d);
    if (from == to && !ShapedType::isDynamic(from))
      continue;
    if (axis < 0 || ShapedType::isDynamic(from) || ShapedType::isDynamic(to))
      return false;
    std::optional<int64_t> span = getSpan(input, axis);
    const int64_t low = attrs.pads[axis];
    if (!span || *span - low > to || from + low - *span >= attrs.strides[axis])
      return false;
    attrs.pads[axis + 2] = 0;
  }
  input.attrs = attrs;
  input.value = slice.getSource();
  return true;
}

void raise::absorbPadsAndSlices(ConvInput &input, ArrayRef<int> axes) {
  while (true) {
    input.value = skipCasts(input.value);
    Operation *def = input.value.getDefiningOp();
    if (auto pad = dyn_cast_or_null<tensor::PadOp>(def)) {
      if (absorbPad(input, pad, axes))
        continue;
    } else if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(def)) {
      if (absorbSlice(input, slice, axes))
        continue;
    }
    return;
  }
}

/// Input elements that exist and are read along an axis, for a number of
/// outputs known at run time only.
static FailureOr<OpFoldResult> computeReadSize(OpBuilder &builder, Location loc,
                                               const ConvInput &input,
                                               unsigned axis) {
  AxisGeometry geometry =
      getAxisGeometry(input.attrs, axis, 0, input.kernel[axis]);
  std::optional<int64_t> kernelExtent = geometry.kernelExtent();
  std::optional<int64_t> pads =
      llvm::checkedAdd(geometry.padLow, geometry.padHigh);
  if (!kernelExtent || !pads)
    return failure();
  AffineExpr outputs = builder.getAffineSymbolExpr(0);
  AffineExpr size = (outputs - 1) * geometry.stride + (*kernelExtent - *pads);
  return affine::makeComposedFoldedAffineApply(builder, loc, size,
                                               {input.outputs[axis]});
}

LogicalResult raise::trimInput(OpBuilder &builder, Location loc,
                               ConvInput &input) {
  auto type = cast<RankedTensorType>(input.value.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, input.value);
  bool needsSlice = false;
  for (unsigned axis = 0; axis < 2; ++axis) {
    const int64_t extent = type.getDimSize(2 + axis);
    if (ShapedType::isDynamic(extent) ||
        !getConstantIntValue(input.outputs[axis])) {
      FailureOr<OpFoldResult> size = computeReadSize(builder, loc, input, axis);
      if (failed(size))
        return failure();
      sizes[2 + axis] = *size;
      needsSlice = true;
      continue;
    }
    int64_t &high = input.attrs.pads[axis + 2];
    std::optional<int64_t> span = getSpan(input, axis);
    std::optional<int64_t> padded =
        llvm::checkedAdd(extent, input.attrs.pads[axis]);
    if (padded)
      padded = llvm::checkedAdd(*padded, high);
    if (!span || !padded || *padded < *span)
      return failure();
    const int64_t excess = *padded - *span;
    if (excess < input.attrs.strides[axis])
      continue;
    if (excess <= high) {
      high -= excess;
      continue;
    }
    // Pads below and right are not read at all, nor is the end of the input.
    const int64_t size = extent - (excess - high);
    if (size < 1)
      return failure();
    sizes[2 + axis] = builder.getIndexAttr(size);
    high = 0;
    needsSlice = true;
  }
  if (!needsSlice)
    return success();
  SmallVector<OpFoldResult> offsets(4, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, builder.getIndexAttr(1));
  input.value = tensor::ExtractSliceOp::create(builder, loc, input.value,
                                               offsets, sizes, strides);
  return success();
}
