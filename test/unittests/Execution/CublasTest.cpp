//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions have a baseline, and the call of cuBLAS for them.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Cublas.h"
#include "FakeCublas.h"
#include "Parse.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;

namespace {

std::string take(llvm::Error error) { return llvm::toString(std::move(error)); }

/// `func.func @f(ARGUMENTS) -> RESULT { BODY }`, its product or why there is
/// none.
llvm::Expected<BaselineProduct> find(StringRef function) {
  ParsedModule module(function);
  return findBaselineProduct(module.function("f"));
}

std::string refuse(StringRef function) {
  llvm::Expected<BaselineProduct> found = find(function);
  return found ? "no error" : take(found.takeError());
}

CublasGemm getGemm(StringRef lhs, StringRef rhs, StringRef result,
                   StringRef attributes = "") {
  auto product = find(
      llvm::formatv("func.func @f(%a: tensor<{0}>, %b: tensor<{1}>) -> "
                    "tensor<{2}> {{ %c = top.MatMul %a, %b {{{3}} : "
                    "(tensor<{0}>, tensor<{1}>) -> tensor<{2}> return %c : "
                    "tensor<{2}> }",
                    lhs, rhs, result, attributes)
          .str());
  EXPECT_TRUE(bool(product)) << take(product.takeError());
  auto gemm = CublasGemm::create(*product);
  EXPECT_TRUE(bool(gemm)) << take(gemm.takeError());
  return *gemm;
}

/// m, n, k, lda, ldb, ldc of a call.
std::array<int, 6> getSizes(const CublasGemm &gemm) {
  return {gemm.m, gemm.n, gemm.k, gemm.lda, gemm.ldb, gemm.ldc};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST(BaselineTest, ProductOfArguments) {
  // Arguments in any order, and others between them.
  auto product = find(R"(
    func.func @f(%b: tensor<3x5xf16>, %x: tensor<1xf32>, %a: tensor<2x3xf16>) -> tensor<2x5xf32> {
      %c = top.MatMul %a, %b : (tensor<2x3xf16>, tensor<3x5xf16>) -> tensor<2x5xf32>
      return %c : tensor<2x5xf32>
    })");
  ASSERT_TRUE(bool(product)) << take(product.takeError());
  EXPECT_EQ(product->lhs, 2u);
  EXPECT_EQ(product->rhs, 0u);
  EXPECT_EQ(product->problem.type, NumericType::f16);
  EXPECT_EQ(product->result, ElementKind::F32);
  EXPECT_EQ(product->problem.m, 2);
}

TEST(BaselineTest, OtherFunctions) {
  const std::string expected = "; expected one top.MatMul of two arguments, "
                               "without bias and epilogue";
  EXPECT_EQ(refuse(R"(
    func.func @f(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32> {
      %y = top.Conv2D %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
      return %y : tensor<1x1x2x2xf32>
    })"),
            "'f' has no baseline: it contains 'top.Conv2D'" + expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %b = top.MatMul %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %c = top.MatMul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %c : tensor<4x4xf32>
    })"),
            "'f' has no baseline: it contains two products" + expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      return %a : tensor<4x4xf32>
    })"),
            "'f' has no baseline: it contains no product" + expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<4x4xf32>, %bias: tensor<4xf32>) -> tensor<4x4xf32> {
      %c = top.MatMul %a, %a, %bias : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
      return %c : tensor<4x4xf32>
    })"),
            "'f' has no baseline: its product has a bias" + expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %c = top.MatMul %a, %a {epilogue = [#top.step<relu>]} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %c : tensor<4x4xf32>
    })"),
            "'f' has no baseline: its product has an epilogue" + expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %b = arith.constant dense<1.0> : tensor<4x4xf32>
      %c = top.MatMul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %c : tensor<4x4xf32>
    })"),
            "'f' has no baseline: it contains 'arith.constant'" + expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %c = top.MatMul %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %c, %a : tensor<4x4xf32>, tensor<4x4xf32>
    })"),
            "'f' has no baseline: it does not return the product alone" +
                expected);
  EXPECT_EQ(refuse(R"(
    func.func @f(%a: tensor<?x4xf32>, %b: tensor<4x4xf32>) -> tensor<?x4xf32> {
      %c = top.MatMul %a, %b : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
      return %c : tensor<?x4xf32>
    })"),
            "'f' has no baseline: its product has a dynamic size M, expected "
            "static sizes for a GPU kernel" +
                expected);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// C is M x N = 2 x 5 and K is 3: for cuBLAS m = 5, n = 2, and its operand A is
