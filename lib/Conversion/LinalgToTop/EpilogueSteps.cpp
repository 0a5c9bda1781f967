//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expression trees of activations and of arithmetic per channel or element,
// peeled off from the outside; see EpilogueSteps.h.
//
//===----------------------------------------------------------------------===//

#include "EpilogueSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether `expr` is the number `value`, as precisely as its type can say.
static bool isNumber(const Expr *expr, double value) {
  std::optional<double> number = getNumber(expr);
  auto type = dyn_cast<FloatType>(expr->type);
  if (!number || !type)
    return false;
  // 1/6 or sqrt(2) were computed by somebody in this type or rounded to it.
  return std::fabs(*number - value) <=
         std::ldexp(std::fabs(value), 1 - int(type.getFPMantissaWidth()));
}

/// The operand of a binary op that is not the number `value`; null where none
/// is that number.
template <typename OpTy>
static const Expr *matchWithNumber(const Expr *expr, double value) {
  if (!expr->is<OpTy>())
    return nullptr;
  for (unsigned i = 0; i < 2; ++i)
    if (isNumber(expr->operands[i], value))
      return expr->operands[1 - i];
  return nullptr;
}

/// e of -e, 0 - e or e * -1.
static const Expr *matchNegation(const Expr *expr) {
  if (expr->is<arith::NegFOp>())
    return expr->operands[0];
  if (expr->is<arith::SubFOp>() && isNumber(expr->operands[0], 0))
    return expr->operands[1];
  return matchWithNumber<arith::MulFOp>(expr, -1);
}

/// e of 1 + exp(-e).
static const Expr *matchOnePlusExpNegated(const Expr *expr) {
  const Expr *exp = matchWithNumber<arith::AddFOp>(expr, 1);
  if (!exp || !exp->is<math::ExpOp>())
    return nullptr;
  return matchNegation(exp->operands[0]);
}

/// e of 1 / (1 + exp(-e)).
static const Expr *matchSigmoid(const Expr *expr) {
  if (!expr->is<arith::DivFOp>() || !isNumber(expr->operands[0], 1))
    return nullptr;
  return matchOnePlusExpNegated(expr->operands[1]);
}

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

namespace {

/// max(e, bound) or min(e, bound) in one of its forms.
struct Limit {
  bool isMax;
  const Expr *e;
  double bound;
  bool keepsNaN; ///< a NaN in e is the result; else the bound is
};

} // namespace

static bool hasNoNaNs(const Expr *expr) {
  auto flags = dyn_cast_or_null<arith::FastMathFlagsAttr>(
      expr->attributes.get("fastmath"));
  return flags && arith::bitEnumContainsAll(flags.getValue(),
                                            arith::FastMathFlags::nnan);
}

/// select(cmpf(e, c), e, c) or with c first, in all four orders. With NaN an
/// ordered comparison is false and an unordered one true.
static std::optional<Limit> matchSelect(const Expr *expr) {
  const Expr *cmp = expr->operands[0];
  const Expr *ifTrue = expr->operands[1], *ifFalse = expr->operands[2];
  if (!cmp->is<arith::CmpFOp>())
    return std::nullopt;
  const bool eFirst = ifTrue->usesX;
  const Expr *e = eFirst ? ifTrue : ifFalse;
  const Expr *c = eFirst ? ifFalse : ifTrue;
  std::optional<double> bound = getNumber(c);
  if (!e->usesX || !bound || std::isnan(*bound))
    return std::nullopt;
  auto same = [&](const Expr *a, const Expr *b) {
    return a == b || (getNumber(a) && getNumber(a) == getNumber(b));
  };
  bool swapped;
  if (cmp->operands[0] == e && same(cmp->operands[1], c))
    swapped = false;
  else if (cmp->operands[1] == e && same(cmp->operands[0], c))
    swapped = true;
  else
    return std::nullopt;

  using P = arith::CmpFPredicate;
  P predicate = cast<arith::CmpFPredicateAttr>(cmp->attributes.get("predicate"))
                    .getValue();
  bool greater, unordered;
  switch (predicate) {
  case P::OGT:
  case P::OGE:
    greater = true, unordered = false;
    break;
  case P::UGT:
  case P::UGE:
    greater = true, unordered = true;
    break;
  case P::OLT:
  case P::OLE:
    greater = false, unordered = false;
    break;
  case P::ULT:
  case P::ULE:
    greater = false, unordered = true;
    break;
  default:
    return std::nullopt;
  }
  // e > c ? e : c is a maximum; each swap turns it round.
  const bool isMax = greater != swapped ? eFirst : !eFirst;
  // With NaN the comparison gives `unordered`, which selects e or c.
  const bool keepsNaN = unordered == eFirst || hasNoNaNs(cmp);
  return Limit{isMax, e, *bound, keepsNaN};
}

