//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AssignLayouts.h. How long a convolution takes depends on the layouts of
// its input and its result, so that each choice for a value is one for the op
// that writes it and for all that read it. Two searches go downhill, one from
// as much channels last as can be and one from nothing, changing one value at a
// time; the better end is taken.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/AssignLayouts.h"

#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Tuning/AssignSchedule.h"
#include "top/Tuning/TimeModel.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;
using namespace mlir::top;

static constexpr StringLiteral kCategory = "top-assign-layouts";

namespace {

/// The result of a convolution that a convolution reads.
struct Candidate {
  bool isLast = false;
  std::string fixedBy; ///< why it stays channels first; empty if it need not
};

class LayoutSearch {
public:
  LayoutSearch(FunctionOpInterface func, const GPUTarget &target)
      : func(func), target(target) {}

  void run();

private:
  void collect();
  std::string whyFixed(Conv2DOp op, bool isResult);
  std::string whyNotUsed(OpOperand &use);
  bool isLast(Value value) const;
  std::optional<double> getTime(Conv2DOp op, bool input, bool result);
  double getCost(Conv2DOp op);
  double getCostAround(Value value);
  double descend(bool start);
  void write();

  FunctionOpInterface func;
  const GPUTarget &target;
  SmallVector<Conv2DOp> ops;
  llvm::MapVector<Value, Candidate> candidates;
  /// By attributes and types, which equal ops share, and the layouts asked for.
  using Key = std::tuple<const void *, const void *, const void *, const void *,
                         bool, bool>;
  std::map<Key, std::optional<double>> times;
};

} // namespace

/// Whether the operand is of the result's shape: an add or mul operand that is
/// not broadcast.
static bool isFullOperand(Conv2DOp op, OpOperand &use) {
  const unsigned first = op.getNumOperands() - op.getEpilogueOperands().size();
  return use.getOperandNumber() >= first &&
         cast<RankedTensorType>(use.get().getType()).getShape() ==
             op.getResultType().getShape();
}

/// The seconds of the op's kernels with its input, and its result, channels
/// last or first; nullopt where they are not known.
std::optional<double> LayoutSearch::getTime(Conv2DOp op, bool input,
                                            bool result) {
  auto [found, isNew] = times.try_emplace(
      Key(op->getAttrDictionary().getAsOpaquePointer(),
          op.getInputType().getAsOpaquePointer(),
          op.getFilterType().getAsOpaquePointer(),
          op.getResultType().getAsOpaquePointer(), input, result));
  std::optional<double> &time = found->second;
  if (!isNew)
    return time;
  std::string reason;
  FailureOr<ProductProblem> problem = getProblem(op, reason);
  if (failed(problem))
    return time;
  problem->isInputChannelsLast = input;
  problem->isResultChannelsLast = result;
  if (ScheduleAttr schedule = ScheduleAttr::getFrom(op)) {
    // What else it takes does not depend on the layouts that it allows.
    time = estimatePackTime(schedule, *problem, target);
    return time;
  }
  FailureOr<Assignment> assignment = assignSchedule(*problem, target, reason);
  if (succeeded(assignment))
    time = assignment->seconds;
  return time;
}

/// Why neither the result (the input) of `op` may be channels last; empty where
/// it may.
std::string LayoutSearch::whyFixed(Conv2DOp op, bool isResult) {
  if (ScheduleAttr schedule = ScheduleAttr::getFrom(op)) {
    if (schedule.getEngine() == Engine::direct)
      return "has a schedule with engine = direct";
    if (isResult)
      return schedule.getPixels() == PixelAxis::rows
                 ? ""
                 : "has a schedule with pixels = columns";
    return schedule.getRepack() ? "" : "has a schedule with repack = false";
  }
  std::string reason;
  if (failed(getProblem(op, reason)))
    return reason;
  return getTime(op, isChannelsLast(op.getInputType()),
                 isChannelsLast(op.getType()))
             ? ""
             : "has kernels of engine simt, whose time is not known";
}

/// Why this use does not allow the layout; empty where it does.
std::string LayoutSearch::whyNotUsed(OpOperand &use) {
  auto conv = dyn_cast<Conv2DOp>(use.getOwner());
  if (!conv)
    return "'" + use.getOwner()->getName().getStringRef().str() + "' uses it";
  if (use.getOperandNumber() == 0) {
    std::string reason = whyFixed(conv, /*isResult=*/false);
    return reason.empty() ? "" : "a 'top.Conv2D' that reads it " + reason;
  }
  if (isFullOperand(conv, use))
    return "";
  return "a 'top.Conv2D' takes it as operand #" +
         std::to_string(use.getOperandNumber());
}

static bool isInputOfConvolution(OpOperand &use) {
  return isa<Conv2DOp>(use.getOwner()) && use.getOperandNumber() == 0;
}

