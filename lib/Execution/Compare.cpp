//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparison of results; see Compare.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Compare.h"

#include "top/Execution/TensorInit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;

bool top::isRight(ElementKind kind, double got,
                  const ReferenceElement &expected) {
  if (std::isnan(got) && expected.orNaN)
    return true;
  if (std::isnan(expected.value) || std::isnan(got))
    return std::isnan(expected.value) && std::isnan(got);
  if (std::isinf(expected.value))
    return got == expected.value;
  return got >= roundTo(kind, expected.value - expected.bound) &&
         got <= roundTo(kind, expected.value + expected.bound);
}

SmallVector<int64_t> top::chooseSample(ArrayRef<int64_t> shape, int64_t samples,
                                       uint64_t seed) {
  int64_t total = 1;
  for (int64_t extent : shape)
    total *= extent;
  if (samples >= total) {
    return llvm::to_vector(llvm::seq<int64_t>(0, total));
  }
  // A stream of its own, far from those of arguments.
  constexpr uint64_t kStream = 1ull << 63;
  SmallVector<int64_t> chosen;
  for (int64_t i = 0; i < samples; ++i) {
    int64_t index = 0;
    for (auto [d, extent] : llvm::enumerate(shape)) {
      uint64_t bits = randomBits(seed, kStream + d, i);
      int64_t coordinate = (bits >> 8) % extent;
      if ((bits & 7) < 2)
        coordinate = bits & 1 ? extent - 1 : 0;
      index = index * extent + coordinate;
    }
    chosen.push_back(index);
  }
  if (samples > 0)
    chosen[0] = 0;
  if (samples > 1)
    chosen[1] = total - 1;
  llvm::sort(chosen);
  chosen.erase(llvm::unique(chosen), chosen.end());
  return chosen;
}

/// Shapes and types before elements.
static bool haveSameType(Comparison &outcome, const Tensor &got,
                         ArrayRef<int64_t> shape, ElementKind kind) {
  outcome.total = got.getNumElements();
  if (got.getShape() == shape && got.getKind() == kind)
    return true;
  outcome.shapeError = "expected type " + Tensor(kind, shape).getTypeName() +
                       ", got " + got.getTypeName();
  return false;
}

static void record(Comparison &outcome, int64_t index, double got,
                   double expected, bool right) {
  ++outcome.compared;
  if (!std::isfinite(expected))
    ++outcome.nonFinite;
  else if (std::isfinite(got)) {
    double difference = std::fabs(got - expected);
    outcome.maxAbsoluteError = std::max(outcome.maxAbsoluteError, difference);
    if (expected != 0)
      outcome.maxRelativeError =
          std::max(outcome.maxRelativeError, difference / std::fabs(expected));
  }
  if (right)
    return;
  ++outcome.wrong;
  if (!outcome.first)
    outcome.first = Mismatch{index, got, expected};
}

Comparison top::compareWithReference(const Tensor &got,
                                     ReferenceFunction &reference,
                                     unsigned result,
                                     const SampleOptions &options) {
  Comparison outcome;
  const ElementKind kind = reference.getResultKind(result);
  ArrayRef<int64_t> shape = reference.getResultShape(result);
  if (!haveSameType(outcome, got, shape, kind))
    return outcome;

  int64_t samples = options.samples;
  if (samples == 0) {
    samples = outcome.total;
    if (reference.getTotalProducts() > options.maxProducts ||
        reference.getTotalElements() > options.maxElements) {
      constexpr int64_t kFewest = 256, kMost = 65536;
      int64_t affordable =
          options.maxSampledProducts /
          std::max<int64_t>(1, reference.getProductsPerElement());
      samples = std::min(samples, std::clamp(affordable, kFewest, kMost));
    }
  }
  const bool all = samples >= outcome.total;
  if (all)
    reference.evaluateAll();
  auto compareAt = [&](int64_t index) {
    ReferenceElement expected = reference.evaluate(result, index);
    double value = got.get(index);
    if (std::isinf(expected.bound) && !std::isnan(expected.value)) {
      ++outcome.undetermined;
      return;
    }
    record(outcome, index, value, roundTo(kind, expected.value),
           isRight(kind, value, expected));
  };
  if (all) {
    for (int64_t i = 0; i < outcome.total; ++i)
      compareAt(i);
  } else {
    const SmallVector<int64_t> sample =
        chooseSample(shape, samples, options.seed);
    reference.evaluateMany(result, sample);
    for (int64_t i : sample)
      compareAt(i);
  }
  return outcome;
}

/// Whether equality is asked for: no floats, or integers in floats that hold
/// all integers that occur.
static bool isExact(const Tensor &expected, ElementKind kind, bool integers) {
  if (!getFormat(kind).isFloat)
    return true;
  if (!integers || (kind != ElementKind::F32 && kind != ElementKind::F64))
    return false;
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i) {
    double v = expected.get(i);
    constexpr double kLimit = 16777216; // 2^24
    if (std::isfinite(v) && (std::nearbyint(v) != v || std::fabs(v) >= kLimit))
      return false;
  }
  return true;
}

