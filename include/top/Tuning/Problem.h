//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule is chosen for: the matrix product that an op computes, as
// plain numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_PROBLEM_H
#define TOP_TUNING_PROBLEM_H

#include "top/Dialect/Top/IR/Top.h"
#include "top/Dialect/Top/Utils/ConvShape.h"
#include "top/Target/GPUTarget.h"

namespace mlir::top {

/// `batch` products C[m,n] += A[m,k] * B[k,n]. A convolution is the one that it
/// is an implicit form of: m = F/group, n = N*OH*OW, k = C/group*KH*KW and
/// batch = group. All extents are at least 0.
struct ProductProblem {
  int64_t batch = 1;
  int64_t m = 0, n = 0, k = 0;
  NumericType type = NumericType::f32; ///< of the operands
  bool allowTF32 = false;   ///< tensor cores may round f32 operands to tf32
  int64_t resultBytes = 4;  ///< of an element of C
  bool isRhsShared = false; ///< one B for the whole batch
  /// Whether K is the contiguous dimension of A, and of B.
  bool isLhsKContiguous = true, isRhsKContiguous = false;
  /// Bytes from one row of the contiguous dimension to the next.
  int64_t lhsRowBytes = 0, rhsRowBytes = 0, resultRowBytes = 0;
  bool isConvolution = false;
  ConvShape conv; ///< of a convolution
  /// Whether its images, and its result, are `#top.layout<channels_last>`.
  bool isInputChannelsLast = false, isResultChannelsLast = false;

  /// The type that tensor cores would multiply: tf32 for f32 where it is
  /// allowed.
  NumericType getMmaType() const {
    return type == NumericType::f32 && allowTF32 ? NumericType::tf32 : type;
  }
  int64_t getElementBytes() const { return getNumericTypeBytes(type); }
  /// Of a convolution, channels of a group that a pack of its images has.
  int64_t getPackedChannels() const {
    return top::getPackedChannels(conv.getGroupInputs(), getElementBytes());
  }
  /// Whether its images lie as a pack would leave them.
  bool isInputPacked() const {
    return isInputChannelsLast && getPackedChannels() == conv.getGroupInputs();
  }
  /// 2*batch*m*n*k.
  double getFlops() const { return 2.0 * batch * m * n * k; }
  /// Whether there is anything to multiply.
  bool isEmpty() const { return !batch || !m || !n || !k; }
};

/// A row-major product without transposes, for tests and tables.
ProductProblem makeProduct(int64_t m, int64_t n, int64_t k, NumericType type);

/// Whether `op` is one that a schedule is for: a layer op, or a linalg
/// contraction.
bool isScheduledOp(Operation *op);

/// The problem of an op for which isScheduledOp holds. Fails, with the reason
/// in `reason`, for dynamic sizes (which it names), element types without a
/// NumericType, and sizes whose product passes 64 bits.
FailureOr<ProductProblem> getProblem(Operation *op, std::string &reason);

} // namespace mlir::top

#endif // TOP_TUNING_PROBLEM_H
