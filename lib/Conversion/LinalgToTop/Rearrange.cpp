//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Rearrange.h.
//
//===----------------------------------------------------------------------===//

#include "Rearrange.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Rearrangement raise::identityRearrangement(int64_t rank) {
  Rearrangement source;
  for (int64_t d = 0; d < rank; ++d)
    source.push_back({d});
  return source;
}

SmallVector<int64_t> raise::getNonUnitShape(ArrayRef<int64_t> shape) {
  return llvm::to_vector(
      llvm::make_filter_range(shape, [](int64_t size) { return size != 1; }));
}

bool raise::isElementwise(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || op.hasIndexSemantics())
    return false;
  if (!op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return false;
  // What is made in its place would lose an encoding.
  for (Type type : op->getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && tensor.getEncoding())
      return false;
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
    return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op);
  });
}

bool raise::isArithmetic(linalg::LinalgOp op) {
  return isElementwise(op) && !op.getBlock()->without_terminator().empty();
}

OpOperand *raise::getMovedInput(linalg::LinalgOp op) {
  if (!isElementwise(op))
    return nullptr;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (op.isDpsInit(operand) || !isa<RankedTensorType>(operand->get().getType()))
    return nullptr;
  return operand;
}

static std::optional<Rearrangement>
lookThroughLinalg(linalg::LinalgOp op, const Rearrangement &source,
                  Value &input) {
  OpOperand *moved = getMovedInput(op);
  if (!moved)
    return std::nullopt;
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Rearrangement loops(op.getNumLoops(), DimSource{-1});
  for (auto [d, expr] : llvm::enumerate(outMap.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = source[d];
  Rearrangement result;
  for (AffineExpr expr : op.getMatchingIndexingMap(moved).getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      result.push_back(loops[dim.getPosition()]);
    else if (isa<AffineConstantExpr>(expr) &&
             cast<AffineConstantExpr>(expr).getValue() == 0)
      result.push_back({-1});
    else
      return std::nullopt;
  }
  input = moved->get();
  return result;
}

/// Each dimension of the collapsed source is a group of dimensions of the
/// expanded value.
static std::optional<Rearrangement>
lookThroughExpand(tensor::ExpandShapeOp op, const Rearrangement &source) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  Rearrangement result;
  for (ReassociationIndices &group : op.getReassociationIndices()) {
    SmallVector<int64_t> extended;
    for (int64_t d : group)
      if (shape[d] != 1)
        extended.push_back(d);
    if (extended.size() > 1)
      return std::nullopt; // a product of two dimensions
    if (!extended.empty()) {
      result.push_back(source[extended.front()]);
      continue;
    }
    // All are 1: read along any that has a source.
    DimSource any{-1};
    for (int64_t d : group)
      if (any.dim == -1)
        any = source[d];
    result.push_back(any);
  }
  return result;
}

static Rearrangement lookThroughCollapse(tensor::CollapseShapeOp op,
                                         const Rearrangement &source) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  Rearrangement result(shape.size(), DimSource{-1});
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<int64_t> extended;
    for (int64_t s : group)
      if (shape[s] != 1)
        extended.push_back(s);
    if (extended.empty() && !group.empty())
      result[group.back()] = source[d];
    for (int64_t s : extended)
      result[s] = {source[d].dim, source[d].isPart || (extended.size() > 1 &&
                                                       source[d].dim != -1)};
  }
  return result;
}

std::optional<Value> raise::lookThrough(Value value, Rearrangement &source) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    Value input;
    auto result = lookThroughLinalg(linalgOp, source, input);
    if (!result)
      return std::nullopt;
    source = *result;
    return input;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    auto result = lookThroughExpand(expand, source);
    if (!result)
      return std::nullopt;
    source = *result;
    return expand.getSrc();
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    source = lookThroughCollapse(collapse, source);
    return collapse.getSrc();
  }
  if (Value inner = skipCasts(value); inner != value)
    return inner;
  return std::nullopt;
}

Value raise::skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    if (!tensor::preservesStaticInformation(cast.getType(),
                                            cast.getSource().getType()))
      break;
    value = cast.getSource();
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Transposes and reshapes
//===----------------------------------------------------------------------===//

