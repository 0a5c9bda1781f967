//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host tensors, their rounding against APFloat, and the fills.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Tensor.h"
#include "top/Execution/TensorInit.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::top;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

const llvm::fltSemantics &semantics(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return llvm::APFloat::IEEEhalf();
  case ElementKind::BF16:
    return llvm::APFloat::BFloat();
  case ElementKind::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  default:
    return llvm::APFloat::Float8E5M2();
  }
}

TEST(TensorTest, SixteenBitPatternsDecodeAsAPFloatDoes) {
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16}) {
    Tensor tensor(kind, {1});
    for (unsigned bits = 0; bits < 65536; ++bits) {
      auto pattern = static_cast<uint16_t>(bits);
      std::memcpy(tensor.getData(), &pattern, 2);
      llvm::APFloat expected(semantics(kind), llvm::APInt(16, bits));
      bool lost;
      expected.convert(llvm::APFloat::IEEEdouble(),
                       llvm::APFloat::rmNearestTiesToEven, &lost);
      double value = tensor.get(0);
      if (std::isnan(value)) {
        ASSERT_TRUE(expected.isNaN()) << bits;
        continue;
      }
      ASSERT_EQ(value, expected.convertToDouble()) << bits;
      tensor.set(0, value);
      uint16_t back;
      std::memcpy(&back, tensor.getData(), 2);
      ASSERT_EQ(back, pattern);
    }
  }
}

TEST(TensorTest, EightBitPatternsDecodeAsAPFloatDoes) {
  for (ElementKind kind : {ElementKind::F8E4M3FN, ElementKind::F8E5M2}) {
    Tensor tensor(kind, {1});
    for (unsigned bits = 0; bits < 256; ++bits) {
      tensor.getData()[0] = static_cast<char>(bits);
      llvm::APFloat expected(semantics(kind), llvm::APInt(8, bits));
      bool lost;
      expected.convert(llvm::APFloat::IEEEdouble(),
                       llvm::APFloat::rmNearestTiesToEven, &lost);
      double value = tensor.get(0);
      ASSERT_EQ(std::signbit(value), expected.isNegative()) << bits;
      if (std::isnan(value)) {
        ASSERT_TRUE(expected.isNaN()) << bits;
        tensor.set(0, value);
        ASSERT_TRUE(std::isnan(tensor.get(0)));
        continue;
      }
      ASSERT_EQ(value, expected.convertToDouble()) << bits;
      tensor.set(0, value);
      ASSERT_EQ(static_cast<uint8_t>(tensor.getData()[0]), bits);
    }
  }
}

TEST(TensorTest, IntegersRoundAndSaturate) {
  EXPECT_EQ(roundTo(ElementKind::I8, 2.5), 2);
  EXPECT_EQ(roundTo(ElementKind::I8, -129), -128);
  EXPECT_EQ(roundTo(ElementKind::I8, kInf), 127);
  EXPECT_EQ(roundTo(ElementKind::I32, 1e10), 2147483647);
  EXPECT_EQ(roundTo(ElementKind::I32, -1e10), -2147483648.0);
  EXPECT_EQ(roundTo(ElementKind::I32, 2147483646.75), 2147483647);
  EXPECT_EQ(roundTo(ElementKind::I32, std::nan("")), 0);
  Tensor large(ElementKind::I64, {2});
  large.set(0, kInf);
  large.set(1, -kInf);
  EXPECT_EQ(large.get(0), 0x1.fffffffffffffp62);
  EXPECT_EQ(large.get(1), -0x1p63);
  std::string text;
  llvm::raw_string_ostream os(text);
  Tensor sums(ElementKind::I32, {2});
  sums.set(0, 2147483647);
  sums.set(1, -2147483648.0);
  sums.print(os, 10);
  EXPECT_EQ(text, "[2147483647, -2147483648]");
}

TEST(TensorTest, RoundsAsAPFloatDoes) {
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16,
                           ElementKind::F8E4M3FN, ElementKind::F8E5M2}) {
    for (uint64_t i = 0; i < 200000; ++i) {
      // Doubles over the whole range of the type, its subnormals and beyond.
      uint64_t bits = randomBits(1, 2, i);
      double value = std::ldexp(1.0 + std::ldexp(double(bits >> 12), -52),
                                int(bits % 80) - 40);
      if (i % 3 == 0) // ties
        value = roundTo(kind, value) + 0.5 * ulpAt(kind, value);
      llvm::APFloat expected(value);
      bool lost;
      expected.convert(semantics(kind), llvm::APFloat::rmNearestTiesToEven,
                       &lost);
      expected.convert(llvm::APFloat::IEEEdouble(),
                       llvm::APFloat::rmNearestTiesToEven, &lost);
      if (expected.isNaN()) {
        ASSERT_EQ(kind, ElementKind::F8E4M3FN) << value;
        ASSERT_TRUE(std::isnan(roundTo(kind, value))) << value;
        ASSERT_TRUE(std::isnan(roundTo(kind, -value))) << value;
        continue;
      }
      ASSERT_EQ(roundTo(kind, value), expected.convertToDouble()) << value;
      ASSERT_EQ(roundTo(kind, -value), -expected.convertToDouble()) << value;
    }
  }
}

