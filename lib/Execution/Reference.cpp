//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference evaluator and its error bounds; see Reference.h.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/Reference.h"

#include "PlainFunction.h"
#include "ReferenceSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Execution/Constants.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Parallel.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace mlir;
using namespace mlir::top;

using Shape = SmallVector<int64_t>;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// One value of the function
//===----------------------------------------------------------------------===//

namespace {

/// One operand as inner loops read it, `bounds` null where all are 0.
struct DenseOperand {
  const double *values, *bounds;
  double value(int64_t i) const { return values[i]; }
  double bound(int64_t i) const { return bounds ? bounds[i] : 0; }
};

struct Node {
  Operation *op = nullptr; ///< null for an argument or a constant
  const Tensor *leaf = nullptr;
  Shape shape;
  ElementKind kind;
  int64_t numElements = 1;
  /// All elements are multiples of 2^quantum; nullopt if that is not known.
  std::optional<int> quantum;

  // Dense results, as a reading op sees them (after rounding) and as they are
  // compared (before).
  bool isDense = false;
  std::vector<double> values, bounds;
  std::vector<ReferenceElement> elements;
  // Results so far where not dense.
  DenseMap<int64_t, ReferenceElement> sparse;

  // Operands of an op.
  Node *lhs = nullptr, *rhs = nullptr, *bias = nullptr;
  SmallVector<Node *> operands;
  SmallVector<StepAttr> steps;
  unsigned channelDim = 1;
  int64_t products = 0; ///< of one element
  bool isTF32 = false;  ///< operands may be rounded to tf32
};

/// The sum of products of one element and what its bound needs.
struct Sum {
  double value = 0, magnitude = 0, propagated = 0;
  bool orNaN = false;
  double compensation = 0;

  void add(double a, double b, double ea, double eb) {
    double p = a * b;
    value += p;
    magnitude += std::fabs(p);
    if (ea != 0 || eb != 0)
      propagated += std::fabs(a) * eb + std::fabs(b) * ea + ea * eb;
  }
  /// As above, and keeps what rounding loses: for f64, where a plain sum in
  /// double would err as much as the tested program.
  void addCompensated(double a, double b, double ea, double eb) {
    double p = a * b, before = value;
    add(a, b, ea, eb);
    double lost = std::fma(a, b, -p);
    double added = value - before;
    compensation += lost + (before - (value - added)) + (p - added);
  }
  double total() const {
    return std::isfinite(value) ? value + compensation : value;
  }
};

} // namespace

/// The element as an op that reads it sees it: rounded to the tensor's type.
static ReferenceElement asOperand(const ReferenceElement &e, ElementKind kind) {
  if (e.orNaN)
    return {e.value, kInfinity, true};
  if (e.bound == 0 || std::isnan(e.value))
    return {roundTo(kind, e.value), 0, false};
  double low = roundTo(kind, e.value - e.bound);
  double high = roundTo(kind, e.value + e.bound);
  if (low == high)
    return {low, 0, false};
  if (!std::isfinite(low) || !std::isfinite(high))
    return {e.value, kInfinity, false};
  return {e.value, std::max(high - e.value, e.value - low), false};
}

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

namespace {

struct Evaluator {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<Tensor>> constants;
  SmallVector<Node *> results;

  Node *addLeaf(const Tensor *tensor);
  Node *addOp(Operation *op, const DenseMap<Value, Node *> &nodeOf,
              ArrayRef<int64_t> shape);

  /// The element as an op reads it.
  ReferenceElement read(Node &node, int64_t index);
  ReferenceElement compute(Node &node, int64_t index);
  /// As compute, for an op; keeps nothing itself.
  ReferenceElement computeAnew(Node &node, int64_t index);
  void makeDense(Node &node);
  /// The element of a bias or of an epilogue operand of `node` for the result
  /// element at `coordinates`.
  ReferenceElement readAt(Node &node, Node &operand,
                          ArrayRef<int64_t> coordinates);
  ReferenceElement finish(Node &node, const Sum &sum,
                          ArrayRef<int64_t> coordinates);
  ReferenceElement finishInteger(Node &node, const Sum &sum,
                                 ArrayRef<int64_t> coordinates);
};

/// An operand whose elements are computed when they are read.
struct LazyOperand {
  Evaluator &evaluator;
  Node &node;
};

} // namespace

