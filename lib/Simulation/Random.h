//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers that a seed determines: xorshift64* (S. Vigna, "An
// experimental exploration of Marsaglia's xorshift generators, scrambled",
// 2016).
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_RANDOM_H
#define TOP_LIB_SIMULATION_RANDOM_H

#include <cstdint>

namespace mlir::top::sim {

class Random {
public:
  /// Streams of different `stream` under one seed have nothing in common.
  explicit Random(uint64_t seed = 0, uint64_t stream = 0)
      : state(mix(mix(seed) + stream) | 1) {}

  uint32_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545F4914F6CDD1Dull) >> 32;
  }
  /// In [0, bound).
  uint32_t below(uint32_t bound) { return (uint64_t(next()) * bound) >> 32; }
  /// True once in `n` times.
  bool oneIn(uint32_t n) { return below(n) == 0; }

private:
  /// The finaliser of splitmix64.
  static uint64_t mix(uint64_t value) {
    value += 0x9E3779B97F4A7C15ull;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
    return value ^ (value >> 31);
  }

  uint64_t state;
};

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_RANDOM_H
