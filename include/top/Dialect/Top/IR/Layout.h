//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts of tensors, `#top.layout`, as C++ sees them: the shape of a tensor is
// always N, C, H, W, and the encoding of its type says in which order its
// elements lie in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_IR_LAYOUT_H
#define TOP_DIALECT_TOP_IR_LAYOUT_H

#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top {

/// The dimensions of a shape N, C, H, W in the order of channels-last memory:
/// N, H, W, C.
inline constexpr std::array<int64_t, 4> kChannelsLastOrder = {0, 2, 3, 1};
/// For each of N, C, H, W, its position in channels-last memory: the inverse of
/// kChannelsLastOrder.
inline constexpr std::array<int64_t, 4> kChannelsLastPositions = {0, 3, 1, 2};

/// Whether `type` is a ranked tensor with the encoding
/// `#top.layout<channels_last>`, and then of rank 4.
bool isChannelsLast(Type type);

/// The encoding `#top.layout<channels_last>`.
LayoutAttr getChannelsLast(MLIRContext *context);

/// The type of a channels-last tensor as it lies in memory: N x H x W x C,
/// without encoding. Any other type is returned as it is.
Type getMemoryType(Type type);

/// `values`, one for each of N, C, H, W, in the order of channels-last memory.
template <typename T>
SmallVector<T> toChannelsLast(ArrayRef<T> values) {
  return llvm::map_to_vector(kChannelsLastOrder,
                             [&](int64_t d) { return values[d]; });
}

/// The name of the attribute that `top-lower-layouts` leaves on an argument or
/// a result of a function whose type had the encoding; its value is the
/// encoding.
inline constexpr StringLiteral kLayoutAttrName = "top.layout";

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_IR_LAYOUT_H
