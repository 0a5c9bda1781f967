//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference on examples worked out by hand, and its bounds.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Reference.h"
#include "Parse.h"
#include "top/Execution/TensorInit.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::top;

namespace {

const double kU = std::ldexp(1.0, -24);

/// All elements of result 0.
std::vector<ReferenceElement> evaluate(func::FuncOp func,
                                       ArrayRef<const Tensor *> args,
                                       bool lazily = false) {
  FailureOr<ReferenceFunction> reference =
      ReferenceFunction::create(func, args);
  EXPECT_TRUE(succeeded(reference));
  if (!lazily)
    reference->evaluateAll();
  int64_t total = 1;
  for (int64_t extent : reference->getResultShape(0))
    total *= extent;
  std::vector<ReferenceElement> elements;
  for (int64_t i = 0; i < total; ++i)
    elements.push_back(reference->evaluate(0, i));
  return elements;
}

TEST(ReferenceTest, ConvolutionByHand) {
  // 3x3 input 1..9, 2x2 filter [1 2; 3 4], stride 2, pads top 1 left 1:
  // windows at rows {-1, 0} and {1, 2}, columns likewise.
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x1x3x3xf32>, %w: tensor<1x1x2x2xf32>, %b: tensor<1xf32>) -> tensor<1x1x2x2xf32> {
      %y = top.Conv2D %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>) -> tensor<1x1x2x2xf32>
      return %y : tensor<1x1x2x2xf32>
    })");
  Tensor x =
      makeTensor(ElementKind::F32, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  Tensor w = makeTensor(ElementKind::F32, {1, 1, 2, 2}, {1, 2, 3, 4});
  Tensor b = makeTensor(ElementKind::F32, {1}, {100});
  const double expected[] = {4 * 1, 3 * 2 + 4 * 3, 2 * 4 + 4 * 7,
                             1 * 5 + 2 * 6 + 3 * 8 + 4 * 9};
  for (bool lazily : {false, true}) {
    auto elements = evaluate(module.function("f"), {&x, &w, &b}, lazily);
    ASSERT_EQ(elements.size(), 4u);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(elements[i].value, 100 + expected[i]);
      // K = 4 terms, whether or not they are padding; all are positive here.
      EXPECT_EQ(elements[i].bound, 4 * kU * expected[i]);
    }
  }
}

TEST(ReferenceTest, GroupsDilationAndOrderOfPads) {
  // Two groups of one channel; the second filter of each group negates.
  // Kernel 1x2 with dilation 3 along W, pads left 1, right 2, W = 3: OW = 3,
  // taps at w - 1 and w + 2.
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x2x1x3xf64>, %w: tensor<4x1x1x2xf64>) -> tensor<1x4x1x3xf64> {
      %y = top.Conv2D %x, %w {group = 2 : i64, dilations = array<i64: 1, 3>, pads = array<i64: 0, 1, 0, 2>} : (tensor<1x2x1x3xf64>, tensor<4x1x1x2xf64>) -> tensor<1x4x1x3xf64>
      return %y : tensor<1x4x1x3xf64>
    })");
  Tensor x = makeTensor(ElementKind::F64, {1, 2, 1, 3}, {1, 2, 3, 10, 20, 30});
  Tensor w = makeTensor(ElementKind::F64, {4, 1, 1, 2},
                        {1, 100, -1, -100, 1, 100, -1, -100});
  auto elements = evaluate(module.function("f"), {&x, &w});
  const double first[] = {300, 1, 2};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(elements[i].value, first[i]);
    EXPECT_EQ(elements[3 + i].value, -first[i]);
    EXPECT_EQ(elements[6 + i].value, 10 * first[i]);
    EXPECT_EQ(elements[9 + i].value, -10 * first[i]);
    // f64 on integers is exact.
    EXPECT_EQ(elements[i].bound, 0);
  }
}