struct ReferenceFunction::Impl : Evaluator {};

Node *Evaluator::addLeaf(const Tensor *tensor) {
  auto node = std::make_unique<Node>();
  node->leaf = tensor;
  node->shape = Shape(tensor->getShape());
  node->kind = tensor->getKind();
  node->numElements = tensor->getNumElements();
  if (node->kind == ElementKind::F64) {
    // Integers and eighths are what the fills give.
    bool eighths = true, integers = true;
    for (int64_t i = 0; i < node->numElements && eighths; ++i) {
      double v = tensor->get(i);
      integers &= std::nearbyint(v) == v;
      eighths &= std::nearbyint(8 * v) == 8 * v;
    }
    if (eighths)
      node->quantum = integers ? 0 : -3;
  }
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

Node *Evaluator::addOp(Operation *op, const DenseMap<Value, Node *> &nodeOf,
                       ArrayRef<int64_t> shape) {
  auto node = std::make_unique<Node>();
  node->op = op;
  node->shape = Shape(shape);
  node->kind = *getElementKind(getElementTypeOrSelf(op->getResult(0)));
  for (int64_t extent : shape)
    node->numElements *= extent;
  Value bias;
  ValueRange operands;
  if (auto conv = dyn_cast<Conv2DOp>(op)) {
    node->lhs = nodeOf.at(conv.getInput());
    node->rhs = nodeOf.at(conv.getFilter());
    node->products = conv.getFilterType().getNumElements() /
                     conv.getFilterType().getDimSize(0);
    node->steps = conv.getSteps();
    node->isTF32 = conv.getAllowTf32();
    bias = conv.getBias();
    operands = conv.getEpilogueOperands();
  } else {
    auto product = cast<MatMulOp>(op);
    node->lhs = nodeOf.at(product.getLhs());
    node->rhs = nodeOf.at(product.getRhs());
    node->products = node->lhs->shape[product.getLhsDimK()];
    node->steps = product.getSteps();
    node->channelDim = shape.size() - 1;
    node->isTF32 = product.getAllowTf32();
    bias = product.getBias();
    operands = product.getEpilogueOperands();
  }
  node->isTF32 &= node->lhs->kind == ElementKind::F32;
  if (bias)
    node->bias = nodeOf.at(bias);
  for (Value v : operands)
    node->operands.push_back(nodeOf.at(v));
  // A quantum survives products, sums and relu.
  if (node->kind == ElementKind::F64 && node->lhs->quantum &&
      node->rhs->quantum && (!node->bias || node->bias->quantum) &&
      llvm::all_of(node->steps, [](StepAttr step) {
        return step.getKind() == StepKind::relu;
      })) {
    node->quantum = *node->lhs->quantum + *node->rhs->quantum;
    if (node->bias)
      node->quantum = std::min(*node->quantum, *node->bias->quantum);
  }
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

ReferenceElement Evaluator::read(Node &node, int64_t index) {
  if (node.isDense)
    return {node.values[index], node.bounds.empty() ? 0 : node.bounds[index],
            false};
  if (node.leaf)
    return {node.leaf->get(index), 0, false};
  // Looking elements up costs more than computing them in order: once a
  // sample has needed a sixteenth of an operand, compute all of it.
  if (static_cast<int64_t>(node.sparse.size()) > node.numElements / 16)
    makeDense(node);
  return asOperand(compute(node, index), node.kind);
}

namespace {

/// An operand that tensor cores may round to tf32 first.
template <typename Operand>
struct TF32Operand {
  Operand operand;
};

} // namespace

/// How far the f32 number `value` is from what is left of it in tf32, at most:
/// an ulp, 2^-10 of the number's binade, since instructions may cut bits off as
/// well as round; 0 where it has no more than tf32's 10 bits of mantissa.
static double getTF32Error(double value) {
  const auto bits = llvm::bit_cast<uint32_t>(static_cast<float>(value));
  constexpr uint32_t kLostBits = (1u << 13) - 1, kExponentBits = 0xffu << 23;
  if (!(bits & kLostBits) || !std::isfinite(value))
    return 0;
  const float binade = llvm::bit_cast<float>(bits & kExponentBits);
  return std::ldexp(std::max(binade, std::numeric_limits<float>::min()), -10);
}

// How the inner loops read: from arrays, or computing what they need.
static std::pair<double, double> readOperand(const DenseOperand &operand,
                                             int64_t index) {
  return {operand.value(index), operand.bound(index)};
}
static std::pair<double, double> readOperand(const LazyOperand &operand,
                                             int64_t index) {
  ReferenceElement e = operand.evaluator.read(operand.node, index);
  return {e.value, e.bound};
}

template <typename Operand>
static std::pair<double, double>
readOperand(const TF32Operand<Operand> &operand, int64_t index) {
  auto [value, bound] = readOperand(operand.operand, index);
  if (bound == 0)
    return {value, getTF32Error(value)};
  // The number at hand lies anywhere within the bound.
  return {value, bound + std::ldexp(std::fabs(value) + bound, -10)};
}

/// The taps of one element of a convolution.
template <typename Operand>
static Sum sumTaps(Conv2DOp op, const Conv2DAttrs &attrs, const Node &node,
                   ArrayRef<int64_t> at, Operand input, Operand filter,
                   bool compensated) {
  const Shape &in = node.lhs->shape, &weights = node.rhs->shape;
  const int64_t groupIn = weights[1], groupOut = weights[0] / attrs.group;
  const int64_t firstChannel = at[1] / groupOut * groupIn;
  Sum sum;
  for (int64_t c = 0; c < groupIn; ++c)
    for (int64_t kh = 0; kh < weights[2]; ++kh)
      for (int64_t kw = 0; kw < weights[3]; ++kw) {
        int64_t h =
            at[2] * attrs.strides[0] - attrs.pads[0] + kh * attrs.dilations[0];
        int64_t w =
            at[3] * attrs.strides[1] - attrs.pads[1] + kw * attrs.dilations[1];
        auto [b, eb] = readOperand(
            filter,
            ((at[1] * groupIn + c) * weights[2] + kh) * weights[3] + kw);
        if (h < 0 || h >= in[2] || w < 0 || w >= in[3]) {
          sum.orNaN |= !std::isfinite(b);
          continue;
        }
        auto [a, ea] = readOperand(
            input,
            ((at[0] * in[1] + firstChannel + c) * in[2] + h) * in[3] + w);
        if (compensated)
          sum.addCompensated(a, b, ea, eb);
        else
          sum.add(a, b, ea, eb);
      }
  return sum;
}

/// The products of one element of a matrix product.
template <typename Operand>
static Sum sumProducts(MatMulOp op, const Node &node, ArrayRef<int64_t> at,
                       Operand lhs, Operand rhs, bool compensated) {
  const Shape &left = node.lhs->shape, &right = node.rhs->shape;
  const size_t rank = at.size();
  const int64_t batch = rank == 3 ? at[0] : 0;
  const int64_t m = at[rank - 2], n = at[rank - 1];
  const bool transposeA = op.getTransposeA(), transposeB = op.getTransposeB();
  const int64_t leftRows = left[left.size() - 2], leftColumns = left.back();
  const int64_t rightRows = right[right.size() - 2],
                rightColumns = right.back();
  const int64_t leftStart = batch * leftRows * leftColumns;
  const int64_t rightStart =
      right.size() == 3 ? batch * rightRows * rightColumns : 0;
  Sum sum;
  for (int64_t k = 0; k < node.products; ++k) {
    auto [a, ea] =
        readOperand(lhs, leftStart + (transposeA ? k * leftColumns + m
                                                 : m * leftColumns + k));
    auto [b, eb] =
        readOperand(rhs, rightStart + (transposeB ? n * rightColumns + k
                                                  : k * rightColumns + n));
    if (compensated)
      sum.addCompensated(a, b, ea, eb);
    else
      sum.add(a, b, ea, eb);
  }
  return sum;
}

template <typename Operand>
static Sum sumOperands(const Node &node, ArrayRef<int64_t> at, Operand lhs,
                       Operand rhs) {
  const bool compensated = node.lhs->kind == ElementKind::F64;
  if (auto conv = dyn_cast<Conv2DOp>(node.op))
    return sumTaps(conv, conv.getConvAttrs(), node, at, lhs, rhs, compensated);
  return sumProducts(cast<MatMulOp>(node.op), node, at, lhs, rhs, compensated);
}

ReferenceElement Evaluator::readAt(Node &node, Node &operand,
                                   ArrayRef<int64_t> coordinates) {
  // One element per channel, or broadcast along extents of 1.
  if (operand.shape.size() == 1 && node.shape.size() != 1)
    return read(operand, coordinates[node.channelDim]);
  int64_t index = 0;
  for (auto [extent, coordinate] : llvm::zip_equal(operand.shape, coordinates))
    index = index * extent + (extent == 1 ? 0 : coordinate);
  return read(operand, index);
}

/// Exact: a product of two i8 is at most 2^14, so that doubles hold sums of up
/// to 2^39 of them.
ReferenceElement Evaluator::finishInteger(Node &node, const Sum &sum,
                                          ArrayRef<int64_t> coordinates) {
  auto take = [&](Node &operand) {
    return static_cast<int32_t>(readAt(node, operand, coordinates).value);
  };
  int32_t x = wrapToInt32(static_cast<int64_t>(sum.value));
  if (node.bias)
    x = wrapToInt32(static_cast<int64_t>(x) + take(*node.bias));
  unsigned next = 0;
  for (StepAttr step : node.steps) {
    SmallVector<int32_t, 2> operands;
    for (unsigned i = 0; i < step.getNumOperands(); ++i)
      operands.push_back(take(*node.operands[next++]));
    x = applyIntegerStep(x, step, operands);
  }
  return {static_cast<double>(x), 0, false};
}

template <typename Operand>
static Sum sumElement(const Node &node, ArrayRef<int64_t> at, Operand lhs,
                      Operand rhs) {
  if (node.isTF32)
    return sumOperands(node, at, TF32Operand<Operand>{lhs},
                       TF32Operand<Operand>{rhs});
  return sumOperands(node, at, lhs, rhs);
}

ReferenceElement Evaluator::finish(Node &node, const Sum &sum,
                                   ArrayRef<int64_t> coordinates) {
  if (!getFormat(node.kind).isFloat)
    return finishInteger(node, sum, coordinates);
  const bool wide = node.lhs->kind == ElementKind::F64;
  const ElementKind accumulator = wide ? ElementKind::F64 : ElementKind::F32;
  const int precision = getFormat(accumulator).precision;
  Running r{std::ldexp(1.0, -precision),
            std::ldexp(1.0, getFormat(accumulator).minExponent)};
  r.x = sum.total();
  bool exact = false;
  if (wide && node.lhs->quantum && node.rhs->quantum) {
    int quantum = *node.lhs->quantum + *node.rhs->quantum;
    exact = sum.propagated == 0 &&
            sum.magnitude < std::ldexp(1.0, precision + quantum);
  }
  r.e = sum.propagated;
  if (!exact)
    r.e += node.products * r.u * sum.magnitude;

  bool unknown = !std::isfinite(sum.propagated);
  bool orNaN = sum.orNaN;
  auto take = [&](Node &operand) {
    ReferenceElement e = readAt(node, operand, coordinates);
    unknown |= !std::isfinite(e.bound);
    return e;
  };
  if (node.bias) {
    r.add(take(*node.bias));
    if (exact && node.bias->quantum &&
        std::fabs(r.x) <
            std::ldexp(1.0, precision + std::min(*node.bias->quantum,
                                                 *node.lhs->quantum +
                                                     *node.rhs->quantum)))
      r.pending = 0;
  }
  unsigned next = 0;
  for (StepAttr step : node.steps) {
    SmallVector<ReferenceElement, 2> operands;
    for (unsigned i = 0; i < step.getNumOperands(); ++i)
      operands.push_back(take(*node.operands[next++]));
    applyStep(r, step, accumulator, operands);
  }
  if (node.kind != accumulator)
    r.settle();
  else if (wide && r.e > 0)
    // There is no wider type to round from: the reference rounds, too.
    r.e += r.pending + r.u * std::fabs(r.x);
  if (unknown)
    return {r.x, kInfinity, orNaN};
  // Infinity and NaN do not depend on the order of the sum.
  if (!std::isfinite(r.x) || std::isnan(r.e))
    return {r.x, std::isfinite(r.x) ? kInfinity : 0, orNaN};
  return {r.x, r.e, orNaN};
}

/// Row-major coordinates of `index`.
static Shape coordinatesOf(ArrayRef<int64_t> shape, int64_t index) {
  Shape at(shape.size());
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    at[d] = index % shape[d];
  return at;
}

ReferenceElement Evaluator::compute(Node &node, int64_t index) {
  if (node.leaf)
    return {node.leaf->get(index), 0, false};
  if (node.isDense)
    return node.elements[index];
  auto found = node.sparse.find(index);
  if (found != node.sparse.end())
    return found->second;
  ReferenceElement e = computeAnew(node, index);
  node.sparse.try_emplace(index, e);
  return e;
}

ReferenceElement Evaluator::computeAnew(Node &node, int64_t index) {
  Shape at = coordinatesOf(node.shape, index);
  Sum sum = sumElement(node, at, LazyOperand{*this, *node.lhs},
                       LazyOperand{*this, *node.rhs});
  return finish(node, sum, at);
}

/// Whether computing an element of an op changes no other node.
static bool readsLeaves(const Node &node) {
  auto isFixed = [](const Node *operand) {
    return !operand || operand->leaf || operand->isDense;
  };
  return isFixed(node.lhs) && isFixed(node.rhs) && isFixed(node.bias) &&
         llvm::all_of(node.operands, isFixed);
}

void Evaluator::makeDense(Node &node) {
  if (node.isDense)
    return;
  node.values.resize(node.numElements);
  if (node.leaf) {
    for (int64_t i = 0; i < node.numElements; ++i)
      node.values[i] = node.leaf->get(i);
    node.isDense = true;
    return;
  }
  for (Node *operand : {node.lhs, node.rhs, node.bias})
    if (operand)
      makeDense(*operand);
  for (Node *operand : node.operands)
    makeDense(*operand);
  auto dense = [](const Node &n) {
    return DenseOperand{n.values.data(),
                        n.bounds.empty() ? nullptr : n.bounds.data()};
  };
  node.bounds.resize(node.numElements);
  node.elements.resize(node.numElements);
  DenseOperand lhs = dense(*node.lhs), rhs = dense(*node.rhs);
  Shape at(node.shape.size(), 0);
  for (int64_t i = 0; i < node.numElements; ++i) {
    node.elements[i] = finish(node, sumElement(node, at, lhs, rhs), at);
    ReferenceElement operand = asOperand(node.elements[i], node.kind);
    node.values[i] = operand.value;
    node.bounds[i] = operand.bound;
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < node.shape[d])
        break;
      at[d] = 0;
    }
  }
  node.isDense = true;
}

