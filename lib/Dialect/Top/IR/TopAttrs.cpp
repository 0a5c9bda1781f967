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

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "top/Dialect/Top/IR/Top.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

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

//===----------------------------------------------------------------------===//
// Tiles of convolutions
//===----------------------------------------------------------------------===//

/// No extent, stride or dilation is larger: products of several fit 64 bits.
static constexpr int64_t kMaxExtent = 65536;

static LogicalResult verifyExtents(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef name, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value < 1 || value > kMaxExtent)
      return emitError() << "expected '" << name << "' to be between 1 and "
                         << kMaxExtent << ", got " << value;
  return success();
}

LogicalResult WindowAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> box,
                                 ArrayRef<int64_t> kernel,
                                 ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> dilations, LayoutKind) {
  const std::pair<StringRef, ArrayRef<int64_t>> pairs[] = {
      {"box", box},
      {"kernel", kernel},
      {"strides", strides},
      {"dilations", dilations}};
  for (auto [name, values] : pairs) {
    if (values.size() != 2)
      return emitError() << "expected '" << name << "' to be two numbers, for "
                         << "rows and columns, got " << values.size();
    if (failed(verifyExtents(emitError, name, values)))
      return failure();
  }
  return success();
}

static int64_t getProduct(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product = llvm::SaturatingMultiply<uint64_t>(product, extent);
  return product;
}

int64_t TileDimsAttr::getNumRows() const { return getProduct(getRows()); }
int64_t TileDimsAttr::getNumCols() const { return getProduct(getCols()); }

LogicalResult TileDimsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> rows,
                                   ArrayRef<int64_t> cols,
                                   ArrayRef<int64_t> order) {
  if (rows.empty() || cols.empty())
    return emitError() << "expected 'rows' and 'cols' of one extent at least";
  if (failed(verifyExtents(emitError, "rows", rows)) ||
      failed(verifyExtents(emitError, "cols", cols)))
    return failure();
  if (getProduct(rows) > kMaxExtent || getProduct(cols) > kMaxExtent)
    return emitError() << "expected no more than " << kMaxExtent
                       << " rows and columns, got " << getProduct(rows)
                       << " and " << getProduct(cols);
  if (order.size() != rows.size() + cols.size() || !isPermutationVector(order))
    return emitError() << "expected 'order' to be a permutation of the "
                       << rows.size() + cols.size()
                       << " coordinates of 'rows' and 'cols'";
  return success();
}

SmallVector<StepAttr> top::getSteps(ArrayAttr epilogue) {
  if (!epilogue)
    return {};
  return llvm::map_to_vector(epilogue, llvm::CastTo<StepAttr>);
}