/// our rhs.
TEST(CublasGemmTest, Transposes) {
  CublasGemm gemm = getGemm("2x3xf32", "3x5xf32", "2x5xf32");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 2, 3, 5, 3, 5}));
  EXPECT_EQ(std::pair(gemm.transA, gemm.transB),
            std::pair(cublas::kOpN, cublas::kOpN));

  gemm = getGemm("3x2xf32", "3x5xf32", "2x5xf32", "transpose_a = true");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 2, 3, 5, 2, 5}));
  EXPECT_EQ(std::pair(gemm.transA, gemm.transB),
            std::pair(cublas::kOpN, cublas::kOpT));

  gemm = getGemm("2x3xf32", "5x3xf32", "2x5xf32", "transpose_b = true");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 2, 3, 3, 3, 5}));
  EXPECT_EQ(std::pair(gemm.transA, gemm.transB),
            std::pair(cublas::kOpT, cublas::kOpN));

  gemm = getGemm("3x2xf32", "5x3xf32", "2x5xf32",
                 "transpose_a = true, transpose_b = true");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 2, 3, 3, 2, 5}));
  EXPECT_EQ(std::pair(gemm.transA, gemm.transB),
            std::pair(cublas::kOpT, cublas::kOpT));
  EXPECT_EQ(gemm.batch, 1);
}

TEST(CublasGemmTest, Batches) {
  CublasGemm gemm = getGemm("7x2x3xf32", "7x3x5xf32", "7x2x5xf32");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 2, 3, 5, 3, 5}));
  EXPECT_EQ(gemm.batch, 7);
  EXPECT_EQ(gemm.strideA, 15);
  EXPECT_EQ(gemm.strideB, 6);
  EXPECT_EQ(gemm.strideC, 10);
  // Shared: the rows of all are rows of one product ...
  gemm = getGemm("7x2x3xf32", "3x5xf32", "7x2x5xf32");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 14, 3, 5, 3, 5}));
  EXPECT_EQ(gemm.batch, 1);
  // ... but not where they are columns of each.
  gemm = getGemm("7x3x2xf32", "3x5xf32", "7x2x5xf32", "transpose_a = true");
  EXPECT_EQ(getSizes(gemm), (std::array<int, 6>{5, 2, 3, 5, 2, 5}));
  EXPECT_EQ(gemm.batch, 7);
  EXPECT_EQ(gemm.strideA, 0);
  EXPECT_EQ(gemm.strideB, 6);
}

TEST(CublasGemmTest, Types) {
  auto types = [](StringRef in, StringRef out, StringRef attributes = "") {
    CublasGemm gemm = getGemm(("2x3x" + in).str(), ("3x5x" + in).str(),
                              ("2x5x" + out).str(), attributes);
    return std::array<int, 3>{gemm.operandType, gemm.resultType, gemm.compute};
  };
  using Types = std::array<int, 3>;
  EXPECT_EQ(types("f64", "f64"),
            (Types{cublas::kR64F, cublas::kR64F, cublas::kCompute64F}));
  EXPECT_EQ(types("f32", "f32"),
            (Types{cublas::kR32F, cublas::kR32F, cublas::kCompute32F}));
  EXPECT_EQ(types("f32", "f32", "allow_tf32"),
            (Types{cublas::kR32F, cublas::kR32F, cublas::kCompute32FFastTF32}));
  EXPECT_EQ(types("f16", "f16"),
            (Types{cublas::kR16F, cublas::kR16F, cublas::kCompute32F}));
  EXPECT_EQ(types("f16", "f32"),
            (Types{cublas::kR16F, cublas::kR32F, cublas::kCompute32F}));
  EXPECT_EQ(types("bf16", "bf16"),
            (Types{cublas::kR16BF, cublas::kR16BF, cublas::kCompute32F}));
  BaselineProduct product{0, 1, makeProduct(2, 5, 3, NumericType::i8),
                          ElementKind::I32};
  auto gemm = CublasGemm::create(product);
  ASSERT_TRUE(bool(gemm)) << take(gemm.takeError());
  EXPECT_EQ((Types{gemm->operandType, gemm->resultType, gemm->compute}),
            (Types{cublas::kR8I, cublas::kR32I, cublas::kCompute32I}));
}

