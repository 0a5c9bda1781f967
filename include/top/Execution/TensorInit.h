//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values for arguments. The same on every machine: element i of a stream is a
// pure function of (seed, stream, i), computed with integers, so that neither
// the standard library's distributions nor libm take part.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_TENSORINIT_H
#define TOP_EXECUTION_TENSORINIT_H

#include "top/Dialect/Top/IR/Top.h"
#include "top/Execution/Tensor.h"

namespace mlir::top {

/// 64 random bits number `index` of a stream (splitmix64 used as a counter).
uint64_t randomBits(uint64_t seed, uint64_t stream, uint64_t index);

/// How a tensor is filled, `--fill`.
struct Fill {
  enum Kind {
    /// Integers in [-4, 4]: products are at most 16, so that f32 sums of up to
    /// 2^20 of them are exact whatever their order.
    Int,
    /// Approximately normal, mean 0 and variance 1: the sum of twelve uniform
    /// 16-bit numbers.
    Normal,
    /// Multiples of 1/8 in [-2, 2]: exact in every float type but f8E5M2, which
    /// rounds 9/8 to 1, 11/8 to 3/2 and so on, and, with products that are
    /// multiples of 1/64, in f32 sums of up to 2^16.
    Eighths,
    Ones,
    Const, ///< `value`, rounded to the element type
  };
  Kind kind = Int;
  double value = 0;

  /// Reads `int`, `normal`, `eighths`, `ones` or `const:X`.
  static std::optional<Fill> parse(StringRef text);
  /// Whether all values are integers for which f32 sums stay exact.
  bool isInteger() const;
  std::string str() const;
};

/// Fills `tensor` from stream number `stream` (the argument's number). i8, the
/// factors of products, has no fractions: eighths are taken 8 times, from -16
/// to 16, and normal numbers 16 times, all rounded to the nearest i8. Other
/// integers take the absolute value: they are mostly indices.
void fillTensor(Tensor &tensor, const Fill &fill, uint64_t seed,
                uint64_t stream);

/// Ones where the last two coordinates are equal, else zeros.
void fillIdentity(Tensor &tensor);
/// 0, 1, 2, ... in row-major order.
void fillArange(Tensor &tensor);

/// Sets every row and every column of the N x C x H x W tensor `input` that no
/// window of the convolution reads to NaN. Marks taps one by one.
void poisonUnread(Tensor &input, const Conv2DAttrs &attrs, int64_t kernelH,
                  int64_t kernelW);

} // namespace mlir::top

#endif // TOP_EXECUTION_TENSORINIT_H
