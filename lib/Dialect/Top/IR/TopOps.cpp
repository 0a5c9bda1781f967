//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers, shape inference, builders and reification of the layer ops.
//
//===----------------------------------------------------------------------===//

#include "AttributeNames.h"
#include "LayerChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "top/Dialect/Top/IR/Layout.h"

using namespace mlir;
using namespace mlir::top;

#define GET_OP_CLASSES
#include "top/Dialect/Top/IR/TopOps.cpp.inc"

AxisGeometry top::getAxisGeometry(const Conv2DAttrs &attrs, unsigned axis,
                                  int64_t extent, int64_t kernel) {
  return {extent,
          kernel,
          attrs.strides[axis],
          attrs.dilations[axis],
          attrs.pads[axis],      // top, left
          attrs.pads[axis + 2]}; // bottom, right
}

Type top::getAccumulatorType(Type type) {
  MLIRContext *context = type.getContext();
  if (type.isF64())
    return Float64Type::get(context);
  if (isa<IntegerType>(type))
    return IntegerType::get(context, 32);
  return Float32Type::get(context);
}

//===----------------------------------------------------------------------===//
// Conv2D
//===----------------------------------------------------------------------===//

Conv2DAttrs Conv2DOp::getConvAttrs() {
  Conv2DAttrs attrs;
  llvm::copy(getStrides(), attrs.strides.begin());
  llvm::copy(getPads(), attrs.pads.begin());
  llvm::copy(getDilations(), attrs.dilations.begin());
  attrs.group = getGroup();
  return attrs;
}

AxisGeometry Conv2DOp::getAxisGeometry(unsigned axis) {
  return top::getAxisGeometry(getConvAttrs(), axis,
                              getInputType().getDimSize(2 + axis),
                              getFilterType().getDimSize(2 + axis));
}

Type Conv2DOp::getAccumulatorType() {
  return top::getAccumulatorType(getInputType().getElementType());
}

/// Attributes alone: each at least `minimum`.
static LogicalResult checkAttribute(EmitErrorFn emitError, StringRef name,
                                    ArrayRef<int64_t> values, int64_t minimum,
                                    StringRef hint = "") {
  for (auto [index, value] : llvm::enumerate(values)) {
    if (value >= minimum)
      continue;
    OptionalDiagnostic error = emitError();
    error << "expected '" << name << "' to be at least " << minimum << ", got "
          << value;
    if (values.size() > 1)
      error << " at position " << index;
    return error << hint;
  }
  return success();
}