TEST(CublasGemmTest, Refused) {
  auto refuse = [](int64_t m, int64_t n, int64_t k, NumericType type) {
    auto gemm = CublasGemm::create(
        {0, 1, makeProduct(m, n, k, type), ElementKind::F32});
    return gemm ? "no error" : take(gemm.takeError());
  };
  EXPECT_EQ(refuse(2, 0, 3, NumericType::f32),
            "a product without elements or with K of 0 has no baseline: there "
            "is nothing to time");
  EXPECT_EQ(refuse(2, 5, 3, NumericType::f8),
            "cublas has no product of f8 to f32 that can be timed");
  EXPECT_EQ(refuse(2, int64_t(1) << 31, 3, NumericType::f32),
            "cublas takes extents of at most 2147483647, got 2147483648");
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

TEST(CublasProductTest, Calls) {
  FakeCuda fake;
  FakeCublas library(fake);
  auto context = CudaContext::create(fake.getFunctions());
  ASSERT_TRUE(bool(context));
  {
    auto stream = (*context)->createStream();
    ASSERT_TRUE(bool(stream));
    auto run = [&](NumericType type, ElementKind result, int64_t batch) {
      BaselineProduct product{1, 0, makeProduct(2, 5, 3, type), result};
      product.problem.batch = batch;
      auto made =
          CublasProduct::create(library.getFunctions(), **context, product);
      ASSERT_TRUE(bool(made)) << take(made.takeError());
      EXPECT_EQ((*made)->getVersion(), "130100");
      ASSERT_FALSE((*made)->begin(*stream));
      EXPECT_EQ(library.workspaceBytes, 64u << 20);
      ASSERT_FALSE((*made)->enqueue({256, 512}, 1024));
    };
    run(NumericType::f64, ElementKind::F64, 1);
    run(NumericType::i8, ElementKind::I32, 1);
    run(NumericType::bf16, ElementKind::BF16, 4);
    EXPECT_EQ(library.numHandles, 0);
    ASSERT_EQ(library.gemms.size(), 3u);
    for (const FakeCublas::Gemm &gemm : library.gemms) {
      EXPECT_EQ(gemm.alpha, 1);
      EXPECT_EQ(gemm.beta, 0);
      EXPECT_EQ(gemm.algorithm, cublas::kGemmDefault);
    }
    EXPECT_FALSE(library.gemms[0].isBatched);
    EXPECT_TRUE(library.gemms[2].isBatched);
    EXPECT_EQ(library.gemms[2].batch, 4);
  }
  context->reset();
  EXPECT_EQ(fake.numLive(), 0);
}

TEST(CublasProductTest, Failures) {
  FakeCuda fake;
  FakeCublas library(fake);
  auto context = CudaContext::create(fake.getFunctions());
  ASSERT_TRUE(bool(context));
  BaselineProduct product{0, 1, makeProduct(2, 5, 3, NumericType::f32),
                          ElementKind::F32};
  auto fail = [&] {
    auto made =
        CublasProduct::create(library.getFunctions(), **context, product);
    EXPECT_FALSE(bool(made));
    return take(made.takeError());
  };
  library.failures["cublasCreate_v2"] = 1;
  EXPECT_EQ(fail(), "cublasCreate_v2 failed: CUBLAS_STATUS_NOT_INITIALIZED");
  library.failures.clear();
  fake.failures["cuMemAlloc_v2"] = 2;
  EXPECT_EQ(fail(), "cuMemAlloc_v2 failed: CUDA_ERROR_OUT_OF_MEMORY for "
                    "67108864 bytes");
  EXPECT_EQ(library.numHandles, 0);
}

} // namespace
