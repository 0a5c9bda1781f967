//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution as plain numbers, for what decides how one is cut. Knows no IR.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_DIALECT_TOP_UTILS_CONVSHAPE_H
#define TOP_DIALECT_TOP_UTILS_CONVSHAPE_H

#include <array>
#include <cstdint>

namespace mlir::top {

/// Extents of a convolution, all static. Axis 0 is H, axis 1 W.
struct ConvShape {
  int64_t n = 0, c = 0, h = 0, w = 0; ///< of the input, c in all groups
  int64_t f = 0, kh = 0, kw = 0;      ///< of the filter, f in all groups
  int64_t oh = 0, ow = 0;             ///< of the result
  std::array<int64_t, 2> strides = {1, 1}, dilations = {1, 1};
  std::array<int64_t, 4> pads = {0, 0, 0, 0}; ///< top, left, bottom, right
  int64_t group = 1;

  int64_t getGroupInputs() const { return c / group; }
  int64_t getGroupOutputs() const { return f / group; }
  /// Rows (columns) of the padded input that `outputs` rows (columns) read.
  int64_t getSpan(unsigned axis, int64_t outputs) const {
    return (outputs - 1) * strides[axis] +
           ((axis == 0 ? kh : kw) - 1) * dilations[axis] + 1;
  }
};

/// Channels of a pixel once they are packed side by side: as many as make 4, 8
/// or a multiple of 16 bytes, the accesses that copies to shared memory have.
inline int64_t getPackedChannels(int64_t channels, int64_t elementBytes) {
  const int64_t bytes = channels * elementBytes;
  const int64_t packed = bytes <= 4   ? 4
                         : bytes <= 8 ? 8
                                      : (bytes + 15) / 16 * 16;
  return elementBytes > packed ? 1 : packed / elementBytes;
}

} // namespace mlir::top

#endif // TOP_DIALECT_TOP_UTILS_CONVSHAPE_H
