//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What random values a constant gets, by what reads it.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/ConstantPlan.h"
#include "Parse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;

namespace {

/// The plan's entry for the constant at `position`, null for none.
const RandomValues *findAt(const ConstantPlan &plan, func::FuncOp func,
                           int position) {
  const RandomValues *found = nullptr;
  func.walk([&](arith::ConstantOp op) {
    if (auto attr = dyn_cast<ElementsAttr>(op.getValue()))
      if (position-- == 0)
        found = plan.find(attr);
  });
  return found;
}

TEST(ConstantPlanTest, WeightsHaveTheScaleOfTheirSums) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x8x8x3xf32>, %a: tensor<2x6xf32>) -> (tensor<1x6x6x4xf32>, tensor<2x5xf32>) {
      %hwcf = arith.constant dense<0.25> : tensor<3x3x3x4xf32>
      %nk = arith.constant dense<0.5> : tensor<5x6xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x6x6x4xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
      %y = linalg.conv_2d_nhwc_hwcf ins(%x, %hwcf : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%i : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
      %t = tensor.empty() : tensor<6x5xf32>
      %kn = linalg.transpose ins(%nk : tensor<5x6xf32>) outs(%t : tensor<6x5xf32>) permutation = [1, 0]
      %init = arith.constant dense<0.0> : tensor<2x5xf32>
      %z = linalg.matmul ins(%a, %kn : tensor<2x6xf32>, tensor<6x5xf32>) outs(%init : tensor<2x5xf32>) -> tensor<2x5xf32>
      return %y, %z : tensor<1x6x6x4xf32>, tensor<2x5xf32>
    })");
  func::FuncOp func = module.function("f");
  ConstantPlan plan = ConstantPlan::create(func);
  EXPECT_EQ(plan.size(), 2u);
  const RandomValues *filter = findAt(plan, func, 0);
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->kind, RandomValues::Weight);
  EXPECT_DOUBLE_EQ(filter->scale, std::sqrt(2.0 / 27));
  const RandomValues *transposed = findAt(plan, func, 1);
  ASSERT_TRUE(transposed);
  EXPECT_DOUBLE_EQ(transposed->scale, std::sqrt(2.0 / 6));
  EXPECT_FALSE(findAt(plan, func, 2)) << "what is added to stays zero";
}

/// One elementwise op over %x and %c of type `type`.
std::string elementwise(StringRef constant, StringRef type, StringRef map,
                        StringRef body) {
  return ("func.func @f(%x: tensor<2x4xf32>) -> tensor<2x4xf32> { %c = "
          "arith.constant " +
          constant + " : " + type +
          " %e = tensor.empty() : tensor<2x4xf32> %y = linalg.generic "
          "{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) "
          "-> " +
          map +
          ">, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", "
          "\"parallel\"]} ins(%x, %c : tensor<2x4xf32>, " +
          type +
          ") outs(%e : tensor<2x4xf32>) { ^bb0(%l: f32, %r: f32, %o: "
          "f32): " +
          body +
          " linalg.yield %v : f32 } -> tensor<2x4xf32> return %y : "
          "tensor<2x4xf32> }")
      .str();
}

TEST(ConstantPlanTest, NumbersOfTheProgramStay) {
  auto kindOf = [](const std::string &text) -> std::optional<int> {
    ParsedModule module(text);
    func::FuncOp func = module.function("f");
    ConstantPlan plan = ConstantPlan::create(func);
    const RandomValues *found = findAt(plan, func, 0);
    return found ? std::optional<int>(found->kind) : std::nullopt;
  };
  const char *add = "%v = arith.addf %l, %r : f32";
  const char *mul = "%v = arith.mulf %l, %r : f32";
  const char *max = "%v = arith.maximumf %l, %r : f32";
  const char *select = "%c0 = arith.cmpf ugt, %l, %r : f32 %v = arith.select "
                       "%c0, %l, %r : f32";
  // Biases and scales.
  EXPECT_EQ(kindOf(elementwise("dense<0.0>", "tensor<4xf32>", "(j)", add)),
            int(RandomValues::Centered));
  EXPECT_EQ(kindOf(elementwise("dense<1.0>", "tensor<4xf32>", "(j)", mul)),
            int(RandomValues::Positive));
  EXPECT_EQ(kindOf(elementwise("dense<0.0>", "tensor<1x4xf32>", "(0, j)", add)),
            int(RandomValues::Centered));
  EXPECT_EQ(
      kindOf(elementwise("dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]>",
                         "tensor<2x4xf32>", "(i, j)", add)),
      int(RandomValues::Weight));
  // The 3 of x + 3, an epsilon, and bounds.
  EXPECT_EQ(kindOf(elementwise("dense<3.0>", "tensor<2x4xf32>", "(i, j)", add)),
            std::nullopt);
  EXPECT_EQ(kindOf(elementwise("dense<0.0>", "tensor<4xf32>", "(j)", max)),
            std::nullopt);
  EXPECT_EQ(kindOf(elementwise("dense<6.0>", "tensor<4xf32>", "(j)", select)),
            std::nullopt);
  EXPECT_EQ(
      kindOf(elementwise("dense<0x7F800000>", "tensor<4xf32>", "(j)", add)),
      std::nullopt);
}

TEST(ConstantPlanTest, TheLastLayerOfABranchIsSmall) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<2x4xf32>, %r: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %w = arith.constant dense<0.5> : tensor<4x4xf32>
      %b = arith.constant dense<0.5> : tensor<4xf32>
      %e = tensor.empty() : tensor<2x4xf32>
      %zero = arith.constant 0.0 : f32
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
      %y = linalg.matmul ins(%x, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%i : tensor<2x4xf32>) -> tensor<2x4xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%y, %b : tensor<2x4xf32>, tensor<4xf32>) outs(%y : tensor<2x4xf32>) {
      ^bb0(%l: f32, %c: f32, %o: f32):
        %0 = arith.addf %l, %c : f32
        linalg.yield %0 : f32
      } -> tensor<2x4xf32>
      %t = linalg.add ins(%s, %r : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
      return %t : tensor<2x4xf32>
    })");
  func::FuncOp func = module.function("f");
  ConstantPlan plan = ConstantPlan::create(func);
  const RandomValues *weight = findAt(plan, func, 0);
  ASSERT_TRUE(weight);
  EXPECT_DOUBLE_EQ(weight->scale, std::sqrt(2.0 / 4) / 4);
}

} // namespace
