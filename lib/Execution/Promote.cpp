//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Promote.h.
//
//===----------------------------------------------------------------------===//

#include "Promote.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Execution/Constants.h"

using namespace mlir;
using namespace mlir::top;

static bool isNarrow(Type type) {
  return type.isF32() || type.isF16() || type.isBF16() || isFloat8(type);
}

static APFloat widen(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

/// Whether the type, or a part of it, satisfies `predicate`.
static bool anyPart(Type type, function_ref<bool(Type)> predicate) {
  bool found = false;
  AttrTypeWalker walker;
  walker.addWalk([&](Type part) { found |= predicate(part); });
  walker.walk(type);
  return found;
}

static bool anyValue(Operation *root, function_ref<bool(Type)> predicate) {
  WalkResult result = root->walk([&](Operation *op) {
    auto matches = [&](Type type) { return anyPart(type, predicate); };
    bool found = llvm::any_of(op->getResultTypes(), matches);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), matches);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool top::hasNarrowFloats(func::FuncOp func) {
  SetVector<Operation *> reachable;
  reachable.insert(func);
  for (size_t i = 0; i < reachable.size(); ++i) {
    if (anyValue(reachable[i],
                 [](Type type) { return type.isF16() || type.isBF16(); }))
      return true;
    reachable[i]->walk([&](func::CallOp call) {
      if (Operation *callee =
              SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()))
        reachable.insert(callee);
    });
  }
  return false;
}

/// The tensors to round, with the type each had. Ops that only move elements
/// need no rounding, nor do constants.
static SmallVector<std::pair<OpResult, FloatType>>
findComputed(ModuleOp module) {
  SmallVector<std::pair<OpResult, FloatType>> computed;
  module.walk([&](Operation *op) {
    if (!isa_and_nonnull<linalg::LinalgDialect, arith::ArithDialect,
                         math::MathDialect, tosa::TosaDialect>(
            op->getDialect()) ||
        isa<arith::ConstantOp, linalg::FillOp, linalg::TransposeOp,
            linalg::BroadcastOp, tosa::ConstOp>(op))
      return;
    for (OpResult result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        if (type.getElementType().isF16() || type.getElementType().isBF16())
          computed.push_back({result, cast<FloatType>(type.getElementType())});
  });
  return computed;
}

static void roundTensor(OpResult result, FloatType narrow) {
  OpBuilder builder(narrow.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  Location loc = result.getLoc();
  auto type = cast<RankedTensorType>(result.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, result),
      type.getElementType(), type.getEncoding());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto rounded = linalg::GenericOp::create(
      builder, loc, type, ValueRange(result), ValueRange(empty),
      ArrayRef<AffineMap>{identity, identity}, iterators,
      [&](OpBuilder &body, Location at, ValueRange arguments) {
        // Through f32, from which both types have conversions everywhere.
        Type f32 = body.getF32Type();
        Value value = arith::TruncFOp::create(body, at, f32, arguments[0]);
        value = arith::TruncFOp::create(body, at, narrow, value);
        value = arith::ExtFOp::create(body, at, f32, value);
        value = arith::ExtFOp::create(body, at, arguments[0].getType(), value);
        linalg::YieldOp::create(body, at, value);
      });
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses()))
    if (use.getOwner() != rounded.getOperation() &&
        !isa<tensor::DimOp>(use.getOwner()))
      use.set(rounded.getResult(0));
}

/// A constant is cut to its type before the type is gone.
static void foldTruncatedConstants(ModuleOp module) {
  SmallVector<arith::TruncFOp> casts;
  module.walk([&](arith::TruncFOp op) { casts.push_back(op); });
  for (arith::TruncFOp op : casts) {
    FloatAttr number;
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || !matchPattern(op.getIn(), m_Constant(&number)))
      continue;
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    OpBuilder builder(op);
    op.replaceAllUsesWith(arith::ConstantOp::create(builder, op.getLoc(),
                                                    FloatAttr::get(type, value))
                              .getResult());
    op.erase();
  }
}

static void replaceTypes(ModuleOp module) {
  Type f64 = Float64Type::get(module.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
    return isNarrow(type) ? f64 : Type(type);
  });
  using Replaced = std::optional<std::pair<Attribute, WalkResult>>;
  auto keep = [](Attribute attr) {
    return std::make_pair(attr, WalkResult::skip());
  };
  replacer.addReplacement([&](FloatAttr attr) -> Replaced {
    if (!isNarrow(attr.getType()))
      return keep(attr);
    return keep(FloatAttr::get(f64, widen(attr.getValue())));
  });
  replacer.addReplacement([&](DenseElementsAttr attr) -> Replaced {
    if (!isNarrow(attr.getElementType()))
      return keep(attr);
    return keep(attr.mapValues(f64, [](const APFloat &value) {
      return widen(value).bitcastToAPInt();
    }));
  });
  replacer.addReplacement([&](DenseResourceElementsAttr attr) -> Replaced {
    if (!isNarrow(attr.getElementType()))
      return keep(attr);
    FailureOr<Tensor> tensor =
        readConstant([&] { return module.emitError(); }, attr);
    if (failed(tensor)) // checked when constants were hoisted
      return keep(attr);
    SmallVector<double> values;
    for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
      values.push_back(tensor->get(i));
    return keep(DenseElementsAttr::get(attr.getType().clone(f64),
                                       ArrayRef<double>(values)));
  });
  // Its bytes are not numbers of a program.
  replacer.addReplacement(
      [&](DenseArrayAttr attr) -> Replaced { return keep(attr); });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult top::promoteToDouble(ModuleOp module, bool roundTensors) {
  if (!anyValue(module, isNarrow))
    return module.emitError() << "all its floats are f64";
  SmallVector<std::pair<OpResult, FloatType>> computed;
  if (roundTensors)
    computed = findComputed(module);
  foldTruncatedConstants(module);
  replaceTypes(module);
  for (auto [result, type] : computed)
    roundTensor(result, type);
  SmallVector<Operation *> casts;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType())
      casts.push_back(op);
  });
  for (Operation *op : casts) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
  return verify(module);
}
