//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of plain `top` ops, and the shapes of their values.
//
//===----------------------------------------------------------------------===//

#include "PlainFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "top/Dialect/Top/IR/Top.h"

using namespace mlir;
using namespace mlir::top;

using Shape = SmallVector<int64_t>;

/// Of floats, or of the integers that layer ops have.
static bool isLayerTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return false;
  std::optional<ElementKind> kind = getElementKind(tensor.getElementType());
  return kind && (getFormat(*kind).isFloat || *kind == ElementKind::I8 ||
                  *kind == ElementKind::I32);
}

std::optional<std::string> top::whyNotPlain(func::FuncOp func) {
  if (func.isExternal())
    return "it has no body";
  if (!func.getBody().hasOneBlock())
    return "it has more than one block";
  for (Type type : func.getArgumentTypes())
    if (!isLayerTensor(type))
      return "it has an argument that is no tensor of floats, i8 or i32";
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (isa<Conv2DOp, MatMulOp>(op))
      continue;
    if (isa<arith::ConstantOp>(op) && isLayerTensor(op.getResult(0).getType()))
      continue;
    return ("it contains '" + op.getName().getStringRef() + "'").str();
  }
  return std::nullopt;
}

/// Bias and epilogue operands against the concrete result; static checks are
/// the verifier's.
static LogicalResult checkOperandShapes(Operation *op, ValueRange operands,
                                        ArrayRef<StepAttr> steps, Value bias,
                                        const DenseMap<Value, Shape> &shapes,
                                        ArrayRef<int64_t> result,
                                        unsigned channelDim) {
  const int64_t channels = result[channelDim];
  auto isVector = [&](Value v) { return shapes.lookup(v)[0] == channels; };
  if (bias && !isVector(bias))
    return op->emitError() << "expected 'bias' to have " << channels
                           << " elements, got " << shapes.lookup(bias)[0];
  unsigned next = 0;
  for (StepAttr step : steps)
    for (unsigned i = 0; i < step.getNumOperands(); ++i, ++next) {
      const Shape &shape = shapes.at(operands[next]);
      bool fits =
          step.getKind() == StepKind::affine
              ? isVector(operands[next])
              : llvm::all_of(llvm::zip_equal(shape, result), [](auto pair) {
                  auto [have, want] = pair;
                  return have == want || have == 1;
                });
      if (!fits)
        return op->emitError()
               << "expected epilogue operand #" << next << " to fit the result "
               << RankedTensorType::get(
                      result, getElementTypeOrSelf(op->getResult(0).getType()))
               << ", got "
               << RankedTensorType::get(
                      shape, getElementTypeOrSelf(operands[next].getType()));
    }
  return success();
}

static RankedTensorType withShape(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
}

FailureOr<DenseMap<Value, Shape>>
top::inferAllShapes(func::FuncOp func, ArrayRef<Shape> argumentShapes) {
  DenseMap<Value, Shape> shapes;
  for (auto [argument, shape] :
       llvm::zip_equal(func.getArguments(), argumentShapes))
    shapes[argument] = shape;
  for (Operation &op : func.getBody().front().without_terminator()) {
    auto emitError = [&] { return op.emitError(); };
    FailureOr<RankedTensorType> type = failure();
    Value bias;
    ValueRange operands;
    SmallVector<StepAttr> steps;
    unsigned channelDim = 1;
    if (auto conv = dyn_cast<Conv2DOp>(op)) {
      type = Conv2DOp::inferResultType(
          emitError, withShape(conv.getInput(), shapes.at(conv.getInput())),
          withShape(conv.getFilter(), shapes.at(conv.getFilter())),
          conv.getConvAttrs(), conv.getResultType().getElementType());
      bias = conv.getBias();
      operands = conv.getEpilogueOperands();
      steps = conv.getSteps();
    } else if (auto product = dyn_cast<MatMulOp>(op)) {
      type = MatMulOp::inferResultType(
          emitError, withShape(product.getLhs(), shapes.at(product.getLhs())),
          withShape(product.getRhs(), shapes.at(product.getRhs())),
          product.getTransposeA(), product.getTransposeB(),
          product.getResultType().getElementType());
      bias = product.getBias();
      operands = product.getEpilogueOperands();
      steps = product.getSteps();
      channelDim = product.getResultType().getRank() - 1;
    } else {
      auto constant = cast<RankedTensorType>(op.getResult(0).getType());
      shapes[op.getResult(0)] = Shape(constant.getShape());
      continue;
    }
    if (failed(type))
      return failure();
    auto declared = cast<RankedTensorType>(op.getResult(0).getType());
    if (failed(verifyCompatibleShape(declared.getShape(), type->getShape())))
      return op.emitError()
             << "result would be " << *type
             << " for these arguments, but is declared as " << declared;
    Shape shape(type->getShape());
    if (failed(checkOperandShapes(&op, operands, steps, bias, shapes, shape,
                                  channelDim)))
      return failure();
    shapes[op.getResult(0)] = std::move(shape);
  }
  return shapes;
}

FailureOr<SmallVector<Shape>> top::inferShapes(func::FuncOp func,
                                               ArrayRef<Shape> argumentShapes) {
  FailureOr<DenseMap<Value, Shape>> shapes =
      inferAllShapes(func, argumentShapes);
  if (failed(shapes))
    return failure();
  SmallVector<Shape> results;
  for (Value v : func.getBody().front().getTerminator()->getOperands())
    results.push_back(shapes->at(v));
  return results;
}
