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
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::top;

#define GET_OP_CLASSES
#include "top/Dialect/Top/IR/TopOps.cpp.inc"

namespace {

/// An error under construction, or nothing where the caller only asks whether
/// something is legal.
class OptionalDiagnostic {
public:
  OptionalDiagnostic() = default;
  explicit OptionalDiagnostic(InFlightDiagnostic diagnostic)
      : diagnostic(std::move(diagnostic)) {}

  template <typename T>
  OptionalDiagnostic &operator<<(T &&value) {
    if (diagnostic)
      *diagnostic << std::forward<T>(value);
    return *this;
  }
  operator LogicalResult() const { return failure(); }
  template <typename T>
  operator FailureOr<T>() const {
    return failure();
  }

private:
  std::optional<InFlightDiagnostic> diagnostic;
};

/// Starts an error; quiet where `emit` is null.
class EmitErrorFn {
public:
  EmitErrorFn(function_ref<InFlightDiagnostic()> emit) : emit(emit) {}
  OptionalDiagnostic operator()() const {
    return emit ? OptionalDiagnostic(emit()) : OptionalDiagnostic();
  }

private:
  function_ref<InFlightDiagnostic()> emit;
};

} // namespace

AxisGeometry top::getAxisGeometry(const Conv2DAttrs &attrs, unsigned axis,
                                  int64_t extent, int64_t kernel) {
  return {extent,
          kernel,
          attrs.strides[axis],
          attrs.dilations[axis],
          attrs.pads[axis],      // top, left
          attrs.pads[axis + 2]}; // bottom, right
}

//===----------------------------------------------------------------------===//
// Checks that both ops share
//===----------------------------------------------------------------------===//

/// Element types that both layer ops multiply.
static bool isWideFactor(Type type) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type);
}

/// Encoding and size of one operand or the result, whose `name` comes with its
/// quotes and whose element type has been checked. The size in bytes must be
/// representable: later steps multiply the extents in 64 bits.
static LogicalResult checkTensor(EmitErrorFn emitError, const Twine &name,
                                 RankedTensorType type,
                                 bool takesLayout = false) {
  if (type.getEncoding() && !(takesLayout && isChannelsLast(type))) {
    OptionalDiagnostic error = emitError();
    error << "expected " << name << " without encoding";
    if (takesLayout)
      error << " or with " << getChannelsLast(type.getContext());
    return error << ", got " << type.getEncoding();
  }
  std::optional<int64_t> bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t extent : type.getShape())
    if (bytes && !ShapedType::isDynamic(extent) && extent != 0)
      bytes = llvm::checkedMul(*bytes, extent);
  if (!bytes)
    return emitError() << "size of " << name << " overflows 64 bits: " << type;
  return success();
}

/// An operand of the product. `types` is what `isFactor` accepts, in words.
static LogicalResult checkFactorType(EmitErrorFn emitError, StringRef name,
                                     RankedTensorType type,
                                     function_ref<bool(Type)> isFactor,
                                     StringRef types,
                                     bool takesLayout = false) {
  if (!isFactor(type.getElementType()))
    return emitError() << "expected '" << name << "' to have element type "
                       << types << ", got " << type.getElementType();
  return checkTensor(emitError, "'" + name + "'", type, takesLayout);
}

static LogicalResult checkRank(EmitErrorFn emitError, StringRef name,
                               RankedTensorType type, int64_t rank,
                               StringRef layout) {
  if (type.getRank() == rank)
    return success();
  return emitError() << "expected '" << name << "' to have rank " << rank
                     << " (" << layout << "), got " << type.getRank();
}

/// Element types of results of products of `input`, the usual one first: that
/// of the sums for operands of 8 bits, their own for others.
static SmallVector<Type> getResultElementTypes(Type input) {
  MLIRContext *context = input.getContext();
  if (isa<IntegerType>(input))
    return {IntegerType::get(context, 32)};
  Type f32 = Float32Type::get(context);
  if (isFloat8(input))
    return {f32, Float16Type::get(context), BFloat16Type::get(context)};
  if (input.getIntOrFloatBitWidth() == 16)
    return {input, f32};
  return {input};
}