//===----------------------------------------------------------------------===//
// ReferenceFunction
//===----------------------------------------------------------------------===//

ReferenceFunction::ReferenceFunction(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
ReferenceFunction::ReferenceFunction(ReferenceFunction &&) = default;
ReferenceFunction &ReferenceFunction::operator=(ReferenceFunction &&) = default;
ReferenceFunction::~ReferenceFunction() = default;

FailureOr<ReferenceFunction>
ReferenceFunction::create(func::FuncOp func, ArrayRef<const Tensor *> args) {
  assert(!whyNotPlain(func) && "ask whyNotPlain first");
  SmallVector<Shape> argumentShapes;
  for (const Tensor *tensor : args)
    argumentShapes.emplace_back(tensor->getShape());
  FailureOr<DenseMap<Value, Shape>> shapes =
      inferAllShapes(func, argumentShapes);
  if (failed(shapes))
    return failure();

  auto impl = std::make_unique<Impl>();
  DenseMap<Value, Node *> nodeOf;
  for (auto [argument, tensor] : llvm::zip_equal(func.getArguments(), args))
    nodeOf[argument] = impl->addLeaf(tensor);
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto attr = dyn_cast<ElementsAttr>(constant.getValue());
      if (!attr)
        return op.emitError("expected a dense tensor constant");
      FailureOr<Tensor> data =
          readConstant([&] { return op.emitError(); }, attr);
      if (failed(data))
        return failure();
      impl->constants.push_back(std::make_unique<Tensor>(std::move(*data)));
      nodeOf[op.getResult(0)] = impl->addLeaf(impl->constants.back().get());
      continue;
    }
    nodeOf[op.getResult(0)] =
        impl->addOp(&op, nodeOf, shapes->at(op.getResult(0)));
  }
  for (Value v : func.getBody().front().getTerminator()->getOperands())
    impl->results.push_back(nodeOf.at(v));
  return ReferenceFunction(std::move(impl));
}

