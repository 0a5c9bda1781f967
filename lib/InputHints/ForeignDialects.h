//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialects of front ends that the tools know by name only.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_INPUTHINTS_FOREIGNDIALECTS_H
#define TOP_LIB_INPUTHINTS_FOREIGNDIALECTS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::top {

/// Registers the dialects of the table whose names are free.
void insertForeignDialects(DialectRegistry &registry);

/// The dialect of the table that the text of an error quotes, as in
/// 'stablehlo.add' or 'stablehlo'; empty where it quotes none.
StringRef findForeignDialect(StringRef error);

/// What there is to say of a dialect of the table.
std::string explainForeignDialect(StringRef dialect);

} // namespace mlir::top

#endif // TOP_LIB_INPUTHINTS_FOREIGNDIALECTS_H