bool raise::movesData(ArrayRef<int64_t> permutation, ArrayRef<int64_t> shape) {
  int64_t last = -1;
  for (int64_t d : permutation) {
    if (shape[d] == 1)
      continue;
    if (d < last)
      return true;
    last = d;
  }
  return false;
}

/// The dimensions of `value` in the order in which they stand in the value
/// that it transposes, which is returned; null where it is no transpose.
static Value getTransposed(Value value, SmallVectorImpl<int64_t> &permutation) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return {};
  const int64_t rank = getShape(value).size();
  Rearrangement source = identityRearrangement(rank);
  std::optional<Value> base = lookThrough(value, source);
  if (!base || static_cast<int64_t>(source.size()) != rank)
    return {};
  permutation.assign(rank, -1);
  for (auto [d, entry] : llvm::enumerate(source)) {
    if (entry.dim < 0 || permutation[entry.dim] != -1)
      return {};
    permutation[entry.dim] = d;
  }
  // Equal extents, or it repeats the data along one of size 1.
  for (auto [d, p] : llvm::enumerate(permutation))
    if (getShape(*base)[p] != getShape(value)[d])
      return {};
  return *base;
}

Value raise::createTranspose(OpBuilder &builder, Location loc, Value value,
                             ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> order(permutation);
  SmallVector<int64_t> inner;
  while (Value base = getTransposed(value, inner)) {
    for (int64_t &d : order)
      d = inner[d];
    value = base;
  }
  ArrayRef<int64_t> shape = getShape(value);
  SmallVector<int64_t> result =
      llvm::map_to_vector(order, [&](int64_t d) { return shape[d]; });
  if (llvm::is_sorted(order))
    return value;
  if (!movesData(order, shape))
    return reshapeUnits(builder, loc, value, result);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> permuted =
      llvm::map_to_vector(order, [&](int64_t d) { return sizes[d]; });
  auto type = cast<RankedTensorType>(value.getType());
  Value init =
      tensor::EmptyOp::create(builder, loc, permuted, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, init, order)
      ->getResult(0);
}

/// Groups the dimensions of `shape` so that each group holds one extent other
/// than 1 (all in one group where there is none).
static SmallVector<ReassociationIndices> groupUnits(ArrayRef<int64_t> shape) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices open;
  for (auto [d, size] : llvm::enumerate(shape)) {
    open.push_back(d);
    if (size == 1)
      continue;
    groups.push_back(open);
    open.clear();
  }
  if (groups.empty())
    groups.push_back(open);
  else
    llvm::append_range(groups.back(), open);
  return groups;
}

/// Whether `op` only leaves out or puts in extents of 1.
static bool isUnitReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
         getNonUnitShape(getShape(op->getOperand(0))) ==
             getNonUnitShape(getShape(op->getResult(0)));
}

Value raise::reshapeUnits(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  while (getShape(value) != shape && isUnitReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  if (getShape(value) == shape)
    return value;
  SmallVector<int64_t> core = getNonUnitShape(shape);
  if (core.empty())
    core.push_back(1);
  if (getShape(value).empty()) { // a tensor of rank 0
    auto type = cast<RankedTensorType>(value.getType()).clone(shape);
    return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                         ArrayRef<ReassociationIndices>{});
  }
  if (shape.empty()) {
    SmallVector<int64_t> none;
    auto type = cast<RankedTensorType>(value.getType()).clone(none);
    return tensor::CollapseShapeOp::create(builder, loc, type, value,
                                           ArrayRef<ReassociationIndices>{});
  }
  if (getShape(value) != ArrayRef<int64_t>(core))
    value = tensor::CollapseShapeOp::create(builder, loc, value,
                                            groupUnits(getShape(value)));
  if (ArrayRef<int64_t>(core) == shape)
    return value;
  SmallVector<OpFoldResult> inner = tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> sizes;
  unsigned next = 0;
  for (int64_t size : shape)
    sizes.push_back(size == 1 ? OpFoldResult(builder.getIndexAttr(1))
                              : inner[next++]);
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                       groupUnits(shape), sizes);
}

