//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tools share, see ToolSupport.h.
//
//===----------------------------------------------------------------------===//

#include "ToolSupport.h"

#include "mlir/Parser/Parser.h"
#include "top/InputHints/InputHints.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::top;

int top::reportUsage(StringRef tool, const Twine &text) {
  llvm::errs() << tool << ": error: " << text << '\n';
  return kUsage;
}

bool top::parseCommandLine(StringRef tool, int argc, char **argv,
                           StringRef overview,
                           llvm::cl::OptionCategory &category) {
  llvm::cl::HideUnrelatedOptions(category);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return true;
  // Values that cannot be read have been reported already.
  if (errors.empty())
    return false;
  StringRef line = StringRef(errors).split('\n').first;
  line.consume_front(StringRef(argv[0]));
  line.consume_front(tool);
  line.consume_front(": ");
  reportUsage(tool, line);
  return false;
}

/// The registry with hints, in time for the context.
static DialectRegistry &withHints(DialectRegistry &registry) {
  registerInputHints(registry);
  return registry;
}

InputFile::InputFile(DialectRegistry &registry)
    : context(withHints(registry)) {}

int InputFile::load(StringRef tool, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return reportUsage(tool, "cannot open '" + path +
                                 "': " + buffer.getError().message());
  manager = std::make_shared<llvm::SourceMgr>();
  manager->AddNewSourceBuffer(std::move(*buffer), {});
  handler.emplace(*manager, &context);
  module = parseSourceFile<ModuleOp>(manager, &context);
  return module ? 0 : kRefused;
}