TEST(ReferenceTest, ProductsWithTransposesAndSharedSide) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<2x3x2xf32>, %b: tensor<1x3xf32>) -> tensor<2x2x1xf32> {
      %c = top.MatMul %a, %b {transpose_a = true, transpose_b = true} : (tensor<2x3x2xf32>, tensor<1x3xf32>) -> tensor<2x2x1xf32>
      return %c : tensor<2x2x1xf32>
    }
    func.func @nothing(%a: tensor<2x0xf32>, %b: tensor<0x2xf32>, %bias: tensor<2xf32>) -> tensor<2x2xf32> {
      %c = top.MatMul %a, %b, %bias : (tensor<2x0xf32>, tensor<0x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
      return %c : tensor<2x2xf32>
    })");
  Tensor a = makeTensor(ElementKind::F32, {2, 3, 2},
                        {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6});
  Tensor b = makeTensor(ElementKind::F32, {1, 3}, {1, 10, 100});
  auto elements = evaluate(module.function("f"), {&a, &b});
  const double expected[] = {531, 642, -531, -642};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(elements[i].value, expected[i]);

  Tensor e1(ElementKind::F32, {2, 0}), e2(ElementKind::F32, {0, 2});
  Tensor bias = makeTensor(ElementKind::F32, {2}, {5, 6});
  elements = evaluate(module.function("nothing"), {&e1, &e2, &bias});
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(elements[i].value, 5 + i % 2);
    EXPECT_EQ(elements[i].bound, 0);
  }
}

