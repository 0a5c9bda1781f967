//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions a library's product can be timed against.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Baseline.h"

#include "top/Dialect/Top/IR/Top.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;
using llvm::Expected;

Expected<BaselineProduct> top::findBaselineProduct(func::FuncOp func) {
  auto refuse = [&](const Twine &reason) {
    return llvm::createStringError(
        llvm::formatv("'{0}' has no baseline: {1}; expected one top.MatMul of "
                      "two arguments, without bias and epilogue",
                      func.getName(), reason)
            .str());
  };
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return refuse("it is not one block");
  Block &body = func.getBody().front();
  MatMulOp product;
  for (Operation &op : body.without_terminator()) {
    auto matmul = dyn_cast<MatMulOp>(op);
    if (!matmul)
      return refuse("it contains '" + op.getName().getStringRef() + "'");
    if (product)
      return refuse("it contains two products");
    product = matmul;
  }
  if (!product)
    return refuse("it contains no product");
  if (product.getBias())
    return refuse("its product has a bias");
  if (!product.getSteps().empty())
    return refuse("its product has an epilogue");
  // A block of no other ops and no constants: operands are arguments.
  auto lhs = cast<BlockArgument>(product.getLhs());
  auto rhs = cast<BlockArgument>(product.getRhs());
  OperandRange results = body.getTerminator()->getOperands();
  if (results.size() != 1 || results.front() != product.getResult())
    return refuse("it does not return the product alone");

  BaselineProduct found;
  std::string reason;
  FailureOr<ProductProblem> problem = getProblem(product, reason);
  if (failed(problem))
    return refuse("its product " + reason);
  found.problem = *problem;
  found.lhs = lhs.getArgNumber();
  found.rhs = rhs.getArgNumber();
  std::optional<ElementKind> result =
      getElementKind(product.getResultType().getElementType());
  if (!result)
    return refuse("its result is not of a type that can be read back");
  found.result = *result;
  return found;
}
