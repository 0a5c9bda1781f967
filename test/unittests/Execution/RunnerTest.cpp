//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiling and calling in process.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Runner.h"
#include "Parse.h"
#include "top/Execution/Session.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;

namespace {

/// Runs result 0 of a function against its own reference.
void expectRight(ParsedModule &module, StringRef name, const Fill &fill,
                 const CPUCompileOptions &options) {
  func::FuncOp func = module.function(name);
  auto signature = getArgumentSignature(func);
  ASSERT_TRUE(succeeded(signature));
  std::vector<Tensor> arguments;
  std::vector<const Tensor *> inputs;
  for (auto [number, argument] : llvm::enumerate(*signature)) {
    arguments.emplace_back(argument.kind, argument.shape);
    fillTensor(arguments.back(), fill, /*seed=*/1, number);
  }
  for (const Tensor &argument : arguments)
    inputs.push_back(&argument);
  auto compiled = compileForCPU(module.get(), name, options);
  ASSERT_TRUE(succeeded(compiled)) << module.errors;
  auto results = compiled->run(inputs, RunOptions{/*guard=*/true});
  ASSERT_TRUE(succeeded(results)) << module.errors;
  auto reference =
      PreparedReference::create(module.get(), name, inputs, VerifyOptions());
  ASSERT_TRUE(succeeded(reference)) << module.errors;
  ASSERT_TRUE(reference->isEvaluated());
  auto verification = verify(func, *results, *reference, inputs);
  ASSERT_TRUE(succeeded(verification)) << module.errors;
  EXPECT_TRUE(verification->isRight())
      << formatFailure(name, *results, *verification);
  EXPECT_GT(verification->results[0].compared, 0);
}

std::string convolution(StringRef type) {
  std::string t = type.str();
  return "func.func @f(%x: tensor<2x4x7x9x" + t + ">, %w: tensor<6x2x3x3x" + t +
         ">, %b: tensor<6x" + t + ">) -> tensor<2x6x7x9x" + t +
         "> { %y = top.Conv2D %x, %w, %b {group = 2 : i64, pads = array<i64: "
         "1, 1, 1, 1>, epilogue = [#top.step<silu>]} : (tensor<2x4x7x9x" +
         t + ">, tensor<6x2x3x3x" + t + ">, tensor<6x" + t +
         ">) -> tensor<2x6x7x9x" + t + "> return %y : tensor<2x6x7x9x" + t +
         "> }";
}

TEST(RunnerTest, AllTypesOnThisProcessor) {
  for (StringRef type : {"f64", "f32", "f16", "bf16"}) {
    ParsedModule module(convolution(type));
    for (Fill::Kind kind : {Fill::Int, Fill::Normal, Fill::Eighths})
      expectRight(module, "f", Fill{kind, 0}, CPUCompileOptions());
  }
}

/// Every number of 8 bits in f32, f16 and f64.
void expectExtended(StringRef type, const llvm::fltSemantics &semantics,
                    const CPUCompileOptions &options) {
  std::string text = R"(
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<256xi8>) -> (tensor<256xf32>, tensor<256xf16>, tensor<256xf64>) {
      %e = tensor.empty() : tensor<256xf32>
      %g = tensor.empty() : tensor<256xf16>
      %h = tensor.empty() : tensor<256xf64>
      %y:3 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%x : tensor<256xi8>) outs(%e, %g, %h : tensor<256xf32>, tensor<256xf16>, tensor<256xf64>) {
      ^bb0(%i: i8, %o: f32, %p: f16, %q: f64):
        %n = arith.bitcast %i : i8 to TYPE
        %0 = arith.extf %n : TYPE to f32
        %1 = arith.extf %n : TYPE to f16
        %2 = arith.extf %n : TYPE to f64
        linalg.yield %0, %1, %2 : f32, f16, f64
      } -> (tensor<256xf32>, tensor<256xf16>, tensor<256xf64>)
      return %y#0, %y#1, %y#2 : tensor<256xf32>, tensor<256xf16>, tensor<256xf64>
    })";
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, type.str());
  ParsedModule module(text);
  auto compiled = compileForCPU(module.get(), "f", options);
  ASSERT_TRUE(succeeded(compiled)) << module.errors;
  Tensor x(ElementKind::I8, {256});
  for (int64_t i = 0; i < 256; ++i)
    x.getData()[i] = static_cast<char>(i);
  auto results = compiled->run({&x}, RunOptions{true});
  ASSERT_TRUE(succeeded(results)) << module.errors;
  for (const Tensor &result : *results)
    for (unsigned bits = 0; bits < 256; ++bits) {
      llvm::APFloat expected(semantics, llvm::APInt(8, bits));
      bool lost;
      expected.convert(llvm::APFloat::IEEEdouble(),
                       llvm::APFloat::rmNearestTiesToEven, &lost);
      const double value = result.get(bits);
      ASSERT_EQ(std::signbit(value), expected.isNegative()) << bits;
      if (expected.isNaN())
        ASSERT_TRUE(std::isnan(value)) << bits;
      else
        ASSERT_EQ(value, expected.convertToDouble()) << bits;
    }
}

