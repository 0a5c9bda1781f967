//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LayoutConstants.h.
//
//===----------------------------------------------------------------------===//

#include "LayoutConstants.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "top/Dialect/Top/IR/Layout.h"

#include <cstring>

using namespace mlir;
using namespace mlir::top;

/// Elements of `width` bytes of a tensor of `shape`, moved from the order N, C,
/// H, W to N, H, W, C.
static void reorder(ArrayRef<int64_t> shape, size_t width, const char *from,
                    char *to) {
  const int64_t plane = shape[2] * shape[3];
  for (int64_t n = 0; n < shape[0]; ++n)
    for (int64_t pixel = 0; pixel < plane; ++pixel)
      for (int64_t c = 0; c < shape[1]; ++c, to += width)
        std::memcpy(to, from + ((n * shape[1] + c) * plane + pixel) * width,
                    width);
}

ElementsAttr top::toMemoryOrder(ElementsAttr attr) {
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  auto type = cast<RankedTensorType>(getMemoryType(attr.getShapedType()));
  if (auto dense = dyn_cast<DenseElementsAttr>(attr); dense && dense.isSplat())
    return dense.resizeSplat(type);
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0)
    return nullptr;
  const size_t width = type.getElementTypeBitWidth() / 8;
  const size_t bytes = type.getNumElements() * width;
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    SmallVector<char> values(bytes);
    reorder(shape, width, dense.getRawData().data(), values.data());
    return DenseElementsAttr::getFromRawBuffer(type, values);
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || blob->getData().size() != bytes)
    return nullptr;
  AsmResourceBlob values =
      HeapAsmResourceBlob::allocate(bytes, blob->getDataAlignment());
  reorder(shape, width, blob->getData().data(), values.getMutableData().data());
  return DenseResourceElementsAttr::get(type, resource.getRawHandle().getKey(),
                                        std::move(values));
}
