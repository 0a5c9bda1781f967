//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs of record.cu: registers of 32 lanes, filled with seeded numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UTILS_GPU_GOLDEN_INPUTS_H
#define TOP_UTILS_GPU_GOLDEN_INPUTS_H

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

/// One operand: a register of each lane.
using Register = std::array<uint32_t, 32>;
using Registers = std::vector<Register>;

/// splitmix64, so that every run makes the same inputs.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t end) { return uint32_t((next() >> 32) * end >> 32); }
  int between(int low, int high) { return low + int(below(high - low + 1)); }
};

/// A binary floating-point format.
struct Format {
  int bits, exponentBits, mantissaBits;
  bool hasInfinity; ///< else the largest exponent holds numbers, but for a NaN
  int getBias() const { return (1 << (exponentBits - 1)) - 1; }
  /// tf32 is kept in the upper bits of 32.
  int getShift() const { return bits - 1 - exponentBits - mantissaBits; }

  uint32_t make(bool sign, int exponent, uint32_t mantissa) const {
    return (uint32_t(sign) << (exponentBits + mantissaBits) |
            uint32_t(exponent) << mantissaBits | mantissa)
           << getShift();
  }
  /// Of a number that the format holds exactly.
  uint32_t encode(double value) const {
    if (value == 0)
      return 0;
    int exponent;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    return make(value < 0, exponent - 1 + getBias(),
                uint32_t(std::ldexp(fraction, mantissaBits + 1)) -
                    (1u << mantissaBits));
  }
};

inline constexpr Format f16 = {16, 5, 10, true}, bf16 = {16, 8, 7, true},
                        tf32 = {32, 8, 10, true}, f32 = {32, 8, 23, true},
                        e4m3 = {8, 4, 3, false}, e5m2 = {8, 5, 2, true};

/// Fills `registers` with elements of `format`, each made by `make()`.
template <typename Make>
void fill(Registers &registers, unsigned begin, unsigned end,
          const Format &format, Make make) {
  registers.resize(end > registers.size() ? end : registers.size());
  for (unsigned r = begin; r < end; ++r)
    for (uint32_t &word : registers[r]) {
      word = 0;
      for (int bit = 0; bit < 32; bit += format.bits)
        word |= make() << bit;
    }
}

/// A multiple of 1/8 in [-limit/8, limit/8].
inline uint32_t makeEighth(Random &random, const Format &format, int limit) {
  return format.encode(random.between(-limit, limit) / 8.0);
}

/// Random sign and mantissa, and a magnitude of 2^low to 2^high.
inline uint32_t makeScaled(Random &random, const Format &format, int low,
                           int high) {
  return format.make(random.below(2),
                     random.between(low, high) + format.getBias(),
                     random.below(1u << format.mantissaBits));
}

/// Zero mostly; else zeros of both signs, units, the smallest and the largest
/// numbers, infinities and NaNs.
inline uint32_t makeSpecial(Random &random, const Format &format,
                            unsigned rarity) {
  const uint32_t mantissas = (1u << format.mantissaBits) - 1;
  const int top = (1 << format.exponentBits) - 1;
  if (random.below(rarity) != 0)
    return random.below(4) == 0 ? format.make(true, 0, 0) : 0;
  const bool sign = random.below(2);
  switch (random.below(9)) {
  case 0:
    return format.make(sign, format.getBias(), 0);
  case 1: // the smallest number
    return format.make(sign, 0, 1);
  case 2: // the largest number without a leading one
    return format.make(sign, 0, mantissas);
  case 3:
    return format.make(sign, 1, 0);
  case 4: // the largest number
    return format.hasInfinity ? format.make(sign, top - 1, mantissas)
                              : format.make(sign, top, mantissas - 1);
  case 5:
  case 6: // infinity, or another large number
    return format.make(sign, top, 0);
  case 7: // a NaN
    return format.make(sign, top, mantissas);
  default:
    return makeScaled(random, format, -3, 3);
  }
}

/// f32 for conversions, of magnitudes 2^low to 2^high: numbers that lie
/// halfway, and next to halfway, between those of a format with fewer bits.
/// With an empty range, one of each class of numbers, and the limits of each
/// format.
inline Register makeConverted(Random &random, int low, int high) {
  Register result;
  static const uint32_t fixed[] = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
      0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffffffff, 0x477fe000, 0x477fefff, 0x477ff000, 0x43e00000, 0x43e7ffff,
      0x43e80000, 0x47600000, 0x476fffff, 0x47700000, 0xc77ff000, 0x33000000,
      0x33000001, 0x337fffff, 0x38800000, 0x387fffff, 0x7f7f7fff, 0x7f7f8000,
      0x7f7fefff, 0x7f7ff000};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (low > high) {
      result[lane] = fixed[lane];
      continue;
    }
    // Halfway at `cut` bits from below; one less, one more.
    const unsigned cut = 12 + random.below(12);
    uint32_t mantissa = random.below(1u << 23) >> cut << cut;
    mantissa |= cut == 23 ? 1u << 22 : 1u << (cut - 1);
    mantissa += random.below(3) - 1;
    if (random.below(8) == 0)
      mantissa = random.below(1u << 23);
    result[lane] = f32.make(random.below(2), random.between(low, high) + 127,
                            mantissa & 0x7fffff);
  }
  return result;
}

#endif // TOP_UTILS_GPU_GOLDEN_INPUTS_H
