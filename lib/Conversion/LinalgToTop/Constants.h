//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor constants as numbers, and the BatchNorm and the transposes that can be
// computed into them.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_CONSTANTS_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::top::raise {

/// The constant that `value` is, reshapes that leave the order of elements
/// alone looked through; null where it is none.
ElementsAttr getConstant(Value value);

/// The elements of a float constant, or nullopt where they are not there (a
/// `dense_resource` without its blob) or not floats.
std::optional<SmallVector<double>> readFloats(ElementsAttr attr);

/// A constant of `type` with these elements.
DenseElementsAttr makeConstant(RankedTensorType type, ArrayRef<double> values);

/// `value` rounded to the nearest number of `type`.
double roundTo(double value, FloatType type);

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_CONSTANTS_H
