//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of single elements. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_PRODUCTS_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_PRODUCTS_H

#include "TileMemory.h"

namespace mlir::top {

/// `value` in the type of sums, which is as wide or wider.
Value extend(const IndexMath &math, Value value, Type type);

/// x * y + sum; sums of integers wrap.
Value multiplyAdd(const IndexMath &math, Value x, Value y, Value sum);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_PRODUCTS_H
