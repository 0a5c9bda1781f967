//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Growing an epilogue: which elementwise ops behind a layer op can be computed
// as its result is stored, and the op with them. See EpilogueChain.h.
//
// A value y can become the result of the layer op if every use of the op's
// value x, and of every value between x and y, is by an op between x and y;
// then nothing else needs them. y is written as one scalar expression of x and
// peeled into steps (EpilogueSteps.h). Of the values y that can, the last wins.
//
//===----------------------------------------------------------------------===//

#include "EpilogueChain.h"

#include "Constants.h"
#include "EpilogueSteps.h"
#include "ResultView.h"
#include "StepOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "top/Dialect/Top/IR/Top.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

/// How many elementwise ops behind a value are looked at together; hardswish,
/// the longest activation that only works as a whole, is 6.
static constexpr unsigned maxChain = 48;

namespace {

/// What both layer ops have, by name.
struct Layer {
  Operation *op;
  Value bias;
  ArrayAttr epilogue;
  ValueRange epilogueOperands;
  RankedTensorType type;
  Type inputElement;
  int64_t channelDim;

  explicit Layer(Operation *op) : op(op) {
    if (auto conv = dyn_cast<Conv2DOp>(op)) {
      bias = conv.getBias();
      epilogue = conv.getEpilogueAttr();
      epilogueOperands = conv.getEpilogueOperands();
      type = conv.getResultType();
      inputElement = conv.getInputType().getElementType();
      channelDim = 1;
    } else {
      auto product = cast<MatMulOp>(op);
      bias = product.getBias();
      epilogue = product.getEpilogueAttr();
      epilogueOperands = product.getEpilogueOperands();
      type = product.getResultType();
      inputElement = product.getLhsType().getElementType();
      channelDim = type.getRank() - 1;
    }
  }

  /// The same op with another filter, bias, epilogue and element type.
  Value rebuild(OpBuilder &builder, Location loc, Value filter, Value bias,
                ArrayRef<Attribute> steps, ValueRange operands,
                RankedTensorType type) const {
    ArrayAttr epilogue =
        steps.empty() ? ArrayAttr() : builder.getArrayAttr(steps);
    Operation *result;
    if (auto conv = dyn_cast<Conv2DOp>(op))
      result = Conv2DOp::create(
          builder, loc, type, conv.getInput(), filter, bias, operands,
          conv.getStridesAttr(), conv.getPadsAttr(), conv.getDilationsAttr(),
          conv.getGroupAttr(), conv.getAllowTf32Attr(), epilogue);
    else {
      auto product = cast<MatMulOp>(op);
      result = MatMulOp::create(builder, loc, type, product.getLhs(), filter,
                                bias, operands, product.getTransposeAAttr(),
                                product.getTransposeBAttr(),
                                product.getAllowTf32Attr(), epilogue);
    }
    result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return result->getResult(0);
  }
};

/// The elementwise ops between a value and one of their results.
struct Chain {
  linalg::LinalgOp exit;
  llvm::DenseSet<Operation *> ops;
};

} // namespace

/// The elementwise ops computed from `x` in its block, in order.
static SmallVector<linalg::LinalgOp> findElementwise(Value x) {
  Block *block = x.getParentBlock();
  SetVector<Operation *> found;
  SmallVector<Value> worklist = {x};
  while (!worklist.empty() && found.size() < maxChain) {
    Value value = worklist.pop_back_val();
    for (Operation *user : value.getUsers()) {
      auto op = dyn_cast<linalg::LinalgOp>(user);
      if (op && user->getBlock() == block && isElementwise(op) &&
          found.insert(user))
        worklist.push_back(user->getResult(0));
    }
  }
  SmallVector<linalg::LinalgOp> ops;
  for (Operation *op : found)
    ops.push_back(cast<linalg::LinalgOp>(op));
  llvm::sort(ops, [](linalg::LinalgOp a, linalg::LinalgOp b) {
    return a->isBeforeInBlock(b);
  });
  return ops;
}

