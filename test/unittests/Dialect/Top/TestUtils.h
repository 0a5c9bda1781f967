//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the unit tests of the dialect share: a context with the dialects they
// use and with its diagnostics collected, and a few ways to reach into IR.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_UNITTESTS_DIALECT_TOP_TESTUTILS_H
#define TOP_TEST_UNITTESTS_DIALECT_TOP_TESTUTILS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "top/Dialect/Top/IR/Top.h"

#include "gtest/gtest.h"

namespace mlir::top::test {

/// A context that collects its errors instead of printing them.
class TestContext {
public:
  TestContext() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back(diagnostic.str());
    });
  }

  MLIRContext *operator*() { return &context; }
  MLIRContext *operator->() { return &context; }

  /// The errors since the last call.
  std::vector<std::string> takeErrors() { return std::exchange(errors, {}); }

  const std::vector<std::string> &errorsSoFar() const { return errors; }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<TopDialect, affine::AffineDialect, arith::ArithDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
    linalg::registerTilingInterfaceExternalModels(registry);
    tensor::registerTilingInterfaceExternalModels(registry);
    return registry;
  }

  std::vector<std::string> errors;
  MLIRContext context;
};

/// The only op of its kind, or the n-th.
template <typename OpTy>
OpTy find(Operation *root, unsigned n = 0) {
  OpTy found;
  root->walk([&](OpTy op) {
    if (n-- != 0)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

template <typename OpTy>
unsigned count(Operation *root) {
  unsigned n = 0;
  root->walk([&](OpTy) { ++n; });
  return n;
}

inline SmallVector<OpFoldResult> indices(MLIRContext *context,
                                         ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(context, values);
}

/// Constants, with kDynamic for what is not one.
inline std::vector<int64_t> constants(ArrayRef<OpFoldResult> values) {
  std::vector<int64_t> result;
  for (OpFoldResult value : values)
    result.push_back(getConstantIntValue(value).value_or(ShapedType::kDynamic));
  return result;
}

inline std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

} // namespace mlir::top::test

#endif // TOP_TEST_UNITTESTS_DIALECT_TOP_TESTUTILS_H
