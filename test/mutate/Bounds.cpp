//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes of masks, clamps and counts.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::top::mutate;

using Predicate = arith::CmpIPredicate;

static Value createConstant(OpBuilder &b, Location loc, Type type,
                            int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

/// The op's value becomes that of one of its operands.
static void replaceBy(Operation *op, unsigned operand) {
  op->getResult(0).replaceAllUsesWith(op->getOperand(operand));
  op->erase();
}

/// Whether two values are one and the same constant.
static bool areEqual(Value lhs, Value rhs, const Ranges &ranges) {
  if (lhs == rhs)
    return true;
  std::optional<Ranges::Range> l = ranges.get(lhs), r = ranges.get(rhs);
  return l && r && l->min == l->max && r->min == r->max && l->min == r->min;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Of indices and sizes; what an epilogue selects is not a mask.
static unsigned countSelects(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && select.getType().isIntOrIndex() ? 2 : 0;
}

static void selectAlways(Operation *op, unsigned way) {
  replaceBy(op, way == 0 ? 1 : 2);
}

static bool isSelected(Operation *op, unsigned way, const Ranges &ranges) {
  return ranges.isKnown(op->getOperand(0), way == 0) ||
         areEqual(op->getOperand(1), op->getOperand(2), ranges);
}

static unsigned countAnds(Operation *op) {
  auto both = dyn_cast<arith::AndIOp>(op);
  return both && both.getType().isInteger(1) ? 2 : 0;
}

/// Way 0 keeps the first condition.
static bool isOtherConditionIdle(Operation *op, unsigned way,
                                 const Ranges &ranges) {
  return ranges.isKnown(op->getOperand(1 - way), true) ||
         ranges.isKnown(op->getOperand(way), false) ||
         op->getOperand(0) == op->getOperand(1);
}

static std::optional<Predicate> getWider(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ule;
  case Predicate::sgt:
    return Predicate::sge;
  case Predicate::ugt:
    return Predicate::uge;
  case Predicate::sle:
    return Predicate::slt;
  case Predicate::ule:
    return Predicate::ult;
  case Predicate::sge:
    return Predicate::sgt;
  case Predicate::uge:
    return Predicate::ugt;
  case Predicate::eq:
  case Predicate::ne:
    return std::nullopt;
  }
  llvm_unreachable("no other predicates");
}

static unsigned countComparisons(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare && getWider(compare.getPredicate()) ? 1 : 0;
}

/// The step by which a loop changes `value`, its induction variable.
static std::optional<int64_t> getLoopStep(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getInductionVar() != value)
    return std::nullopt;
  return getConstantIntValue(loop.getStep());
}

/// A position of a loop is compared one step further, another number off by
/// one.
static void compareOffByOne(Operation *op, unsigned) {
  auto compare = cast<arith::CmpIOp>(op);
  OpBuilder b(op);
  if (std::optional<int64_t> step = getLoopStep(compare.getLhs())) {
    Value limit = compare.getRhs();
    compare.getRhsMutable().assign(arith::AddIOp::create(
        b, op->getLoc(), limit,
        createConstant(b, op->getLoc(), limit.getType(), *step)));
    return;
  }
  compare.setPredicate(*getWider(compare.getPredicate()));
}

static bool isNeverEqual(Operation *op, unsigned, const Ranges &ranges) {
  auto compare = cast<arith::CmpIOp>(op);
  std::optional<Ranges::Range> lhs = ranges.get(compare.getLhs());
  std::optional<Ranges::Range> rhs = ranges.get(compare.getRhs());
  return !getLoopStep(compare.getLhs()) && lhs && rhs &&
         (lhs->max < rhs->min || rhs->max < lhs->min);
}

//===----------------------------------------------------------------------===//
// Clamps
//===----------------------------------------------------------------------===//

