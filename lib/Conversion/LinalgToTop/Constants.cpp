//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Constants.h.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

ElementsAttr raise::getConstant(Value value) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::CastOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  ElementsAttr attr;
  if (matchPattern(value, m_Constant(&attr)))
    return attr;
  return {};
}

std::optional<SmallVector<double>> raise::readFloats(ElementsAttr attr) {
  auto type = dyn_cast<FloatType>(attr.getElementType());
  if (!type)
    return std::nullopt;
  SmallVector<double> values;
  auto add = [&](const APFloat &value) {
    APFloat wide = value;
    bool losesInfo;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    values.push_back(wide.convertToDouble());
  };
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    values.reserve(dense.getNumElements());
    for (APFloat value : dense.getValues<APFloat>())
      add(value);
    return values;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  if (!resource || type.getWidth() % 8 != 0)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  const size_t width = type.getWidth() / 8;
  const size_t count = resource.getType().getNumElements();
  if (!blob || blob->getData().size() != count * width)
    return std::nullopt;
  values.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    // Blobs are little endian.
    uint64_t bits = 0;
    for (size_t b = 0; b < width && b < sizeof(bits); ++b)
      bits |= uint64_t(uint8_t(blob->getData()[i * width + b])) << (8 * b);
    if (width > sizeof(bits))
      return std::nullopt;
    add(APFloat(type.getFloatSemantics(), APInt(type.getWidth(), bits)));
  }
  return values;
}

double raise::roundTo(double value, FloatType type) {
  APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

DenseElementsAttr raise::makeConstant(RankedTensorType type,
                                      ArrayRef<double> values) {
  auto element = cast<FloatType>(type.getElementType());
  SmallVector<APFloat> elements;
  elements.reserve(values.size());
  for (double value : values) {
    APFloat number(value);
    bool losesInfo;
    number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    elements.push_back(number);
  }
  return DenseElementsAttr::get(type, elements);
}
