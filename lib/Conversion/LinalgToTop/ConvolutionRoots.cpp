//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions as top.Conv2D: named and generic, channels first or last,
// grouped or depthwise.
//
// The input is the operand that is read through windows, `output * stride + tap
// * dilation`, two of them: H and W in the order in which they stand. Every
// other loop is named by where it appears:
//
//   N  input and result            G  all three (a group or a depthwise
//   channel) C  input and filter            F  filter and result
//
// which covers every layout: operands are brought into the order N, G*C, H, W
// and G*F, C, KH, KW, and the result back from N, G*F, OH, OW.
//
//===----------------------------------------------------------------------===//

#include "Roots.h"

#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::top;
using namespace mlir::top::raise;

namespace {

/// Roles of dimensions; of the input, H and W are its rows and columns.
enum Role { N, G, C, F, H, W, KH, KW, numRoles };

/// An affine expression as a sum of loops with coefficients.
using Terms = SmallVector<std::pair<unsigned, int64_t>>;

/// A window: the result's loop and the filter's (-1: one tap).
struct Window {
  int output;
  int tap = -1;
  int64_t stride;
  int64_t dilation = 1;
};

/// What each loop is, and the roles of each operand's dimensions.
struct ConvRoles {
  Roles input, filter, result;
  Conv2DAttrs attrs;
};

} // namespace

static LogicalResult collectTerms(AffineExpr expr, int64_t factor,
                                  Terms &terms) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    terms.push_back({dim.getPosition(), factor});
    return success();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return success(constant.getValue() == 0);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return success(succeeded(collectTerms(binary.getLHS(), factor, terms)) &&
                   succeeded(collectTerms(binary.getRHS(), factor, terms)));
  if (expr.getKind() != AffineExprKind::Mul)
    return failure();
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant)
    return failure();
  std::optional<int64_t> product =
      llvm::checkedMul(factor, constant.getValue());
  if (!product)
    return failure();
  return collectTerms(binary.getLHS(), *product, terms);
}

/// The window that a dimension of the input is read through; nullopt where it
/// is read along one loop or at 0.
static std::optional<Window>
getWindow(const Terms &terms, ArrayRef<utils::IteratorType> iterators) {
  auto isParallel = [&](unsigned i) {
    return iterators[terms[i].first] == utils::IteratorType::parallel;
  };
  // A strided read of a filter of one tap.
  if (terms.size() == 1 && terms[0].second > 1 && isParallel(0))
    return Window{static_cast<int>(terms[0].first), -1, terms[0].second, 1};
  if (terms.size() != 2 || isParallel(0) == isParallel(1))
    return std::nullopt;
  const auto &output = terms[isParallel(0) ? 0 : 1];
  const auto &tap = terms[isParallel(0) ? 1 : 0];
  if (output.second < 1 || tap.second < 1)
    return std::nullopt;
  return Window{static_cast<int>(output.first), static_cast<int>(tap.first),
                output.second, tap.second};
}