/// The operands that can be what is clamped: a constant is the limit.
static SmallVector<unsigned> getClampedOperands(Operation *op) {
  SmallVector<unsigned> operands;
  if (isa<arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (!matchPattern(operand.get(), m_Constant()))
        operands.push_back(operand.getOperandNumber());
  return operands;
}

static unsigned countClamps(Operation *op) {
  return getClampedOperands(op).size();
}

static void dropClamp(Operation *op, unsigned way) {
  replaceBy(op, getClampedOperands(op)[way]);
}

static bool isNeverClamped(Operation *op, unsigned way, const Ranges &ranges) {
  const unsigned kept = getClampedOperands(op)[way];
  std::optional<Ranges::Range> value = ranges.get(op->getOperand(kept));
  std::optional<Ranges::Range> limit = ranges.get(op->getOperand(1 - kept));
  return value && limit &&
         (isa<arith::MinSIOp, arith::MinUIOp>(op) ? value->max <= limit->min
                                                  : value->min >= limit->max);
}

/// Extents of tiles are min(tile, size - start). The tile's own extent is left
/// in: positions in the tile are below it whether they are compared or not.
/// Those of parts are max(0, size): there it is the 0 that is dropped.
static SmallVector<unsigned> getDroppedBounds(Operation *op) {
  AffineMap map;
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getMap();
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    map = max.getMap();
  SmallVector<unsigned> dropped;
  if (!map || map.getNumResults() < 2)
    return dropped;
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    if (isa<AffineConstantExpr>(expr) == isa<affine::AffineMaxOp>(op))
      dropped.push_back(index);
  return dropped;
}

static unsigned countBounds(Operation *op) {
  return getDroppedBounds(op).size();
}

static void dropBound(Operation *op, unsigned way) {
  const unsigned dropped = getDroppedBounds(op)[way];
  auto drop = [&](auto bound) {
    AffineMap map = bound.getMap();
    bound.setMap(map.dropResult(dropped));
  };
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    drop(min);
  else
    drop(cast<affine::AffineMaxOp>(op));
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static unsigned countLoops(Operation *op) { return isa<scf::ForOp>(op); }

template <typename Change>
static void changeTrips(Operation *op, unsigned) {
  auto loop = cast<scf::ForOp>(op);
  OpBuilder b(op);
  loop.setUpperBound(
      Change::create(b, op->getLoc(), loop.getUpperBound(), loop.getStep()));
}

/// Of what a launch may ask for too little, so that something lies beyond it:
/// behind the last row of staged sums there is padding of up to 32 bytes.
static constexpr int64_t missingBytes = 64;

/// A sum of data; indices are sums as well, but of type index.
static unsigned countSums(Operation *op) {
  return isa<arith::AddFOp>(op) ||
         (isa<arith::AddIOp>(op) && op->getResult(0).getType().isInteger(32));
}

static void dropSummand(Operation *op, unsigned) { replaceBy(op, 0); }

/// Loops that begin with accumulators of zero, one way each; and products of
/// the tensor cores outside of loops.
static SmallVector<unsigned> getZeroSums(Operation *op) {
  SmallVector<unsigned> operands;
  auto isZero = [](Value value) {
    return matchPattern(value, m_AnyZeroFloat()) ||
           (value.getType().isInteger(32) && matchPattern(value, m_Zero()));
  };
  auto collect = [&](OperandRange range) {
    for (unsigned i = 0; i < range.size(); ++i)
      if (isZero(range[i]))
        operands.push_back(range.getBeginOperandIndex() + i);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    collect(loop.getInitArgs());
  else if (auto mma = dyn_cast<NVVM::MmaOp>(op))
    collect(mma.getOperandC());
  return operands;
}

static unsigned countZeroSums(Operation *op) { return getZeroSums(op).size(); }

static void beginAtOne(Operation *op, unsigned way) {
  OpOperand &sum = op->getOpOperand(getZeroSums(op)[way]);
  Type type = sum.get().getType();
  OpBuilder b(op);
  TypedAttr one = isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, 1.0))
                                       : TypedAttr(b.getIntegerAttr(type, 1));
  sum.set(arith::ConstantOp::create(b, op->getLoc(), one));
}

static unsigned countLaunches(Operation *op) {
  auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
  return launch && getConstantIntValue(launch.getGridSizeX()).value_or(0) > 1;
}

static void launchOneLess(Operation *op, unsigned) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  OpBuilder b(op);
  launch.getGridSizeXMutable().assign(
      createConstant(b, op->getLoc(), b.getIndexType(),
                     *getConstantIntValue(launch.getGridSizeX()) - 1));
}

static unsigned countSharedLaunches(Operation *op) {
  auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
  return launch && launch.getDynamicSharedMemorySize() &&
         getConstantIntValue(launch.getDynamicSharedMemorySize()).value_or(0) >
             missingBytes;
}

static void askForLessShared(Operation *op, unsigned) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  OpBuilder b(op);
  Value bytes = launch.getDynamicSharedMemorySize();
  launch.getDynamicSharedMemorySizeMutable().assign(
      createConstant(b, op->getLoc(), bytes.getType(),
                     *getConstantIntValue(bytes) - missingBytes));
}

ArrayRef<MutantClass> top::mutate::getBoundClasses() {
  static const MutantClass classes[] = {
      {"select-constant",
       "a selected size or index is always the one, or the "
       "other",
       countSelects, selectAlways, isSelected, /*isOfValues=*/true},
      {"condition-dropped", "of two conditions only one is looked at",
       countAnds, replaceBy, isOtherConditionIdle, /*isOfValues=*/true},
      {"compare-off-by-one", "a limit is one too high, or of a loop a step",
       countComparisons, compareOffByOne, isNeverEqual, /*isOfValues=*/true},
      {"clamp-removed", "a position or a count is not clamped", countClamps,
       dropClamp, isNeverClamped, /*isOfValues=*/true},
      {"bound-removed", "the extent of a tile at an edge is that of others",
       countBounds, dropBound, nullptr, /*isOfValues=*/true},
      {"loop-one-fewer", "a loop ends a step early", countLoops,
       changeTrips<arith::SubIOp>, nullptr},
      {"loop-one-more", "a loop ends a step late", countLoops,
       changeTrips<arith::AddIOp>, nullptr},
      {"sum-dropped", "one thing is not added", countSums, dropSummand,
       nullptr},
      {"zero-lost", "an accumulator does not begin at zero", countZeroSums,
       beginAtOne, nullptr},
      {"grid-one-fewer", "a block is not launched", countLaunches,
       launchOneLess, nullptr},
      {"shared-bytes-short", "64 bytes of shared memory are not asked for",
       countSharedLaunches, askForLessShared, nullptr},
  };
  return classes;
}
