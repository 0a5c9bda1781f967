//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that no op of the nvvm dialect has, as inline assembly. They are
// written here and nowhere else, one function each, and carry attributes that
// say what they are (see top/Conversion/NVVMToSim/NVVMToSim.h). Internal to
// this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_TOPTILESTONVVM_PTXINSTRUCTIONS_H
#define TOP_LIB_CONVERSION_TOPTILESTONVVM_PTXINSTRUCTIONS_H

#include "TileMemory.h"

namespace mlir::top {

/// An address as a register and a constant that the instruction adds.
struct PtxAddress {
  Value base;
  int64_t offset = 0; ///< bytes; fits 32 bits
};

/// cp.async of `bytes` (4, 8 or 16) from global to shared memory if `condition`
/// (i1) holds; of these `size` (i32) are read and the others zero, or all are
/// read where it is null. nvvm.cp.async.shared.global has no predicate, and a
/// branch round it is a border that ptxas does not move products across.
void createCpAsyncIf(const IndexMath &math, Value condition,
                     PtxAddress destination, PtxAddress source, int64_t bytes,
                     Value size);

/// mma.sync m16n8k32 of 8-bit floats of `type` (f8E4M3FN or f8E5M2) with f32
/// sums, on sm_89 or later, PTX 8.4: a struct of the 4 new sums. `lhs` are 4
/// and `rhs` 2 registers (i32). nvvm.mma.sync does not take these types.
Value createMmaF8(const IndexMath &math, Type type, ValueRange lhs,
                  ValueRange rhs, ValueRange sums);

} // namespace mlir::top

#endif // TOP_LIB_CONVERSION_TOPTILESTONVVM_PTXINSTRUCTIONS_H
