//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the addresses in a buffer before the kernel runs.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_GPU_UTILS_MEMREFALIGNMENT_H
#define TOP_GPU_UTILS_MEMREFALIGNMENT_H

#include "mlir/IR/Value.h"

namespace mlir::top {

/// The bytes, at most the widest access (16), that the address of every row of
/// `memref` is a multiple of: of each run along its last dimension. One element
/// where nothing is known. Arguments and buffers begin at multiples of the
/// widest access; offsets of views are as getKnownDivisor finds them.
int64_t getRowAlignment(Value memref);

/// A number of elements that divides the distance of the first element of
/// `memref` from an address that is a multiple of the widest access: 0 if it is
/// one, 1 where nothing is known.
int64_t getOffsetDivisor(Value memref);

/// A number of elements that divides the extent of dimension `dim` of
/// `memref`, whose sizes are static or those of a subview.
int64_t getSizeDivisor(Value memref, unsigned dim);
/// Of the last dimension.
int64_t getRowDivisor(Value memref);

} // namespace mlir::top

#endif // TOP_GPU_UTILS_MEMREFALIGNMENT_H
