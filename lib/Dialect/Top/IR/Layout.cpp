//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts of tensors, see Layout.h, and what is refused where a type is
// written with one.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/Layout.h"

#include "LayoutEncoding.h"
#include "mlir/IR/TensorEncoding.h"

using namespace mlir;
using namespace mlir::top;

bool top::isChannelsLast(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                       : LayoutAttr();
  return layout && layout.getKind() == LayoutKind::channels_last &&
         tensor.getRank() == 4;
}

LayoutAttr top::getChannelsLast(MLIRContext *context) {
  return LayoutAttr::get(context, LayoutKind::channels_last);
}

Type top::getMemoryType(Type type) {
  if (!isChannelsLast(type))
    return type;
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(toChannelsLast(tensor.getShape()),
                               tensor.getElementType());
}

namespace {

struct LayoutEncoding
    : VerifiableTensorEncoding::ExternalModel<LayoutEncoding, LayoutAttr> {
  LogicalResult
  verifyEncoding(Attribute attr, ArrayRef<int64_t> shape, Type,
                 function_ref<InFlightDiagnostic()> emitError) const {
    if (cast<LayoutAttr>(attr).getKind() == LayoutKind::channels_first)
      return emitError() << "expected no encoding in place of " << attr
                         << ": a tensor without one has this layout";
    if (shape.size() != 4)
      return emitError() << "expected a tensor with the encoding " << attr
                         << " to have rank 4 (N x C x H x W), got "
                         << shape.size();
    return success();
  }
};

} // namespace

void top::attachLayoutEncoding(MLIRContext *context) {
  LayoutAttr::attachInterface<LayoutEncoding>(*context);
}
