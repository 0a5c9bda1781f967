//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LayerChecks.h.
//
//===----------------------------------------------------------------------===//

#include "LayerChecks.h"

#include "mlir/IR/TypeUtilities.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::top;

bool top::isWideFactor(Type type) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type);
}

LogicalResult top::checkTensor(EmitErrorFn emitError, const Twine &name,
                               RankedTensorType type, bool takesLayout) {
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

LogicalResult top::checkFactorType(EmitErrorFn emitError, StringRef name,
                                   RankedTensorType type,
                                   function_ref<bool(Type)> isFactor,
                                   StringRef types, bool takesLayout) {
  if (!isFactor(type.getElementType()))
    return emitError() << "expected '" << name << "' to have element type "
                       << types << ", got " << type.getElementType();
  return checkTensor(emitError, "'" + name + "'", type, takesLayout);
}

LogicalResult top::checkRank(EmitErrorFn emitError, StringRef name,
                             RankedTensorType type, int64_t rank,
                             StringRef layout) {
  if (type.getRank() == rank)
    return success();
  return emitError() << "expected '" << name << "' to have rank " << rank
                     << " (" << layout << "), got " << type.getRank();
}

SmallVector<Type> top::getResultElementTypes(Type input) {
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

LogicalResult top::checkResultElementType(EmitErrorFn emitError, Type input,
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

LogicalResult top::checkBias(EmitErrorFn emitError, RankedTensorType bias,
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

LogicalResult top::checkEpilogue(EmitErrorFn emitError, ArrayAttr epilogue,
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

LogicalResult top::checkResultShape(EmitErrorFn emitError,
                                    RankedTensorType inferred,
                                    RankedTensorType actual) {
  if (inferred == actual)
    return success();
  return emitError() << "expected 'result' of type " << inferred << ", got "
                     << actual;
}

LogicalResult top::checkPresent(EmitErrorFn emitError, StringRef name,
                                Attribute attribute) {
  if (attribute)
    return success();
  return emitError() << "requires attribute '" << name << "'";
}

LogicalResult top::checkSegments(EmitErrorFn emitError,
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
