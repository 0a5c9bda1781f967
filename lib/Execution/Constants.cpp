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

static Tensor randomConstant(ElementsAttr attr, ElementKind kind,
                             const RandomValues &random, uint64_t seed) {
  Tensor tensor(kind, attr.getShapedType().getShape());
  const uint64_t stream = hashConstant(attr);
  const int64_t count = tensor.getNumElements();
  if (random.kind == RandomValues::Weight) {
    Tensor wide(ElementKind::F64, tensor.getShape());
    fillTensor(wide, Fill{Fill::Normal, 0}, seed, stream);
    for (int64_t i = 0; i < count; ++i)
      tensor.set(i, wide.get(i) * random.scale);
    return tensor;
  }
  const double low = random.kind == RandomValues::Positive ? 0.5 : -0.5;
  for (int64_t i = 0; i < count; ++i)
    tensor.set(i, low + std::ldexp(static_cast<double>(
                                       randomBits(seed, stream, i) >> 32),
                                   -32));
  return tensor;
}

FailureOr<SmallVector<Tensor>>
top::hoistLargeConstants(func::FuncOp func, const ConstantOptions &options) {
  SmallVector<Tensor> hoisted;
  std::optional<ConstantPlan> own;
  const ConstantPlan *plan = options.plan;
  if (options.randomize && !plan)
    plan = &own.emplace(ConstantPlan::create(func));
  SmallVector<arith::ConstantOp> constants;
  func.walk([&](arith::ConstantOp op) {
    if (isa<ElementsAttr>(op.getValue()))
      constants.push_back(op);
  });
  for (arith::ConstantOp op : constants) {
    auto attr = cast<ElementsAttr>(op.getValue());
    std::optional<ElementKind> kind = getElementKind(attr.getElementType());
    const RandomValues *random =
        options.randomize && kind ? plan->find(attr) : nullptr;
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
    FailureOr<Tensor> tensor =
        random ? randomConstant(attr, *kind, *random, options.seed)
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
