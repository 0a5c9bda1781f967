//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random cases: small shapes, every attribute in play, and a share of cases
// that break one rule.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include <limits>

using namespace top::sweep;

namespace {

/// splitmix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t state) : state(state) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high].
  int64_t in(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (high - low + 1));
  }
  bool oneIn(int64_t count) { return in(1, count) == 1; }
  template <typename T, size_t size>
  T pick(const T (&values)[size]) {
    return values[in(0, size - 1)];
  }

private:
  uint64_t state;
};

} // namespace

/// A tile size: often small, sometimes whole, too large or of no use.
static int64_t pickTile(Random &random) {
  switch (random.in(0, 7)) {
  case 0:
    return 0;
  case 1:
    return 100;
  case 2:
    return 1;
  default:
    return random.in(1, 7);
  }
}

static void pickTypes(Random &random, Case &t) {
  static const char *const types[] = {"f32", "f32",  "f32",
                                      "f16", "bf16", "f64"};
  t.type = t.resultType = random.pick(types);
  const bool isShort = t.type == "f16" || t.type == "bf16";
  if (isShort && random.oneIn(3))
    t.resultType = "f32";
  if (!random.oneIn(3))
    t.biasType = random.oneIn(2) ? "f32" : t.resultType;
  static const char *const fills[] = {"int", "int", "eighths", "normal"};
  t.fill = random.pick(fills);
  if (t.isConv || !random.oneIn(3))
    return;
  static const char *const bytes[] = {"i8", "f8E4M3FN", "f8E5M2"};
  static const char *const results[] = {"f32", "f16", "bf16"};
  t.type = random.pick(bytes);
  t.resultType = t.type == "i8" ? "i32" : random.pick(results);
  if (!t.biasType.empty())
    t.biasType = t.resultType;
}

static void pickSteps(Random &random, Case &t) {
  if (!random.oneIn(3))
    return;
  static const char *const steps[] = {
      "affine", "add",  "mul",       "relu",   "clamp, min = -2.0, max = 6.5",
      "silu",   "gelu", "hardswish", "sigmoid"};
  static const char *const integerSteps[] = {"affine", "add", "mul", "relu",
                                             "clamp, min = -20.0, max = 60.0"};
  for (int64_t i = random.in(1, 3); i > 0; --i)
    t.steps.push_back(t.resultType == "i32" ? random.pick(integerSteps)
                                            : random.pick(steps));
  t.broadcastsOperands = random.oneIn(3);
}

/// Breaks one rule of a convolution.
static void breakConv(Random &random, Case &t) {
  static const int64_t wild[] = {0,
                                 -1,
                                 -7,
                                 int64_t(1) << 31,
                                 int64_t(1) << 62,
                                 std::numeric_limits<int64_t>::min()};
  static const int64_t nonPositive[] = {0, -1, -3,
                                        std::numeric_limits<int64_t>::min()};
  const unsigned axis = random.in(0, 1);
  switch (random.in(0, 8)) {
  case 0:
    t.strides[axis] = random.pick(nonPositive);
    break;
  case 1:
    t.dilations[axis] = random.pick(wild);
    break;
  case 2:
    t.group = random.pick(nonPositive);
    break;
  case 3:
    // Divides neither C nor, as it is larger, anything; the filter stays legal
    // by itself.
    t.group = t.c + 1;
    t.filterChannels = 1;
    break;
  case 4:
    t.pads[random.in(0, 3)] = -random.in(1, 9);
    break;
  case 5:
    t.filterChannels = t.c / t.group + random.in(1, 2);
    break;
  case 6:
    (axis ? t.kw : t.kh) =
        (axis ? t.w : t.h) + t.pads[axis] + t.pads[axis + 2] + random.in(1, 3);
    t.dilations[axis] = 1;
    t.dynamicH = t.dynamicW = false;
    break;
  case 7:
    (axis ? t.tileW : t.tileH) = -random.in(1, 5);
    break;
  case 8:
    t.f = t.group * 2 + 1;
    t.group = 2;
    t.c = 4;
    break;
  }
}

static Case makeConv(Random &random) {
  Case t;
  t.n = random.in(1, 5);
  static const int64_t groups[] = {1, 1, 1, 1, 2, 3, 4};
  t.group = random.pick(groups);
  t.c = t.group * random.in(1, 4);
  t.f = t.group * random.in(1, 4);
  if (random.oneIn(8)) // depthwise
    t.group = t.f = t.c;
  t.h = random.in(1, 18);
  t.w = random.in(1, 18);
  t.kh = random.in(1, 5);
  t.kw = random.in(1, 5);
  t.strides = {random.in(1, 4), random.in(1, 4)};
  t.dilations = {random.oneIn(3) ? random.in(1, 4) : 1,
                 random.oneIn(3) ? random.in(1, 4) : 1};
  const int64_t pad = random.oneIn(4) ? 20 : 3;
  for (int64_t &p : t.pads)
    p = random.oneIn(3) ? 0 : random.in(0, pad);
  // Legal by construction: enough padding for one window.
  for (unsigned axis = 0; axis < 2; ++axis) {
    int64_t window = ((axis ? t.kw : t.kh) - 1) * t.dilations[axis] + 1;
    int64_t padded = (axis ? t.w : t.h) + t.pads[axis] + t.pads[axis + 2];
    if (padded < window)
      t.pads[axis + 2] += window - padded;
  }
  t.tileBatch = pickTile(random);
  t.tileH = pickTile(random);
  t.tileW = pickTile(random);
  t.tileF = random.oneIn(3) ? pickTile(random) : 0;
  t.dynamicBatch = random.oneIn(8);
  t.dynamicH = random.oneIn(8);
  t.dynamicW = random.oneIn(8);
  return t;
}

static Case makeMatMul(Random &random) {
  Case t;
  t.isConv = false;
  t.m = random.in(0, 33);
  t.nCols = random.in(0, 33);
  t.k = random.oneIn(10) ? 0 : random.in(1, 40);
  t.isBatched = random.oneIn(2);
  t.batch = t.isBatched ? random.in(0, 4) : 1;
  t.sharesRhs = t.isBatched && random.oneIn(3);
  t.transposeA = random.oneIn(2);
  t.transposeB = random.oneIn(2);
  t.tileBatch = pickTile(random);
  t.tileM = pickTile(random);
  t.tileN = pickTile(random);
  t.dynamicBatch = t.isBatched && random.oneIn(8);
  t.dynamicM = random.oneIn(8);
  return t;
}

static void breakMatMul(Random &random, Case &t) {
  switch (random.in(0, 2)) {
  case 0:
    t.rhsK = t.k + random.in(1, 3);
    break;
  case 1:
    t.isBatched = true;
    t.sharesRhs = t.dynamicBatch = false;
    t.rhsBatch = t.batch + 1;
    break;
  case 2:
    (random.oneIn(2) ? t.tileM : t.tileN) = -random.in(1, 5);
    break;
  }
}

Case top::sweep::makeRandomCase(uint64_t seed, uint64_t index) {
  Random random(seed * 0x100000001b3 + index);
  random.next();
  const bool breaks = random.oneIn(3);
  Case t = random.oneIn(4) ? makeMatMul(random) : makeConv(random);
  if (breaks)
    t.isConv ? breakConv(random, t) : breakMatMul(random, t);
  pickTypes(random, t);
  pickSteps(random, t);
  t.id = "seed " + std::to_string(seed) + " case " + std::to_string(index);
  return t;
}
