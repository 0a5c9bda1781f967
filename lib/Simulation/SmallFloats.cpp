//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SmallFloats.h.
//
//===----------------------------------------------------------------------===//

#include "SmallFloats.h"

#include <algorithm>
#include <cmath>

using namespace mlir::top::sim;

uint32_t mlir::top::sim::narrow(uint32_t bits, const SmallFloat &format,
                                Rounding rounding, bool saturates) {
  const uint32_t sign =
      bits >> 31 << (format.exponentBits + format.mantissaBits);
  if (isNaN(bits))
    return format.getNaN();
  const uint32_t magnitude = bits & 0x7fffffff;
  // What lies above the largest number.
  const uint32_t beyond = sign | (saturates            ? format.getLargest()
                                  : format.hasInfinity ? format.getInfinity()
                                                       : format.getNaN());
  if (magnitude == 0x7f800000)
    return beyond;

  // The number is mantissa * 2^(exponent - 23).
  const int exponent = std::max<int>(magnitude >> 23, 1) - 127;
  const uint32_t mantissa =
      (magnitude & 0x7fffff) | (magnitude >> 23 ? 1u << 23 : 0);
  const int minExponent = format.getMinExponent();
  // With 25 bits cut off there is nothing left, and less than a half.
  const int cut = std::min(25, 23 - format.mantissaBits +
                                   std::max(0, minExponent - exponent));
  uint32_t kept = mantissa >> cut;
  const uint32_t rest = mantissa & ((1u << cut) - 1), half = 1u << (cut - 1);
  if (rounding != Rounding::TowardsZero &&
      (rest > half ||
       (rest == half && (rounding == Rounding::AwayFromZero || (kept & 1)))))
    ++kept;
  // A leading one in `kept` counts as one of the exponent; so does a carry.
  const uint32_t result =
      (uint32_t(std::max(exponent, minExponent) - minExponent)
       << format.mantissaBits) +
      kept;
  if (result <= format.getLargest())
    return sign | result;
  return rounding == Rounding::TowardsZero ? sign | format.getLargest()
                                           : beyond;
}

float mlir::top::sim::widen(uint32_t bits, const SmallFloat &format) {
  const uint32_t magnitude = bits & format.getNaN();
  const bool isNegative = bits >> (format.getBits() - 1) & 1;
  const uint32_t sign = isNegative ? 0x80000000 : 0;
  if (magnitude > format.getLargest())
    return toFloat(format.hasInfinity && magnitude == format.getInfinity()
                       ? sign | 0x7f800000
                       : kNaN);
  const int exponent = std::max<int>(magnitude >> format.mantissaBits, 1) - 1 +
                       format.getMinExponent();
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  if (magnitude >> format.mantissaBits)
    mantissa |= 1u << format.mantissaBits;
  const float value =
      std::ldexp(float(mantissa), exponent - format.mantissaBits);
  return isNegative ? -value : value;
}