TEST(ReferenceTest, StepsInOrder) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<4x1xf32>, %b: tensor<1x1xf32>, %s: tensor<1xf32>, %t: tensor<1xf32>, %r: tensor<4x1xf32>) -> tensor<4x1xf32> {
      %c = top.MatMul %a, %b epilogue(%s, %t, %r) {epilogue = [#top.step<affine>, #top.step<relu>, #top.step<add>, #top.step<clamp, min = -1.0, max = 6.0>]} : (tensor<4x1xf32>, tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
      return %c : tensor<4x1xf32>
    }
    func.func @gate(%a: tensor<3x1xf64>, %b: tensor<1x1xf64>, %g: tensor<1x1xf64>) -> tensor<3x1xf64> {
      %c = top.MatMul %a, %b epilogue(%g) {epilogue = [#top.step<hardswish>, #top.step<mul>]} : (tensor<3x1xf64>, tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<3x1xf64>
      return %c : tensor<3x1xf64>
    }
    func.func @smooth(%a: tensor<3x1xf64>, %b: tensor<1x1xf64>) -> (tensor<3x1xf64>, tensor<3x1xf64>, tensor<3x1xf64>) {
      %c = top.MatMul %a, %b {epilogue = [#top.step<silu>]} : (tensor<3x1xf64>, tensor<1x1xf64>) -> tensor<3x1xf64>
      %d = top.MatMul %a, %b {epilogue = [#top.step<gelu>]} : (tensor<3x1xf64>, tensor<1x1xf64>) -> tensor<3x1xf64>
      %e = top.MatMul %a, %b {epilogue = [#top.step<sigmoid>]} : (tensor<3x1xf64>, tensor<1x1xf64>) -> tensor<3x1xf64>
      return %c, %d, %e : tensor<3x1xf64>, tensor<3x1xf64>, tensor<3x1xf64>
    })");
  Tensor a = makeTensor(ElementKind::F32, {4, 1}, {-5, 1, 4, std::nan("")});
  Tensor b = makeTensor(ElementKind::F32, {1, 1}, {1});
  Tensor s = makeTensor(ElementKind::F32, {1}, {2});
  Tensor t = makeTensor(ElementKind::F32, {1}, {1});
  Tensor r = makeTensor(ElementKind::F32, {4, 1}, {-3, 0.5, 1, 1});
  auto elements = evaluate(module.function("f"), {&a, &b, &s, &t, &r});
  EXPECT_EQ(elements[0].value, -1);  // relu(-9) - 3, clamped
  EXPECT_EQ(elements[1].value, 3.5); // 2 + 1 + 0.5
  EXPECT_EQ(elements[2].value, 6);   // 9 + 1, clamped
  EXPECT_TRUE(std::isnan(elements[3].value));

  Tensor x = makeTensor(ElementKind::F64, {3, 1}, {-4, 1, 5});
  Tensor one = makeTensor(ElementKind::F64, {1, 1}, {1});
  Tensor gate = makeTensor(ElementKind::F64, {1, 1}, {3});
  elements = evaluate(module.function("gate"), {&x, &one, &gate});
  EXPECT_EQ(elements[0].value, 0);
  EXPECT_DOUBLE_EQ(elements[1].value, 2); // 1 * 4/6 * 3
  EXPECT_EQ(elements[2].value, 15);

  Tensor ones = makeTensor(ElementKind::F64, {3, 1}, {0, 1, -2});
  FailureOr<ReferenceFunction> smooth =
      ReferenceFunction::create(module.function("smooth"), {&ones, &one});
  ASSERT_TRUE(succeeded(smooth));
  EXPECT_EQ(smooth->evaluate(0, 0).value, 0);
  EXPECT_NEAR(smooth->evaluate(0, 1).value, 0.7310585786300049, 1e-15);
  EXPECT_NEAR(smooth->evaluate(1, 1).value, 0.8413447460685429, 1e-15);
  EXPECT_NEAR(smooth->evaluate(1, 2).value, -0.04550026389635842, 1e-15);
  EXPECT_EQ(smooth->evaluate(2, 0).value, 0.5);
  EXPECT_NEAR(smooth->evaluate(2, 2).value, 0.11920292202211755, 1e-15);
}

TEST(ReferenceTest, BoundsAlongAChain) {
  // y = [x0 + x1] in f16, z = 4*y. The first sum is 2049, halfway between two
  // f16 numbers: what the second product reads is uncertain by its own bound
  // and the rounding.
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x2xf16>, %v: tensor<2x1xf16>, %w: tensor<1x1xf16>) -> tensor<1x1xf32> {
      %y = top.MatMul %x, %v : (tensor<1x2xf16>, tensor<2x1xf16>) -> tensor<1x1xf16>
      %z = top.MatMul %y, %w : (tensor<1x1xf16>, tensor<1x1xf16>) -> tensor<1x1xf32>
      return %z : tensor<1x1xf32>
    })");
  Tensor x = makeTensor(ElementKind::F16, {1, 2}, {2048, 1});
  Tensor v = makeTensor(ElementKind::F16, {2, 1}, {1, 1});
  Tensor w = makeTensor(ElementKind::F16, {1, 1}, {4});
  ReferenceElement e = evaluate(module.function("f"), {&x, &v, &w})[0];
  EXPECT_EQ(e.value, 4 * 2049);
  // Both neighbours, 2048 and 2050, are possible: 1 each way, times 4.
  EXPECT_EQ(e.bound, 4 + kU * 4 * 2049);

  // Far from a tie the intermediate value is known exactly.
  x.set(1, 2);
  e = evaluate(module.function("f"), {&x, &v, &w})[0];
  EXPECT_EQ(e.value, 4 * 2050);
  EXPECT_EQ(e.bound, kU * 4 * 2050);

  // Overflow in between is infinity from there on.
  x.set(0, 65504);
  x.set(1, 65504);
  e = evaluate(module.function("f"), {&x, &v, &w})[0];
  EXPECT_TRUE(std::isinf(e.value));
}

TEST(ReferenceTest, NonFiniteTaps) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x1x1x2xf32>, %w: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
      %y = top.Conv2D %x, %w {pads = array<i64: 0, 1, 0, 0>} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
      return %y : tensor<1x1x1x2xf32>
    })");
  Tensor x = makeTensor(ElementKind::F32, {1, 1, 1, 2}, {1, 2});
  const double inf = std::numeric_limits<double>::infinity();
  Tensor w = makeTensor(ElementKind::F32, {1, 1, 1, 2}, {inf, 3});
  auto elements = evaluate(module.function("f"), {&x, &w});
  EXPECT_EQ(elements[0].value, 3); // the infinite weight meets the pad
  EXPECT_TRUE(elements[0].orNaN);
  EXPECT_EQ(elements[1].value, inf);
  EXPECT_FALSE(elements[1].orNaN);
}

TEST(ReferenceTest, SumsInF64BeyondDouble) {
  // 1e16 + 1 - 1e16 is 1 only with what double loses.
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x3xf64>, %v: tensor<3x1xf64>) -> tensor<1x1xf64> {
      %y = top.MatMul %x, %v : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<1x1xf64>
      return %y : tensor<1x1xf64>
    })");
  Tensor x = makeTensor(ElementKind::F64, {1, 3}, {1e16, 1, -1e16});
  Tensor v = makeTensor(ElementKind::F64, {3, 1}, {1, 1, 1});
  ReferenceElement e = evaluate(module.function("f"), {&x, &v})[0];
  EXPECT_EQ(e.value, 1);
  // And the reference's own rounding of 1.
  EXPECT_EQ(e.bound, std::ldexp(1.0, -53) * (3 * (2e16 + 1) + 1));
}

TEST(ReferenceTest, BoundsOfF64HoldWhatDoubleRounds) {
  // The bias comes last, and is often larger than the sum.
  ParsedModule module(R"(
    func.func @f(%x: tensor<64x3xf64>, %v: tensor<3x64xf64>, %b: tensor<64xf64>) -> tensor<64x64xf64> {
      %y = top.MatMul %x, %v, %b : (tensor<64x3xf64>, tensor<3x64xf64>, tensor<64xf64>) -> tensor<64x64xf64>
      return %y : tensor<64x64xf64>
    })");
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto makeRandom = [&](int64_t count, double scale) {
    std::vector<double> values(count);
    for (double &value : values)
      value = scale * uniform(random);
    return values;
  };
  std::vector<double> left = makeRandom(192, 1), right = makeRandom(192, 1),
                      bias = makeRandom(64, 4);
  Tensor x = makeTensor(ElementKind::F64, {64, 3}, left);
  Tensor v = makeTensor(ElementKind::F64, {3, 64}, right);
  Tensor b = makeTensor(ElementKind::F64, {64}, bias);
  auto elements = evaluate(module.function("f"), {&x, &v, &b});
  for (int64_t m = 0; m < 64; ++m)
    for (int64_t n = 0; n < 64; ++n) {
      const ReferenceElement &e = elements[m * 64 + n];
      double sum = 0, fused = 0;
      for (int64_t k = 0; k < 3; ++k) {
        sum += left[m * 3 + k] * right[k * 64 + n];
        fused = std::fma(left[m * 3 + k], right[k * 64 + n], fused);
      }
      for (double got : {sum + bias[n], fused + bias[n]})
        EXPECT_LE(std::fabs(got - e.value), e.bound);
      EXPECT_LE(e.bound, 16 * std::ldexp(1.0, -53) * 7);
    }
}

TEST(ReferenceTest, BytesByHand) {
  // [100 -128; 127 1] * [3 -128; -2 127]^T, and steps in order.
  ParsedModule module(R"(
    func.func @product(%a: tensor<2x2xi8>, %b: tensor<2x2xi8>) -> tensor<2x2xi32> {
      %y = top.MatMul %a, %b {transpose_b = true} : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
      return %y : tensor<2x2xi32>
    }
    func.func @steps(%a: tensor<2x2xi8>, %b: tensor<2x2xi8>, %c: tensor<2xi32>, %s: tensor<2xi32>, %t: tensor<2xi32>, %r: tensor<2x1xi32>) -> tensor<2x2xi32> {
      %y = top.MatMul %a, %b, %c epilogue(%s, %t, %r) {transpose_b = true, epilogue = [#top.step<affine>, #top.step<clamp, min = -2147483648.0, max = 20000.0>, #top.step<add>]} : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
      return %y : tensor<2x2xi32>
    })");
  Tensor a = makeTensor(ElementKind::I8, {2, 2}, {100, -128, 127, 1});
  Tensor b = makeTensor(ElementKind::I8, {2, 2}, {3, -128, -2, 127});
  const double products[] = {300 + 16384, -200 - 16256, 381 - 128, -254 + 127};
  // Wraps in the bias, in the scale and in the last sum.
  Tensor bias = makeTensor(ElementKind::I32, {2}, {2147483647, 6});
  Tensor scale = makeTensor(ElementKind::I32, {2}, {1, 1 << 30});
  Tensor shift = makeTensor(ElementKind::I32, {2}, {0, 5});
  Tensor add = makeTensor(ElementKind::I32, {2, 1}, {-2147483648.0, 1});
  const double steps[] = {
      // 2147483647 + 16684 = -2147466965; - 2147483648 = 16683
      16683,
      // (-16456 + 6) * 2^30: -16450 is 2 modulo 4; + 5 - 2147483648
      5,
      // 2147483647 + 253 = -2147483396; + 1
      -2147483395,
      // (-127 + 6) * 2^30: -121 is 3 modulo 4; 3 * 2^30 is -2^30
      -1073741824 + 5 + 1};
  for (bool lazily : {false, true}) {
    auto elements = evaluate(module.function("product"), {&a, &b}, lazily);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(elements[i].value, products[i]) << i;
      EXPECT_EQ(elements[i].bound, 0);
    }
    elements = evaluate(module.function("steps"),
                        {&a, &b, &bias, &scale, &shift, &add}, lazily);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(elements[i].value, steps[i]) << i;
  }
}

TEST(ReferenceTest, ShortFloatsAreSummedInF32) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<1x3xf8E4M3FN>, %b: tensor<3x1xf8E4M3FN>) -> tensor<1x1xf16> {
      %y = top.MatMul %a, %b : (tensor<1x3xf8E4M3FN>, tensor<3x1xf8E4M3FN>) -> tensor<1x1xf16>
      return %y : tensor<1x1xf16>
    })");
  // 300 is none of the type, but 288 and 320 are: ties go to even.
  Tensor a = makeTensor(ElementKind::F8E4M3FN, {1, 3}, {300, 0.001953125, -7});
  Tensor b = makeTensor(ElementKind::F8E4M3FN, {3, 1}, {448, 1, 0.5});
  ReferenceElement e = evaluate(module.function("f"), {&a, &b})[0];
  EXPECT_EQ(e.value, 288.0 * 448 + 0.001953125 - 3.5);
  EXPECT_EQ(e.bound, 3 * kU * (288.0 * 448 + 0.001953125 + 3.5));
}

