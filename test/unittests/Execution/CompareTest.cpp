//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a number is right, and which elements a sample has.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Compare.h"
#include "Parse.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::top;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

TEST(CompareTest, HalfAnUlpAndTheBound) {
  const double ulp = std::ldexp(1.0, -23);
  // 1 + ulp/4 rounds to 1; nothing else is right without a bound.
  ReferenceElement exact{1 + ulp / 4, 0};
  EXPECT_TRUE(isRight(ElementKind::F32, 1, exact));
  EXPECT_FALSE(isRight(ElementKind::F32, 1 + ulp, exact));
  // With a bound of half an ulp the neighbour can be reached.
  ReferenceElement bounded{1 + ulp / 4, ulp / 2};
  EXPECT_TRUE(isRight(ElementKind::F32, 1 + ulp, bounded));
  EXPECT_TRUE(isRight(ElementKind::F32, 1, bounded));
  EXPECT_FALSE(isRight(ElementKind::F32, 1 + 2 * ulp, bounded));
  EXPECT_FALSE(isRight(ElementKind::F32, 1 - ulp, bounded));
  // In f16 the same values are all one number.
  EXPECT_TRUE(isRight(ElementKind::F16, 1, bounded));
  EXPECT_FALSE(isRight(ElementKind::F16, 1 + std::ldexp(1.0, -10), bounded));
}

TEST(CompareTest, InfinityNaNAndZero) {
  EXPECT_TRUE(isRight(ElementKind::F32, kInf, {kInf, 0}));
  EXPECT_FALSE(isRight(ElementKind::F32, -kInf, {kInf, 0}));
  EXPECT_FALSE(isRight(ElementKind::F32, 1e38, {kInf, 0}));
  EXPECT_TRUE(isRight(ElementKind::F32, kNaN, {kNaN, 0}));
  EXPECT_FALSE(isRight(ElementKind::F32, 0, {kNaN, 0}));
  EXPECT_FALSE(isRight(ElementKind::F32, kNaN, {0, 1}));
  EXPECT_TRUE(isRight(ElementKind::F32, kNaN, {0, 1, /*orNaN=*/true}));
  EXPECT_TRUE(isRight(ElementKind::F32, 0.5, {0, 1, /*orNaN=*/true}));
  EXPECT_TRUE(isRight(ElementKind::F32, -0.0, {0, 0}));
  // Overflow of the result type only.
  EXPECT_TRUE(isRight(ElementKind::F16, kInf, {115200, 0}));
  EXPECT_FALSE(isRight(ElementKind::F16, 65504, {115200, 0}));
  EXPECT_FALSE(isRight(ElementKind::F16, kNaN, {115200, 0}));
  // At the threshold both sides may be right.
  EXPECT_TRUE(isRight(ElementKind::F16, kInf, {65519, 2}));
  EXPECT_TRUE(isRight(ElementKind::F16, 65504, {65519, 2}));
}

TEST(CompareTest, TensorsOfIntegersMustBeEqual) {
  Tensor want = makeTensor(ElementKind::F32, {3}, {1, 1e6, -7});
  Tensor got = makeTensor(ElementKind::F32, {3}, {1, 1e6, -7});
  EXPECT_TRUE(compareTensors(got, want, /*integers=*/true).isRight());
  got.set(1, 1e6 + 1);
  Comparison outcome = compareTensors(got, want, /*integers=*/true);
  EXPECT_EQ(outcome.wrong, 1);
  EXPECT_EQ(outcome.first->index, 1);
  EXPECT_EQ(outcome.first->got, 1e6 + 1);
  EXPECT_EQ(outcome.maxAbsoluteError, 1);
  EXPECT_EQ(outcome.maxRelativeError, 1e-6);
  // As numbers of unknown origin they are within 2^-18 of the largest.
  EXPECT_TRUE(compareTensors(got, want, /*integers=*/false).isRight());
  got.set(1, 1e6 + 5);
  EXPECT_FALSE(compareTensors(got, want, /*integers=*/false).isRight());
  got.set(1, 1e6);
  got.set(2, kNaN);
  EXPECT_FALSE(compareTensors(got, want, /*integers=*/false).isRight());
}

/// A tensor of 100 elements, `value` everywhere but for `other` at 7.
Tensor hundred(ElementKind kind, double value, double other) {
  Tensor tensor(kind, {100});
  for (int64_t i = 0; i < 100; ++i)
    tensor.set(i, value);
  tensor.set(7, other);
  return tensor;
}

