//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hoisting and replacing constants.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Constants.h"
#include "Parse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;

namespace {

/// 1024 x 300 f32: 1.2 MB.
const char *const kLarge = R"(
  func.func @f(%x: tensor<2x1024xf32>) -> tensor<2x300xf32> {
    %w = arith.constant dense<0.5> : tensor<1024x300xf32>
    %b = arith.constant dense<3.0> : tensor<300xf32>
    %y = top.MatMul %x, %w, %b : (tensor<2x1024xf32>, tensor<1024x300xf32>, tensor<300xf32>) -> tensor<2x300xf32>
    return %y : tensor<2x300xf32>
  })";

TEST(ConstantsTest, LargeOnesBecomeArguments) {
  ParsedModule module(kLarge);
  func::FuncOp func = module.function("f");
  auto hoisted = hoistLargeConstants(func, ConstantOptions());
  ASSERT_TRUE(succeeded(hoisted));
  ASSERT_EQ(hoisted->size(), 1u);
  EXPECT_EQ((*hoisted)[0].getTypeName(), "1024x300xf32");
  EXPECT_EQ((*hoisted)[0].get(307199), 0.5);
  EXPECT_EQ(func.getNumArguments(), 2u);
  EXPECT_TRUE(succeeded(func.verify()));
  int left = 0;
  func.walk([&](arith::ConstantOp) { ++left; });
  EXPECT_EQ(left, 1);
}

TEST(ConstantsTest, RandomValuesFollowTheContents) {
  const char *text = R"(
    func.func @f(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %a = arith.constant dense<1.0> : tensor<4x4xf32>
      %b = arith.constant dense<2.0> : tensor<4xf32>
      %zero = arith.constant dense<0.0> : tensor<2x4xf32>
      %y = top.MatMul %x, %a, %b : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }
    func.func @g(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %b = arith.constant dense<2.0> : tensor<4xf32>
      %c = arith.constant dense<3.0> : tensor<4x4xf32>
      %a = arith.constant dense<1.0> : tensor<4x4xf32>
      %y = top.MatMul %x, %a, %b : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
      %z = top.MatMul %y, %c : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      return %z : tensor<2x4xf32>
    })";
  ParsedModule module(text);
  ConstantOptions options;
  options.randomize = true;
  auto f = hoistLargeConstants(module.function("f"), options);
  auto g = hoistLargeConstants(module.function("g"), options);
  ASSERT_TRUE(succeeded(f) && succeeded(g));
  // Zeros are left alone; the others are the same wherever they stand.
  ASSERT_EQ(f->size(), 2u);
  ASSERT_EQ(g->size(), 3u);
  int equalToOther = 0;
  for (int64_t i = 0; i < 16; ++i) {
    EXPECT_EQ((*f)[0].get(i), (*g)[2].get(i));
    equalToOther += (*g)[1].get(i) == (*g)[2].get(i);
  }
  EXPECT_LT(equalToOther, 4);
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*f)[1].get(i), (*g)[0].get(i));
    EXPECT_GE((*f)[1].get(i), 0.5);
    EXPECT_LT((*f)[1].get(i), 1.5);
  }
  // Another seed gives other values.
  ParsedModule again(text);
  options.seed = 1;
  auto other = hoistLargeConstants(again.function("f"), options);
  ASSERT_TRUE(succeeded(other));
  EXPECT_NE((*other)[0].get(0), (*f)[0].get(0));
}

TEST(ConstantsTest, MissingDataIsAnErrorUnlessReplaced) {
  const char *text = R"(
    func.func @f(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %a = arith.constant dense_resource<__elided__> : tensor<4x4xf32>
      %y = top.MatMul %x, %a : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    })";
  ParsedModule module(text);
  ConstantOptions options;
  EXPECT_TRUE(failed(hoistLargeConstants(module.function("f"), options)));
  EXPECT_EQ(module.errors,
            "constant of type 'tensor<4x4xf32>' has no data: resource "
            "'__elided__' is missing; use a file that holds its weights, or "
            "--randomize-constants\n");
  options.randomize = true;
  auto hoisted = hoistLargeConstants(module.function("f"), options);
  ASSERT_TRUE(succeeded(hoisted));
  EXPECT_EQ(hoisted->size(), 1u);
}

TEST(ConstantsTest, ReadsResourcesAndIntegers) {
  ParsedModule module(R"(
    func.func @f() -> (tensor<3xf16>, tensor<9xi1>, tensor<2xi64>) {
      %a = arith.constant dense_resource<blob> : tensor<3xf16>
      %b = arith.constant dense<[true, false, true, false, false, false, false, false, true]> : tensor<9xi1>
      %c = arith.constant dense<[-5, 7]> : tensor<2xi64>
      return %a, %b, %c : tensor<3xf16>, tensor<9xi1>, tensor<2xi64>
    }
    {-# dialect_resources: { builtin: { blob: "0x02000000003C00C0007C" } } #-})");
  SmallVector<Tensor> tensors;
  module.function("f").walk([&](arith::ConstantOp op) {
    auto tensor = readConstant([&] { return op.emitError(); },
                               cast<ElementsAttr>(op.getValue()));
    ASSERT_TRUE(succeeded(tensor)) << module.errors;
    tensors.push_back(std::move(*tensor));
  });
  ASSERT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors[0].get(0), 1);
  EXPECT_EQ(tensors[0].get(1), -2);
  EXPECT_TRUE(std::isinf(tensors[0].get(2)));
  EXPECT_EQ(tensors[1].get(0), 1);
  EXPECT_EQ(tensors[1].get(1), 0);
  EXPECT_EQ(tensors[1].get(8), 1);
  EXPECT_EQ(tensors[2].get(0), -5);
}

} // namespace