/// The chain that ends at `exit`; nullopt where x or a value inside is used
/// outside.
static std::optional<Chain>
findChain(Value x, linalg::LinalgOp exit,
          const llvm::DenseSet<Operation *> &dependent) {
  Chain chain{exit, {}};
  SmallVector<Operation *> worklist = {exit};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!chain.ops.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (dependent.contains(def))
          worklist.push_back(def);
  }
  auto isInside = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return chain.ops.contains(user);
    });
  };
  if (!isInside(x))
    return std::nullopt;
  for (Operation *op : chain.ops)
    if (op != exit && !isInside(op->getResult(0)))
      return std::nullopt;
  return chain;
}

/// Whether a layer op over `input` elements can give `result` elements.
static bool isResultElement(Type input, Type result) {
  return result == input ||
         (input.getIntOrFloatBitWidth() == 16 && result.isF32());
}

namespace {

/// One layer op on its way to a longer epilogue.
class ChainGrower {
public:
  ChainGrower(RewriterBase &rewriter, Operation *op,
              const RaiseOptions &options)
      : rewriter(rewriter), options(options), op(op) {}

  EpilogueResult run();

private:
  bool absorb();
  bool extendViews();
  bool canHaveOperands(ExprPool &pool, ArrayRef<RawStep> steps);
  void rewrite(ExprPool &pool, const Chain &chain, ArrayRef<RawStep> steps);
  bool foldAffine(const Expr *scale, const Expr *shift, Value &filter,
                  Value &bias);
  int64_t getChannelLoop() const;

  RewriterBase &rewriter;
  const RaiseOptions &options;
  Operation *op;
  Value value; ///< the layer op's result as seen through `views`
  SmallVector<ResultView, 2> views;
  EpilogueResult result;
};

} // namespace

int64_t ChainGrower::getChannelLoop() const {
  int64_t dim = Layer(op).channelDim;
  for (const ResultView &view : views)
    if (dim >= 0)
      dim = view.getOuterDim(dim);
  return dim;
}

EpilogueResult ChainGrower::run() {
  value = op->getResult(0);
  while (absorb() || extendViews())
    ;
  result.layer = op;
  return result;
}

/// Goes on behind a rearrangement that is the only user.
bool ChainGrower::extendViews() {
  if (!value.hasOneUse())
    return false;
  Operation *user = *value.getUsers().begin();
  // Not as the destination of a transpose, say.
  if (user->getBlock() != op->getBlock() || user->getNumOperands() == 0 ||
      user->getOperand(0) != value)
    return false;
  std::optional<ResultView> view = ResultView::match(user);
  if (!view)
    return false;
  views.push_back(*view);
  value = user->getResult(0);
  return true;
}

/// Whether all operands of the steps can be brought in front of the views.
bool ChainGrower::canHaveOperands(ExprPool &pool, ArrayRef<RawStep> steps) {
  Layer layer(op);
  StepOperands operands(rewriter, op->getLoc(), pool, layer.type,
                        layer.channelDim, views);
  return llvm::all_of(steps, [&](const RawStep &step) {
    return step.kind == RawStep::Activation ||
           (isa<FloatType>(step.operand->type) &&
            operands.canBeTensor(step.operand));
  });
}