TEST(RunnerTest, EveryNumberOfEightBits) {
  for (auto lowering : {CPUCompileOptions::Top, CPUCompileOptions::Upstream}) {
    CPUCompileOptions options;
    options.lowering = lowering;
    expectExtended("f8E4M3FN", llvm::APFloat::Float8E4M3FN(), options);
    expectExtended("f8E5M2", llvm::APFloat::Float8E5M2(), options);
  }
}

std::string product(StringRef type, StringRef resultType) {
  std::string t = type.str(), r = resultType.str();
  return "func.func @f(%a: tensor<3x17x7x" + t + ">, %b: tensor<3x17x19x" + t +
         ">, %c: tensor<19x" + r + ">) -> tensor<3x7x19x" + r +
         "> { %y = top.MatMul %a, %b, %c {transpose_a = true, epilogue = "
         "[#top.step<relu>]} : (tensor<3x17x7x" +
         t + ">, tensor<3x17x19x" + t + ">, tensor<19x" + r +
         ">) -> tensor<3x7x19x" + r + "> return %y : tensor<3x7x19x" + r +
         "> }";
}

void expectProducts(const CPUCompileOptions &options) {
  for (auto [type, resultType] : {std::pair<StringRef, StringRef>{"i8", "i32"},
                                  {"f8E4M3FN", "f32"},
                                  {"f8E4M3FN", "f16"},
                                  {"f8E5M2", "bf16"}}) {
    ParsedModule module(product(type, resultType));
    for (Fill::Kind kind : {Fill::Int, Fill::Normal, Fill::Eighths})
      expectRight(module, "f", Fill{kind, 0}, options);
  }
}

TEST(RunnerTest, ProductsOfEightBits) { expectProducts(CPUCompileOptions()); }

#ifdef __x86_64__
TEST(RunnerTest, ProductsOfEightBitsOnTheOldestProcessor) {
  CPUCompileOptions options;
  options.cpu = "x86-64";
  expectProducts(options);
}

TEST(RunnerTest, AllTypesOnTheOldestProcessor) {
  // Neither f16 nor bf16 instructions: conversions become library calls or
  // integer arithmetic, which must all be found.
  CPUCompileOptions options;
  options.cpu = "x86-64";
  for (StringRef type : {"f64", "f32", "f16", "bf16"}) {
    ParsedModule module(convolution(type));
    expectRight(module, "f", Fill{Fill::Normal, 0}, options);
  }
}

TEST(RunnerTest, UpstreamLoweringOnTheOldestProcessor) {
  // Arithmetic in bf16 itself, as published files have it.
  ParsedModule module(R"(
    func.func @f(%a: tensor<3x5xbf16>, %b: tensor<5x4xbf16>) -> tensor<3x4xbf16> {
      %zero = arith.constant 0.0 : bf16
      %e = tensor.empty() : tensor<3x4xbf16>
      %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<3x4xbf16>) -> tensor<3x4xbf16>
      %c = linalg.matmul ins(%a, %b : tensor<3x5xbf16>, tensor<5x4xbf16>) outs(%i : tensor<3x4xbf16>) -> tensor<3x4xbf16>
      return %c : tensor<3x4xbf16>
    })");
  CPUCompileOptions options;
  options.cpu = "x86-64";
  options.lowering = CPUCompileOptions::Upstream;
  auto compiled = compileForCPU(module.get(), "f", options);
  ASSERT_TRUE(succeeded(compiled)) << module.errors;
  Tensor a(ElementKind::BF16, {3, 5}), b(ElementKind::BF16, {5, 4});
  fillTensor(a, Fill{Fill::Ones, 0}, 0, 0);
  fillTensor(b, Fill{Fill::Const, 1.5}, 0, 1);
  auto results = compiled->run({&a, &b}, RunOptions{true});
  ASSERT_TRUE(succeeded(results)) << module.errors;
  EXPECT_EQ((*results)[0].get(11), 7.5);
}
#endif