TEST(ReferenceTest, TF32) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<1x3xf32>, %b: tensor<3x1xf32>) -> tensor<1x1xf32> {
      %c = top.MatMul %a, %b {allow_tf32} : (tensor<1x3xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
      return %c : tensor<1x1xf32>
    })");
  // 10 bits of mantissa are kept, the 11th may be lost: an ulp of 5 is 2^-8.
  const double more = 5 + std::ldexp(1.0, -9);
  Tensor a = makeTensor(ElementKind::F32, {1, 3}, {1, more, -2});
  Tensor b = makeTensor(ElementKind::F32, {3, 1}, {2047, 3, 4});
  ReferenceElement e = evaluate(module.function("f"), {&a, &b})[0];
  EXPECT_EQ(e.value, 2047 + 3 * more - 8);
  EXPECT_EQ(e.bound, 3 * std::ldexp(1.0, -24) * (2047 + 3 * more + 8) +
                         3 * std::ldexp(1.0, -8));
  // What tf32 can hold is not rounded.
  a.set(1, 5);
  e = evaluate(module.function("f"), {&a, &b})[0];
  EXPECT_EQ(e.bound, 3 * std::ldexp(1.0, -24) * (2047 + 15 + 8));
}

/// A sample has the values of all, whether the op reads arguments alone, and
/// so by several threads, or another op.
TEST(ReferenceTest, ManyAtOnce) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<40x30xf16>, %b: tensor<30x50xf16>, %bias: tensor<50xf16>, %w: tensor<50x20xf16>) -> (tensor<40x50xf16>, tensor<40x20xf16>) {
      %c = top.MatMul %a, %b, %bias {epilogue = [#top.step<relu>]} : (tensor<40x30xf16>, tensor<30x50xf16>, tensor<50xf16>) -> tensor<40x50xf16>
      %d = top.MatMul %c, %w : (tensor<40x50xf16>, tensor<50x20xf16>) -> tensor<40x20xf16>
      return %c, %d : tensor<40x50xf16>, tensor<40x20xf16>
    })");
  std::vector<Tensor> tensors;
  const SmallVector<int64_t> shapes[] = {{40, 30}, {30, 50}, {50}, {50, 20}};
  for (const auto &shape : shapes) {
    tensors.emplace_back(ElementKind::F16, shape);
    fillTensor(tensors.back(), Fill{Fill::Normal, 0}, 1, tensors.size());
  }
  auto make = [&] {
    return ReferenceFunction::create(
        module.function("f"),
        {&tensors[0], &tensors[1], &tensors[2], &tensors[3]});
  };
  FailureOr<ReferenceFunction> all = make(), sampled = make();
  ASSERT_TRUE(succeeded(all) && succeeded(sampled));
  all->evaluateAll();
  for (unsigned result : {0u, 1u}) {
    SmallVector<int64_t> indices;
    for (int64_t i = 0; i < 40 * 20; i += 7)
      indices.push_back(i);
    sampled->evaluateMany(result, indices);
    for (int64_t i : indices) {
      EXPECT_EQ(sampled->evaluate(result, i).value,
                all->evaluate(result, i).value);
      EXPECT_EQ(sampled->evaluate(result, i).bound,
                all->evaluate(result, i).bound);
    }
  }
}

