//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ResultView.h.
//
//===----------------------------------------------------------------------===//

#include "ResultView.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

std::optional<ResultView> ResultView::match(Operation *op) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  auto outer = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!outer)
    return std::nullopt;
  ResultView view;
  view.outerShape = llvm::to_vector(outer.getShape());
  auto setInner = [&](Value value) {
    view.innerShape = llvm::to_vector(
        llvm::cast<RankedTensorType>(value.getType()).getShape());
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    setInner(expand.getSrc());
    view.kind = Expand;
    view.groups = expand.getReassociationIndices();
    view.outerSizes = expand.getMixedOutputShape();
    return view;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    setInner(collapse.getSrc());
    // The inverse would need the sizes.
    if (ShapedType::isDynamicShape(view.innerShape))
      return std::nullopt;
    view.kind = Collapse;
    view.groups = collapse.getReassociationIndices();
    return view;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      return std::nullopt;
    setInner(cast.getSource());
    view.kind = Cast;
    return view;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  OpOperand *moved = linalgOp ? getMovedInput(linalgOp) : nullptr;
  if (!moved)
    return std::nullopt;
  Rearrangement source = identityRearrangement(outer.getRank());
  if (!lookThrough(op->getResult(0), source) ||
      static_cast<int64_t>(source.size()) != outer.getRank())
    return std::nullopt;
  setInner(moved->get());
  view.kind = Transpose;
  view.permutation.assign(outer.getRank(), -1);
  for (auto [d, entry] : llvm::enumerate(source)) {
    if (entry.dim < 0 || view.permutation[entry.dim] != -1 ||
        view.innerShape[d] != view.outerShape[entry.dim])
      return std::nullopt;
    view.permutation[entry.dim] = d;
  }
  return view;
}

/// The dimensions of a group that are not 1.
static SmallVector<int64_t> getExtended(ArrayRef<int64_t> group,
                                        ArrayRef<int64_t> shape) {
  return llvm::to_vector(
      llvm::make_filter_range(group, [&](int64_t d) { return shape[d] != 1; }));
}

int64_t ResultView::getOuterDim(int64_t inner) const {
  switch (kind) {
  case Transpose:
    return llvm::find(permutation, inner) - permutation.begin();
  case Cast:
    return inner;
  case Expand: {
    SmallVector<int64_t> extended = getExtended(groups[inner], outerShape);
    if (extended.size() > 1)
      return -1;
    return extended.empty() ? groups[inner].back() : extended.front();
  }
  case Collapse:
    for (auto [outer, group] : llvm::enumerate(groups)) {
      if (!llvm::is_contained(group, inner))
        continue;
      SmallVector<int64_t> extended = getExtended(group, innerShape);
      bool isAlone = extended.empty() ||
                     (extended.size() == 1 && extended.front() == inner);
      return isAlone ? static_cast<int64_t>(outer) : -1;
    }
    return -1;
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<llvm::SmallBitVector>
ResultView::getInnerDims(const llvm::SmallBitVector &outer) const {
  llvm::SmallBitVector inner(innerShape.size());
  switch (kind) {
  case Transpose:
    for (int d : outer.set_bits())
      inner.set(permutation[d]);
    return inner;
  case Cast:
    return outer;
  case Expand:
    for (auto [d, group] : llvm::enumerate(groups)) {
      SmallVector<int64_t> extended = getExtended(group, outerShape);
      size_t varies =
          llvm::count_if(extended, [&](int64_t o) { return outer.test(o); });
      if (varies != 0 && varies != extended.size())
        return std::nullopt;
      if (varies != 0)
        inner.set(d);
    }
    return inner;
  case Collapse:
    for (auto [o, group] : llvm::enumerate(groups))
      if (outer.test(o))
        for (int64_t d : group)
          inner.set(d);
    return inner;
  }
  llvm_unreachable("all kinds are handled");
}

Value ResultView::apply(OpBuilder &builder, Location loc, Value value) const {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  auto outerType = RankedTensorType::get(outerShape, element);
  switch (kind) {
  case Transpose:
    return createTranspose(builder, loc, value, permutation);
  case Expand:
    return tensor::ExpandShapeOp::create(builder, loc, outerType, value, groups,
                                         outerSizes);
  case Collapse:
    return tensor::CollapseShapeOp::create(builder, loc, outerType, value,
                                           groups);
  case Cast:
    return tensor::CastOp::create(builder, loc, outerType, value);
  }
  llvm_unreachable("all kinds are handled");
}

Value ResultView::invert(OpBuilder &builder, Location loc, Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  switch (kind) {
  case Transpose: {
    SmallVector<int64_t> inverse(permutation.size());
    for (auto [d, p] : llvm::enumerate(permutation))
      inverse[p] = d;
    return createTranspose(builder, loc, value, inverse);
  }
  case Expand:
    return createCollapse(builder, loc, value, groups);
  case Collapse: {
    SmallVector<int64_t> shape(innerShape.size(), 1);
    for (auto [o, group] : llvm::enumerate(groups))
      if (type.getDimSize(o) != 1 || outerShape[o] == 1)
        for (int64_t d : group)
          shape[d] = innerShape[d];
    SmallVector<OpFoldResult> sizes =
        llvm::map_to_vector(shape, [&](int64_t size) {
          return OpFoldResult(builder.getIndexAttr(size));
        });
    return createExpand(builder, loc, value, type.clone(shape), groups, sizes);
  }
  case Cast: {
    // What the inner shape knows, the value may say.
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, inner] : llvm::zip_equal(shape, innerShape))
      if (ShapedType::isDynamic(size))
        size = inner;
    if (type.getShape() == ArrayRef<int64_t>(shape))
      return value;
    return tensor::CastOp::create(builder, loc, type.clone(shape), value);
  }
  }
  llvm_unreachable("all kinds are handled");
}
