//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floating-point formats narrower than f32 that instructions take, as bits.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_SMALLFLOATS_H
#define TOP_LIB_SIMULATION_SMALLFLOATS_H

#include <cstdint>
#include <cstring>

namespace mlir::top::sim {

inline float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// What the hardware writes for a NaN of f32, whatever the operands' bits were.
inline constexpr uint32_t kNaN = 0x7fffffff;

inline bool isNaN(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// A format with a sign and IEEE's exponents, subnormal numbers included.
struct SmallFloat {
  int exponentBits, mantissaBits;
  bool hasInfinity; ///< else the largest exponent holds numbers and one NaN

  constexpr int getMinExponent() const { return 2 - (1 << (exponentBits - 1)); }
  constexpr int getBits() const { return 1 + exponentBits + mantissaBits; }
  constexpr uint32_t getInfinity() const {
    return ((1u << exponentBits) - 1) << mantissaBits;
  }
  /// All bits but the sign, as the hardware's conversions write it.
  constexpr uint32_t getNaN() const {
    return (1u << (exponentBits + mantissaBits)) - 1;
  }
  constexpr uint32_t getLargest() const {
    return (hasInfinity ? getInfinity() : getNaN()) - 1;
  }
};

inline constexpr SmallFloat kF16 = {5, 10, true}, kBF16 = {8, 7, true},
                            kTF32 = {8, 10, true}, kE4M3 = {4, 3, false},
                            kE5M2 = {5, 2, true};

enum class Rounding { ToEven, AwayFromZero, TowardsZero };

/// A number of f32, given by its bits, in another format. What is too large
/// becomes infinity or, without one, NaN; the largest number where
/// `saturates`, or where it is rounded towards zero. NaNs stay NaNs.
uint32_t narrow(uint32_t bits, const SmallFloat &format, Rounding rounding,
                bool saturates = false);

/// Exact.
float widen(uint32_t bits, const SmallFloat &format);

/// `widen` of f16, without branches and calls, for loops over many.
inline float widenF16(uint32_t bits) {
  // The exponent moves to its place and is off by 2^112, which a multiplication
  // mends for subnormal numbers too.
  const float magnitude = toFloat((bits & 0x7fff) << 13) * 0x1p112f;
  const uint32_t special = magnitude >= 65536.0f ? 0x7f800000 : 0;
  return toFloat(toBits(magnitude) | special | (bits & 0x8000) << 16);
}

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_SMALLFLOATS_H
