//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Building, evaluating and writing scalar expressions; see ScalarExpr.h.
//
//===----------------------------------------------------------------------===//

#include "ScalarExpr.h"

#include "Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

/// How many ops in a row are looked through for an operand that does not
/// depend on X. Real files need 5 (BatchNorm parameters); the bound keeps the
/// time linear.
static constexpr unsigned maxDepth = 16;

void Expr::Profile(llvm::FoldingSetNodeID &id) const {
  id.AddInteger(kind);
  id.AddPointer(type.getAsOpaquePointer());
  id.AddInteger(llvm::bit_cast<uint64_t>(number));
  id.AddPointer(source.getAsOpaquePointer());
  for (int64_t i : index)
    id.AddInteger(i);
  id.AddString(opName);
  id.AddPointer(attributes.getAsOpaquePointer());
  for (const Expr *operand : operands)
    id.AddPointer(operand);
}

ExprPool::ExprPool(RankedTensorType type, int64_t channelLoop)
    : context(type.getContext()), extents(llvm::to_vector(type.getShape())),
      channelLoop(channelLoop) {}

const Expr *ExprPool::fail(const Twine &why) {
  if (reason.empty())
    reason = why.str();
  return nullptr;
}

const Expr *ExprPool::unique(Expr &&expr) {
  llvm::FoldingSetNodeID id;
  expr.Profile(id);
  void *position;
  if (Expr *known = nodes.FindNodeOrInsertPos(id, position))
    return known;
  expr.id = storage.size();
  expr.loops.resize(extents.size());
  expr.usesX = expr.kind == Expr::X;
  for (int64_t loop : expr.index)
    if (loop >= 0)
      expr.loops.set(loop);
  for (const Expr *operand : expr.operands) {
    expr.usesX |= operand->usesX;
    expr.readsTensor |= operand->readsTensor;
    expr.loops |= operand->loops;
  }
  storage.push_back(std::move(expr));
  nodes.InsertNode(&storage.back(), position);
  return &storage.back();
}

const Expr *ExprPool::constant(double number, Type type) {
  Expr expr;
  expr.kind = Expr::Constant;
  expr.type = type;
  expr.number = number;
  return unique(std::move(expr));
}

static bool isCommutative(StringRef name) {
  return llvm::is_contained({arith::AddFOp::getOperationName(),
                             arith::MulFOp::getOperationName(),
                             arith::MaximumFOp::getOperationName(),
                             arith::MinimumFOp::getOperationName(),
                             arith::MaxNumFOp::getOperationName(),
                             arith::MinNumFOp::getOperationName()},
                            name);
}

static bool isCast(StringRef name) {
  return name == arith::ExtFOp::getOperationName() ||
         name == arith::TruncFOp::getOperationName();
}

const Expr *ExprPool::make(StringRef name, DictionaryAttr attributes, Type type,
                           ArrayRef<const Expr *> operands) {
  if (isCast(name) && operands[0]->usesX && dropCasts)
    return operands[0];
  Expr expr;
  expr.kind = Expr::Op;
  expr.type = type;
  expr.opName = name;
  expr.attributes = attributes;
  expr.operands = llvm::to_vector(operands);
  if (isCommutative(name) && expr.operands[0]->id > expr.operands[1]->id)
    std::swap(expr.operands[0], expr.operands[1]);
  return unique(std::move(expr));
}

const Expr *ExprPool::cast(const Expr *expr, FloatType type) {
  auto from = llvm::dyn_cast<FloatType>(expr->type);
  if (!from || from == type)
    return expr;
  if (expr->kind == Expr::Constant)
    return constant(roundTo(expr->number, type), type);
  if (from.getWidth() < type.getWidth())
    return op<arith::ExtFOp>(type, {expr});
  if (from.getWidth() > type.getWidth())
    return op<arith::TruncFOp>(type, {expr});
  // f16 and bf16: through f32, which holds both.
  return cast(cast(expr, Float32Type::get(context)), type);
}

bool ExprPool::isPerChannel(const Expr *expr) const {
  if (expr->readsTensor)
    return false;
  for (int loop : expr->loops.set_bits())
    if (loop != channelLoop)
      return false;
  return true;
}

const Expr *ExprPool::get(Value value) {
  reason.clear();
  Index index;
  for (auto [loop, extent] : llvm::enumerate(extents))
    index.push_back(extent == 1 ? -1 : static_cast<int64_t>(loop));
  return build(value, index, 0);
}

