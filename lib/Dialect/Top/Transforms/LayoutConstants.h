//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants whose type is channels last, for top-lower-layouts.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_DIALECT_TOP_TRANSFORMS_LAYOUTCONSTANTS_H
#define TOP_LIB_DIALECT_TOP_TRANSFORMS_LAYOUTCONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::top {

/// Elements of a channels-last type, which are written down in the order N, C,
/// H, W, as a constant of its memory type. Null where the kind of attribute, or
/// the element type, is not known, or a resource has no data.
ElementsAttr toMemoryOrder(ElementsAttr attr);

} // namespace mlir::top

#endif // TOP_LIB_DIALECT_TOP_TRANSFORMS_LAYOUTCONSTANTS_H
