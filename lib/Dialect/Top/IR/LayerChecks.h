//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that the verifiers of the layer ops share. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_DIALECT_TOP_IR_LAYERCHECKS_H
#define TOP_LIB_DIALECT_TOP_IR_LAYERCHECKS_H

#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

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

/// Element types that both layer ops multiply.
bool isWideFactor(Type type);

/// Encoding and size of one operand or the result, whose `name` comes with its
/// quotes and whose element type has been checked. The size in bytes must be
/// representable: later steps multiply the extents in 64 bits.
LogicalResult checkTensor(EmitErrorFn emitError, const Twine &name,
                          RankedTensorType type, bool takesLayout = false);

/// An operand of the product. `types` is what `isFactor` accepts, in words.
LogicalResult checkFactorType(EmitErrorFn emitError, StringRef name,
                              RankedTensorType type,
                              function_ref<bool(Type)> isFactor,
                              StringRef types, bool takesLayout = false);

/// The rank of an operand, whose dimensions are `layout` in words: "M x K".
LogicalResult checkRank(EmitErrorFn emitError, StringRef name,
                        RankedTensorType type, int64_t rank, StringRef layout);

/// Element types of results of products of `input`, the usual one first: that
/// of the sums for operands of 8 bits, their own for others.
SmallVector<Type> getResultElementTypes(Type input);

/// That `result` is one of them.
LogicalResult checkResultElementType(EmitErrorFn emitError, Type input,
                                     Type result);

/// A vector of the extent of the result's dimension `channelDim`, which is
/// called `dimension`, of the result's element type or f32.
LogicalResult checkBias(EmitErrorFn emitError, RankedTensorType bias,
                        RankedTensorType result, int64_t channelDim,
                        StringRef dimension);

/// The steps and their operands. `channelDim` is the result's dimension that
/// affine vectors run along. With `takesLayout`, operands that are not
/// broadcast may be channels last.
LogicalResult checkEpilogue(EmitErrorFn emitError, ArrayAttr epilogue,
                            ValueRange operands, RankedTensorType result,
                            int64_t channelDim, StringRef dimension,
                            bool takesLayout);

/// The last check: the result type written down is the one that follows.
LogicalResult checkResultShape(EmitErrorFn emitError, RankedTensorType inferred,
                               RankedTensorType actual);

/// An attribute with a default is there in every op that was parsed or built,
/// but C++ can remove it afterwards, or set one of another kind, which removes
/// it too. Its accessor would then read through null.
LogicalResult checkPresent(EmitErrorFn emitError, StringRef name,
                           Attribute attribute);

/// The operand segments of the two operands that every layer op has. Generic
/// syntax can give them any number of values, and the generated verifier looks
/// at optional operands only.
LogicalResult checkSegments(EmitErrorFn emitError, ArrayRef<int32_t> segments,
                            StringRef first, StringRef second);

} // namespace mlir::top

#endif // TOP_LIB_DIALECT_TOP_IR_LAYERCHECKS_H
