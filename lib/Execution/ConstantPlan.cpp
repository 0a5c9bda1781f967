//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reads a constant, and the random values that follow; see
// ConstantPlan.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/ConstantPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "top/Dialect/Top/IR/Layout.h"

#include <cmath>

using namespace mlir;
using namespace mlir::top;

uint64_t top::hashConstant(ElementsAttr attr) {
  uint64_t hash = 0xcbf29ce484222325ull;
  auto add = [&](ArrayRef<char> bytes) {
    for (char c : bytes)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  };
  std::string type;
  // The layout does not matter: elements are written down as N, C, H, W.
  Type tensor = attr.getType();
  if (isChannelsLast(tensor))
    tensor = cast<RankedTensorType>(tensor).dropEncoding();
  llvm::raw_string_ostream(type) << tensor;
  add(type);
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    add(dense.getRawData());
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      add(blob->getData());
    } else {
      StringRef name = resource.getRawHandle().getKey();
      add(ArrayRef<char>(name.data(), name.size()));
    }
  }
  // Two values are reserved by DenseMap.
  return hash >> 1;
}

namespace {

/// How strongly a use decides; the strongest wins.
enum class Role { None, Vector, Weight, Keep };

/// The uses of one constant.
class UseScan {
public:
  explicit UseScan(ElementsAttr attr) {
    auto dense = dyn_cast<DenseElementsAttr>(attr);
    isSplat = dense && dense.isSplat();
    isZero = isSplat && dense.getSplatValue<APFloat>().isZero();
  }

  void follow(Value value);

  Role role = Role::None;
  double products = 1; ///< of a weight: in each sum, the most of all uses
  bool inBranch = false;

private:
  void visit(OpOperand &use);
  void visitLayer(OpOperand &use);
  void visitLinalg(linalg::LinalgOp op, OpOperand &use);
  void note(Role found) { role = std::max(role, found); }
  void noteWeight(double count) {
    note(Role::Weight);
    products = std::max(products, count);
  }

  bool isSplat, isZero;
};

} // namespace

/// Whether the op moves elements and computes nothing.
static bool isMove(linalg::LinalgOp op) {
  return op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInputs() == 1 &&
         op.getBlock()->getOperations().size() == 1;
}

/// Whether the scalar is a bound, rather than an operand of arithmetic.
static bool isBound(Value scalar) {
  return llvm::any_of(scalar.getUsers(), [](Operation *user) {
    return isa<arith::CmpFOp, arith::SelectOp, arith::MaximumFOp,
               arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(user);
  });
}

/// Whether the value comes from a constant through reshapes and broadcasts.
static bool isConstant(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (def->hasTrait<OpTrait::ConstantLike>())
      return true;
    auto op = dyn_cast<linalg::LinalgOp>(def);
    if (!(op && isMove(op)) &&
        !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            def))
      return false;
    value = def->getOperand(0);
  }
  return false;
}

/// Whether the result, as elementwise ops change it, is the branch that a
/// residual connection adds to its input.
static bool isResidualBranch(Value value) {
  // BatchNorm in four ops and a reshape or two.
  constexpr int kMaxOps = 8;
  for (int i = 0; i < kMaxOps; ++i) {
    // One op may read a value twice, or read it and write over it.
    if (value.use_empty() || !llvm::all_equal(value.getUsers()))
      return false;
    Operation *user = *value.getUsers().begin();
    if (user->getNumResults() != 1)
      return false;
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (op && op.getNumReductionLoops() == 0) {
      int computed = 0;
      for (Value input : op.getDpsInputs())
        computed +=
            input.getType() == op->getResult(0).getType() && !isConstant(input);
      if (computed > 1)
        return llvm::any_of(op.getBlock()->getOperations(),
                            llvm::IsaPred<arith::AddFOp>);
    } else if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                    tensor::CastOp>(user)) {
      return false;
    }
    value = user->getResult(0);
  }
  return false;
}

void UseScan::follow(Value value) {
  for (OpOperand &use : value.getUses())
    visit(use);
}

void UseScan::visit(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp>(user))
    return follow(user->getResult(0));
  if (isa<Conv2DOp, MatMulOp>(user))
    return visitLayer(use);
  if (auto op = dyn_cast<linalg::LinalgOp>(user))
    return visitLinalg(op, use);
  // Of another op nothing is known but that zeros may be meant.
  note(isZero ? Role::Keep : Role::Vector);
}