TEST(TensorTest, RoundsAtTheEndsOfTheRange) {
  // Half way between 448 and 480, which is no number.
  EXPECT_EQ(roundTo(ElementKind::F8E4M3FN, 464), 448);
  EXPECT_TRUE(std::isnan(roundTo(ElementKind::F8E4M3FN, 464.001)));
  EXPECT_TRUE(std::isnan(roundTo(ElementKind::F8E4M3FN, -kInf)));
  EXPECT_EQ(roundTo(ElementKind::F8E5M2, 61439), 57344);
  EXPECT_EQ(roundTo(ElementKind::F8E5M2, 61440), kInf);
  EXPECT_EQ(roundTo(ElementKind::F16, 65504), 65504);
  EXPECT_EQ(roundTo(ElementKind::F16, 65519.99), 65504);
  EXPECT_EQ(roundTo(ElementKind::F16, 65520), kInf);
  EXPECT_EQ(roundTo(ElementKind::F16, -1e9), -kInf);
  EXPECT_EQ(roundTo(ElementKind::F16, std::ldexp(1.0, -24)),
            std::ldexp(1.0, -24));
  EXPECT_EQ(roundTo(ElementKind::F16, std::ldexp(1.0, -26)), 0);
  EXPECT_EQ(roundTo(ElementKind::F32, 1e39), kInf);
  EXPECT_TRUE(std::isnan(roundTo(ElementKind::BF16, std::nan(""))));
}

TEST(TensorTest, UlpIsTheDistanceOfNeighbours) {
  EXPECT_EQ(ulpAt(ElementKind::F32, 1.0), std::ldexp(1.0, -23));
  EXPECT_EQ(ulpAt(ElementKind::F32, 1.99), std::ldexp(1.0, -23));
  EXPECT_EQ(ulpAt(ElementKind::F32, 2.0), std::ldexp(1.0, -22));
  EXPECT_EQ(ulpAt(ElementKind::F16, 0), std::ldexp(1.0, -24));
  EXPECT_EQ(ulpAt(ElementKind::BF16, 256), 2);
}

TEST(TensorTest, GuardsNoticeOneByteOnEitherSide) {
  Tensor tensor(ElementKind::F32, {3}, /*guarded=*/true);
  tensor.set(0, 1);
  tensor.set(2, 3);
  EXPECT_TRUE(tensor.guardsIntact());
  EXPECT_TRUE(std::isnan(tensor.get(-1)));
  EXPECT_TRUE(std::isnan(tensor.get(3)));
  tensor.getData()[-1] = 0;
  EXPECT_FALSE(tensor.guardsIntact());
  tensor.getData()[-1] = char(0xff);
  EXPECT_TRUE(tensor.guardsIntact());
  tensor.getData()[12] = 0;
  EXPECT_FALSE(tensor.guardsIntact());
}

TEST(TensorTest, GuardsOfIntegers) {
  for (ElementKind kind : {ElementKind::I8, ElementKind::I32}) {
    Tensor tensor(kind, {3}, /*guarded=*/true);
    EXPECT_EQ(tensor.get(3), kind == ElementKind::I8 ? -128 : -2139062144.0);
    tensor.set(2, -1);
    EXPECT_TRUE(tensor.guardsIntact());
    tensor.set(3, -1);
    EXPECT_FALSE(tensor.guardsIntact());
    tensor.poison();
    EXPECT_EQ(tensor.get(0), tensor.get(-1));
  }
}

TEST(TensorTest, CoordinatesAndNames) {
  Tensor tensor(ElementKind::BF16, {2, 3, 4});
  EXPECT_EQ(tensor.getTypeName(), "2x3x4xbf16");
  EXPECT_EQ(tensor.linearize({1, 2, 3}), 23);
  EXPECT_EQ(tensor.delinearize(17), (SmallVector<int64_t>{1, 1, 1}));
  EXPECT_EQ(Tensor(ElementKind::F64, {}).getNumElements(), 1);
  EXPECT_EQ(Tensor(ElementKind::F64, {2, 0}).getNumElements(), 0);
}

TEST(TensorInitTest, ReadsFills) {
  EXPECT_EQ(Fill::parse("int")->kind, Fill::Int);
  EXPECT_EQ(Fill::parse("const:-2.5")->value, -2.5);
  for (StringRef text : {"", "const", "const:", "const:x", "ints", "Int"})
    EXPECT_FALSE(Fill::parse(text)) << text.str();
  EXPECT_TRUE(Fill::parse("const:3")->isInteger());
  EXPECT_FALSE(Fill::parse("const:2.5")->isInteger());
  EXPECT_FALSE(Fill::parse("normal")->isInteger());
}

