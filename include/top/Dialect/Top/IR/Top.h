//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect's C++ classes, and the few helpers that both layer ops share.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOP_H
#define TOP_DIALECT_TOP_IR_TOP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "top/Dialect/Top/Utils/ConvGeometry.h"

#include "top/Dialect/Top/IR/TopDialect.h.inc"
#include "top/Dialect/Top/IR/TopEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "top/Dialect/Top/IR/TopAttrs.h.inc"

namespace mlir::top {

/// The spatial attributes of a convolution as plain numbers; pads are top,
/// left, bottom, right.
struct Conv2DAttrs {
  std::array<int64_t, 2> strides = {1, 1};
  std::array<int64_t, 4> pads = {0, 0, 0, 0};
  std::array<int64_t, 2> dilations = {1, 1};
  int64_t group = 1;
};

/// Formulas of one axis (0 = H, 1 = W) of a convolution over an `extent` of
/// input and a `kernel` of filter elements.
AxisGeometry getAxisGeometry(const Conv2DAttrs &attrs, unsigned axis,
                             int64_t extent, int64_t kernel);

/// The type that products of elements of `type` are summed in: f64 for f64, i32
/// for integers, else f32.
Type getAccumulatorType(Type type);

/// Whether `type` is one of the two floats of 8 bits that a top.MatMul
/// multiplies, f8E4M3FN or f8E5M2.
inline bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// The steps of a verified `epilogue` attribute; null gives none.
SmallVector<StepAttr> getSteps(ArrayAttr epilogue);

} // namespace mlir::top

#define GET_OP_CLASSES
#include "top/Dialect/Top/IR/TopOps.h.inc"

#endif // TOP_DIALECT_TOP_IR_TOP_H
