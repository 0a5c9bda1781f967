//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tool says of files that it cannot read: which command lowers a dialect
// that it does not have, and how text of older MLIR is written today. For
// tools; a compiler that has those dialects must not register this.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_INPUTHINTS_INPUTHINTS_H
#define TOP_INPUTHINTS_INPUTHINTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir {
class DialectRegistry;
}

namespace mlir::top {

/// Makes contexts of `registry` explain what they cannot read:
///
///  * an op, type or attribute of stablehlo, torch, onnx and others is one
///    error that names the dialect and the command that lowers it to linalg;
///  * an error that text of MLIR of 2022 to 2025 meets gets a note with the
///    syntax of today, after the error itself.
///
/// The names of those dialects are taken, by dialects without ops. To be called
/// when all real dialects are registered, those of plugins included: a name
/// that is taken already stays as it is. Not where unregistered dialects are to
/// be allowed.
void registerInputHints(DialectRegistry &registry);

/// The command that lowers `dialect` to linalg, as in
/// `stablehlo-opt --stablehlo-legalize-to-linalg`; empty where none is known.
llvm::StringRef getLoweringCommand(llvm::StringRef dialect);

/// The note for an error of MLIR's; empty where the text of the error does not
/// say that the syntax is an older one.
std::string getSyntaxHint(llvm::StringRef error);

} // namespace mlir::top

#endif // TOP_INPUTHINTS_INPUTHINTS_H