static double largestFinite(const Tensor &tensor) {
  double largest = 0;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    if (double v = tensor.get(i); std::isfinite(v))
      largest = std::max(largest, std::fabs(v));
  return largest;
}

/// compareTensors' part of the largest magnitude.
static double fixedTolerance(ElementKind kind, double largest) {
  switch (kind) {
  case ElementKind::F64:
    return std::ldexp(largest, -47);
  case ElementKind::F32:
    return std::ldexp(largest, -18);
  case ElementKind::F16:
    return std::ldexp(largest, -10);
  case ElementKind::BF16:
    return std::ldexp(largest, -7);
  case ElementKind::F8E4M3FN:
    return std::ldexp(largest, -3);
  case ElementKind::F8E5M2:
    return std::ldexp(largest, -2);
  default:
    return 0; // integers are compared exactly
  }
}

Comparison top::compareTensors(const Tensor &got, const Tensor &expected,
                               bool integers) {
  Comparison outcome;
  const ElementKind kind = expected.getKind();
  if (!haveSameType(outcome, got, expected.getShape(), kind))
    return outcome;
  const bool exact = isExact(expected, kind, integers);
  outcome.criterion = exact ? Criterion::Exact : Criterion::Tolerance;
  if (!exact)
    outcome.tolerance = fixedTolerance(kind, largestFinite(expected));
  for (int64_t i = 0; i < outcome.total; ++i) {
    double have = got.get(i), want = expected.get(i);
    bool right = have == want || (std::isnan(have) && std::isnan(want));
    if (!right && !exact && std::isfinite(have) && std::isfinite(want))
      right = std::fabs(have - want) <= outcome.tolerance + ulpAt(kind, want);
    record(outcome, i, have, want, right);
  }
  return outcome;
}

Comparison top::compareWithDouble(const Tensor &got, ElementKind kind,
                                  const Tensor &own, const Tensor &exact,
                                  bool integers) {
  Comparison outcome;
  if (!haveSameType(outcome, got, exact.getShape(), kind))
    return outcome;
  outcome.criterion = Criterion::OwnError;
  double largest = 0, squares = 0;
  int64_t finite = 0;
  for (int64_t i = 0; i < outcome.total; ++i) {
    double own1 = own.get(i), exact1 = exact.get(i);
    if (!std::isfinite(exact1) || !std::isfinite(own1))
      continue;
    ++finite;
    largest = std::max(largest, std::fabs(exact1));
    squares += exact1 * exact1;
    outcome.ownError = std::max(outcome.ownError, std::fabs(own1 - exact1));
  }
  if (outcome.ownError == 0 && isExact(own, kind, integers)) {
    // The reference may hold them in a wider type.
    Tensor expected(kind, own.getShape());
    for (int64_t i = 0; i < outcome.total; ++i)
      expected.set(i, own.get(i));
    return compareTensors(got, expected, integers);
  }
  // Sums of 16-bit types are in f32, so that its floor holds for all.
  const int floor = kind == ElementKind::F64 ? -50 : -21;
  constexpr int64_t kFew = 64;
  outcome.tolerance = 4 * outcome.ownError;
  if (outcome.total < kFew)
    outcome.tolerance =
        std::max(outcome.tolerance, fixedTolerance(kind, largest));
  outcome.tolerance += std::ldexp(largest, floor);
  if (double size = std::sqrt(squares / std::max<int64_t>(1, finite));
      outcome.tolerance > size / 2 && size > 0) {
    llvm::raw_string_ostream(outcome.inconclusive)
        << llvm::format("the reference's own rounding error, %.3g, is too "
                        "large for values of about %.3g",
                        outcome.ownError, size);
    outcome.undetermined = outcome.total;
    return outcome;
  }
  for (int64_t i = 0; i < outcome.total; ++i) {
    double have = got.get(i), own1 = own.get(i), want = exact.get(i);
    bool right;
    if (std::isfinite(have) && std::isfinite(want))
      right = std::fabs(have - want) <= outcome.tolerance + ulpAt(kind, want);
    else
      right = have == want || have == own1 ||
              (std::isnan(have) && (std::isnan(want) || std::isnan(own1)));
    record(outcome, i, have, roundTo(kind, want), right);
  }
  return outcome;
}

std::string top::formatNumber(ElementKind kind, double value) {
  int digits = 17;
  switch (kind) {
  case ElementKind::F32:
    digits = 9;
    break;
  case ElementKind::F16:
    digits = 5;
    break;
  case ElementKind::BF16:
    digits = 4;
    break;
  case ElementKind::F8E4M3FN:
    digits = 3;
    break;
  case ElementKind::F8E5M2:
    digits = 2;
    break;
  default:
    break;
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(
      "%.*g", digits, std::isnan(value) ? std::fabs(value) : value);
  return text;
}