static LogicalResult checkResultElementType(EmitErrorFn emitError, Type input,
                                            Type result) {
  SmallVector<Type> types = getResultElementTypes(input);
  if (llvm::is_contained(types, result))
    return success();
  OptionalDiagnostic error = emitError();
  error << "expected 'result' to have element type ";
  for (auto [index, type] : llvm::enumerate(types)) {
    if (index > 0)
      error << (index + 1 == types.size() ? " or " : ", ");
    error << type;
  }
  return error << ", got " << result;
}

/// Bias and epilogue operands have the result's element type or, for floats,
/// f32.
static LogicalResult checkEpilogueElementType(EmitErrorFn emitError,
                                              const Twine &name, Type type,
                                              Type result) {
  const bool takesF32 = isa<FloatType>(result);
  if (type == result || (takesF32 && type.isF32()))
    return success();
  OptionalDiagnostic error = emitError();
  error << "expected " << name << " to have element type " << result;
  if (takesF32 && !result.isF32())
    error << " or " << Float32Type::get(result.getContext());
  return error << ", got " << type;
}

/// Steps on integers: those whose value is an integer again.
static LogicalResult checkIntegerStep(EmitErrorFn emitError, StepAttr step,
                                      size_t index, IntegerType type) {
  switch (step.getKind()) {
  case StepKind::affine:
  case StepKind::add:
  case StepKind::mul:
  case StepKind::relu:
    return success();
  case StepKind::clamp:
    break;
  case StepKind::silu:
  case StepKind::hardswish:
  case StepKind::sigmoid:
  case StepKind::gelu:
    return emitError() << "expected epilogue steps that are exact in " << type
                       << ", the type of 'result' (affine, add, mul, relu, "
                          "clamp), got '"
                       << stringifyStepKind(step.getKind()) << "' at position "
                       << index;
  }
  if (step.getNan())
    return emitError() << "expected no 'nan' in the clamp at position " << index
                       << ", since 'result' is of " << type << ", got "
                       << step.getNan();
  for (auto [name, bound] :
       {std::pair<StringRef, FloatAttr>{"min", step.getMin()},
        {"max", step.getMax()}}) {
    const double value = bound.getValueAsDouble();
    const double limit = std::ldexp(1.0, type.getWidth() - 1);
    if (!(value >= -limit && value < limit && value == std::trunc(value)))
      return emitError() << "expected '" << name
                         << "' of the clamp at position " << index
                         << " to be a whole number of " << type
                         << ", the type of 'result', got " << bound;
  }
  return success();
}

/// A vector with one value per result channel or column. Dynamic extents are
/// compatible with any.
static LogicalResult checkChannelVector(EmitErrorFn emitError,
                                        const Twine &name,
                                        RankedTensorType type, int64_t channels,
                                        StringRef dimension) {
  if (type.getRank() != 1)
    return emitError() << "expected " << name << " to have rank 1 ("
                       << dimension << "), got " << type.getRank();
  if (failed(verifyCompatibleShape({channels}, type.getShape())))
    return emitError() << "expected " << name << " to have " << channels
                       << " elements (" << dimension << "), got "
                       << type.getDimSize(0);
  return success();
}

static LogicalResult checkBias(EmitErrorFn emitError, RankedTensorType bias,
                               RankedTensorType result, int64_t channelDim,
                               StringRef dimension) {
  return failure(
      failed(checkEpilogueElementType(emitError, "'bias'",
                                      bias.getElementType(),
                                      result.getElementType())) ||
      failed(checkTensor(emitError, "'bias'", bias)) ||
      failed(checkChannelVector(emitError, "'bias'", bias,
                                result.getDimSize(channelDim), dimension)));
}

