//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TensorCoreSums.h. To cut a term off below a power of two is to multiply
// it by another and to convert it to an integer, which vector units do; the
// loops over the 8 columns are written for them. Exponents are kept as the
// powers of two that they stand for: 0 for none.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreSums.h"
#include "SmallFloats.h"

#include <algorithm>
#include <cmath>

using namespace mlir::top::sim;

/// Bits of the term with the largest exponent below its leading one.
static constexpr double kFraction = 1 << 25;

/// 2^exponent of a number.
static float getPower(float value, float smallestNormal) {
  const float power = toFloat(toBits(value) & 0x7f800000);
  const float atLeast = std::max(power, smallestNormal);
  return value == 0 ? 0 : atLeast;
}

/// Towards zero, or to odd; infinity where it is too large. A zero is positive.
static float cutOff(double value, bool toOdd) {
  uint32_t bits = toBits(float(value));
  const double rounded = toFloat(bits);
  if (rounded == value || std::fabs(value) >= 0x1p128)
    return toFloat(bits);
  bits -= std::fabs(rounded) > std::fabs(value);
  if (toOdd)
    bits |= 1;
  return bits == 0x80000000 ? 0 : toFloat(bits);
}

/// Adds to a row of sums. `Real` holds each product exactly, and each product's
/// power of two.
template <typename Real>
static void addRow(const float *a, const float *powersA,
                   const float (*b)[kMmaN], const float (*powersB)[kMmaN],
                   bool toOdd, float *sums) {
  Real top[kMmaN], scale[kMmaN];
  for (unsigned n = 0; n < kMmaN; ++n)
    top[n] = getPower(sums[n], 0x1p-126f);
  for (unsigned k = 0; k < kMmaStep; ++k)
    for (unsigned n = 0; n < kMmaN; ++n)
      top[n] = std::max(top[n], Real(powersA[k]) * Real(powersB[k][n]));
  // The bound matters only where all products are zero.
  constexpr Real bound = sizeof(Real) == 4 ? 0x1p-100 : 0x1p-300;
  for (unsigned n = 0; n < kMmaN; ++n)
    scale[n] = Real(kFraction) / std::max(top[n], bound);
  // A term is below 2^27, so that 8 of them fit into 32 bits.
  int32_t parts[2][kMmaN] = {};
  for (unsigned half = 0; half < 2; ++half)
    for (unsigned k = half * 8; k < half * 8 + 8; ++k)
      for (unsigned n = 0; n < kMmaN; ++n)
        parts[half][n] += int32_t(Real(a[k]) * Real(b[k][n]) * scale[n]);
  for (unsigned n = 0; n < kMmaN; ++n) {
    const double unit = std::max<double>(top[n], 0x1p-300) / kFraction;
    const double sum = double(int32_t(sums[n] / unit));
    sums[n] = cutOff((sum + parts[0][n] + parts[1][n]) * unit, toOdd);
  }
}

template <size_t Rows, size_t Columns>
static void keepFinite(float (&values)[Rows][Columns]) {
  for (auto &row : values)
    for (float &value : row)
      if (!std::isfinite(value))
        value = 0;
}

/// Infinities and NaNs: what they give does not depend on the order. Of other
/// sums they are no part.
static void addSpecialProducts(const MmaStep &step, const MmaFormat &format,
                               MmaSums &sums) {
  double whole[kMmaM][kMmaN]; // where no finite sum overflows
  for (unsigned m = 0; m < kMmaM; ++m)
    for (unsigned n = 0; n < kMmaN; ++n) {
      whole[m][n] = sums[m][n];
      for (unsigned k = 0; k < kMmaStep; ++k)
        whole[m][n] += double(step.a[m][k]) * step.b[k][n];
    }
  MmaStep finite = step;
  keepFinite(finite.a);
  keepFinite(finite.b);
  keepFinite(sums);
  addProducts(finite, format, sums);
  for (unsigned m = 0; m < kMmaM; ++m)
    for (unsigned n = 0; n < kMmaN; ++n)
      if (!std::isfinite(whole[m][n]))
        sums[m][n] = float(whole[m][n]);
}

namespace {
/// Of the numbers of a matrix: zeros have no power.
struct Powers {
  float lowest, highest;
};
} // namespace

template <unsigned Count>
static Powers getPowers(const float *values, float smallestNormal,
                        float *powers) {
  Powers result = {1, 0};
  for (unsigned i = 0; i < Count; ++i) {
    const float power = getPower(values[i], smallestNormal);
    powers[i] = power;
    result.highest = std::max(result.highest, power);
    result.lowest = std::min(result.lowest, power == 0 ? 1 : power);
  }
  return result;
}

void mlir::top::sim::addProducts(const MmaStep &step, const MmaFormat &format,
                                 MmaSums &sums) {
  alignas(16) float powersA[kMmaM][kMmaStep], powersB[kMmaStep][kMmaN];
  const Powers a =
      getPowers<kMmaM * kMmaStep>(step.a[0], format.smallestNormal, powersA[0]);
  const Powers b =
      getPowers<kMmaStep * kMmaN>(step.b[0], format.smallestNormal, powersB[0]);
  uint32_t largestSum = 0;
  for (const auto &row : sums)
    for (float sum : row)
      largestSum = std::max(largestSum, toBits(sum) & 0x7fffffff);
  if (std::isinf(a.highest) || std::isinf(b.highest) ||
      largestSum >= 0x7f800000)
    return addSpecialProducts(step, format, sums);

  // Products of bf16 and tf32 can be too large or too small for f32.
  const bool fitsFloat = double(a.lowest) * b.lowest >= 0x1p-100 &&
                         double(a.highest) * b.highest <= 0x1p120;
  for (unsigned m = 0; m < kMmaM; ++m)
    (fitsFloat ? addRow<float> : addRow<double>)(step.a[m], powersA[m], step.b,
                                                 powersB, format.isHalf,
                                                 sums[m]);
}
