//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attaches hints to errors, by a handler in front of the one that prints them.
//
//===----------------------------------------------------------------------===//

#include "top/InputHints/InputHints.h"

#include "ForeignDialects.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::top;

/// Whether the text at `loc` starts with `text`. MLIR keeps no source text, so
/// the file is read again; for the few errors whose message says too little.
static bool isAt(Location loc, StringRef text) {
  auto at = dyn_cast<FileLineColLoc>(loc);
  if (!at || at.getLine() == 0 || at.getColumn() == 0)
    return false;
  auto buffer = llvm::MemoryBuffer::getFile(at.getFilename().getValue());
  if (!buffer)
    return false;
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned line = 1; line < at.getLine(); ++line)
    rest = rest.split('\n').second;
  // The location is the end of the token before.
  return rest.split('\n')
      .first.drop_front(at.getColumn() - 1)
      .ltrim()
      .starts_with(text);
}

/// The parser lists the dialects that it knows. Those that we know by name only
/// are none of them.
static void fixDialectList(Diagnostic &diagnostic) {
  constexpr StringLiteral head = "Available dialects: ";
  for (Diagnostic &note : diagnostic.getNotes()) {
    std::string text = note.str();
    StringRef rest = text;
    if (!rest.consume_front(head))
      continue;
    auto [list, tail] = rest.split(" ;");
    SmallVector<StringRef> names;
    list.split(names, ", ");
    llvm::erase_if(names, [](StringRef name) {
      return !getLoweringCommand(name).empty();
    });
    Diagnostic fixed(note.getLocation(), note.getSeverity());
    fixed << head << llvm::join(names, ", ") << " ;" << tail;
    note = std::move(fixed);
  }
}

static LogicalResult addHint(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
    std::string text = diagnostic.str();
    fixDialectList(diagnostic);
    StringRef foreign = findForeignDialect(text);
    if (!foreign.empty()) {
      // The errors of the stand-in dialects say it themselves.
      if (!StringRef(text).contains(getLoweringCommand(foreign)))
        diagnostic.attachNote() << explainForeignDialect(foreign);
    } else if (std::string hint = getSyntaxHint(text); !hint.empty()) {
      diagnostic.attachNote() << hint;
    } else if (text == "expected attribute value" &&
               isAt(diagnostic.getLocation(), "opaque<")) {
      diagnostic.attachNote()
          << "'opaque<...>' stood for a constant that was left out when the "
             "file was printed; print it again with its weights, that is "
             "without --mlir-elide-elementsattrs-if-larger";
    }
  }
  return failure(); // let the other handlers print it
}

namespace {

/// Runs on every dialect that a context loads. The last handler to be
/// registered sees a diagnostic first, and tools register the one that prints
/// after they made the context; so this one is registered anew each time.
class HintExtension : public DialectExtensionBase {
public:
  HintExtension() : DialectExtensionBase(/*dialectNames=*/{}) {}

  void apply(MLIRContext *context,
             MutableArrayRef<Dialect *> dialects) const override {
    DiagnosticEngine &engine = context->getDiagEngine();
    if (handler)
      engine.eraseHandler(*handler);
    handler = engine.registerHandler(addHint);
  }
  /// For the registry of another context, which has no handler yet.
  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<HintExtension>();
  }

private:
  mutable std::optional<DiagnosticEngine::HandlerID> handler;
};

} // namespace

void top::registerInputHints(DialectRegistry &registry) {
  insertForeignDialects(registry);
  registry.addExtension(TypeID::get<HintExtension>(),
                        std::make_unique<HintExtension>());
}