TEST(CompareTest, OwnErrorIsTheMeasure) {
  const ElementKind f32 = ElementKind::F32, f64 = ElementKind::F64;
  // The reference errs by 1e-4 in one element.
  Tensor exact = hundred(f64, 1, 1), own = hundred(f32, 1, 1.0001);
  auto compare = [&](double value, double other) {
    return compareWithDouble(hundred(f32, value, other), f32, own, exact,
                             /*integers=*/false);
  };
  Comparison outcome = compare(1, 1);
  EXPECT_EQ(outcome.criterion, Criterion::OwnError);
  EXPECT_TRUE(outcome.isRight());
  EXPECT_NEAR(outcome.ownError, 1e-4, 1e-7);
  EXPECT_NEAR(outcome.tolerance, 4e-4 + std::ldexp(1, -21), 1e-6);
  EXPECT_TRUE(compare(1.0003, 0.9997).isRight());
  EXPECT_FALSE(compare(1, 1.0005).isRight());
  // Equal to the reference is not good enough where that is not right itself.
  EXPECT_EQ(compare(1, 1.0001).maxAbsoluteError,
            std::fabs(double(1.0001f) - 1));
  // An exact reference allows a few roundings.
  own = exact.clone(false);
  EXPECT_TRUE(compare(1 + std::ldexp(1, -21), 1).isRight());
  EXPECT_FALSE(compare(1 + std::ldexp(1, -20), 1).isRight());
  // Overflow that both have.
  own = hundred(f32, 1, kInf);
  exact = hundred(f64, 1, 1e300);
  EXPECT_TRUE(compare(1, kInf).isRight());
  EXPECT_FALSE(compare(1, kNaN).isRight());
  EXPECT_FALSE(compare(1, -kInf).isRight());
}

TEST(CompareTest, AnErrorAsLargeAsTheValuesProvesNothing) {
  Tensor exact = hundred(ElementKind::F64, 1, 1);
  Tensor own = hundred(ElementKind::F32, 1, 1.2);
  Tensor got = hundred(ElementKind::F32, 1, 1);
  Comparison outcome =
      compareWithDouble(got, ElementKind::F32, own, exact, false);
  EXPECT_FALSE(outcome.isRight());
  EXPECT_EQ(outcome.compared, 0);
  EXPECT_EQ(outcome.undetermined, 100);
  EXPECT_EQ(outcome.inconclusive,
            "the reference's own rounding error, 0.2, is too large for values "
            "of about 1");
}

TEST(CompareTest, FewElementsAreNoEstimate) {
  Tensor exact = makeTensor(ElementKind::F64, {2}, {1, 2});
  Tensor own = makeTensor(ElementKind::F32, {2}, {1, 2});
  Tensor got = makeTensor(ElementKind::F32, {2}, {1, 2 + 7e-6});
  EXPECT_TRUE(
      compareWithDouble(got, ElementKind::F32, own, exact, false).isRight());
  // Integers are equal or wrong, unless the reference is not exact itself.
  EXPECT_FALSE(
      compareWithDouble(got, ElementKind::F32, own, exact, true).isRight());
  exact.set(0, 1.0000001);
  EXPECT_TRUE(
      compareWithDouble(got, ElementKind::F32, own, exact, true).isRight());
}

TEST(CompareTest, TypesAndShapesComeFirst) {
  Tensor want = makeTensor(ElementKind::F32, {2}, {1, 2});
  EXPECT_EQ(
      compareTensors(makeTensor(ElementKind::F16, {2}, {1, 2}), want, true)
          .shapeError,
      "expected type 2xf32, got 2xf16");
  EXPECT_FALSE(
      compareTensors(makeTensor(ElementKind::F32, {2, 1}, {1, 2}), want, true)
          .isRight());
}

TEST(CompareTest, SamplesHaveTheEndsAndTheBorder) {
  SmallVector<int64_t> sample = chooseSample({4, 64, 56, 56}, 1000, 3);
  EXPECT_EQ(sample.front(), 0);
  EXPECT_EQ(sample.back(), 4 * 64 * 56 * 56 - 1);
  EXPECT_GT(sample.size(), 950u);
  EXPECT_TRUE(llvm::is_sorted(sample));
  int64_t onBorder = 0;
  for (int64_t i : sample)
    onBorder += i % 56 == 55;
  EXPECT_GT(onBorder, 80); // 1/8 and a bit
  EXPECT_EQ(chooseSample({4, 64, 56, 56}, 1000, 3), sample);
  EXPECT_NE(chooseSample({4, 64, 56, 56}, 1000, 4), sample);
  EXPECT_EQ(chooseSample({2, 2}, 10, 0).size(), 4u);
  EXPECT_EQ(chooseSample({2, 0}, 10, 0).size(), 0u);
}

TEST(CompareTest, NumbersPrintWithTheirDigits) {
  EXPECT_EQ(formatNumber(ElementKind::F32, 0.1f), "0.100000001");
  EXPECT_EQ(formatNumber(ElementKind::F16, 2049), "2049");
  EXPECT_EQ(formatNumber(ElementKind::F64, 0.1), "0.10000000000000001");
  EXPECT_EQ(formatNumber(ElementKind::F32, -kNaN), "nan");
  EXPECT_EQ(formatNumber(ElementKind::F32, -kInf), "-inf");
}

} // namespace