void LayoutSearch::collect() {
  func->walk([&](Conv2DOp op) {
    ops.push_back(op);
    if (isChannelsLast(op.getType()) ||
        llvm::none_of(op->getUses(), isInputOfConvolution))
      return;
    Candidate candidate;
    candidate.fixedBy = whyFixed(op, /*isResult=*/true);
    if (!candidate.fixedBy.empty())
      candidate.fixedBy = "the op " + candidate.fixedBy;
    for (OpOperand &use : op->getUses())
      if (candidate.fixedBy.empty())
        candidate.fixedBy = whyNotUsed(use);
    candidates[op.getResult()] = std::move(candidate);
  });
}

bool LayoutSearch::isLast(Value value) const {
  auto found = candidates.find(value);
  return found != candidates.end() ? found->second.isLast
                                   : isChannelsLast(value.getType());
}

/// Of the layouts as they stand: what kernels of the op take, and what moving
/// elements that its epilogue reads in another order would.
double LayoutSearch::getCost(Conv2DOp op) {
  const bool result = isLast(op.getResult());
  double cost = getTime(op, isLast(op.getInput()), result).value_or(0);
  for (OpOperand &operand : op->getOpOperands())
    if (isFullOperand(op, operand) && isLast(operand.get()) != result)
      if (auto type = cast<RankedTensorType>(operand.get().getType());
          type.hasStaticShape())
        cost += estimateMoveTime(2.0 * type.getNumElements() *
                                     (type.getElementTypeBitWidth() / 8),
                                 target);
  return cost;
}

/// Of the op that writes `value` and of those that read it, all convolutions.
double LayoutSearch::getCostAround(Value value) {
  llvm::SetVector<Operation *> around;
  around.insert(value.getDefiningOp());
  around.insert_range(value.getUsers());
  double cost = 0;
  for (Operation *op : around)
    cost += getCost(cast<Conv2DOp>(op));
  return cost;
}

/// Goes downhill from all candidates that may be channels last, or from none,
/// and returns what all convolutions take in the end.
double LayoutSearch::descend(bool start) {
  for (auto &[value, candidate] : candidates)
    candidate.isLast = start && candidate.fixedBy.empty();
  // Less is noise, and leaves the layout that everything understands. It ends:
  // what becomes channels last makes the whole faster, and what becomes
  // channels first does not make it slower.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[value, candidate] : candidates) {
      if (!candidate.fixedBy.empty())
        continue;
      const double before = getCostAround(value);
      candidate.isLast = !candidate.isLast;
      const double after = getCostAround(value);
      if (candidate.isLast ? after < kWorthChanging * before : after <= before)
        changed = true;
      else
        candidate.isLast = !candidate.isLast;
    }
  }
  double total = 0;
  for (Conv2DOp op : ops)
    total += getCost(op);
  return total;
}

/// Puts the layouts into the IR, with a remark for each candidate.
void LayoutSearch::write() {
  auto remarkOpts = [&](StringRef name) {
    return remark::RemarkOpts::name(name).category(kCategory).function(
        func.getName());
  };
  if (candidates.empty())
    remark::missed(func.getLoc(), remarkOpts("NoLayoutToChoose"))
        << remark::reason("no convolution reads the result of another that is "
                          "channels first");
  // With the types as they were: times are found by them.
  SmallVector<std::pair<double, double>> microseconds;
  for (auto &[value, candidate] : candidates) {
    microseconds.emplace_back();
    if (!candidate.fixedBy.empty())
      continue;
    const double now = getCostAround(value);
    candidate.isLast = !candidate.isLast;
    microseconds.back() = {now * 1e6, getCostAround(value) * 1e6};
    candidate.isLast = !candidate.isLast;
  }
  for (auto &&[entry, times] : llvm::zip_equal(candidates, microseconds)) {
    auto &[value, candidate] = entry;
    auto [now, otherwise] = times;
    if (!candidate.fixedBy.empty()) {
      remark::missed(value.getLoc(), remarkOpts("NotChannelsLast"))
          << remark::reason("the result stays channels first: {0}",
                            candidate.fixedBy);
    } else if (!candidate.isLast) {
      remark::missed(value.getLoc(), remarkOpts("NotChannelsLast"))
          << remark::reason(
                 "the result stays channels first: the convolutions that "
                 "write and read it take {0:F1} us, else {1:F1}",
                 now, otherwise);
    } else {
      auto type = cast<RankedTensorType>(value.getType());
      value.setType(type.cloneWithEncoding(getChannelsLast(func.getContext())));
      remark::passed(value.getLoc(), remarkOpts("ChannelsLast"))
          << remark::add("the result is channels last: the convolutions that "
                         "write and read it take {0:F1} us, else {1:F1}",
                         now, otherwise);
    }
  }
}

void LayoutSearch::run() {
  collect();
  const double fromFirst = descend(/*start=*/false);
  SmallVector<bool> found;
  for (auto &[value, candidate] : candidates)
    found.push_back(candidate.isLast);
  if (descend(/*start=*/true) > kWorthChanging * fromFirst)
    for (auto &&[entry, isLast] : llvm::zip_equal(candidates, found))
      entry.second.isLast = isLast;
  write();
}

void top::assignLayouts(FunctionOpInterface func, const GPUTarget &target) {
  LayoutSearch(func, target).run();
}
