//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of foreign dialects, and the dialects without ops that stand for
// them: the parser asks a dialect about each op, type and attribute of its
// name, which is where the error can be one line.
//
//===----------------------------------------------------------------------===//

#include "ForeignDialects.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "top/InputHints/InputHints.h"

using namespace mlir;
using namespace mlir::top;

namespace {

struct ForeignDialectInfo {
  StringLiteral name;
  StringLiteral command;
};

} // namespace

// Commands as the projects' own tests and pages call them. TOSA is a dialect
// that the tools read (tosa-to-top-pipeline).
static constexpr StringLiteral toolStableHLO =
    "stablehlo-opt --stablehlo-legalize-to-linalg";
static constexpr StringLiteral toolTorch =
    "torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline";
static constexpr StringLiteral toolONNX =
    "onnx-mlir-opt --shape-inference --convert-onnx-to-tosa";
static constexpr StringLiteral toolTF = "tf-opt --tf-to-tosa-pipeline";
static constexpr ForeignDialectInfo foreignDialects[] = {
    {"stablehlo", toolStableHLO},
    {"chlo", "stablehlo-opt --chlo-legalize-to-stablehlo "
             "--stablehlo-legalize-to-linalg"},
    {"vhlo", "stablehlo-translate --deserialize FILE | stablehlo-opt "
             "--stablehlo-legalize-to-linalg"},
    {"mhlo", "mlir-hlo-opt --hlo-legalize-to-stablehlo FILE | stablehlo-opt "
             "--stablehlo-legalize-to-linalg"},
    {"torch", toolTorch},
    {"torch_c", toolTorch},
    {"onnx", toolONNX},
    {"tf", toolTF},
    {"tf_device", toolTF},
    {"tf_executor",
     "tf-opt --tf-executor-to-functional-conversion --tf-to-tosa-pipeline"},
    {"tf_saved_model", toolTF},
    {"tf_type", toolTF},
    {"tfl", "tf-opt --tfl-to-tosa-pipeline"},
    {"ttir", "ttmlir-opt --convert-ttir-to-linalg"},
};

StringRef top::getLoweringCommand(StringRef dialect) {
  for (const ForeignDialectInfo &info : foreignDialects)
    if (info.name == dialect)
      return info.command;
  return {};
}

std::string top::explainForeignDialect(StringRef dialect) {
  StringRef command = getLoweringCommand(dialect);
  StringRef level = command.contains("-to-tosa") ? "tosa" : "linalg";
  return (Twine("this tool does not have the dialect '") + dialect +
          "'; lower the file to " + level + " first: " + command)
      .str();
}

StringRef top::findForeignDialect(StringRef error) {
  for (const ForeignDialectInfo &info : foreignDialects)
    for (const char *end : {".", "'"})
      if (error.contains((Twine("'") + info.name + end).str()))
        return info.name;
  return {};
}

/// The custom form of any op of a foreign dialect.
static ParseResult refuseOp(OpAsmParser &parser, OperationState &state) {
  // The parser's own prefix names the op.
  return parser.emitError(parser.getNameLoc())
         << "cannot be read: "
         << explainForeignDialect(state.name.getDialectNamespace());
}

namespace {

class ForeignDialect : public Dialect {
public:
  ForeignDialect(StringRef name, MLIRContext *context)
      : Dialect(name, context, TypeID::get<ForeignDialect>()) {}

  std::optional<ParseOpHook>
  getParseOperationHook(StringRef opName) const override {
    // A ParseOpHook does not own what it calls.
    return ParseOpHook(refuseOp);
  }
  Type parseType(DialectAsmParser &parser) const override {
    refuse(parser, "type '!");
    return {};
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    refuse(parser, "attribute '#");
    return {};
  }

private:
  void refuse(DialectAsmParser &parser, StringRef kind) const {
    parser.emitError(parser.getNameLoc())
        << kind << getNamespace() << '.' << parser.getFullSymbolSpec()
        << "' cannot be read: " << explainForeignDialect(getNamespace());
  }
};

} // namespace

void top::insertForeignDialects(DialectRegistry &registry) {
  for (const ForeignDialectInfo &info : foreignDialects) {
    StringRef name = info.name;
    if (registry.getDialectAllocator(name))
      continue;
    registry.insert(
        TypeID::get<ForeignDialect>(), name,
        [name](MLIRContext *context) -> Dialect * {
          return context->getOrLoadDialect(
              name, TypeID::get<ForeignDialect>(),
              [&] { return std::make_unique<ForeignDialect>(name, context); });
        });
  }
}