Value raise::createCollapse(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<ReassociationIndices> groups) {
  if (static_cast<size_t>(getShape(value).size()) == groups.size())
    return value;
  auto collapsed = tensor::CollapseShapeOp::inferCollapsedType(
      cast<RankedTensorType>(value.getType()),
      SmallVector<ReassociationIndices>(groups));
  if (getNonUnitShape(getShape(value)) == getNonUnitShape(collapsed.getShape()))
    return reshapeUnits(builder, loc, value, collapsed.getShape());
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    if (llvm::equal(expand.getReassociationIndices(), groups))
      return skipCasts(expand.getSrc());
  return tensor::CollapseShapeOp::create(builder, loc, value, groups);
}

Value raise::createExpand(OpBuilder &builder, Location loc, Value value,
                          RankedTensorType type,
                          ArrayRef<ReassociationIndices> groups,
                          ArrayRef<OpFoldResult> sizes) {
  if (static_cast<size_t>(type.getRank()) == groups.size())
    return value;
  if (getNonUnitShape(getShape(value)) == getNonUnitShape(type.getShape()))
    return reshapeUnits(builder, loc, value, type.getShape());
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
    if (collapse.getSrcType() == type &&
        llvm::equal(collapse.getReassociationIndices(), groups))
      return collapse.getSrc();
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groups,
                                       sizes);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

SmallVector<int64_t> raise::getPermutation(ArrayRef<int> roles,
                                           RoleGroups groups) {
  SmallVector<int64_t> permutation;
  for (auto [d, role] : llvm::enumerate(roles))
    if (role < 0)
      permutation.push_back(d);
  for (const SmallVector<int> &group : groups)
    for (int role : group)
      if (const int *it = llvm::find(roles, role); it != roles.end())
        permutation.push_back(it - roles.begin());
  return permutation;
}

/// How many dimensions of a value with `roles` fall into each group.
static SmallVector<unsigned> countRoles(ArrayRef<int> roles,
                                        RoleGroups groups) {
  return llvm::map_to_vector(groups, [&](const SmallVector<int> &group) {
    return static_cast<unsigned>(llvm::count_if(
        group, [&](int role) { return llvm::is_contained(roles, role); }));
  });
}

/// Reassociation that merges the dimensions of each group that has any;
/// `leading` dimensions go to the first.
static SmallVector<ReassociationIndices> mergeGroups(ArrayRef<unsigned> counts,
                                                     unsigned leading) {
  SmallVector<ReassociationIndices> merged;
  ReassociationIndices open;
  int64_t next = 0;
  for (; next < static_cast<int64_t>(leading); ++next)
    open.push_back(next);
  for (unsigned count : counts) {
    if (count == 0)
      continue;
    for (unsigned i = 0; i < count; ++i)
      open.push_back(next++);
    merged.push_back(open);
    open.clear();
  }
  if (!open.empty())
    merged.push_back(open);
  return merged;
}

Value raise::arrange(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<int> roles, RoleGroups groups) {
  value = createTranspose(builder, loc, value, getPermutation(roles, groups));
  SmallVector<unsigned> counts = countRoles(roles, groups);
  const unsigned leading =
      llvm::count_if(roles, [](int role) { return role < 0; });
  if (leading != 0 || llvm::any_of(counts, [](unsigned n) { return n > 1; }))
    value = createCollapse(builder, loc, value, mergeGroups(counts, leading));
  if (!llvm::is_contained(counts, 0))
    return value;
  SmallVector<int64_t> shape;
  unsigned next = 0;
  for (unsigned count : counts)
    shape.push_back(count == 0 ? 1 : getShape(value)[next++]);
  return reshapeUnits(builder, loc, value, shape);
}

/// Makes each dimension of `value` the dimensions of a group; position p of a
/// group is dimension permutation[p] of `like`.
static Value splitGroups(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<ReassociationIndices> groups,
                         ArrayRef<int64_t> permutation, Value like) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> likeSizes =
      tensor::getMixedSizes(builder, loc, like);
  SmallVector<OpFoldResult> valueSizes =
      tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape, collapsed;
  for (auto [g, group] : llvm::enumerate(groups)) {
    bool isStatic = true;
    for (int64_t p : group) {
      // `value` may know more than `like`, whose casts it has lost.
      sizes.push_back(group.size() == 1 ? valueSizes[g]
                                        : likeSizes[permutation[p]]);
      std::optional<int64_t> size = getConstantIntValue(sizes.back());
      shape.push_back(size.value_or(ShapedType::kDynamic));
      isStatic &= size.has_value();
    }
    collapsed.push_back(isStatic ? type.getDimSize(g) : ShapedType::kDynamic);
  }
  if (type.getShape() != ArrayRef<int64_t>(collapsed))
    value = tensor::CastOp::create(builder, loc, type.clone(collapsed), value);
  return createExpand(builder, loc, value, type.clone(shape), groups, sizes);
}