FailureOr<RankedTensorType>
Conv2DOp::inferResultType(function_ref<InFlightDiagnostic()> emit,
                          RankedTensorType input, RankedTensorType filter,
                          const Conv2DAttrs &attrs, Type resultElementType) {
  EmitErrorFn emitError(emit);
  if (failed(checkRank(emitError, "input", input, 4, "N x C x H x W")) ||
      failed(
          checkRank(emitError, "filter", filter, 4, "F x C/group x KH x KW")) ||
      failed(checkFactorType(emitError, "input", input, isWideFactor,
                             "f64, f32, f16 or bf16", /*takesLayout=*/true)) ||
      failed(checkFactorType(emitError, "filter", filter, isWideFactor,
                             "f64, f32, f16 or bf16")))
    return failure();
  Type element = input.getElementType();
  if (filter.getElementType() != element)
    return emitError() << "expected 'filter' to have the element type of "
                          "'input', "
                       << element << ", got " << filter.getElementType();
  if (!resultElementType)
    resultElementType = getResultElementTypes(element).front();
  if (failed(checkResultElementType(emitError, element, resultElementType)))
    return failure();

  if (failed(checkAttribute(emitError, "strides", attrs.strides, 1)) ||
      failed(checkAttribute(emitError, "dilations", attrs.dilations, 1)) ||
      failed(checkAttribute(emitError, "group", attrs.group, 1)) ||
      failed(checkAttribute(emitError, "pads", attrs.pads, 0,
                            "; a crop is a tensor.extract_slice")))
    return failure();

  // C and the whole filter are static; names are those of the description.
  struct Extent {
    StringRef operand, name;
    int64_t value;
  };
  const Extent extents[] = {
      {"input", "channels C", input.getDimSize(1)},
      {"filter", "output channels F", filter.getDimSize(0)},
      {"filter", "channels C/group", filter.getDimSize(1)},
      {"filter", "rows KH", filter.getDimSize(2)},
      {"filter", "columns KW", filter.getDimSize(3)}};
  for (const Extent &extent : extents) {
    if (ShapedType::isDynamic(extent.value))
      return emitError() << "expected the " << extent.name << " of '"
                         << extent.operand << "' to be static, got '?'";
    if (extent.value < 1)
      return emitError() << "expected the " << extent.name << " of '"
                         << extent.operand << "' to be at least 1, got "
                         << extent.value;
  }
  const int64_t c = input.getDimSize(1), f = filter.getDimSize(0);
  if (c % attrs.group != 0)
    return emitError() << "expected 'group' to divide the channels C of "
                          "'input', got group "
                       << attrs.group << " and C " << c;
  if (f % attrs.group != 0)
    return emitError() << "expected 'group' to divide the output channels F of "
                          "'filter', got group "
                       << attrs.group << " and F " << f;
  if (filter.getDimSize(1) != c / attrs.group)
    return emitError() << "expected the channels of 'filter' to be C/group = "
                       << c << "/" << attrs.group << " = " << c / attrs.group
                       << ", got " << filter.getDimSize(1);

  SmallVector<int64_t> shape = {input.getDimSize(0), f, ShapedType::kDynamic,
                                ShapedType::kDynamic};
  for (unsigned axis = 0; axis < 2; ++axis) {
    StringRef name = axis == 0 ? "height" : "width";
    int64_t extent = input.getDimSize(2 + axis);
    bool isDynamic = ShapedType::isDynamic(extent);
    AxisGeometry geometry = top::getAxisGeometry(
        attrs, axis, isDynamic ? 0 : extent, filter.getDimSize(2 + axis));
    std::optional<int64_t> outputs = geometry.outputExtent();
    if (!outputs)
      return emitError() << "window " << name << " overflows 64 bits: kernel "
                         << geometry.kernel << ", dilation "
                         << geometry.dilation << ", stride " << geometry.stride
                         << ", input " << geometry.extent << ", pads "
                         << geometry.padLow << " and " << geometry.padHigh;
    if (isDynamic)
      continue;
    if (*outputs < 1)
      return emitError() << "expected an output " << name
                         << " of at least 1, got " << *outputs << ": input "
                         << geometry.extent << " with pads " << geometry.padLow
                         << " and " << geometry.padHigh
                         << " is smaller than the window of "
                         << *geometry.kernelExtent();
    shape[2 + axis] = *outputs;
  }
  // Unless the caller wants another layout, the result has that of the input.
  auto result =
      RankedTensorType::get(shape, resultElementType, input.getEncoding());
  if (failed(checkTensor(emitError, "'result'", result, /*takesLayout=*/true)))
    return failure();
  return result;
}

LogicalResult Conv2DOp::verify() {
  auto emit = [&] { return emitOpError(); };
  EmitErrorFn emitError(emit);
  if (failed(verifyAttributeNames(*this)) ||
      failed(checkSegments(emitError, getProperties().operandSegmentSizes,
                           "input", "filter")) ||
      failed(checkPresent(emitError, "strides", getStridesAttr())) ||
      failed(checkPresent(emitError, "pads", getPadsAttr())) ||
      failed(checkPresent(emitError, "dilations", getDilationsAttr())) ||
      failed(checkPresent(emitError, "group", getGroupAttr())))
    return failure();
  const std::pair<StringRef, ArrayRef<int64_t>> arrays[] = {
      {"strides", getStrides()},
      {"dilations", getDilations()},
      {"pads", getPads()}};
  for (auto [name, values] : arrays) {
    size_t expected = name == "pads" ? 4 : 2;
    if (values.size() != expected)
      return emitOpError() << "expected '" << name << "' to have " << expected
                           << " elements, got " << values.size();
  }
  RankedTensorType actual = getResultType();
  FailureOr<RankedTensorType> inferred =
      inferResultType(emit, getInputType(), getFilterType(), getConvAttrs(),
                      actual.getElementType());
  if (failed(inferred))
    return failure();
  // Its layout is its own.
  RankedTensorType expected = inferred->cloneWithEncoding(
      isChannelsLast(actual) ? actual.getEncoding() : Attribute());
  if (failed(checkResultShape(emitError, expected, actual)))
    return failure();
  if (Value bias = getBias()) {
    auto type = cast<RankedTensorType>(bias.getType());
    if (failed(checkBias(emitError, type, actual, /*channelDim=*/1, "F")))
      return failure();
  }
  return checkEpilogue(emitError, getEpilogueAttr(), getEpilogueOperands(),
                       actual, /*channelDim=*/1, "F", /*takesLayout=*/true);
}

