//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile ops and their types; see TopTiles.td.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_TOPTILES_H
#define TOP_DIALECT_TOP_IR_TOPTILES_H

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "top/Dialect/Top/IR/Top.h"

#include "top/Dialect/Top/IR/TopTilesEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "top/Dialect/Top/IR/TopTilesTypes.h.inc"

#define GET_OP_CLASSES
#include "top/Dialect/Top/IR/TopTiles.h.inc"

namespace mlir::top {

/// Whether tiles of `type` exist: the operands' types f64, f32, f16, bf16,
/// f8E4M3FN, f8E5M2 and i8, and i32, which products of i8 are summed in.
bool isTileElementType(Type type);

/// Bytes of one element: 1, 2, 4 or 8.
inline int64_t getElementBytes(Type type) {
  return type.getIntOrFloatBitWidth() / 8;
}

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_IR_TOPTILES_H