/// Names the loops; failure with the reason where they are not those of a 2-D
/// convolution with `input` as the input.
static FailureOr<ConvRoles> matchRoles(linalg::LinalgOp op, unsigned input,
                                       std::string &reason) {
  auto fail = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  OpOperand *inputOperand = op.getDpsInputOperand(input);
  SmallVector<Terms> dims;
  SmallVector<std::optional<Window>> windows;
  for (AffineExpr expr : op.getMatchingIndexingMap(inputOperand).getResults()) {
    Terms terms;
    if (failed(collectTerms(expr, 1, terms)))
      return fail("its input is not read through windows");
    dims.push_back(terms);
    windows.push_back(getWindow(terms, iterators));
  }
  const unsigned numWindows = llvm::count_if(
      windows, [](const std::optional<Window> &w) { return w.has_value(); });
  if (numWindows != 2)
    return fail(Twine(numWindows) + "-D convolutions have no layer op");

  FailureOr<Roles> filterLoops =
      getLoopRoles(op, op.getDpsInputOperand(1 - input));
  FailureOr<Roles> resultLoops = getLoopRoles(op, op.getDpsInitOperand(0));
  if (failed(filterLoops) || failed(resultLoops) ||
      llvm::is_contained(*resultLoops, -1))
    return fail("its filter or result is not indexed by loops alone");

  SmallVector<int> roleOf(op.getNumLoops(), -1);
  std::array<bool, numRoles> taken{};
  auto assign = [&](int loop, Role role) {
    if (taken[role] || roleOf[loop] != -1)
      return false;
    taken[role] = true;
    roleOf[loop] = role;
    return true;
  };
  ConvRoles roles;
  // Windows first, then the input's other loops, then what only the filter has.
  Role nextOutput = H, nextTap = KH;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (const std::optional<Window> &window : windows) {
    if (!window)
      continue;
    const unsigned axis = nextOutput - H;
    roles.attrs.strides[axis] = window->stride;
    roles.attrs.dilations[axis] = window->dilation;
    if (!llvm::is_contained(*resultLoops, window->output) ||
        !assign(window->output, nextOutput))
      return fail("two windows run along one loop");
    if (window->tap >= 0 && (!llvm::is_contained(*filterLoops, window->tap) ||
                             !assign(window->tap, nextTap)))
      return fail("a window has no dimension of the filter");
    nextOutput = static_cast<Role>(nextOutput + 1);
    nextTap = static_cast<Role>(nextTap + 1);
  }
  nextOutput = H;
  for (auto [d, terms] : llvm::enumerate(dims)) {
    if (windows[d]) {
      roles.input.push_back(nextOutput);
      nextOutput = static_cast<Role>(nextOutput + 1);
      continue;
    }
    if (terms.empty()) {
      roles.input.push_back(-1);
      continue;
    }
    if (terms.size() != 1 || terms[0].second != 1)
      return fail("its input is not read through windows");
    const int loop = terms[0].first;
    const bool inFilter = llvm::is_contained(*filterLoops, loop);
    const bool inResult = llvm::is_contained(*resultLoops, loop);
    Role role = inFilter ? (inResult ? G : C) : N;
    if ((role == N && !inResult) || !assign(loop, role))
      return fail("its loops are not those of a convolution");
    roles.input.push_back(role);
  }
  for (int loop : *filterLoops)
    if (loop >= 0 && roleOf[loop] == -1 &&
        (!llvm::is_contained(*resultLoops, loop) || !assign(loop, F)))
      return fail("its loops are not those of a convolution");
  // A batch of 1, printed as a literal 0 in the input's map.
  for (int loop : *resultLoops)
    if (roleOf[loop] == -1) {
      int *unit = llvm::find(roles.input, -1);
      if (extents[loop] != 1 || unit == roles.input.end() || !assign(loop, N))
        return fail("its loops are not those of a convolution");
      *unit = N;
    }
  if (llvm::is_contained(roleOf, -1))
    return fail("its loops are not those of a convolution");
  auto toRoles = [&](ArrayRef<int> loops) {
    return llvm::map_to_vector(
        loops, [&](int loop) { return loop < 0 ? -1 : roleOf[loop]; });
  };
  roles.filter = toRoles(*filterLoops);
  roles.result = toRoles(*resultLoops);
  return roles;
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static int64_t getSize(Value value, ArrayRef<int> roles, Role role) {
  const int *it = llvm::find(roles, static_cast<int>(role));
  return it == roles.end() ? 1 : getShape(value)[it - roles.begin()];
}

/// The number of rows or columns of the result, as a constant where the IR
/// tells it: files say '?' between two casts.
static OpFoldResult getOutputs(OpBuilder &builder, Location loc, Value out,
                               ArrayRef<int> roles, Role role) {
  const int64_t d = llvm::find(roles, static_cast<int>(role)) - roles.begin();
  if (ShapedType::isDynamic(getShape(out)[d])) {
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::EQ, {out, d});
    if (succeeded(bound))
      return builder.getIndexAttr(*bound);
  }
  return tensor::getMixedSize(builder, loc, out, d);
}

/// A dimension without a role holds one element.
static bool haveUnitsOnly(Value value, ArrayRef<int> roles) {
  return llvm::all_of(llvm::zip_equal(getShape(value), roles), [](auto pair) {
    return std::get<1>(pair) != -1 || std::get<0>(pair) == 1;
  });
}