bool ChainGrower::absorb() {
  result.reason.clear();
  SmallVector<linalg::LinalgOp> candidates = findElementwise(value);
  if (candidates.empty())
    return false;
  llvm::DenseSet<Operation *> dependent;
  for (linalg::LinalgOp candidate : candidates)
    dependent.insert(candidate);
  Layer layer(op);
  const bool dropCasts = layer.inputElement.getIntOrFloatBitWidth() == 16;
  auto valueType = cast<RankedTensorType>(value.getType());
  ExprPool pool(valueType, getChannelLoop());
  pool.setX(value, dependent, dropCasts);

  std::optional<Chain> best;
  SmallVector<RawStep> bestSteps;
  std::string firstReason;
  auto decline = [&](const Twine &why) {
    if (firstReason.empty() && !best)
      firstReason = why.str();
  };
  for (linalg::LinalgOp exit : candidates) {
    std::optional<Chain> chain = findChain(value, exit, dependent);
    if (!chain) {
      decline("a value in between has other uses");
      continue;
    }
    auto type = cast<RankedTensorType>(exit->getResult(0).getType());
    if (type.getShape() != valueType.getShape()) {
      decline("its result has another shape");
      continue;
    }
    if (!isResultElement(layer.inputElement, type.getElementType())) {
      decline("its result has another element type");
      continue;
    }
    const Expr *expr = pool.get(exit->getResult(0));
    if (!expr) {
      decline(pool.getReason());
      continue;
    }
    std::string reason;
    std::optional<SmallVector<RawStep>> steps = matchSteps(pool, expr, reason);
    if (!steps) {
      decline(reason);
      continue;
    }
    if (!canHaveOperands(pool, *steps)) {
      decline("an operand varies along a part of a dimension of the result");
      continue;
    }
    best = chain;
    bestSteps = *steps;
  }
  if (!best) {
    result.reason = firstReason;
    return false;
  }
  rewrite(pool, *best, bestSteps);
  return true;
}

/// With constant filter, scale and shift, and no rounding that scaling the
/// filter would add to: the scaled filter, and the shift in the bias.
bool ChainGrower::foldAffine(const Expr *scale, const Expr *shift,
                             Value &filter, Value &bias) {
  auto conv = dyn_cast<Conv2DOp>(op);
  if (!conv || options.foldConstants == FoldConstants::Never || !scale)
    return false;
  RankedTensorType type = conv.getFilterType();
  if (type.getElementTypeBitWidth() < 32)
    return false;
  ElementsAttr filterAttr = getConstant(filter);
  if (!filterAttr ||
      (options.foldConstants == FoldConstants::Auto && filterAttr.isSplat()))
    return false;
  const int64_t channels = type.getDimSize(0);
  auto evaluateAll = [&](const Expr *expr) {
    auto values = evaluate(expr, getChannelLoop(), channels);
    if (values && values->size() == 1)
      values->resize(channels, values->front());
    return values;
  };
  auto scales = evaluateAll(scale);
  std::optional<SmallVector<double>> shifts(std::in_place, channels, 0.0);
  if (shift)
    shifts = evaluateAll(shift);
  std::optional<SmallVector<double>> biases(std::in_place, channels, 0.0);
  if (bias) {
    ElementsAttr biasAttr = getConstant(bias);
    biases = biasAttr ? readFloats(biasAttr) : std::nullopt;
  }
  if (!scales || !shifts || !biases)
    return false;
  auto weights = readFloats(filterAttr);
  if (!weights)
    return false;
  const int64_t perChannel = weights->size() / channels;
  for (auto [i, weight] : llvm::enumerate(*weights))
    weight *= (*scales)[i / perChannel];
  for (int64_t c = 0; c < channels; ++c)
    (*biases)[c] = (*biases)[c] * (*scales)[c] + (*shifts)[c];
  Location loc = conv.getLoc();
  filter =
      arith::ConstantOp::create(rewriter, loc, makeConstant(type, *weights));
  bias = arith::ConstantOp::create(
      rewriter, loc,
      makeConstant(RankedTensorType::get({channels}, type.getElementType()),
                   *biases));
  return true;
}