TEST(RunnerTest, ReturnsArgumentsConstantsAndSeveralResults) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<2xf32>, %b: tensor<f64>) -> (tensor<f64>, tensor<2xf32>, tensor<3xf32>) {
      %c = arith.constant dense<[7.0, 8.0, 9.0]> : tensor<3xf32>
      return %b, %a, %c : tensor<f64>, tensor<2xf32>, tensor<3xf32>
    })");
  Tensor a = makeTensor(ElementKind::F32, {2}, {1, 2});
  Tensor b = makeTensor(ElementKind::F64, {}, {3});
  for (auto lowering : {CPUCompileOptions::Top, CPUCompileOptions::Upstream}) {
    CPUCompileOptions options;
    options.lowering = lowering;
    auto compiled = compileForCPU(module.get(), "f", options);
    ASSERT_TRUE(succeeded(compiled)) << module.errors;
    for (bool guard : {false, true}) {
      auto results = compiled->run({&a, &b}, RunOptions{guard});
      ASSERT_TRUE(succeeded(results)) << module.errors;
      ASSERT_EQ(results->size(), 3u);
      EXPECT_EQ((*results)[0].get(0), 3);
      EXPECT_EQ((*results)[1].get(1), 2);
      EXPECT_EQ((*results)[2].get(2), 9);
    }
  }
}

TEST(RunnerTest, GuardsFindWritesOutsideAndWhatIsNotWritten) {
  ParsedModule module(R"(
    func.func @outside(%a: tensor<4xf32>) -> tensor<4xf32> {
      %i = arith.constant 4 : index
      %v = arith.constant 1.0 : f32
      %r = tensor.insert %v into %a[%i] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
    func.func @before(%a: tensor<4xf32>, %at: tensor<1xi64>) -> tensor<4xf32> {
      %zero = arith.constant 0 : index
      %v = arith.constant 1.0 : f32
      %raw = tensor.extract %at[%zero] : tensor<1xi64>
      %i = arith.index_cast %raw : i64 to index
      %r = tensor.insert %v into %a[%i] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
    func.func @half() -> tensor<4xf32> {
      %c = arith.constant dense<1.0> : tensor<2xf32>
      %e = tensor.empty() : tensor<4xf32>
      %r = tensor.insert_slice %c into %e[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
      return %r : tensor<4xf32>
    })");
  Tensor a = makeTensor(ElementKind::F32, {4}, {1, 2, 3, 4});
  Tensor at = makeTensor(ElementKind::I64, {1}, {-1});
  auto outside = compileForCPU(module.get(), "outside", CPUCompileOptions());
  auto before = compileForCPU(module.get(), "before", CPUCompileOptions());
  auto half = compileForCPU(module.get(), "half", CPUCompileOptions());
  ASSERT_TRUE(succeeded(outside) && succeeded(before) && succeeded(half))
      << module.errors;
  EXPECT_TRUE(failed(outside->run({&a}, RunOptions{true})));
  EXPECT_EQ(module.errors, "'outside' wrote outside of result #0\n");
  module.errors.clear();
  EXPECT_TRUE(failed(before->run({&a, &at}, RunOptions{true})));
  EXPECT_EQ(module.errors, "'before' wrote outside of result #0\n");
  auto results = half->run({}, RunOptions{true});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)[0].get(1), 1);
  EXPECT_TRUE(std::isnan((*results)[0].get(2)));
}

TEST(RunnerTest, FailedAssertionsAreErrors) {
  ParsedModule module(R"(
    func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
      %zero = arith.constant 0 : index
      %two = arith.constant 2 : index
      %n = tensor.dim %a, %zero : tensor<?xf32>
      %enough = arith.cmpi sge, %n, %two : index
      cf.assert %enough, "expected at least 2 elements"
      return %a : tensor<?xf32>
    })");
  auto compiled = compileForCPU(module.get(), "f", CPUCompileOptions());
  ASSERT_TRUE(succeeded(compiled)) << module.errors;
  Tensor one(ElementKind::F32, {1}), three(ElementKind::F32, {3});
  for (int i = 0; i < 3; ++i) {
    module.errors.clear();
    EXPECT_TRUE(failed(compiled->run({&one}, RunOptions())));
    EXPECT_EQ(module.errors, "'f' stopped: expected at least 2 elements\n");
    EXPECT_TRUE(succeeded(compiled->run({&three}, RunOptions())));
  }
}