void UseScan::visitLayer(OpOperand &use) {
  if (auto conv = dyn_cast<Conv2DOp>(use.getOwner())) {
    ArrayRef<int64_t> filter = conv.getFilterType().getShape();
    if (use.getOperandNumber() < 2)
      return noteWeight(double(filter[1]) * filter[2] * filter[3]);
  } else if (auto product = cast<MatMulOp>(use.getOwner());
             use.getOperandNumber() < 2) {
    RankedTensorType lhs = product.getLhsType();
    int64_t depth =
        lhs.getDimSize(lhs.getRank() - (product.getTransposeA() ? 2 : 1));
    return noteWeight(ShapedType::isDynamic(depth) ? 1 : depth);
  }
  note(Role::Vector);
}

void UseScan::visitLinalg(linalg::LinalgOp op, OpOperand &use) {
  if (op.isDpsInit(&use))
    return note(isZero ? Role::Keep : Role::Vector);
  if (isMove(op))
    return follow(op->getResult(0));
  if (op.getNumReductionLoops() != 0) {
    double count = 1;
    for (auto [extent, kind] :
         llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction &&
          !ShapedType::isDynamic(extent))
        count *= extent;
    inBranch |= isResidualBranch(op->getResult(0));
    return noteWeight(count);
  }
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  auto result = op->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
  const bool isFull = type && result && type.getShape() == result.getShape();
  if (isBound(op.getMatchingBlockArgument(&use)) || (isSplat && isFull))
    return note(Role::Keep);
  note(Role::Vector);
}

/// One extent at most is not 1.
static bool isVector(ArrayRef<int64_t> shape) {
  return llvm::count_if(shape, [](int64_t extent) { return extent != 1; }) <= 1;
}

ConstantPlan ConstantPlan::create(func::FuncOp func) {
  ConstantPlan plan;
  llvm::DenseMap<uint64_t, UseScan> scans;
  SmallVector<std::pair<uint64_t, ElementsAttr>> order;
  func.walk([&](arith::ConstantOp op) {
    auto attr = dyn_cast<ElementsAttr>(op.getValue());
    if (!attr || !isa<FloatType>(attr.getElementType()) ||
        attr.getNumElements() < 2)
      return;
    if (auto dense = dyn_cast<DenseElementsAttr>(attr))
      if (dense.isSplat() && !dense.getSplatValue<APFloat>().isFinite())
        return;
    uint64_t hash = hashConstant(attr);
    // Equal constants get equal values, so that they share their uses.
    auto [scan, isNew] = scans.try_emplace(hash, attr);
    if (isNew)
      order.push_back({hash, attr});
    scan->second.follow(op.getResult());
  });
  for (auto [hash, attr] : order) {
    const UseScan &scan = scans.at(hash);
    RandomValues random;
    auto dense = dyn_cast<DenseElementsAttr>(attr);
    const bool isZero =
        dense && dense.isSplat() && dense.getSplatValue<APFloat>().isZero();
    switch (scan.role) {
    case Role::Keep:
      continue;
    case Role::Weight:
      random.scale =
          std::sqrt(2 / std::max(1.0, scan.products)) / (scan.inBranch ? 4 : 1);
      break;
    case Role::None:
    case Role::Vector:
      if (isVector(attr.getShapedType().getShape()))
        random.kind = isZero ? RandomValues::Centered : RandomValues::Positive;
      else if (isZero)
        continue;
      break;
    }
    plan.values.insert({hash, random});
  }
  return plan;
}

const RandomValues *ConstantPlan::find(ElementsAttr attr) const {
  auto found = values.find(hashConstant(attr));
  return found == values.end() ? nullptr : &found->second;
}

size_t ConstantPlan::countMissingWeights(func::FuncOp func) const {
  llvm::DenseSet<uint64_t> present;
  func.walk([&](arith::ConstantOp op) {
    if (auto attr = dyn_cast<ElementsAttr>(op.getValue()))
      present.insert(hashConstant(attr));
  });
  return llvm::count_if(values, [&](const auto &entry) {
    return entry.second.kind == RandomValues::Weight &&
           !present.contains(entry.first);
  });
}