void Conv2DOp::build(OpBuilder &builder, OperationState &state, Value input,
                     Value filter, Value bias, Conv2DAttrs attrs,
                     Type resultElementType) {
  FailureOr<RankedTensorType> result = inferResultType(
      [&] { return mlir::emitError(state.location); },
      cast<RankedTensorType>(input.getType()),
      cast<RankedTensorType>(filter.getType()), attrs, resultElementType);
  assert(succeeded(result) && "call inferResultType first where it may fail");
  build(builder, state, *result, input, filter, bias, ValueRange(),
        attrs.strides, attrs.pads, attrs.dilations, attrs.group,
        /*allow_tf32=*/false, /*epilogue=*/ArrayAttr());
}

LogicalResult
Conv2DOp::reifyResultShapes(OpBuilder &builder,
                            ReifiedRankedShapedTypeDims &reified) {
  Location loc = getLoc();
  RankedTensorType type = getResultType();
  SmallVector<OpFoldResult> shape;
  for (int64_t d = 0; d < 4; ++d) {
    if (!type.isDynamicDim(d)) {
      shape.push_back(builder.getIndexAttr(type.getDimSize(d)));
      continue;
    }
    // Channels are static, so this is N, H or W, which stand at the same
    // position in the input.
    OpFoldResult extent = tensor::getMixedSize(builder, loc, getInput(), d);
    if (d >= 2) {
      AxisGeometry axis = getAxisGeometry(d - 2);
      AffineExpr s0 = builder.getAffineSymbolExpr(0);
      AffineExpr outputs =
          (s0 + (axis.padLow + axis.padHigh - *axis.kernelExtent()))
              .floorDiv(axis.stride) +
          1;
      extent = affine::makeComposedFoldedAffineApply(builder, loc, outputs,
                                                     {extent});
    }
    shape.push_back(extent);
  }
  reified.assign({shape});
  return success();
}

//===----------------------------------------------------------------------===//
// MatMul
//===----------------------------------------------------------------------===//

Type MatMulOp::getAccumulatorType() {
  return top::getAccumulatorType(getLhsType().getElementType());
}