/// The steps and their operands. `channelDim` is the result's dimension that
/// affine vectors run along. With `takesLayout`, operands that are not
/// broadcast may be channels last.
static LogicalResult checkEpilogue(EmitErrorFn emitError, ArrayAttr epilogue,
                                   ValueRange operands, RankedTensorType result,
                                   int64_t channelDim, StringRef dimension,
                                   bool takesLayout) {
  Type element = result.getElementType();
  size_t expected = 0;
  for (auto [index, attr] : llvm::enumerate(epilogue ? epilogue.getValue()
                                                     : ArrayRef<Attribute>())) {
    auto step = dyn_cast<StepAttr>(attr);
    if (!step)
      return emitError() << "expected 'epilogue' to hold #top.step attributes, "
                            "got "
                         << attr << " at position " << index;
    expected += step.getNumOperands();
  }
  if (operands.size() != expected)
    return emitError() << "expected " << expected
                       << " epilogue operands for the steps in 'epilogue', got "
                       << operands.size();
  unsigned next = 0;
  for (auto [index, step] : llvm::enumerate(getSteps(epilogue))) {
    if (auto integer = dyn_cast<IntegerType>(element);
        integer && failed(checkIntegerStep(emitError, step, index, integer)))
      return failure();
    for (unsigned i = 0; i < step.getNumOperands(); ++i, ++next) {
      std::string name = ("epilogue operand #" + Twine(next) + " ('" +
                          stringifyStepKind(step.getKind()) + "')")
                             .str();
      auto type = cast<RankedTensorType>(operands[next].getType());
      if (failed(checkEpilogueElementType(emitError, name,
                                          type.getElementType(), element)) ||
          failed(
              checkTensor(emitError, name, type,
                          takesLayout && step.getKind() != StepKind::affine)))
        return failure();
      if (step.getKind() == StepKind::affine) {
        if (failed(checkChannelVector(emitError, name, type,
                                      result.getDimSize(channelDim),
                                      dimension)))
          return failure();
        continue;
      }
      if (type.getRank() != result.getRank())
        return emitError() << "expected " << name << " to have rank "
                           << result.getRank() << " as the result, got "
                           << type.getRank();
      for (int64_t d = 0; d < type.getRank(); ++d)
        if (type.getDimSize(d) != 1 &&
            failed(verifyCompatibleShape({type.getDimSize(d)},
                                         {result.getDimSize(d)})))
          return emitError() << "expected dimension " << d << " of " << name
                             << " to be " << result.getDimSize(d)
                             << " as in the result, or 1, got " << type;
      // Of a dynamic extent it is not known whether it is 1.
      for (int64_t d = 0; d < type.getRank(); ++d)
        if (type.getEncoding() && type.getDimSize(d) == 1 &&
            result.getDimSize(d) != 1 && !result.isDynamicDim(d))
          return emitError()
                 << "expected " << name << " without encoding, since dimension "
                 << d << " is broadcast, got " << type;
    }
  }
  return success();
}

/// The last check: the result type written down is the one that follows.
static LogicalResult checkResultShape(EmitErrorFn emitError,
                                      RankedTensorType inferred,
                                      RankedTensorType actual) {
  if (inferred == actual)
    return success();
  return emitError() << "expected 'result' of type " << inferred << ", got "
                     << actual;
}

/// An attribute with a default is there in every op that was parsed or built,
/// but C++ can remove it afterwards, or set one of another kind, which removes
/// it too. Its accessor would then read through null.
static LogicalResult checkPresent(EmitErrorFn emitError, StringRef name,
                                  Attribute attribute) {
  if (attribute)
    return success();
  return emitError() << "requires attribute '" << name << "'";
}

/// The operand segments of the two operands that every layer op has. Generic
/// syntax can give them any number of values, and the generated verifier looks
/// at optional operands only.
static LogicalResult checkSegments(EmitErrorFn emitError,
                                   ArrayRef<int32_t> segments, StringRef first,
                                   StringRef second) {
  const StringRef names[] = {first, second};
  for (auto [name, size] : llvm::zip_first(names, segments))
    if (size != 1)
      return emitError()
             << "expected 'operandSegmentSizes' to give 1 value to '" << name
             << "', got " << size;
  return success();
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
