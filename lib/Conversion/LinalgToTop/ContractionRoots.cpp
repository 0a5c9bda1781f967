//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions as top.MatMul: named and generic, with operands in any order,
// transposed or repeated on the way.
//
// Each loop is B (in both operands and the result), M (lhs and result), N (rhs
// and result) or K (both operands). Where no loop is B and several are M, the
// last of them is M and the others are B: rhs is shared by the batch. An
// operand is brought into the order B, M, K or B, K, M; since the result must
// be B, M, N, the two operands may change places. Of the ways, the one that
// moves least data wins.
//
//===----------------------------------------------------------------------===//

#include "Roots.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

namespace {

/// An operand as the contraction reads it.
struct Operand {
  Value value;
  Roles loops; ///< of each dimension
};

/// The loops of a product, by what they are.
struct Dimensions {
  SmallVector<int> b, m, n, k;
};

/// One way to write the contraction.
struct Plan {
  Operand lhs, rhs;
  SmallVector<SmallVector<int>> lhsGroups, rhsGroups, resultGroups;
  bool transposeA, transposeB;
  unsigned numMoves; ///< explicit transposes
};

} // namespace

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// A literal 0, as printed for an extent of 1, stands for the loop of extent 1
/// that the operand lacks, if there is one that the result has.
static void nameUnits(Operand &operand, ArrayRef<int> resultLoops,
                      ArrayRef<int64_t> extents) {
  ArrayRef<int64_t> shape = getShape(operand.value);
  for (auto [d, loop] : llvm::enumerate(operand.loops)) {
    if (loop != -1 || shape[d] != 1)
      continue;
    const int *unit = llvm::find_if(resultLoops, [&](int candidate) {
      return extents[candidate] == 1 &&
             !llvm::is_contained(operand.loops, candidate);
    });
    if (unit != resultLoops.end())
      loop = *unit;
  }
}

/// The source of `operand` with transposes, reshapes of ones and repetition
/// along loops looked through.
static Operand strip(Operand operand) {
  Rearrangement source;
  for (int loop : operand.loops)
    source.push_back({loop});
  Operand best = operand;
  Value value = operand.value;
  while (std::optional<Value> next = lookThrough(value, source)) {
    value = *next;
    Roles loops;
    bool isWhole = true;
    ArrayRef<int64_t> shape = getShape(value);
    for (auto [d, entry] : llvm::enumerate(source)) {
      isWhole &= !entry.isPart && (entry.dim >= 0 || shape[d] == 1) &&
                 (entry.dim < 0 || !llvm::is_contained(loops, entry.dim));
      loops.push_back(entry.dim);
    }
    if (isWhole)
      best = {value, loops};
  }
  return best;
}

static FailureOr<Dimensions> classify(const Operand &lhs, const Operand &rhs,
                                      ArrayRef<int> resultLoops,
                                      unsigned numLoops) {
  Dimensions dims;
  auto in = [](ArrayRef<int> loops, int loop) {
    return llvm::is_contained(loops, loop);
  };
  for (int loop : resultLoops) {
    const bool inLhs = in(lhs.loops, loop), inRhs = in(rhs.loops, loop);
    if (!inLhs && !inRhs)
      return failure(); // the result repeats itself
    (inLhs && inRhs ? dims.b : inLhs ? dims.m : dims.n).push_back(loop);
  }
  for (int loop : lhs.loops)
    if (loop >= 0 && !in(resultLoops, loop)) {
      if (!in(rhs.loops, loop))
        return failure(); // a sum over one operand only
      dims.k.push_back(loop);
    }
  for (int loop : rhs.loops)
    if (loop >= 0 && !in(resultLoops, loop) && !in(lhs.loops, loop))
      return failure();
  // Each loop is read along somewhere.
  if (dims.b.size() + dims.m.size() + dims.n.size() + dims.k.size() != numLoops)
    return failure();
  return dims;
}

