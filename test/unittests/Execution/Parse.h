//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the execution library share: parsing a module from text.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UNITTESTS_EXECUTION_PARSE_H
#define TOP_UNITTESTS_EXECUTION_PARSE_H

#include "mlir/Parser/Parser.h"
#include "top/Execution/Runner.h"
#include "gtest/gtest.h"

namespace mlir::top {

/// A context with everything registered, and a module parsed in it. Errors are
/// kept instead of printed.
class ParsedModule {
public:
  explicit ParsedModule(StringRef text)
      : context(registry(), MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += diagnostic.str() + "\n";
    });
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << errors;
  }
  ModuleOp get() { return *module; }
  func::FuncOp function(StringRef name) {
    return module->lookupSymbol<func::FuncOp>(name);
  }
  std::string errors;

private:
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerExecutionDialects(registry);
    return registry;
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// A tensor of these values.
inline Tensor makeTensor(ElementKind kind, ArrayRef<int64_t> shape,
                         ArrayRef<double> values) {
  Tensor tensor(kind, shape);
  EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(values.size()));
  for (auto [index, value] : llvm::enumerate(values))
    tensor.set(index, value);
  return tensor;
}

} // namespace mlir::top

#endif // TOP_UNITTESTS_EXECUTION_PARSE_H