Value raise::disarrange(OpBuilder &builder, Location loc, Value value,
                        ArrayRef<int> roles, RoleGroups groups, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<int64_t> permutation = getPermutation(roles, groups);
  SmallVector<unsigned> counts = countRoles(roles, groups);
  // Extents of 1 that stand for absent roles are left out.
  if (llvm::is_contained(counts, 0)) {
    SmallVector<int64_t> shape;
    for (auto [g, count] : llvm::enumerate(counts))
      if (count != 0)
        shape.push_back(getShape(value)[g]);
    value = reshapeUnits(builder, loc, value, shape);
  }
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  // Products become dimensions again, in the order of the groups.
  if (llvm::any_of(counts, [](unsigned n) { return n > 1; }))
    value = splitGroups(builder, loc, value, mergeGroups(counts, 0),
                        permutation, like);
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [d, p] : llvm::enumerate(permutation))
    inverse[p] = d;
  value = createTranspose(builder, loc, value, inverse);
  auto result = RankedTensorType::get(type.getShape(), element);
  if (value.getType() != result)
    value = tensor::CastOp::create(builder, loc, result, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Clean-up
//===----------------------------------------------------------------------===//

/// transpose(extract_slice(transpose(x))) as a slice of x, where the two
/// cancel.
static Value sinkIntoSlice(RewriterBase &rewriter, linalg::TransposeOp op) {
  auto slice = op.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  SmallVector<int64_t> inner;
  if (!slice || slice.getSourceType().getRank() != slice.getType().getRank())
    return {};
  Value base = getTransposed(slice.getSource(), inner);
  if (!base)
    return {};
  ArrayRef<int64_t> outer = op.getPermutation();
  for (auto [d, p] : llvm::enumerate(outer))
    if (inner[p] != static_cast<int64_t>(d))
      return {};
  auto permute = [&](ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(outer, [&](int64_t d) { return values[d]; });
  };
  return tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(), base, permute(slice.getMixedOffsets()),
      permute(slice.getMixedSizes()), permute(slice.getMixedStrides()));
}

/// collapse_shape(expand_shape(x)) that is x again, whatever casts stand
/// between.
static Value cancelReshape(RewriterBase &rewriter, tensor::CollapseShapeOp op) {
  auto expand = skipCasts(op.getSrc()).getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand ||
      expand.getReassociationIndices() != op.getReassociationIndices())
    return {};
  Value source = expand.getSrc();
  if (source.getType() == op.getType())
    return source;
  if (!tensor::CastOp::areCastCompatible(source.getType(), op.getType()))
    return {};
  return tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), source);
}

static Value cancelTranspose(RewriterBase &rewriter, linalg::TransposeOp op) {
  SmallVector<int64_t> inner;
  if (!op.hasPureTensorSemantics())
    return {};
  if (!getTransposed(op.getInput(), inner))
    return sinkIntoSlice(rewriter, op);
  return createTranspose(rewriter, op.getLoc(), op.getInput(),
                         op.getPermutation());
}

void raise::cancelRearrangements(RewriterBase &rewriter, Operation *root) {
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<Operation *> ops;
    root->walk([&](Operation *op) {
      if (isa<linalg::TransposeOp, tensor::CollapseShapeOp, tensor::CastOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      Value value;
      if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
        value = cancelTranspose(rewriter, transpose);
      else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
        value = cancelReshape(rewriter, collapse);
      else if (Value source = skipCasts(op->getOperand(0));
               source != op->getOperand(0))
        value = source;
      if (!value || op->getNumResults() != 1 ||
          value.getType() != op->getResult(0).getType())
        continue;
      rewriter.replaceOp(op, value);
      changed = true;
    }
  }
}
