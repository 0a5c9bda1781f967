//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the tensor cores of an H200 add up the products of one instruction.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_TENSORCORESUMS_H
#define TOP_LIB_SIMULATION_TENSORCORESUMS_H

namespace mlir::top::sim {

constexpr unsigned kMmaM = 16, kMmaN = 8;
/// Columns of A that the tensor cores add up at once, at most.
constexpr unsigned kMmaStep = 16;

/// Operands of a step, widened to f32, which holds them all exactly.
struct MmaStep {
  unsigned columns; ///< of A, and rows of B: 8 or 16
  alignas(16) float a[kMmaM][kMmaStep];
  alignas(16) float b[kMmaStep][kMmaN];
};

using MmaSums = float[kMmaM][kMmaN];

/// What of the operands' format matters.
struct MmaFormat {
  /// The smallest normal number, whose exponent subnormal ones have as well.
  float smallestNormal;
  /// Sums become f16 in the end.
  bool isHalf;
};

/// sums += a * b as the tensor cores do it:
///
///   Each product is exact, and so is C. Each has an exponent: for C its own,
///   for a product the sum of its factors' (so its mantissa is in [1, 4)).
///   Zeros have none. All are cut off, towards zero, below 2^(E - 25), where E
///   is the largest of these exponents, and added exactly. The sum is cut off
///   to the 24 bits of f32; or rounded to nearest, where it becomes f16 (here
///   it is then rounded to odd, which is all that the second rounding needs to
///   know).
///
/// NaNs are 0x7fffffff and zeros positive. Found by comparison with what
/// utils/gpu/golden records on an H200, and equal to all of it bit for bit:
/// 240000 sums of f16, bf16, tf32 and, in two steps, 8-bit floats.
void addProducts(const MmaStep &step, const MmaFormat &format, MmaSums &sums);

/// The same where f32 holds all terms and all sums of some of them exactly, in
/// whatever order they are added: small integers.
void addExactProducts(const MmaStep &step, MmaSums &sums);

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_TENSORCORESUMS_H
