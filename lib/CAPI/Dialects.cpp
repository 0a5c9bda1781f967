//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See top-c/Dialects.h.
//
//===----------------------------------------------------------------------===//

#include "top-c/Dialects.h"

#include "mlir/CAPI/Registration.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/InitAll.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Top, top, mlir::top::TopDialect)

void topRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::top::registerAllTopDialects(*unwrap(registry));
  mlir::top::registerAllTopExtensions(*unwrap(registry));
}