unsigned ReferenceFunction::getNumResults() const {
  return impl->results.size();
}
ArrayRef<int64_t> ReferenceFunction::getResultShape(unsigned result) const {
  return impl->results[result]->shape;
}
ElementKind ReferenceFunction::getResultKind(unsigned result) const {
  return impl->results[result]->kind;
}

int64_t ReferenceFunction::getTotalElements() const {
  int64_t total = 0;
  for (const auto &node : impl->nodes)
    if (!node->leaf)
      total += node->numElements;
  return total;
}

double ReferenceFunction::getTotalProducts() const {
  double total = 0;
  for (const auto &node : impl->nodes)
    total += static_cast<double>(node->numElements) * node->products;
  return total;
}

int64_t ReferenceFunction::getProductsPerElement() const {
  int64_t most = 0;
  for (const auto &node : impl->nodes)
    most = std::max(most, node->products);
  return most;
}

ReferenceElement ReferenceFunction::evaluate(unsigned result, int64_t index) {
  return impl->compute(*impl->results[result], index);
}

void ReferenceFunction::evaluateMany(unsigned result,
                                     ArrayRef<int64_t> indices) {
  Node &node = *impl->results[result];
  if (node.leaf || node.isDense || !readsLeaves(node)) {
    for (int64_t index : indices)
      impl->compute(node, index);
    return;
  }
  SmallVector<int64_t> missing;
  llvm::copy_if(indices, std::back_inserter(missing),
                [&](int64_t index) { return !node.sparse.contains(index); });
  std::vector<ReferenceElement> elements(missing.size());
  llvm::parallelFor(0, missing.size(), [&](size_t i) {
    elements[i] = impl->computeAnew(node, missing[i]);
  });
  for (auto [index, element] : llvm::zip_equal(missing, elements))
    node.sparse.try_emplace(index, element);
}

void ReferenceFunction::evaluateAll() {
  for (Node *node : impl->results)
    impl->makeDense(*node);
}
