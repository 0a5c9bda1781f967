//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a computed tensor is right. Against a plain reference every element has
// its own bound (Reference.h). Against a program that was compiled, the bound
// follows from how far that program's own roundings carry it from the same
// program in double; where it cannot be run in double there is one tolerance
// for the tensor. docs/Rationale/OwnRounding.md has the reasons.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_COMPARE_H
#define TOP_EXECUTION_COMPARE_H

#include "top/Execution/Reference.h"
#include "top/Execution/Tensor.h"

namespace mlir::top {

/// A wrong element.
struct Mismatch {
  int64_t index;
  double got, expected; ///< `expected` is rounded to the result's type
};

/// What a result was compared with, and how.
enum class Criterion {
  Bounds,    ///< a bound for each element, from a reference in double
  Exact,     ///< equal: integers, or floats that hold integers
  OwnError,  ///< as compareWithDouble
  Tolerance, ///< as compareTensors
};

/// The outcome for one result.
struct Comparison {
  Criterion criterion = Criterion::Bounds;
  /// Of OwnError and Tolerance, without the ulp.
  double tolerance = 0;
  double ownError = 0; ///< of OwnError: what its tolerance was made from
  /// Set where the tolerance is so large that nothing can be said: not right.
  std::string inconclusive;
  int64_t total = 0;    ///< elements of the result
  int64_t compared = 0; ///< fewer than `total` where a sample was taken
  /// Elements, not counted as compared, of which the reference can say nothing
  /// (an overflow that rounding decides in the middle of a chain of ops).
  int64_t undetermined = 0;
  int64_t nonFinite = 0; ///< compared elements that should be infinite or NaN
  int64_t wrong = 0;
  /// Over all finite pairs; relative where the expected value is not 0.
  double maxAbsoluteError = 0, maxRelativeError = 0;
  std::optional<Mismatch> first; ///< of the wrong ones, in row-major order
  std::string shapeError;        ///< set where the shapes or types differ

  bool isRight() const {
    return wrong == 0 && shapeError.empty() && inconclusive.empty();
  }
};

/// Equal infinities and NaNs agree; zeros agree whatever their sign; else
/// `got` lies between the rounded ends of value -/+ bound.
bool isRight(ElementKind kind, double got, const ReferenceElement &expected);

/// How many elements are compared.
struct SampleOptions {
  /// 0: everything where evaluating it takes no more than `maxProducts`
  /// products and `maxElements` elements, else a sample of at most 65536
  /// elements that takes no more than `maxSampledProducts` (but has at least
  /// 256): operands are then read all over memory, some twenty times slower.
  int64_t samples = 0;
  uint64_t seed = 0;
  double maxProducts = 1 << 28;        // about half a second
  double maxSampledProducts = 1 << 26; // seconds on one core
  int64_t maxElements = 1 << 23;       // about 300 MB
};

/// Positions of a sample, sorted, without repetition. A coordinate lies at
/// either end of its extent with probability 1/8 each, since errors gather at
/// borders, and is uniform otherwise; the first and the last element are
/// always in it.
SmallVector<int64_t> chooseSample(ArrayRef<int64_t> shape, int64_t samples,
                                  uint64_t seed);

/// Compares result number `result` of `reference` with `got`.
Comparison compareWithReference(const Tensor &got, ReferenceFunction &reference,
                                unsigned result, const SampleOptions &options);

/// Compares with a result that was computed by another program in the same
/// types, of which no error bound is known. Where `integers` says that the
/// inputs were integers, and all expected values are integers below 2^24 in an
/// f32 or f64 tensor, both must be equal. Else the difference may be
///
///   2^-q * max|expected| + 1 ulp,   q = 47 (f64), 18 (f32), 10 (f16), 7
///                                       (bf16), 3 (f8E4M3FN), 2 (f8E5M2)
///
/// that is, for f32, 64 roundings at the largest magnitude (sums of thousands
/// of terms in another order stay below), and for a 16-bit type one step of
/// the type there (a rounding that tipped over between two layers).
Comparison compareTensors(const Tensor &got, const Tensor &expected,
                          bool integers);

/// Compares, in the type `kind`, with a program that was run twice: `exact` is
/// what it gives in double, `own` what it gives with its own roundings. With
/// E = max|own - exact| the difference from `exact` may be
///
///   4*E + 2^-21 * max|exact| + 1 ulp of the type        (f64: 2^-50)
///
/// and, of a result of fewer than 64 elements, of which E is no good estimate,
/// at least what compareTensors allows. A difference shared with `own`, such as
/// an overflow of its type, is right where both are the same infinity or NaN.
/// Exactly equal where compareTensors wants that and E is 0. Inconclusive where
/// the tolerance exceeds half of the root mean square of `exact`.
Comparison compareWithDouble(const Tensor &got, ElementKind kind,
                             const Tensor &own, const Tensor &exact,
                             bool integers);

/// `value` with as many digits as tell apart numbers of `kind`.
std::string formatNumber(ElementKind kind, double value);

} // namespace mlir::top

#endif // TOP_EXECUTION_COMPARE_H