FailureOr<RankedTensorType>
MatMulOp::inferResultType(function_ref<InFlightDiagnostic()> emit,
                          RankedTensorType lhs, RankedTensorType rhs,
                          bool transposeA, bool transposeB,
                          Type resultElementType) {
  EmitErrorFn emitError(emit);
  for (auto [name, type] :
       {std::pair<StringRef, RankedTensorType>{"lhs", lhs}, {"rhs", rhs}})
    if (type.getRank() != 2 && type.getRank() != 3)
      return emitError() << "expected '" << name
                         << "' to have rank 2 or 3, got " << type.getRank();
  if (rhs.getRank() > lhs.getRank())
    return emitError() << "expected 'rhs' to have rank 2 as 'lhs', got "
                       << rhs.getRank();
  auto isFactor = [](Type type) {
    return isWideFactor(type) || isFloat8(type) || type.isSignlessInteger(8);
  };
  constexpr StringLiteral factors =
      "f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8";
  if (failed(checkFactorType(emitError, "lhs", lhs, isFactor, factors)) ||
      failed(checkFactorType(emitError, "rhs", rhs, isFactor, factors)))
    return failure();
  Type element = lhs.getElementType();
  if (rhs.getElementType() != element)
    return emitError() << "expected 'rhs' to have the element type of 'lhs', "
                       << element << ", got " << rhs.getElementType();
  if (!resultElementType)
    resultElementType = getResultElementTypes(element).front();
  if (failed(checkResultElementType(emitError, element, resultElementType)))
    return failure();

  auto fromBack = [](RankedTensorType type, unsigned position) {
    return type.getDimSize(type.getRank() - 1 - position);
  };
  int64_t m = fromBack(lhs, transposeA ? 0 : 1);
  int64_t lhsK = fromBack(lhs, transposeA ? 1 : 0);
  int64_t rhsK = fromBack(rhs, transposeB ? 0 : 1);
  int64_t n = fromBack(rhs, transposeB ? 1 : 0);
  if (failed(verifyCompatibleShape({lhsK}, {rhsK})))
    return emitError() << "expected the inner dimensions K of 'lhs' and 'rhs' "
                          "to be equal, got "
                       << lhsK << " and " << rhsK << " (" << lhs << " and "
                       << rhs << ")";
  SmallVector<int64_t> shape;
  if (lhs.getRank() == 3) {
    int64_t batch = lhs.getDimSize(0);
    if (rhs.getRank() == 3) {
      if (failed(verifyCompatibleShape({batch}, {rhs.getDimSize(0)})))
        return emitError() << "expected the batch sizes of 'lhs' and 'rhs' to "
                              "be equal, got "
                           << batch << " and " << rhs.getDimSize(0);
      if (ShapedType::isDynamic(batch))
        batch = rhs.getDimSize(0);
    }
    shape.push_back(batch);
  }
  shape.append({m, n});
  auto result = RankedTensorType::get(shape, resultElementType);
  if (failed(checkTensor(emitError, "'result'", result)))
    return failure();
  return result;
}

LogicalResult MatMulOp::verify() {
  auto emit = [&] { return emitOpError(); };
  EmitErrorFn emitError(emit);
  if (failed(verifyAttributeNames(*this)) ||
      failed(checkSegments(emitError, getProperties().operandSegmentSizes,
                           "lhs", "rhs")) ||
      failed(checkPresent(emitError, "transpose_a", getTransposeAAttr())) ||
      failed(checkPresent(emitError, "transpose_b", getTransposeBAttr())))
    return failure();
  RankedTensorType actual = getResultType();
  FailureOr<RankedTensorType> inferred =
      inferResultType(emit, getLhsType(), getRhsType(), getTransposeA(),
                      getTransposeB(), actual.getElementType());
  if (failed(inferred) ||
      failed(checkResultShape(emitError, *inferred, actual)))
    return failure();
  const int64_t columns = actual.getRank() - 1;
  if (Value bias = getBias()) {
    auto type = cast<RankedTensorType>(bias.getType());
    if (failed(checkBias(emitError, type, actual, columns, "N")))
      return failure();
  }
  return checkEpilogue(emitError, getEpilogueAttr(), getEpilogueOperands(),
                       actual, columns, "N", /*takesLayout=*/false);
}

void MatMulOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                     Value rhs, Value bias, bool transposeA, bool transposeB,
                     Type resultElementType) {
  FailureOr<RankedTensorType> result =
      inferResultType([&] { return mlir::emitError(state.location); },
                      cast<RankedTensorType>(lhs.getType()),
                      cast<RankedTensorType>(rhs.getType()), transposeA,
                      transposeB, resultElementType);
  assert(succeeded(result) && "call inferResultType first where it may fail");
  build(builder, state, *result, lhs, rhs, bias, ValueRange(), transposeA,
        transposeB, /*allow_tf32=*/false, /*epilogue=*/ArrayAttr());
}

LogicalResult
MatMulOp::reifyResultShapes(OpBuilder &builder,
                            ReifiedRankedShapedTypeDims &reified) {
  Location loc = getLoc();
  RankedTensorType type = getResultType();
  SmallVector<OpFoldResult> shape;
  // A static batch may be known from either operand; the result type has it.
  if (isBatched())
    shape.push_back(type.isDynamicDim(0)
                        ? tensor::getMixedSize(builder, loc, getLhs(), 0)
                        : builder.getIndexAttr(type.getDimSize(0)));
  shape.push_back(tensor::getMixedSize(builder, loc, getLhs(), getLhsDimM()));
  shape.push_back(tensor::getMixedSize(builder, loc, getRhs(), getRhsDimN()));
  reified.assign({shape});
  return success();
}
