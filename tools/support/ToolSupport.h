//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the mains of tools that read a file share: the command line, one line
// for its errors, and the file with its diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TOOLS_SUPPORT_TOOLSUPPORT_H
#define TOP_TOOLS_SUPPORT_TOOLSUPPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include <optional>

namespace mlir::top {

/// Exit statuses of all tools: 1 for IR that is refused, 2 for usage.
inline constexpr int kRefused = 1, kUsage = 2;

/// Prints `TOOL: error: TEXT` and returns kUsage.
int reportUsage(StringRef tool, const Twine &text);

/// Reads the command line; of the flags, `category` is shown by --help. Returns
/// false where it cannot be read, after one line on stderr that says why.
bool parseCommandLine(StringRef tool, int argc, char **argv, StringRef overview,
                      llvm::cl::OptionCategory &category);

/// A file of IR, and what its diagnostics need to show where they are.
class InputFile {
public:
  /// `registry` has the dialects that the file may hold; hints at what it may
  /// not hold are added.
  explicit InputFile(DialectRegistry &registry);

  /// Reads the module at `path` ("-" is standard input). Returns 0, or kUsage
  /// or kRefused after the errors have been printed.
  int load(StringRef tool, StringRef path);

  ModuleOp getModule() { return *module; }

private:
  MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> manager;
  std::optional<SourceMgrDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::top

#endif // TOP_TOOLS_SUPPORT_TOOLSUPPORT_H