const Expr *ExprPool::build(Value value, ArrayRef<int64_t> index,
                            unsigned depth) {
  if (value == x) {
    for (auto [d, loop] : llvm::enumerate(index))
      if (loop != (extents[d] == 1 ? -1 : static_cast<int64_t>(d)))
        return fail("its operand is broadcast or read in another order");
    Expr expr;
    expr.kind = Expr::X;
    expr.type = getElementTypeOrSelf(value.getType());
    return unique(std::move(expr));
  }
  Operation *def = value.getDefiningOp();
  auto op = dyn_cast_or_null<linalg::LinalgOp>(def);
  if (def && dependent.contains(def)) {
    if (!op || !isElementwise(op))
      return fail("it is not elementwise");
    return inlineOp(op, index, depth);
  }
  // What does not depend on X is taken apart only where it is a vector or a
  // number in the end; a whole tensor is computed once, where it is.
  if (op && depth < maxDepth && isElementwise(op)) {
    std::string saved = reason;
    const Expr *inlined = inlineOp(op, index, depth + 1);
    reason = saved;
    if (inlined && isPerChannel(inlined))
      return inlined;
  }
  return buildLeaf(value, index);
}

const Expr *ExprPool::buildLeaf(Value value, ArrayRef<int64_t> index) {
  // The source furthest back whose dimensions still stand in loop order: a
  // value that is repeated or padded with ones is read where it comes from.
  Rearrangement source;
  for (int64_t loop : index)
    source.push_back({loop});
  Value best = value;
  Index bestIndex(index);
  for (Value at = value; std::optional<Value> next = lookThrough(at, source);) {
    at = *next;
    int64_t last = -1;
    bool isOrdered = true;
    Index atIndex;
    for (const DimSource &entry : source) {
      isOrdered &= !entry.isPart && (entry.dim < 0 || entry.dim > last);
      last = std::max(last, entry.dim);
      atIndex.push_back(entry.dim);
    }
    if (!isOrdered)
      continue;
    best = at;
    bestIndex = atIndex;
  }
  auto type = llvm::dyn_cast<RankedTensorType>(best.getType());
  if (!type)
    return fail("an operand is not a ranked tensor");
  for (auto [d, size] : llvm::enumerate(type.getShape()))
    if (size == 1)
      bestIndex[d] = -1;
  if (auto attr = getConstant(best))
    if (type.getNumElements() == 1 &&
        llvm::isa<FloatType>(type.getElementType()))
      if (auto values = readFloats(attr))
        return constant(values->front(), type.getElementType());
  Expr expr;
  expr.kind = Expr::Tensor;
  expr.type = type.getElementType();
  expr.source = best;
  expr.index = bestIndex;
  expr.readsTensor =
      best.getDefiningOp() && !getConstant(best) && type.getRank() > 1 &&
      !ShapedType::isDynamicShape(extents) && type.hasStaticShape() &&
      type.getNumElements() == ShapedType::getNumElements(extents);
  return unique(std::move(expr));
}

const Expr *ExprPool::inlineOp(linalg::LinalgOp op, ArrayRef<int64_t> index,
                               unsigned depth) {
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Index loopIndex(op.getNumLoops(), -1);
  for (auto [d, expr] : llvm::enumerate(outMap.getResults()))
    loopIndex[llvm::cast<AffineDimExpr>(expr).getPosition()] = index[d];
  return buildScalar(op.getBlock()->getTerminator()->getOperand(0), op,
                     loopIndex, depth);
}

const Expr *ExprPool::buildScalar(Value value, linalg::LinalgOp op,
                                  ArrayRef<int64_t> loopIndex, unsigned depth) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return constant(number.getValueAsDouble(), number.getType());

  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == op.getBlock()) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type)
      return buildScalar(operand->get(), op, loopIndex, depth);
    Index index;
    for (auto [d, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      auto zero = dyn_cast<AffineConstantExpr>(expr);
      if (type.getDimSize(d) == 1 || (zero && zero.getValue() == 0))
        index.push_back(-1);
      else if (dim)
        index.push_back(loopIndex[dim.getPosition()]);
      else
        return fail("an operand is not read element by element");
    }
    return build(operand->get(), index, depth);
  }
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock()) {
    Expr expr;
    expr.kind = Expr::Scalar;
    expr.type = value.getType();
    expr.source = value;
    return unique(std::move(expr));
  }
  SmallVector<const Expr *> operands;
  for (Value operand : def->getOperands()) {
    const Expr *expr = buildScalar(operand, op, loopIndex, depth);
    if (!expr)
      return nullptr;
    operands.push_back(expr);
  }
  const Expr *expr = make(def->getName().getStringRef(),
                          def->getAttrDictionary(), value.getType(), operands);
  // A number computed from numbers is one.
  if (!expr->usesX && expr->kind == Expr::Op &&
      llvm::all_of(operands, [](const Expr *operand) {
        return operand->kind == Expr::Constant;
      }))
    if (auto values = evaluate(expr, -1, 1))
      return constant(values->front(), expr->type);
  return expr;
}

//===----------------------------------------------------------------------===//
// Values of expressions
//===----------------------------------------------------------------------===//

