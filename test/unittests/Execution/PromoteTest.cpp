//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's twin in double: what it computes, and what it refuses.
//
//===----------------------------------------------------------------------===//

#include "Parse.h"
#include "top/Execution/Session.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;

namespace {

FailureOr<std::vector<Tensor>> runAs(ParsedModule &module,
                                     CPUCompileOptions::Arithmetic arithmetic,
                                     ArrayRef<const Tensor *> args) {
  CPUCompileOptions options;
  options.lowering = CPUCompileOptions::Upstream;
  options.arithmetic = arithmetic;
  auto compiled = compileForCPU(module.get(), "f", options);
  if (failed(compiled))
    return failure();
  return compiled->run(args, {});
}

TEST(PromoteTest, KeepsTheNumbersAndLosesTheRoundings) {
  // 0.1 cut to f32, plus x: f32 rounds the sum, f64 does not.
  ParsedModule module(R"(
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %tenth = arith.constant 0.1 : f64
      %c = arith.constant dense<[0.1, 3.0]> : tensor<2xf32>
      %e = tensor.empty() : tensor<2xf32>
      %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
      ^bb0(%in: f32, %out: f32):
        %t = arith.truncf %tenth : f64 to f32
        %s = arith.addf %in, %t : f32
        linalg.yield %s : f32
      } -> tensor<2xf32>
      return %y, %c : tensor<2xf32>, tensor<2xf32>
    })");
  Tensor x = makeTensor(ElementKind::F32, {2}, {1, 1 << 24});
  auto written = runAs(module, CPUCompileOptions::AsWritten, {&x});
  ASSERT_TRUE(succeeded(written)) << module.errors;
  EXPECT_EQ((*written)[0].get(1), 1 << 24);
  Tensor wide = widen(x);
  EXPECT_EQ(wide.getKind(), ElementKind::F64);
  auto exact = runAs(module, CPUCompileOptions::Double, {&wide});
  ASSERT_TRUE(succeeded(exact)) << module.errors;
  EXPECT_EQ((*exact)[0].getKind(), ElementKind::F64);
  EXPECT_EQ((*exact)[0].get(1), (1 << 24) + double(0.1f));
  EXPECT_EQ((*exact)[1].get(0), double(0.1f));
}

TEST(PromoteTest, SixteenBitTensorsAreRoundedButTheirSumsAreNot) {
  // 302.34375 is 302 in bf16; a sum in bf16 rounds each of 300 additions.
  ParsedModule module(R"(
    func.func @f(%a: tensor<1x300xbf16>, %b: tensor<300x1xbf16>) -> tensor<1x1xbf16> {
      %zero = arith.constant 0.0 : bf16
      %e = tensor.empty() : tensor<1x1xbf16>
      %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x1xbf16>) -> tensor<1x1xbf16>
      %c = linalg.matmul ins(%a, %b : tensor<1x300xbf16>, tensor<300x1xbf16>) outs(%i : tensor<1x1xbf16>) -> tensor<1x1xbf16>
      return %c : tensor<1x1xbf16>
    })");
  Tensor a(ElementKind::BF16, {1, 300}), b(ElementKind::BF16, {300, 1});
  fillTensor(a, Fill{Fill::Ones, 0}, 0, 0);
  fillTensor(b, Fill{Fill::Const, 1.0078125}, 0, 1);
  auto written = runAs(module, CPUCompileOptions::AsWritten, {&a, &b});
  ASSERT_TRUE(succeeded(written)) << module.errors;
  EXPECT_GE(std::fabs((*written)[0].get(0) - 302.34375), 8);
  Tensor wideA = widen(a), wideB = widen(b);
  auto exact = runAs(module, CPUCompileOptions::Double, {&wideA, &wideB});
  ASSERT_TRUE(succeeded(exact)) << module.errors;
  EXPECT_EQ((*exact)[0].get(0), 302.34375);
  auto rounded =
      runAs(module, CPUCompileOptions::RoundedDouble, {&wideA, &wideB});
  ASSERT_TRUE(succeeded(rounded)) << module.errors;
  EXPECT_EQ((*rounded)[0].get(0), 302);
}

/// The reason why a function is compared with one tolerance only.
std::string whyNotInDouble(StringRef text, ArrayRef<const Tensor *> args) {
  ParsedModule module(text);
  auto reference =
      PreparedReference::create(module.get(), "f", args, VerifyOptions());
  EXPECT_TRUE(succeeded(reference)) << module.errors;
  EXPECT_EQ(module.errors, "");
  return succeeded(reference) ? reference->whyNotInDouble().str() : "";
}

TEST(PromoteTest, BitsOfFloatsHaveNoTwin) {
  Tensor x = makeTensor(ElementKind::F32, {2}, {1, 2});
  EXPECT_NE(whyNotInDouble(R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<2xi32> {
      %y = arith.bitcast %x : tensor<2xf32> to tensor<2xi32>
      return %y : tensor<2xi32>
    })",
                           {&x})
                .find("arith.bitcast"),
            std::string::npos);
  Tensor wide = widen(x);
  EXPECT_EQ(whyNotInDouble(R"(
    func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
      %y = arith.addf %x, %x : tensor<2xf64>
      return %y : tensor<2xf64>
    })",
                           {&wide}),
            "all its floats are f64");
}

} // namespace