static std::optional<Limit> matchLimit(const Expr *expr) {
  if (expr->is<arith::SelectOp>())
    return matchSelect(expr);
  const bool isMax =
      expr->is<arith::MaximumFOp>() || expr->is<arith::MaxNumFOp>();
  const bool isMin =
      expr->is<arith::MinimumFOp>() || expr->is<arith::MinNumFOp>();
  if (!isMax && !isMin)
    return std::nullopt;
  const bool keepsNaN = expr->is<arith::MaximumFOp>() ||
                        expr->is<arith::MinimumFOp>() || hasNoNaNs(expr);
  for (unsigned i = 0; i < 2; ++i) {
    std::optional<double> bound = getNumber(expr->operands[1 - i]);
    if (expr->operands[i]->usesX && bound && !std::isnan(*bound))
      return Limit{isMax, expr->operands[i], *bound, keepsNaN};
  }
  return std::nullopt;
}

namespace {

/// min(max(e, lo), hi); a side that is not limited is infinite.
struct Clamp {
  const Expr *e;
  double lo = -infinity, hi = infinity;
  std::optional<double> nan; ///< what NaN becomes; nullopt: it stays
};

} // namespace

static std::optional<Clamp> matchClamp(const Expr *expr) {
  std::optional<Limit> outer = matchLimit(expr);
  if (!outer)
    return std::nullopt;
  Clamp clamp{outer->e};
  (outer->isMax ? clamp.lo : clamp.hi) = outer->bound;
  if (!outer->keepsNaN)
    clamp.nan = outer->bound;
  // max(min(e, hi), lo) is the same where lo <= hi.
  std::optional<Limit> inner = matchLimit(outer->e);
  if (!inner || inner->isMax == outer->isMax)
    return clamp;
  Clamp both = clamp;
  both.e = inner->e;
  (inner->isMax ? both.lo : both.hi) = inner->bound;
  if (!inner->keepsNaN)
    both.nan = inner->bound;
  return both.lo <= both.hi ? both : clamp;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The factors of a product, and the product of those that are numbers. `whole`
/// is not taken apart.
static void collectFactors(const Expr *expr,
                           SmallVectorImpl<const Expr *> &factors,
                           double &number, const Expr *whole = nullptr) {
  if (expr == whole) {
    factors.push_back(expr);
    return;
  }
  if (expr->is<arith::MulFOp>()) {
    collectFactors(expr->operands[0], factors, number, whole);
    collectFactors(expr->operands[1], factors, number, whole);
    return;
  }
  if (expr->is<arith::DivFOp>())
    if (std::optional<double> divisor = getNumber(expr->operands[1])) {
      collectFactors(expr->operands[0], factors, number, whole);
      number /= *divisor;
      return;
    }
  if (std::optional<double> value = getNumber(expr))
    number *= *value;
  else
    factors.push_back(expr);
}

/// Whether `number` is `value` within the roundings of a few factors in `type`.
static bool isAbout(double number, double value, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && std::fabs(number - value) <=
                          std::ldexp(std::fabs(value),
                                     2 - int(floatType.getFPMantissaWidth()));
}

/// e of e * value, which may be a product itself.
static const Expr *matchMultiple(const Expr *expr, double value) {
  if (expr->is<arith::MulFOp>() || expr->is<arith::DivFOp>())
    for (unsigned i = 0; i < 2; ++i) {
      std::optional<double> number = getNumber(expr->operands[1 - i]);
      if (!number || (i == 1 && expr->is<arith::DivFOp>()))
        continue;
      if (isAbout(expr->is<arith::DivFOp>() ? 1 / *number : *number, value,
                  expr->type))
        return expr->operands[i];
    }
  SmallVector<const Expr *> factors;
  double number = 1;
  collectFactors(expr, factors, number);
  return factors.size() == 1 && isAbout(number, value, expr->type) ? factors[0]
                                                                   : nullptr;
}

/// e of min(max(e + 3, 0), 6) or of 6 times min(max(e/6 + 1/2, 0), 1), with the
/// size of the range in `range`. A NaN need not be kept: it is multiplied by e.
static const Expr *matchHardGate(const Expr *expr, double &range) {
  std::optional<Clamp> clamp = matchClamp(expr);
  if (!clamp || clamp->lo != 0)
    return nullptr;
  range = clamp->hi;
  if (clamp->hi == 6)
    return matchWithNumber<arith::AddFOp>(clamp->e, 3);
  if (clamp->hi != 1)
    return nullptr;
  const Expr *scaled = matchWithNumber<arith::AddFOp>(clamp->e, 0.5);
  return scaled ? matchMultiple(scaled, 1.0 / 6) : nullptr;
}

/// e of 1 + erf(e / sqrt(2)).
static const Expr *matchOnePlusErf(const Expr *expr) {
  const Expr *erf = matchWithNumber<arith::AddFOp>(expr, 1);
  if (!erf || !erf->is<math::ErfOp>())
    return nullptr;
  return matchMultiple(erf->operands[0], std::sqrt(0.5));
}

/// e and the step where `expr` is e times a gate computed from e.
static const Expr *matchGatedProduct(const Expr *expr, StepKind &kind) {
  // e / (1 + exp(-e)).
  if (expr->is<arith::DivFOp>()) {
    const Expr *e = matchOnePlusExpNegated(expr->operands[1]);
    if (e && e == expr->operands[0]) {
      kind = StepKind::silu;
      return e;
    }
  }
  SmallVector<const Expr *> all;
  double ignored = 1;
  collectFactors(expr, all, ignored);
  for (const Expr *gate : all) {
    // e * gate, where e may be a product itself; the number that is left.
    double number = 1;
    auto isGated = [&](const Expr *e) {
      SmallVector<const Expr *> factors;
      number = 1;
      if (e)
        collectFactors(expr, factors, number, e);
      return factors.size() == 2 && llvm::is_contained(factors, e) &&
             llvm::is_contained(factors, gate);
    };
    if (const Expr *e = matchSigmoid(gate); isGated(e) && number == 1) {
      kind = StepKind::silu;
      return e;
    }
    if (const Expr *e = matchOnePlusErf(gate);
        isGated(e) && isAbout(number, 0.5, expr->type)) {
      kind = StepKind::gelu;
      return e;
    }
    double range = 0;
    if (const Expr *e = matchHardGate(gate, range);
        isGated(e) && isAbout(number, 1 / range, expr->type)) {
      kind = StepKind::hardswish;
      return e;
    }
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {

/// Peels steps off an expression, the outermost first.
class StepMatcher {
public:
  StepMatcher(ExprPool &pool, std::string &reason)
      : pool(pool), reason(reason) {}

  bool match(const Expr *expr);
  SmallVector<RawStep> steps; ///< outermost first

private:
  bool matchActivation(const Expr *expr);
  bool matchArithmetic(const Expr *expr);
  bool activate(StepAttr step, const Expr *e) {
    steps.push_back({RawStep::Activation, nullptr, step});
    return match(e);
  }
  bool add(const Expr *operand, const Expr *e) {
    if (operand->kind == Expr::Constant && operand->number == 0)
      return match(e);
    steps.push_back({pool.isPerChannel(operand) ? RawStep::Shift : RawStep::Add,
                     operand, StepAttr()});
    return match(e);
  }
  bool multiply(const Expr *operand, const Expr *e) {
    if (operand->kind == Expr::Constant && operand->number == 1)
      return match(e);
    steps.push_back({pool.isPerChannel(operand) ? RawStep::Scale : RawStep::Mul,
                     operand, StepAttr()});
    return match(e);
  }
  bool fail(const Twine &why) {
    reason = why.str();
    return false;
  }

  ExprPool &pool;
  std::string &reason;
};

} // namespace

bool StepMatcher::match(const Expr *expr) {
  if (expr->kind == Expr::X)
    return true;
  if (expr->kind != Expr::Op)
    return fail("it does not depend on the layer op");
  if (matchActivation(expr))
    return true;
  if (!reason.empty())
    return false;
  return matchArithmetic(expr);
}

bool StepMatcher::matchActivation(const Expr *expr) {
  MLIRContext *context = expr->attributes.getContext();
  StepKind kind;
  if (const Expr *e = matchGatedProduct(expr, kind))
    return activate(StepAttr::get(context, kind), e);
  if (const Expr *e = matchSigmoid(expr))
    return activate(StepAttr::get(context, StepKind::sigmoid), e);
  if (std::optional<Clamp> clamp = matchClamp(expr)) {
    if (clamp->lo == 0 && clamp->hi == infinity && !clamp->nan)
      return activate(StepAttr::get(context, StepKind::relu), clamp->e);
    return activate(StepAttr::get(context, clamp->lo, clamp->hi, clamp->nan),
                    clamp->e);
  }
  return false;
}

bool StepMatcher::matchArithmetic(const Expr *expr) {
  auto type = dyn_cast<FloatType>(expr->type);
  if (!type)
    return fail(Twine("'") + expr->opName + "' has no epilogue step");
  if (expr->is<arith::NegFOp>())
    return multiply(pool.constant(-1, type), expr->operands[0]);
  if (expr->operands.size() != 2)
    return fail(Twine("'") + expr->opName + "' has no epilogue step");
  const Expr *a = expr->operands[0], *b = expr->operands[1];
  if (a->usesX && b->usesX)
    return fail(Twine("both operands of '") + expr->opName +
                "' depend on the layer op");
  if (expr->is<arith::AddFOp>())
    return a->usesX ? add(b, a) : add(a, b);
  if (expr->is<arith::MulFOp>())
    return a->usesX ? multiply(b, a) : multiply(a, b);
  if (expr->is<arith::SubFOp>()) {
    if (a->usesX)
      return add(pool.op<arith::NegFOp>(b->type, {b}), a);
    // a - e = (-1 * e) + a.
    if (a->kind != Expr::Constant || a->number != 0)
      steps.push_back({pool.isPerChannel(a) ? RawStep::Shift : RawStep::Add, a,
                       StepAttr()});
    return multiply(pool.constant(-1, type), b);
  }
  if (expr->is<arith::DivFOp>() && a->usesX)
    return multiply(
        pool.op<arith::DivFOp>(b->type, {pool.constant(1, b->type), b}), a);
  return fail(Twine("'") + expr->opName + "' has no epilogue step");
}

std::optional<SmallVector<RawStep>>
raise::matchSteps(ExprPool &pool, const Expr *expr, std::string &reason) {
  reason.clear();
  StepMatcher matcher(pool, reason);
  if (!matcher.match(expr))
    return std::nullopt;
  std::reverse(matcher.steps.begin(), matcher.steps.end());
  return matcher.steps;
}
