//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of sizes at run time, see RuntimeChecks.h.
//
//===----------------------------------------------------------------------===//

#include "top/Dialect/Top/IR/RuntimeChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;

static void createAssert(OpBuilder &b, Operation *op,
                         arith::CmpIPredicate predicate, OpFoldResult lhs,
                         OpFoldResult rhs, const Twine &message) {
  Location loc = op->getLoc();
  Value left = getValueOrCreateConstantIndexOp(b, loc, lhs);
  Value right = getValueOrCreateConstantIndexOp(b, loc, rhs);
  Value condition = arith::CmpIOp::create(b, loc, predicate, left, right);
  cf::AssertOp::create(b, loc, condition,
                       (op->getName().getStringRef() + ": " + message).str());
}

static void assertEqualSizes(OpBuilder &b, Operation *op, OpFoldResult lhs,
                             OpFoldResult rhs, const Twine &message) {
  if (!isEqualConstantIntOrValue(lhs, rhs))
    createAssert(b, op, arith::CmpIPredicate::eq, lhs, rhs, message);
}

/// Bias and affine vectors have the size of `channelDim`; other epilogue
/// operands have the result's shape, or 1 where they are broadcast.
static void checkEpilogue(OpBuilder &b, Operation *op,
                          RankedTensorType resultType,
                          ArrayRef<OpFoldResult> resultShape, Value bias,
                          ValueRange operands, int64_t channelDim) {
  Location loc = op->getLoc();
  auto check = [&](const Twine &name, Value operand) {
    auto type = cast<RankedTensorType>(operand.getType());
    const bool isVector = type.getRank() == 1;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      const int64_t resultDim = isVector ? channelDim : d;
      // A static 1 is broadcast; two static sizes are the verifier's.
      if ((!isVector && type.getDimSize(d) == 1) ||
          (!type.isDynamicDim(d) && !resultType.isDynamicDim(resultDim)))
        continue;
      assertEqualSizes(b, op, tensor::getMixedSize(b, loc, operand, d),
                       resultShape[resultDim],
                       "dimension " + Twine(d) + " of " + name +
                           " differs from dimension " + Twine(resultDim) +
                           " of the result");
    }
  };
  if (bias)
    check("'bias'", bias);
  for (auto [index, operand] : llvm::enumerate(operands))
    check("epilogue operand #" + Twine(index), operand);
}

void top::emitRuntimeChecks(OpBuilder &b, Conv2DOp op,
                            ArrayRef<OpFoldResult> resultShape) {
  for (auto [dim, name] : {std::pair(2, "height"), std::pair(3, "width")}) {
    std::optional<int64_t> known = getConstantIntValue(resultShape[dim]);
    if (op.getResultType().isDynamicDim(dim) && (!known || *known < 1))
      createAssert(b, op, arith::CmpIPredicate::sge, resultShape[dim],
                   b.getIndexAttr(1), Twine("output ") + name + " is below 1");
  }
  checkEpilogue(b, op, op.getResultType(), resultShape, op.getBias(),
                op.getEpilogueOperands(), /*channelDim=*/1);
}

void top::emitRuntimeChecks(OpBuilder &b, MatMulOp op,
                            ArrayRef<OpFoldResult> resultShape) {
  auto check = [&](int64_t lhsDim, int64_t rhsDim, const Twine &message) {
    if (!op.getLhsType().isDynamicDim(lhsDim) &&
        !op.getRhsType().isDynamicDim(rhsDim))
      return;
    Location loc = op.getLoc();
    OpFoldResult lhs = tensor::getMixedSize(b, loc, op.getLhs(), lhsDim);
    OpFoldResult rhs = tensor::getMixedSize(b, loc, op.getRhs(), rhsDim);
    assertEqualSizes(b, op, lhs, rhs, message);
  };
  check(op.getLhsDimK(), op.getRhsDimK(),
        "inner dimensions K of 'lhs' and 'rhs' differ");
  if (op.getRhsType().getRank() == 3)
    check(0, 0, "batch sizes of 'lhs' and 'rhs' differ");
  const int64_t columns = op.getResultType().getRank() - 1;
  checkEpilogue(b, op, op.getResultType(), resultShape, op.getBias(),
                op.getEpilogueOperands(), columns);
}
