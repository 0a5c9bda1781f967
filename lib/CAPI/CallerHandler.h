//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics for a C caller. Internal to this library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CAPI_CALLERHANDLER_H
#define TOP_LIB_CAPI_CALLERHANDLER_H

#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::top {

/// Hands diagnostics of a context to a function of the caller for as long as it
/// lives. Does nothing without one.
class CallerHandler {
public:
  CallerHandler(MLIRContext *context, MlirDiagnosticHandler handler,
                void *userData) {
    if (handler)
      scoped.emplace(context, [handler, userData](Diagnostic &diagnostic) {
        return unwrap(handler(wrap(diagnostic), userData));
      });
  }

private:
  std::optional<ScopedDiagnosticHandler> scoped;
};

} // namespace mlir::top

#endif // TOP_LIB_CAPI_CALLERHANDLER_H
