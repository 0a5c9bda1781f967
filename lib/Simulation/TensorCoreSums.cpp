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
static constexpr int kFraction = 25;

// Vectors of GCC and Clang, on every machine.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = int32_t __attribute__((vector_size(16)));
using Word4 = uint32_t __attribute__((vector_size(16))); ///< that wraps

static Float4 load(const float *from) {
  Float4 result;
  std::memcpy(&result, from, sizeof(result));
  return result;
}
static Int4 toInt(Float4 values) { // towards zero
  return __builtin_convertvector(values, Int4);
}
static Float4 toFloat4(Int4 values) {
  return __builtin_convertvector(values, Float4);
}
static Float4 max(Float4 a, Float4 b) { return a > b ? a : b; }
static Float4 min(Float4 a, Float4 b) { return a < b ? a : b; }

/// 2^exponent of numbers.
static Float4 getPower(Float4 values, Float4 smallestNormal) {
  const Float4 powers = Float4(Int4(values) & 0x7f800000);
  return values == 0.0f ? Float4{} : max(powers, smallestNormal);
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

namespace {
/// Exponents of a step.
struct Powers {
  alignas(16) float a[kMmaM][kMmaStep];
  alignas(16) float b[kMmaStep][kMmaN];
};
} // namespace

/// Adds to one sum, also where products or their exponents leave the range of
/// f32.
static void addOne(const MmaStep &step, const Powers &powers, unsigned m,
                   unsigned n, bool toOdd, float &sum) {
  double top =
      sum == 0 ? 0 : std::max(toFloat(toBits(sum) & 0x7f800000), 0x1p-126f);
  for (unsigned k = 0; k < step.columns; ++k)
    top = std::max(top, double(powers.a[m][k]) * powers.b[k][n]);
  if (top == 0) {
    sum = 0;
    return;
  }
  const double unit = top / (1 << kFraction);
  int64_t total = int64_t(sum / unit);
  for (unsigned k = 0; k < step.columns; ++k)
    total += int64_t(double(step.a[m][k]) * step.b[k][n] / unit);
  sum = cutOff(double(total) * unit, toOdd);
}

namespace {
/// What a row of sums becomes, 4 columns at a time.
struct RowOfSums {
  Float4 sums[2];
  /// Lanes below zero: a number may leave the range of f32 or of 32 bits, and
  /// the sum is wrong.
  Int4 isOutside;
};
} // namespace

/// Adds to row m, where the products are in the range of f32.
template <unsigned Columns>
static RowOfSums addRow(const MmaStep &step, const Powers &powers, unsigned m,
                        bool toOdd, const float *sums) {
  RowOfSums row;
  row.isOutside = Int4{};
  for (unsigned part = 0; part < 2; ++part) {
    const unsigned n = 4 * part;
    const Float4 before = load(sums + n);
    Float4 top = getPower(before, Float4{} + 0x1p-126f);
    for (unsigned k = 0; k < Columns; ++k)
      top = max(top, powers.a[m][k] * load(&powers.b[k][n]));
    const Float4 bounded = max(top, Float4{} + 0x1p-100f);
    row.isOutside |= (top > 0x1p120f) | ((before != 0.0f) & (top < bounded));
    const Float4 scale = float(1 << kFraction) / bounded;

    // A term is less than 2^27: sixteen fit into 32 bits, and with C too unless
    // the sign of the sum turns.
    Int4 products = {};
    for (unsigned k = 0; k < Columns; ++k)
      products += toInt(step.a[m][k] * load(&step.b[k][n]) * scale);
    const Int4 own = toInt(before * scale);
    const Int4 total = Int4(Word4(products) + Word4(own));
    row.isOutside |= (products ^ total) & (own ^ total);

    // Rounded to f32, and back to what is cut off.
    const Int4 magnitude = total < 0 ? Int4(-Word4(total)) : total;
    const Float4 rounded = toFloat4(magnitude);
    const Int4 whole = toInt(rounded);
    Int4 bits = Int4(rounded) + (whole > magnitude); // true is -1
    if (toOdd)
      bits |= (whole != magnitude) & 1;
    bits |= total & INT32_MIN;
    row.sums[part] = Float4(bits) * (bounded * (1.0f / (1 << kFraction)));
  }
  return row;
}

template <size_t Rows, size_t Columns>
static void keepFinite(float (&values)[Rows][Columns]) {
  for (auto &row : values)
    for (float &value : row)
      if (!std::isfinite(value))
        value = 0;
}

/// Four rows at a time: their sums stay in registers, and none waits for the
/// one before.
void mlir::top::sim::addExactProducts(const MmaStep &step, MmaSums &sums) {
  constexpr unsigned rows = 4;
  for (unsigned first = 0; first < kMmaM; first += rows) {
    Float4 block[rows][2];
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned part : {0, 1}) // a negative zero becomes a positive one
        block[row][part] = load(&sums[first + row][4 * part]) + 0.0f;
    for (unsigned k = 0; k < step.columns; ++k)
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned part : {0, 1})
          block[row][part] +=
              step.a[first + row][k] * load(&step.b[k][4 * part]);
    std::memcpy(sums[first], block, sizeof(block));
  }
}

