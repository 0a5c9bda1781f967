//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#top.step`: syntax and verifier.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "top/Dialect/Top/IR/Top.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::top;

#include "top/Dialect/Top/IR/TopEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "top/Dialect/Top/IR/TopAttrs.cpp.inc"

void TopDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "top/Dialect/Top/IR/TopAttrs.cpp.inc"
      >();
}

unsigned StepAttr::getNumOperands() const {
  switch (getKind()) {
  case StepKind::affine:
    return 2;
  case StepKind::add:
  case StepKind::mul:
    return 1;
  default:
    return 0;
  }
}

/// step ::= `<` kind (`,` `min` `=` float `,` `max` `=` float)? `>`
Attribute StepAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<StepKind> kind = symbolizeStepKind(keyword);
  if (!kind) {
    parser.emitError(loc, "expected an epilogue step (affine, add, mul, relu, "
                          "clamp, silu, hardswish, sigmoid or gelu), got '")
        << keyword << "'";
    return {};
  }
  FloatAttr bounds[2];
  for (unsigned i = 0; *kind == StepKind::clamp && i < 2; ++i) {
    StringRef name = i == 0 ? "min" : "max";
    double value;
    if (parser.parseComma() || parser.parseKeyword(name) ||
        parser.parseEqual() || parser.parseFloat(value))
      return {};
    bounds[i] = FloatAttr::get(Float64Type::get(parser.getContext()), value);
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<StepAttr>(loc, parser.getContext(), *kind, bounds[0],
                                     bounds[1]);
}

void StepAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyStepKind(getKind());
  if (getKind() == StepKind::clamp) {
    printer << ", min = ";
    printer.printFloat(getMin().getValue());
    printer << ", max = ";
    printer.printFloat(getMax().getValue());
  }
  printer << ">";
}

LogicalResult StepAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StepKind kind, FloatAttr min, FloatAttr max) {
  if (kind != StepKind::clamp) {
    if (min || max)
      return emitError() << "expected 'min' and 'max' only on a 'clamp' step";
    return success();
  }
  if (!min || !max || !min.getType().isF64() || !max.getType().isF64())
    return emitError()
           << "expected 'min' and 'max' of type f64 on a 'clamp' step";
  if (!(min.getValueAsDouble() <= max.getValueAsDouble()))
    return emitError()
           << "expected 'min' of a 'clamp' step to be at most 'max', got "
           << min.getValueAsDouble() << " and " << max.getValueAsDouble();
  return success();
}

SmallVector<StepAttr> top::getSteps(ArrayAttr epilogue) {
  if (!epilogue)
    return {};
  return llvm::map_to_vector(epilogue, llvm::CastTo<StepAttr>);
}