TEST(TensorInitTest, StreamsAreFixedAndDistinct) {
  // These numbers are the contract: the same on every machine.
  EXPECT_EQ(randomBits(0, 0, 0), randomBits(0, 0, 0));
  Tensor a(ElementKind::F32, {64}), b(ElementKind::F32, {64}),
      c(ElementKind::F32, {64});
  fillTensor(a, Fill{Fill::Int, 0}, 5, 0);
  fillTensor(b, Fill{Fill::Int, 0}, 5, 1);
  fillTensor(c, Fill{Fill::Int, 0}, 6, 0);
  int sameStream = 0, sameSeed = 0;
  for (int i = 0; i < 64; ++i) {
    sameStream += a.get(i) == b.get(i);
    sameSeed += a.get(i) == c.get(i);
  }
  EXPECT_LT(sameStream, 20);
  EXPECT_LT(sameSeed, 20);
}

TEST(TensorInitTest, FillsHaveTheirRanges) {
  constexpr int64_t n = 20000;
  Tensor tensor(ElementKind::F32, {n});
  fillTensor(tensor, Fill{Fill::Int, 0}, 1, 0);
  int64_t count[9] = {};
  for (int64_t i = 0; i < n; ++i) {
    double v = tensor.get(i);
    ASSERT_TRUE(v >= -4 && v <= 4 && v == std::nearbyint(v));
    ++count[int(v) + 4];
  }
  for (int64_t c : count)
    EXPECT_NEAR(c, n / 9, n / 50);

  fillTensor(tensor, Fill{Fill::Eighths, 0}, 1, 0);
  for (int64_t i = 0; i < n; ++i) {
    double v = tensor.get(i);
    ASSERT_TRUE(v >= -2 && v <= 2 && 8 * v == std::nearbyint(8 * v));
  }

  fillTensor(tensor, Fill{Fill::Normal, 0}, 1, 0);
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < n; ++i) {
    sum += tensor.get(i);
    squares += tensor.get(i) * tensor.get(i);
  }
  EXPECT_NEAR(sum / n, 0, 0.03);
  EXPECT_NEAR(squares / n, 1, 0.05);

  fillTensor(tensor, Fill{Fill::Const, 60}, 1, 0);
  EXPECT_EQ(tensor.get(n - 1), 60);
  // Bytes are factors: of both signs, with wider numbers for the fractions.
  Tensor bytes(ElementKind::I8, {n});
  for (auto [fill, limit, least] : {std::tuple(Fill::Int, 4, 4),
                                    {Fill::Eighths, 16, 16},
                                    {Fill::Normal, 127, 40}}) {
    fillTensor(bytes, Fill{fill, 0}, 1, 0);
    double low = 0, high = 0;
    for (int64_t i = 0; i < n; ++i) {
      low = std::min(low, bytes.get(i));
      high = std::max(high, bytes.get(i));
    }
    EXPECT_TRUE(low >= -limit && low <= -least) << low;
    EXPECT_TRUE(high <= limit && high >= least) << high;
  }
  fillTensor(bytes, Fill{Fill::Const, -300}, 1, 0);
  EXPECT_EQ(bytes.get(7), -128);
  // Exact in the float of 4 significant bits.
  Tensor f8(ElementKind::F8E4M3FN, {n});
  fillTensor(f8, Fill{Fill::Eighths, 0}, 1, 0);
  fillTensor(tensor, Fill{Fill::Eighths, 0}, 1, 0);
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(f8.get(i), tensor.get(i));
  // Other integer tensors are mostly indices.
  Tensor indices(ElementKind::I64, {n});
  fillTensor(indices, Fill{Fill::Int, 0}, 1, 0);
  for (int64_t i = 0; i < n; ++i)
    ASSERT_GE(indices.get(i), 0);
}

TEST(TensorInitTest, IdentityAndArange) {
  Tensor identity(ElementKind::F16, {2, 3, 3});
  fillIdentity(identity);
  for (int64_t i = 0; i < 18; ++i)
    EXPECT_EQ(identity.get(i), i % 9 == 0 || i % 9 == 4 || i % 9 == 8);
  Tensor arange(ElementKind::F32, {46, 46});
  fillArange(arange);
  EXPECT_EQ(arange.get(2115), 2115);
}

TEST(TensorInitTest, PoisonsRowsAndColumnsThatNoWindowReads) {
  Tensor input(ElementKind::F32, {1, 1, 8, 6});
  Conv2DAttrs attrs;
  attrs.strides = {2, 3};
  poisonUnread(input, attrs, 1, 1);
  for (int64_t h = 0; h < 8; ++h)
    for (int64_t w = 0; w < 6; ++w)
      EXPECT_EQ(std::isnan(input.get(h * 6 + w)), h % 2 != 0 || w % 3 != 0);
  // Dilation jumps over rows; the pad moves the first window up.
  Tensor dilated(ElementKind::F32, {1, 1, 5, 1});
  attrs = Conv2DAttrs();
  attrs.dilations = {2, 1};
  attrs.strides = {4, 1};
  attrs.pads = {1, 0, 0, 0};
  poisonUnread(dilated, attrs, 2, 1); // taps -1, 1 and 3, 5 (no window there)
  for (int64_t h = 0; h < 5; ++h)
    EXPECT_EQ(std::isnan(dilated.get(h)), h != 1) << h;
}

} // namespace