std::optional<double> raise::getNumber(const Expr *expr) {
  if (expr->kind == Expr::Constant)
    return expr->number;
  if (expr->kind != Expr::Tensor)
    return std::nullopt;
  // Of a splat the order of elements does not matter.
  Value source = expr->source;
  Rearrangement any =
      identityRearrangement(cast<RankedTensorType>(source.getType()).getRank());
  while (std::optional<Value> next = lookThrough(source, any))
    source = *next;
  FloatAttr filled;
  auto fill = source.getDefiningOp<linalg::FillOp>();
  if (fill && matchPattern(fill.getInputs()[0], m_Constant(&filled)) &&
      filled.getType() == getElementTypeOrSelf(source.getType()))
    return filled.getValueAsDouble();
  auto dense = dyn_cast_or_null<DenseElementsAttr>(getConstant(source));
  if (!dense || !dense.isSplat() || !isa<FloatType>(dense.getElementType()))
    return std::nullopt;
  return dense.getSplatValue<APFloat>().convertToDouble();
}

/// One scalar op in double; nullopt for those that are not known here.
static std::optional<double> compute(const Expr *expr,
                                     ArrayRef<double> operands) {
  if (operands.size() == 1) {
    const double a = operands[0];
    if (isCast(expr->opName))
      return a; // rounded below
    if (expr->is<arith::NegFOp>())
      return -a;
    if (expr->is<math::SqrtOp>())
      return std::sqrt(a);
    if (expr->is<math::RsqrtOp>())
      return 1 / std::sqrt(a);
    if (expr->is<math::ExpOp>())
      return std::exp(a);
    if (expr->is<math::AbsFOp>())
      return std::fabs(a);
  }
  if (operands.size() == 2) {
    const double a = operands[0], b = operands[1];
    if (expr->is<arith::AddFOp>())
      return a + b;
    if (expr->is<arith::SubFOp>())
      return a - b;
    if (expr->is<arith::MulFOp>())
      return a * b;
    if (expr->is<arith::DivFOp>())
      return a / b;
  }
  return std::nullopt;
}

std::optional<SmallVector<double>>
raise::evaluate(const Expr *expr, int64_t channelLoop, int64_t numChannels) {
  switch (expr->kind) {
  case Expr::Constant:
    return SmallVector<double>{expr->number};
  case Expr::Tensor: {
    for (int loop : expr->loops.set_bits())
      if (loop != channelLoop)
        return std::nullopt;
    auto attr = getConstant(expr->source);
    auto values = attr ? readFloats(attr) : std::nullopt;
    const int64_t expected = expr->loops.any() ? numChannels : 1;
    if (!values || static_cast<int64_t>(values->size()) != expected)
      return std::nullopt;
    return values;
  }
  case Expr::Op: {
    SmallVector<SmallVector<double>> operands;
    size_t size = 1;
    for (const Expr *operand : expr->operands) {
      auto values = evaluate(operand, channelLoop, numChannels);
      if (!values)
        return std::nullopt;
      size = std::max(size, values->size());
      operands.push_back(std::move(*values));
    }
    auto type = dyn_cast<FloatType>(expr->type);
    if (!type)
      return std::nullopt;
    SmallVector<double> result;
    for (size_t i = 0; i < size; ++i) {
      SmallVector<double> at;
      for (const SmallVector<double> &values : operands)
        at.push_back(values[values.size() == 1 ? 0 : i]);
      std::optional<double> value = compute(expr, at);
      if (!value)
        return std::nullopt;
      result.push_back(isCast(expr->opName) ? roundTo(*value, type) : *value);
    }
    return result;
  }
  default:
    return std::nullopt;
  }
}

SmallVector<const Expr *> raise::getTensors(const Expr *expr) {
  SmallVector<const Expr *> tensors, worklist = {expr};
  llvm::DenseSet<const Expr *> seen;
  while (!worklist.empty()) {
    const Expr *at = worklist.pop_back_val();
    if (!seen.insert(at).second)
      continue;
    if (at->kind == Expr::Tensor)
      tensors.push_back(at);
    llvm::append_range(worklist, at->operands);
  }
  llvm::sort(tensors, [](auto *a, auto *b) { return a->id < b->id; });
  return tensors;
}

Value raise::emitScalar(OpBuilder &builder, Location loc, const Expr *expr,
                        function_ref<Value(const Expr *)> leaf) {
  llvm::DenseMap<const Expr *, Value> known;
  std::function<Value(const Expr *)> emit = [&](const Expr *at) -> Value {
    if (Value value = known.lookup(at))
      return value;
    Value value;
    switch (at->kind) {
    case Expr::Constant:
      value = arith::ConstantOp::create(
          builder, loc, builder.getFloatAttr(at->type, at->number));
      break;
    case Expr::Scalar:
      value = at->source;
      break;
    case Expr::Tensor:
      value = leaf(at);
      break;
    case Expr::Op: {
      OperationState state(loc, at->opName);
      for (const Expr *operand : at->operands)
        state.addOperands(emit(operand));
      state.addTypes(at->type);
      state.addAttributes(at->attributes.getValue());
      value = builder.create(state)->getResult(0);
      break;
    }
    case Expr::X:
      llvm_unreachable("only expressions without X are written");
    }
    known[at] = value;
    return value;
  };
  return emit(expr);
}
