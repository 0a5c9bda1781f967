//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What convolution and contraction roots have in common: the body, the roles of
// dimensions, the init.
//
//===----------------------------------------------------------------------===//

#include "Roots.h"

#include "ScalarExpr.h"
#include "StepOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

/// The block argument that `value` is, perhaps extended; null for another.
static BlockArgument skipExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// Whether the body adds a product of in-arguments to the out-argument.
static bool hasSumOfProducts(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  BlockArgument out = op.getRegionOutputArgs()[0];
  ArrayRef<BlockArgument> in = op.getRegionInputArgs();
  for (unsigned i = 0; i < 2; ++i) {
    if (add->getOperand(i) != out)
      continue;
    auto mul = add->getOperand(1 - i).getDefiningOp<arith::MulFOp>();
    if (!mul)
      return false;
    BlockArgument a = skipExtension(mul.getLhs());
    BlockArgument b = skipExtension(mul.getRhs());
    return (a == in[0] && b == in[1]) || (a == in[1] && b == in[0]);
  }
  return false;
}

bool raise::isCandidate(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 &&
      !isa<linalg::ConvolutionOpInterface>(*op))
    return false;
  if (isa<linalg::GenericOp>(*op)) {
    if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
      return false;
    // A product summed up, of floats or integers.
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    Operation *add = yielded.getDefiningOp();
    if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
      return false;
    return llvm::any_of(add->getOperands(), [](Value operand) {
      return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(
          operand.getDefiningOp());
    });
  }
  StringRef name = op->getName().stripDialect();
  return !name.starts_with("pool") && op.getNumDpsInputs() >= 2 &&
         (isa<linalg::ConvolutionOpInterface>(*op) ||
          isa<linalg::ContractionOpInterface>(*op) || name.contains("conv") ||
          name.contains("matmul"));
}

LogicalResult raise::checkSumOfProducts(linalg::LinalgOp op,
                                        std::string &reason) {
  auto fail = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  if (!op.hasPureTensorSemantics())
    return fail("it works on buffers");
  SmallVector<Type> elements;
  for (Value operand : op->getOperands()) {
    elements.push_back(getElementTypeOrSelf(operand.getType()));
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getEncoding())
      return fail("an operand has an encoding");
  }
  auto print = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  for (Type element : elements)
    if (!isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(element))
      return fail("element type " + print(element) + " is not supported");
  if (op.getNumDpsInputs() != 2 || op->getNumResults() != 1)
    return fail(Twine("it has ") + Twine(op.getNumDpsInputs()) +
                " inputs, not 2");
  for (Value operand : op->getOperands())
    if (!isa<RankedTensorType>(operand.getType()))
      return fail("an operand is not a ranked tensor");
  const bool is16Bit = elements[0].getIntOrFloatBitWidth() == 16;
  if (elements[0] != elements[1] ||
      (elements[2] != elements[0] && !(is16Bit && elements[2].isF32())))
    return fail("element types " + print(elements[0]) + " and " +
                print(elements[1]) + " to " + print(elements[2]) +
                " are not supported");
  if (!hasSumOfProducts(op))
    return fail("its body is not a sum of products");
  return success();
}

FailureOr<Roles> raise::getLoopRoles(linalg::LinalgOp op, OpOperand *operand) {
  Roles roles;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto zero = dyn_cast<AffineConstantExpr>(expr);
    if (!dim && !(zero && zero.getValue() == 0))
      return failure();
    roles.push_back(dim ? static_cast<int>(dim.getPosition()) : -1);
  }
  return roles;
}

/// Whether nothing has been written to `value`.
static bool isUninitialized(Value value) {
  Rearrangement source =
      identityRearrangement(cast<RankedTensorType>(value.getType()).getRank());
  while (std::optional<Value> next = lookThrough(value, source))
    value = *next;
  if (auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>())
    return !alloc.getCopy();
  return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

FailureOr<InitialValue> raise::matchInit(OpBuilder &builder, Location loc,
                                         Value init,
                                         RankedTensorType resultType,
                                         int64_t channelDim,
                                         std::string &reason) {
  init = skipCasts(init);
  auto initType = cast<RankedTensorType>(init.getType());
  ExprPool pool(initType, channelDim);
  const Expr *expr = pool.get(init);
  if (!expr || isUninitialized(init)) {
    reason = "'outs' holds no values to add to";
    return failure();
  }
  InitialValue result;
  if (getNumber(expr) == 0.0)
    return result;
  StepOperands operands(builder, loc, pool, resultType, channelDim, {});
  if (pool.isPerChannel(expr) && operands.canBeVector(expr)) {
    result.bias = operands.vector(expr);
    return result;
  }
  result.steps.push_back(StepAttr::get(builder.getContext(), StepKind::add));
  result.operands.push_back(operands.tensor(expr));
  return result;
}

void raise::moveAttributes(Operation *op, Operation *layer) {
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    StringRef name = attr.getName();
    if (!name.starts_with("top."))
      continue;
    if (name != "top.allow_tf32")
      layer->setDiscardableAttr(attr.getName(), attr.getValue());
    else if (auto conv = dyn_cast<Conv2DOp>(layer))
      conv.setAllowTf32(true);
    else
      cast<MatMulOp>(layer).setAllowTf32(true);
  }
}