/// The filter without reshapes and transposes in front of it.
static void stripFilter(Value &filter, Roles &roles) {
  Rearrangement source;
  for (int role : roles)
    source.push_back({role});
  Value value = filter;
  const size_t numRoles = llvm::count_if(roles, [](int r) { return r >= 0; });
  while (std::optional<Value> next = lookThrough(value, source)) {
    value = *next;
    Roles found;
    bool isWhole = true;
    for (auto [d, entry] : llvm::enumerate(source)) {
      isWhole &= !entry.isPart && (entry.dim >= 0 || getShape(value)[d] == 1) &&
                 (entry.dim < 0 || !llvm::is_contained(found, entry.dim));
      found.push_back(entry.dim);
    }
    size_t kept = llvm::count_if(found, [](int r) { return r >= 0; });
    if (!isWhole || kept != numRoles)
      continue;
    filter = value;
    roles = found;
  }
}

FailureOr<Operation *> raise::raiseConvolution(RewriterBase &rewriter,
                                               linalg::LinalgOp op,
                                               std::string &reason) {
  auto fail = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  if (failed(checkSumOfProducts(op, reason)))
    return failure();
  // The operand with more than one loop in a dimension, or a stride, is the
  // input.
  unsigned inputNumber = 0;
  for (AffineExpr expr :
       op.getMatchingIndexingMap(op.getDpsInputOperand(1)).getResults())
    if (!isa<AffineDimExpr, AffineConstantExpr>(expr))
      inputNumber = 1;
  FailureOr<ConvRoles> roles = matchRoles(op, inputNumber, reason);
  if (failed(roles))
    return failure();
  Value filter = op.getDpsInputOperand(1 - inputNumber)->get();
  Value out = op.getDpsInitOperand(0)->get();
  ConvInput input;
  input.value = op.getDpsInputOperand(inputNumber)->get();
  if (!haveUnitsOnly(input.value, roles->input) ||
      !haveUnitsOnly(filter, roles->filter))
    return fail("an operand is read in one place of a larger dimension");
  input.attrs = roles->attrs;
  input.kernel = {getSize(filter, roles->filter, KH),
                  getSize(filter, roles->filter, KW)};
  input.attrs.group = getSize(filter, roles->filter, G);
  if (ShapedType::isDynamicShape(input.kernel) ||
      ShapedType::isDynamic(input.attrs.group))
    return fail("its filter is dynamic");

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  input.outputs = {getOutputs(rewriter, loc, out, roles->result, H),
                   getOutputs(rewriter, loc, out, roles->result, W)};
  // Pads in the layout of the file, and those in front of a reshape to groups.
  auto getAxes = [](ArrayRef<int> roles) {
    return llvm::map_to_vector(
        roles, [](int role) { return role == H || role == W ? role - H : -1; });
  };
  absorbPadsAndSlices(input, getAxes(roles->input));
  const SmallVector<SmallVector<int>> inputGroups = {{N}, {G, C}, {H}, {W}};
  const SmallVector<SmallVector<int>> filterGroups = {{G, F}, {C}, {KH}, {KW}};
  const SmallVector<SmallVector<int>> resultGroups = {{N}, {G, F}, {H}, {W}};
  input.value = arrange(rewriter, loc, input.value, roles->input, inputGroups);
  absorbPadsAndSlices(input, {-1, -1, 0, 1});
  if (failed(trimInput(rewriter, loc, input)))
    return fail("its windows reach beyond the input");
  stripFilter(filter, roles->filter);
  filter =
      skipCasts(arrange(rewriter, loc, filter, roles->filter, filterGroups));

  auto outType = cast<RankedTensorType>(out.getType());
  FailureOr<RankedTensorType> type = Conv2DOp::inferResultType(
      nullptr, cast<RankedTensorType>(input.value.getType()),
      cast<RankedTensorType>(filter.getType()), input.attrs,
      outType.getElementType());
  if (failed(type))
    return fail("top.Conv2D does not take its operands");
  Value init = arrange(rewriter, loc, out, roles->result, resultGroups);
  FailureOr<InitialValue> initial =
      matchInit(rewriter, loc, init, *type, /*channelDim=*/1, reason);
  if (failed(initial))
    return failure();
  auto conv = Conv2DOp::create(
      rewriter, loc, *type, input.value, filter, initial->bias,
      initial->operands, input.attrs.strides, input.attrs.pads,
      input.attrs.dilations, input.attrs.group, /*allow_tf32=*/false,
      initial->steps.empty() ? ArrayAttr()
                             : rewriter.getArrayAttr(initial->steps));
  moveAttributes(op, conv);
  Value result = disarrange(rewriter, loc, conv.getResult(), roles->result,
                            resultGroups, out);
  rewriter.replaceOp(op, result);
  return conv.getOperation();
}