TEST(ReferenceTest, PlainOrNot) {
  ParsedModule module(R"(
    func.func @plain(%x: tensor<1x3xf64>) -> tensor<1x1xf64> {
      %v = arith.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf64>
      %y = top.MatMul %x, %v : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<1x1xf64>
      return %y : tensor<1x1xf64>
    }
    func.func @linalg(%x: tensor<1x3xf64>) -> tensor<1x3xf64> {
      %y = tensor.cast %x : tensor<1x3xf64> to tensor<1x3xf64>
      return %y : tensor<1x3xf64>
    }
    func.func @scalar(%x: f32) { return }
    func.func private @external(%x: tensor<1x3xf64>)
  )");
  EXPECT_FALSE(whyNotPlain(module.function("plain")));
  EXPECT_EQ(*whyNotPlain(module.function("linalg")),
            "it contains 'tensor.cast'");
  EXPECT_EQ(*whyNotPlain(module.function("scalar")),
            "it has an argument that is no tensor of floats, i8 or i32");
  EXPECT_EQ(*whyNotPlain(module.function("external")), "it has no body");
  Tensor x = makeTensor(ElementKind::F64, {1, 3}, {1, 10, 100});
  EXPECT_EQ(evaluate(module.function("plain"), {&x})[0].value, 321);
}