void ChainGrower::rewrite(ExprPool &pool, const Chain &chain,
                          ArrayRef<RawStep> steps) {
  Layer layer(op);
  linalg::LinalgOp exit = chain.exit;
  SmallVector<Location> locations = {op->getLoc()};
  for (linalg::LinalgOp candidate : findElementwise(value))
    if (chain.ops.contains(candidate))
      locations.push_back(candidate.getLoc());
  Location loc = rewriter.getFusedLoc(locations);
  rewriter.setInsertionPoint(exit);

  Type element =
      cast<RankedTensorType>(exit->getResult(0).getType()).getElementType();
  auto type = RankedTensorType::get(layer.type.getShape(), element);
  StepOperands operandWriter(rewriter, loc, pool, type, layer.channelDim,
                             views);
  Value filter = op->getOperand(1), bias = layer.bias;
  SmallVector<Attribute> newSteps;
  if (layer.epilogue)
    llvm::append_range(newSteps, layer.epilogue);
  SmallVector<Value> operands(layer.epilogueOperands);
  MLIRContext *context = op->getContext();
  auto addStep = [&](StepKind kind, ArrayRef<Value> values) {
    newSteps.push_back(StepAttr::get(context, kind));
    llvm::append_range(operands, values);
  };

  // Shifts and scales in a row are one step: x * scale + shift.
  FloatType accumulator = Float32Type::get(context);
  if (element.isF64())
    accumulator = cast<FloatType>(element);
  const Expr *scale = nullptr, *shift = nullptr;
  auto combine = [&](const RawStep &step) {
    const Expr *operand = pool.cast(step.operand, accumulator);
    if (step.kind == RawStep::Shift) {
      shift = shift ? pool.op<arith::AddFOp>(accumulator, {shift, operand})
                    : operand;
      return;
    }
    scale =
        scale ? pool.op<arith::MulFOp>(accumulator, {scale, operand}) : operand;
    if (shift)
      shift = pool.op<arith::MulFOp>(accumulator, {shift, operand});
  };
  auto flush = [&] {
    if (!scale && !shift)
      return;
    if (newSteps.empty() && foldAffine(scale, shift, filter, bias)) {
      // Nothing is left to do.
    } else if (newSteps.empty() && !bias && !scale &&
               operandWriter.canBeVector(shift)) {
      bias = operandWriter.vector(shift);
    } else if (scale && shift && operandWriter.canBeVector(scale) &&
               operandWriter.canBeVector(shift)) {
      addStep(StepKind::affine,
              {operandWriter.vector(scale), operandWriter.vector(shift)});
    } else {
      if (scale)
        addStep(StepKind::mul, operandWriter.tensor(scale));
      if (shift)
        addStep(StepKind::add, operandWriter.tensor(shift));
    }
    scale = shift = nullptr;
  };
  for (const RawStep &step : steps) {
    if (step.kind == RawStep::Shift || step.kind == RawStep::Scale) {
      combine(step);
      continue;
    }
    flush();
    if (step.kind == RawStep::Activation)
      newSteps.push_back(step.activation);
    else
      addStep(step.kind == RawStep::Add ? StepKind::add : StepKind::mul,
              operandWriter.tensor(step.operand));
  }
  flush();

  Value newValue =
      layer.rebuild(rewriter, loc, filter, bias, newSteps, operands, type);
  Operation *newOp = newValue.getDefiningOp();
  for (const ResultView &view : views)
    newValue = view.apply(rewriter, loc, newValue);

  result.absorbed += llvm::count_if(chain.ops, [](Operation *op) {
    return isArithmetic(cast<linalg::LinalgOp>(op));
  });
  rewriter.replaceOp(exit, newValue);
  // What stood between has no users left: the exit was the last of them.
  SmallVector<Operation *> dead(chain.ops.begin(), chain.ops.end());
  llvm::erase(dead, exit.getOperation());
  llvm::sort(dead,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *between : dead)
    rewriter.eraseOp(between);
  Operation *view = value.getDefiningOp();
  while (view != op) {
    Operation *inner = view->getOperand(0).getDefiningOp();
    rewriter.eraseOp(view);
    view = inner;
  }
  rewriter.eraseOp(op);
  op = newOp;
  value = newValue;
}

EpilogueResult raise::growEpilogue(RewriterBase &rewriter, Operation *layer,
                                   const RaiseOptions &options) {
  return ChainGrower(rewriter, layer, options).run();
}
