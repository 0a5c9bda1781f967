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

/// step ::= `<` kind (`,` `min` `=` float `,` `max` `=` float
///                    (`,` `nan` `=` float)?)? `>`
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
  FloatAttr numbers[3];
  const StringRef names[] = {"min", "max", "nan"};
  for (unsigned i = 0; *kind == StepKind::clamp && i < 3; ++i) {
    if (i == 2 ? failed(parser.parseOptionalComma())
               : failed(parser.parseComma())) {
      if (i == 2)
        break;
      return {};
    }
    double value;
    if (parser.parseKeyword(names[i]) || parser.parseEqual() ||
        parser.parseFloat(value))
      return {};
    numbers[i] = FloatAttr::get(Float64Type::get(parser.getContext()), value);
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<StepAttr>(loc, parser.getContext(), *kind,
                                     numbers[0], numbers[1], numbers[2]);
}

void StepAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyStepKind(getKind());
  if (getKind() == StepKind::clamp) {
    printer << ", min = ";
    printer.printFloat(getMin().getValue());
    printer << ", max = ";
    printer.printFloat(getMax().getValue());
    if (getNan()) {
      printer << ", nan = ";
      printer.printFloat(getNan().getValue());
    }
  }
  printer << ">";
}

LogicalResult StepAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StepKind kind, FloatAttr min, FloatAttr max,
                               FloatAttr nan) {
  if (kind != StepKind::clamp) {
    if (min || max || nan)
      return emitError()
             << "expected 'min', 'max' and 'nan' only on a 'clamp' step";
    return success();
  }
  if (!min || !max || !min.getType().isF64() || !max.getType().isF64())
    return emitError()
           << "expected 'min' and 'max' of type f64 on a 'clamp' step";
  if (!(min.getValueAsDouble() <= max.getValueAsDouble()))
    return emitError()
           << "expected 'min' of a 'clamp' step to be at most 'max', got "
           << min.getValueAsDouble() << " and " << max.getValueAsDouble();
  if (nan && !nan.getType().isF64())
    return emitError() << "expected 'nan' of type f64 on a 'clamp' step";
  if (nan && !(nan.getValueAsDouble() >= min.getValueAsDouble() &&
               nan.getValueAsDouble() <= max.getValueAsDouble()))
    return emitError()
           << "expected 'nan' of a 'clamp' step to be between 'min' and 'max', "
              "got "
           << nan.getValueAsDouble();
  return success();
}

SmallVector<StepAttr> top::getSteps(ArrayAttr epilogue) {
  if (!epilogue)
    return {};
  return llvm::map_to_vector(epilogue, llvm::CastTo<StepAttr>);
}