TEST(RunnerTest, ArgumentsMustFit) {
  ParsedModule module("func.func @f(%a: tensor<2x?xf32>) -> tensor<2x?xf32> "
                      "{ return %a : tensor<2x?xf32> }");
  auto compiled = compileForCPU(module.get(), "f", CPUCompileOptions());
  ASSERT_TRUE(succeeded(compiled)) << module.errors;
  Tensor good(ElementKind::F32, {2, 5}), shape(ElementKind::F32, {3, 5}),
      type(ElementKind::F16, {2, 5});
  EXPECT_TRUE(succeeded(compiled->run({&good}, RunOptions())));
  EXPECT_TRUE(failed(compiled->run({&shape}, RunOptions())));
  EXPECT_TRUE(failed(compiled->run({&type}, RunOptions())));
  EXPECT_TRUE(failed(compiled->run({&good, &good}, RunOptions())));
  EXPECT_TRUE(failed(compileForCPU(module.get(), "g", CPUCompileOptions())));
}

TEST(RunnerTest, OtherFunctionsDoNotMatter) {
  // @broken cannot be lowered; only @f and @helper must be.
  ParsedModule module(R"(
    func.func @broken() -> tensor<2xf32> {
      %a = arith.constant dense_resource<__elided__> : tensor<2xf32>
      return %a : tensor<2xf32>
    }
    func.func private @helper(%a: tensor<2xf32>) -> tensor<2xf32> {
      %b = linalg.add ins(%a, %a : tensor<2xf32>, tensor<2xf32>) outs(%a : tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }
    func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
      %b = call @helper(%a) : (tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    })");
  for (auto lowering : {CPUCompileOptions::Top, CPUCompileOptions::Upstream}) {
    CPUCompileOptions options;
    options.lowering = lowering;
    auto compiled = compileForCPU(module.get(), "f", options);
    ASSERT_TRUE(succeeded(compiled)) << module.errors;
    Tensor a = makeTensor(ElementKind::F32, {2}, {1, 2});
    auto results = compiled->run({&a}, RunOptions{true});
    ASSERT_TRUE(succeeded(results)) << module.errors;
    EXPECT_EQ((*results)[0].get(1), 4);
  }
}

TEST(RunnerTest, LargeConstantsAreArguments) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<1x1024xf32>) -> tensor<1x300xf32> {
      %w = arith.constant dense<2.0> : tensor<1024x300xf32>
      %y = top.MatMul %x, %w : (tensor<1x1024xf32>, tensor<1024x300xf32>) -> tensor<1x300xf32>
      return %y : tensor<1x300xf32>
    })");
  expectRight(module, "f", Fill{Fill::Int, 0}, CPUCompileOptions());
}

TEST(RunnerTest, BenchmarkCounts) {
  ParsedModule module(convolution("f32"));
  auto compiled = compileForCPU(module.get(), "f", CPUCompileOptions());
  ASSERT_TRUE(succeeded(compiled)) << module.errors;
  Tensor x(ElementKind::F32, {2, 4, 7, 9}), w(ElementKind::F32, {6, 2, 3, 3}),
      b(ElementKind::F32, {6});
  BenchOptions options;
  options.minCalls = 5;
  options.minSeconds = 0;
  auto seconds = compiled->benchmark({&x, &w, &b}, options);
  ASSERT_TRUE(succeeded(seconds));
  EXPECT_EQ(seconds->size(), 5u);
  for (double s : *seconds)
    EXPECT_GT(s, 0);
}

TEST(SessionTest, ArgumentShapes) {
  EXPECT_EQ(parseArgumentShape("3:2x3x7x5"),
            std::make_pair(3u, SmallVector<int64_t>{2, 3, 7, 5}));
  EXPECT_EQ(parseArgumentShape("0:0"),
            std::make_pair(0u, SmallVector<int64_t>{0}));
  for (StringRef text : {"", "0", "0:", ":2", "x:2", "0:2x", "0:2xx3", "0:-1",
                         "0:?", "-1:2", "0:99999999999999999999"})
    EXPECT_FALSE(parseArgumentShape(text)) << text.str();
}

} // namespace