TEST(ReferenceTest, ShapesOfDynamicFunctions) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<?x3x?x?xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32> {
      %y = top.Conv2D %x, %w {strides = array<i64: 2, 1>} : (tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x?x?xf32>
      return %y : tensor<?x4x?x?xf32>
    }
    func.func @g(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %r: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %y = top.MatMul %a, %b epilogue(%r) {epilogue = [#top.step<add>]} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    })");
  using Shape = SmallVector<int64_t>;
  auto shapes =
      inferShapes(module.function("f"), {Shape{2, 3, 9, 7}, Shape{4, 3, 3, 3}});
  ASSERT_TRUE(succeeded(shapes));
  EXPECT_EQ((*shapes)[0], (Shape{2, 4, 4, 5}));
  EXPECT_TRUE(failed(inferShapes(module.function("f"),
                                 {Shape{2, 3, 2, 7}, Shape{4, 3, 3, 3}})));
  EXPECT_NE(module.errors.find("expected an output height of at least 1, got "
                               "0: input 2"),
            std::string::npos)
      << module.errors;
  module.errors.clear();
  EXPECT_TRUE(failed(inferShapes(module.function("g"),
                                 {Shape{2, 3}, Shape{4, 5}, Shape{2, 5}})));
  EXPECT_NE(module.errors.find("got 3 and 4"), std::string::npos)
      << module.errors;
  module.errors.clear();
  EXPECT_TRUE(failed(inferShapes(module.function("g"),
                                 {Shape{2, 3}, Shape{3, 5}, Shape{2, 4}})));
  EXPECT_NE(module.errors.find("expected epilogue operand #0 to fit the "
                               "result"),
            std::string::npos)
      << module.errors;
  EXPECT_TRUE(succeeded(inferShapes(module.function("g"),
                                    {Shape{2, 3}, Shape{3, 5}, Shape{1, 5}})));
}

} // namespace