/// Whether all values are multiples of `unit`, which is a power of two.
template <size_t Rows, size_t Columns>
static bool areMultiples(const float (&values)[Rows][Columns], unsigned rows,
                         unsigned columns, float unit) {
  const float inverse = 1 / unit;
  Int4 differ = {};
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; column += 4) {
      const Float4 quotient = load(&values[row][column]) * inverse;
      differ |= quotient != toFloat4(toInt(quotient));
    }
  return (differ[0] | differ[1] | differ[2] | differ[3]) == 0;
}

template <size_t Rows, size_t Columns>
static float getLargest(const float (&values)[Rows][Columns], unsigned rows,
                        unsigned columns) {
  Int4 largest = {}; // the bits of magnitudes are ordered as they are
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; column += 4) {
      const Int4 bits = Int4(load(&values[row][column])) & 0x7fffffff;
      largest = bits > largest ? bits : largest;
    }
  return toFloat(std::max({largest[0], largest[1], largest[2], largest[3]}));
}

/// Whether nothing is cut off, since numbers have few bits, as integers and
/// eighths have: A and B 8 bits below their largest each. 16 products are then
/// less than 2^20 units, to which C may add 2^22.
static bool areExact(const MmaStep &step, const MmaSums &sums, float largestA,
                     float largestB, float largestSum) {
  const auto getUnit = [](float largest) {
    return toFloat(toBits(largest) & 0x7f800000) * 0x1p-7f;
  };
  const float unitA = getUnit(largestA), unitB = getUnit(largestB);
  // Far from what f32 cannot hold, and not all zeros.
  if (unitA < 0x1p-50f || unitA > 0x1p50f || unitB < 0x1p-50f ||
      unitB > 0x1p50f || largestSum > 0x1p22f * unitA * unitB)
    return false;
  return areMultiples(step.a, kMmaM, step.columns, unitA) &&
         areMultiples(step.b, step.columns, kMmaN, unitB) &&
         areMultiples(sums, kMmaM, kMmaN, unitA * unitB);
}

/// Infinities and NaNs: what they give does not depend on the order. Of other
/// sums they are no part.
static void addSpecialProducts(const MmaStep &step, const MmaFormat &format,
                               MmaSums &sums) {
  double whole[kMmaM][kMmaN]; // where no finite sum overflows
  for (unsigned m = 0; m < kMmaM; ++m)
    for (unsigned n = 0; n < kMmaN; ++n) {
      whole[m][n] = sums[m][n];
      for (unsigned k = 0; k < step.columns; ++k)
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
        sums[m][n] =
            std::isnan(whole[m][n]) ? toFloat(kNaN) : float(whole[m][n]);
}

/// Fills `powers`; the smallest and the largest of them, zeros apart (1 and 0
/// where there is no other number).
template <size_t Rows, size_t Columns>
static std::pair<float, float>
getPowers(const float (&values)[Rows][Columns], unsigned rows, unsigned columns,
          float smallestNormal, float (&powers)[Rows][Columns]) {
  Float4 low = Float4{} + 1.0f, high = {};
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; column += 4) {
      const Float4 power =
          getPower(load(&values[row][column]), Float4{} + smallestNormal);
      std::memcpy(&powers[row][column], &power, sizeof(power));
      high = max(high, power);
      low = min(low, power == 0.0f ? Float4{} + 1.0f : power);
    }
  return {std::min({low[0], low[1], low[2], low[3]}),
          std::max({high[0], high[1], high[2], high[3]})};
}

void mlir::top::sim::addProducts(const MmaStep &step, const MmaFormat &format,
                                 MmaSums &sums) {
  const float largestA = getLargest(step.a, kMmaM, step.columns),
              largestB = getLargest(step.b, step.columns, kMmaN),
              largestSum = getLargest(sums, kMmaM, kMmaN);
  if (!std::isfinite(largestA) || !std::isfinite(largestB) ||
      !std::isfinite(largestSum))
    return addSpecialProducts(step, format, sums);
  if (areExact(step, sums, largestA, largestB, largestSum))
    return addExactProducts(step, sums);

  Powers powers;
  auto [lowA, highA] =
      getPowers(step.a, kMmaM, step.columns, format.smallestNormal, powers.a);
  auto [lowB, highB] =
      getPowers(step.b, step.columns, kMmaN, format.smallestNormal, powers.b);
  // Products of bf16 and tf32 can be too large or too small for f32.
  const bool fitsFloat =
      double(lowA) * lowB >= 0x1p-100 && double(highA) * highB <= 0x1p120;
  for (unsigned m = 0; m < kMmaM; ++m) {
    if (fitsFloat) {
      const RowOfSums row =
          (step.columns == 8 ? addRow<8> : addRow<16>)(step, powers, m,
                                                       format.isHalf, sums[m]);
      const Int4 &outside = row.isOutside;
      if ((outside[0] | outside[1] | outside[2] | outside[3]) >= 0) {
        std::memcpy(sums[m], row.sums, sizeof(row.sums));
        continue;
      }
    }
    for (unsigned n = 0; n < kMmaN; ++n)
      addOne(step, powers, m, n, format.isHalf, sums[m][n]);
  }
}
