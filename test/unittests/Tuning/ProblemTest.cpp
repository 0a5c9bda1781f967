//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What of an op the model sees, for products of 8-bit types.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Problem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::top;

namespace {

/// The problem of the only scheduled op in `text`, or the reason why there is
/// none.
FailureOr<ProductProblem> parseProblem(const std::string &text,
                                       std::string &reason) {
  DialectRegistry registry;
  registry.insert<TopDialect, func::FuncDialect, linalg::LinalgDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  Operation *scheduled = nullptr;
  module->walk([&](Operation *op) {
    if (isScheduledOp(op))
      scheduled = op;
  });
  EXPECT_NE(scheduled, nullptr);
  return getProblem(scheduled, reason);
}

std::string matmul(const std::string &type, const std::string &resultType) {
  return "func.func @f(%a: tensor<64x40x" + type + ">, %b: tensor<40x24x" +
         type +
         ">) {\n"
         "  %c = top.MatMul %a, %b : (tensor<64x40x" +
         type + ">, tensor<40x24x" + type + ">) -> tensor<64x24x" + resultType +
         ">\n  return\n}\n";
}

TEST(Problem, EightBitProducts) {
  struct Expected {
    const char *type, *resultType;
    NumericType numeric;
    int64_t resultBytes;
  };
  const Expected cases[] = {{"i8", "i32", NumericType::i8, 4},
                            {"f8E4M3FN", "f32", NumericType::f8, 4},
                            {"f8E4M3FN", "f16", NumericType::f8, 2},
                            {"f8E5M2", "bf16", NumericType::f8, 2}};
  for (const Expected &expected : cases) {
    std::string reason;
    FailureOr<ProductProblem> problem =
        parseProblem(matmul(expected.type, expected.resultType), reason);
    ASSERT_TRUE(succeeded(problem)) << reason;
    EXPECT_EQ(problem->type, expected.numeric);
    EXPECT_EQ(problem->getMmaType(), expected.numeric);
    EXPECT_EQ(problem->getElementBytes(), 1);
    EXPECT_EQ(problem->resultBytes, expected.resultBytes);
    EXPECT_EQ(problem->lhsRowBytes, 40);
    EXPECT_EQ(problem->rhsRowBytes, 24);
    EXPECT_EQ(problem->resultRowBytes, 24 * expected.resultBytes);
  }
}

TEST(Problem, IntegersOfOtherTypesHaveNoKernel) {
  std::string reason;
  EXPECT_TRUE(failed(parseProblem(R"(
    func.func @f(%a: tensor<8x8xi8>, %e: tensor<8x8xi16>) -> tensor<8x8xi16> {
      %c = linalg.matmul ins(%a, %a : tensor<8x8xi8>, tensor<8x8xi8>) outs(%e : tensor<8x8xi16>) -> tensor<8x8xi16>
      return %c : tensor<8x8xi16>
    })",
                                  reason)));
  EXPECT_EQ(reason,
            "multiplies 'i8' by 'i8' to 'i16', expected operands of one "
            "type and a result of i32 for a GPU kernel");
  reason.clear();
  EXPECT_TRUE(failed(parseProblem(R"(
    func.func @f(%a: tensor<8x8xi16>, %e: tensor<8x8xi32>) -> tensor<8x8xi32> {
      %c = linalg.matmul ins(%a, %a : tensor<8x8xi16>, tensor<8x8xi16>) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
      return %c : tensor<8x8xi32>
    })",
                                  reason)));
  EXPECT_EQ(reason, "has operands of type 'i16', expected f64, f32, f16, bf16, "
                    "f8E4M3FN, f8E5M2 or i8 for a GPU kernel");
}

TEST(Problem, MadeProductsStoreSumsOfEightBits) {
  ProductProblem problem = makeProduct(64, 24, 40, NumericType::i8);
  EXPECT_EQ(problem.lhsRowBytes, 40);
  EXPECT_EQ(problem.rhsRowBytes, 24);
  EXPECT_EQ(problem.resultRowBytes, 96);
  EXPECT_EQ(makeProduct(64, 24, 40, NumericType::f16).resultRowBytes, 48);
}

} // namespace