static Plan makePlan(const Operand &lhs, const Operand &rhs, Dimensions dims,
                     ArrayRef<int> resultLoops, ArrayRef<int64_t> resultShape) {
  Plan plan{lhs, rhs};
  if (dims.b.empty() && dims.m.size() > 1) {
    dims.b.assign(dims.m.begin(), dims.m.end() - 1);
    dims.m.erase(dims.m.begin(), dims.m.end() - 1);
  }
  const bool isBatched = !dims.b.empty();
  const bool isShared =
      isBatched && !llvm::is_contained(rhs.loops, dims.b.front());
  auto groups = [&](bool hasBatch, ArrayRef<int> rows, ArrayRef<int> columns) {
    SmallVector<SmallVector<int>> result;
    if (hasBatch)
      result.push_back(dims.b);
    result.emplace_back(rows);
    result.emplace_back(columns);
    return result;
  };
  plan.numMoves = 0;
  auto choose = [&](const Operand &operand, bool hasBatch, ArrayRef<int> rows,
                    ArrayRef<int> columns, bool &transposed) {
    SmallVector<SmallVector<int>> plain = groups(hasBatch, rows, columns);
    SmallVector<SmallVector<int>> swapped = groups(hasBatch, columns, rows);
    ArrayRef<int64_t> shape = getShape(operand.value);
    transposed = false;
    if (!movesData(getPermutation(operand.loops, plain), shape))
      return plain;
    if (!movesData(getPermutation(operand.loops, swapped), shape)) {
      transposed = true;
      return swapped;
    }
    ++plan.numMoves;
    return plain;
  };
  plan.lhsGroups = choose(lhs, isBatched, dims.m, dims.k, plan.transposeA);
  plan.rhsGroups =
      choose(rhs, isBatched && !isShared, dims.k, dims.n, plan.transposeB);
  plan.resultGroups = groups(isBatched, dims.m, dims.n);
  plan.numMoves +=
      movesData(getPermutation(resultLoops, plan.resultGroups), resultShape);
  return plan;
}

FailureOr<Operation *> raise::raiseContraction(RewriterBase &rewriter,
                                               linalg::LinalgOp op,
                                               std::string &reason) {
  auto fail = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  if (failed(checkSumOfProducts(op, reason)))
    return failure();
  OpOperand *out = op.getDpsInitOperand(0);
  FailureOr<Roles> resultLoops = getLoopRoles(op, out);
  if (failed(resultLoops) || llvm::is_contained(*resultLoops, -1))
    return fail("its result is not indexed by loops alone");
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Operand operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    OpOperand *operand = op.getDpsInputOperand(i);
    FailureOr<Roles> loops = getLoopRoles(op, operand);
    if (failed(loops))
      return fail("an operand is not indexed by loops alone");
    operands[i] = {operand->get(), *loops};
    nameUnits(operands[i], *resultLoops, extents);
    for (auto [d, loop] : llvm::enumerate(operands[i].loops))
      if (loop == -1 && getShape(operand->get())[d] != 1)
        return fail("an operand is read in one place of a larger dimension");
  }

  // Each operand as it stands or seen through to its source, on either side.
  const Operand stripped[2] = {strip(operands[0]), strip(operands[1])};
  ArrayRef<int64_t> resultShape = getShape(out->get());
  std::optional<Plan> best;
  for (unsigned way = 0; way < 8; ++way) {
    const Operand &lhs = (way & 1 ? operands : stripped)[0];
    const Operand &rhs = (way & 2 ? operands : stripped)[1];
    FailureOr<Dimensions> dims =
        classify(lhs, rhs, *resultLoops, op.getNumLoops());
    if (failed(dims))
      continue;
    if (way & 4)
      std::swap(dims->m, dims->n);
    Plan plan = way & 4 ? makePlan(rhs, lhs, *dims, *resultLoops, resultShape)
                        : makePlan(lhs, rhs, *dims, *resultLoops, resultShape);
    if (!best || plan.numMoves < best->numMoves)
      best = plan;
  }
  if (!best)
    return fail("its loops are not those of a matrix product");
  const Plan &plan = *best;

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value a = skipCasts(
      arrange(rewriter, loc, plan.lhs.value, plan.lhs.loops, plan.lhsGroups));
  Value b = skipCasts(
      arrange(rewriter, loc, plan.rhs.value, plan.rhs.loops, plan.rhsGroups));
  Type element = cast<RankedTensorType>(out->get().getType()).getElementType();
  FailureOr<RankedTensorType> type =
      MatMulOp::inferResultType(nullptr, cast<RankedTensorType>(a.getType()),
                                cast<RankedTensorType>(b.getType()),
                                plan.transposeA, plan.transposeB, element);
  if (failed(type))
    return fail("top.MatMul does not take its operands");
  Value init =
      arrange(rewriter, loc, out->get(), *resultLoops, plan.resultGroups);
  FailureOr<InitialValue> initial =
      matchInit(rewriter, loc, init, *type, type->getRank() - 1, reason);
  if (failed(initial))
    return failure();
  auto product = MatMulOp::create(
      rewriter, loc, *type, a, b, initial->bias, initial->operands,
      plan.transposeA, plan.transposeB, /*allow_tf32=*/false,
      initial->steps.empty() ? ArrayAttr()
                             : rewriter.getArrayAttr(initial->steps));
  moveAttributes(op, product);
  Value result = disarrange(rewriter, loc, product.getResult(), *resultLoops,
                            plan.resultGroups, out->get());
  rewriter.replaceOp(op, result);
  return product.getOperation();
}
