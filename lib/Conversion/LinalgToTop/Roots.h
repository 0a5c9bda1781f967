//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots: the linalg ops that become layer ops, and what they have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_CONVERSION_LINALGTOTOP_ROOTS_H
#define TOP_LIB_CONVERSION_LINALGTOTOP_ROOTS_H

#include "Rearrange.h"
#include "top/Dialect/Top/IR/Top.h"

namespace mlir::top::raise {

/// Whether `op` counts as a convolution or contraction that the raise is
/// measured by.
bool isCandidate(linalg::LinalgOp op);

/// Replaces `op` by a layer op; failure, with the reason, where it is not
/// recognised, and then the IR is as before but for unused ops.
FailureOr<Operation *> raiseConvolution(RewriterBase &rewriter,
                                        linalg::LinalgOp op,
                                        std::string &reason);
FailureOr<Operation *> raiseContraction(RewriterBase &rewriter,
                                        linalg::LinalgOp op,
                                        std::string &reason);

/// Whether the one reduction of `op` adds up products of its two inputs, in a
/// type that layer ops have; gives the reason where not.
LogicalResult checkSumOfProducts(linalg::LinalgOp op, std::string &reason);

/// For each dimension of an operand the loop that it is read along; -1 for an
/// extent of 1 read at 0. Failure for another map. A literal 0, as printed for
/// a batch of 1, becomes the loop of extent 1 that the operand lacks.
FailureOr<Roles> getLoopRoles(linalg::LinalgOp op, OpOperand *operand);

/// What a layer op starts from.
struct InitialValue {
  Value bias;                   ///< or null
  SmallVector<Attribute> steps; ///< an add where `outs` is accumulated into
  SmallVector<Value> operands;
};

/// Reads `init`, which has the shape of the layer op's result: zeros, a bias
/// repeated along `channelDim`, or data that is added to. Failure, with the
/// reason, where it holds nothing.
FailureOr<InitialValue> matchInit(OpBuilder &builder, Location loc, Value init,
                                  RankedTensorType resultType,
                                  int64_t channelDim, std::string &reason);

/// The zeros round the input of a convolution, and its axes.
struct ConvInput {
  Value value;
  Conv2DAttrs attrs;
  std::array<int64_t, 2> kernel;
  std::array<OpFoldResult, 2> outputs; ///< rows and columns of the result
};

/// Takes zero pads and slices in front of the input into it. `axes` says which
/// dimension of `input.value` is H (0), W (1) or neither (-1).
void absorbPadsAndSlices(ConvInput &input, ArrayRef<int> axes);

/// Makes the formula of top.Conv2D give `outputs`, for an input in N, C, H, W
/// that is larger than what is read: smaller pads below and right, then a
/// slice; always a slice where sizes are dynamic, since linalg leaves it to
/// `outs` how much of the input is read. Failure where it is too small.
LogicalResult trimInput(OpBuilder &builder, Location loc, ConvInput &input);

/// Attributes of ours on `op`, moved to the layer op.
void moveAttributes(Operation *op, Operation *layer);

} // namespace mlir::top::raise

#endif // TOP_LIB_CONVERSION_LINALGTOTOP_ROOTS_H
