//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading, hoisting and replacing tensor constants; see Constants.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "top/Execution/TensorInit.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::top;

/// Raw bytes of the attribute: one element for a splat, nullopt where the
/// blob is missing.
static std::optional<ArrayRef<char>> getRawBytes(ElementsAttr attr) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.getRawData();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return std::nullopt;
}

static StringRef getResourceName(ElementsAttr attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return resource.getRawHandle().getKey();
  return "";
}

FailureOr<Tensor>
top::readConstant(function_ref<InFlightDiagnostic()> emitError,
                  ElementsAttr attr) {
  std::optional<ElementKind> kind = getElementKind(attr.getElementType());
  if (!kind)
    return emitError() << "constant has unsupported element type "
                       << attr.getElementType();
  std::optional<ArrayRef<char>> bytes = getRawBytes(attr);
  if (!bytes)
    return emitError() << "constant of type " << attr.getType()
                       << " has no data: resource '" << getResourceName(attr)
                       << "' is missing; use a file that holds its weights, or "
                          "--randomize-constants";
  Tensor tensor(*kind, attr.getShapedType().getShape());
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (*kind == ElementKind::I1) { // packed in bits
    if (!dense)
      return emitError() << "constant resource of element type i1 is not "
                            "supported";
    for (auto [index, value] : llvm::enumerate(dense.getValues<bool>()))
      tensor.set(index, value);
    return tensor;
  }
  const size_t width = getFormat(*kind).bytes;
  if (dense && dense.isSplat()) {
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      std::memcpy(tensor.getData() + i * width, bytes->data(), width);
    return tensor;
  }
  if (bytes->size() != tensor.getNumBytes())
    return emitError() << "constant of type " << attr.getType() << " needs "
                       << tensor.getNumBytes() << " bytes, its resource has "
                       << bytes->size();
  std::memcpy(tensor.getData(), bytes->data(), bytes->size());
  return tensor;
}

/// FNV-1a over the contents, so that a constant is known again in another
/// file.
static uint64_t hashContents(ElementsAttr attr) {
  uint64_t hash = 0xcbf29ce484222325ull;
  auto add = [&](ArrayRef<char> bytes) {
    for (char c : bytes)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  };
  std::string type;
  llvm::raw_string_ostream(type) << attr.getType();
  add(type);
  if (std::optional<ArrayRef<char>> bytes = getRawBytes(attr))
    add(*bytes);
  else
    add(ArrayRef<char>(getResourceName(attr).data(),
                       getResourceName(attr).size()));
  return hash;
}

/// Whether `randomize` takes the constant for a weight.
static bool isWeight(ElementsAttr attr) {
  if (!isa<FloatType>(attr.getElementType()) || attr.getNumElements() < 2)
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat())
    return true;
  APFloat value = dense.getSplatValue<APFloat>();
  return value.isFinite() && !value.isZero();
}

static Tensor randomConstant(ElementsAttr attr, ElementKind kind,
                             uint64_t seed) {
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  Tensor tensor(kind, shape);
  const uint64_t stream = hashContents(attr);
  if (shape.size() == 1) {
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      tensor.set(i, 0.5 + std::ldexp(static_cast<double>(
                                         randomBits(seed, stream, i) >> 32),
                                     -32));
    return tensor;
  }
  fillTensor(tensor, Fill{Fill::Normal, 0}, seed, stream);
  double largest = *std::max_element(shape.begin(), shape.end());
  double scale = std::sqrt(largest / tensor.getNumElements());
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.set(i, tensor.get(i) * scale);
  return tensor;
}

FailureOr<SmallVector<Tensor>>
top::hoistLargeConstants(func::FuncOp func, const ConstantOptions &options) {
  SmallVector<Tensor> hoisted;
  SmallVector<arith::ConstantOp> constants;
  func.walk([&](arith::ConstantOp op) {
    if (isa<ElementsAttr>(op.getValue()))
      constants.push_back(op);
  });
  for (arith::ConstantOp op : constants) {
    auto attr = cast<ElementsAttr>(op.getValue());
    std::optional<ElementKind> kind = getElementKind(attr.getElementType());
    const bool random = options.randomize && kind && isWeight(attr);
    auto emitError = [&] { return op.emitError(); };
    if (!random && !getRawBytes(attr)) {
      (void)readConstant(emitError, attr); // the error
      return failure();
    }
    auto type = dyn_cast<RankedTensorType>(attr.getType());
    if (!type || !kind ||
        (!random &&
         attr.getNumElements() * getFormat(*kind).bytes <= options.maxBytes))
      continue;
    FailureOr<Tensor> tensor = random
                                   ? randomConstant(attr, *kind, options.seed)
                                   : readConstant(emitError, attr);
    if (failed(tensor))
      return failure();
    const unsigned number = func.getNumArguments();
    if (failed(func.insertArgument(number, type, {}, op.getLoc())))
      return failure();
    op.getResult().replaceAllUsesWith(func.getArgument(number));
    op.erase();
    hoisted.push_back(std::move(*tensor));
  }
  return hoisted;
}
