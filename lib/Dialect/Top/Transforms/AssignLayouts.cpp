//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-assign-layouts: results of convolutions that only convolutions read are
// channels last. All candidates start with the layout, and those whose uses do
// not allow it drop out until nothing changes: of two results one of which is
// added to what becomes the other, either both keep it or none.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "top/Dialect/Top/IR/Layout.h"
#include "top/Dialect/Top/IR/Schedule.h"
#include "top/Dialect/Top/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPASSIGNLAYOUTSPASS
#include "top/Dialect/Top/Transforms/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;

static constexpr StringLiteral kCategory = "top-assign-layouts";
/// Channels a group that fill rows of 16 bytes, whatever the type.
static constexpr int64_t kChannelsOfRow = 8;

/// Why kernels of `op` do not read a packed input; empty where they do.
static std::string whyNotPacked(Conv2DOp op) {
  if (ScheduleAttr schedule = ScheduleAttr::getFrom(op)) {
    if (schedule.getEngine() == Engine::direct)
      return "has a schedule with engine = direct";
    return schedule.getRepack() ? "" : "has a schedule with repack = false";
  }
  const int64_t channels = op.getFilterType().getDimSize(1);
  if (op.getGroup() == 1 || channels % kChannelsOfRow == 0)
    return "";
  return "has groups of " + std::to_string(channels) +
         " input channels, not a multiple of " + std::to_string(kChannelsOfRow);
}

namespace {

/// Results of convolutions, each with the reason why it is not channels last;
/// empty as long as it is.
using Reasons = llvm::MapVector<Value, std::string>;

} // namespace

/// Whether the operand is of the result's shape: an add or mul operand that is
/// not broadcast.
static bool isFullOperand(Conv2DOp op, OpOperand &use) {
  const unsigned first = op.getNumOperands() - op.getEpilogueOperands().size();
  return use.getOperandNumber() >= first &&
         cast<RankedTensorType>(use.get().getType()).getShape() ==
             op.getResultType().getShape();
}

/// Why this use does not allow the layout; empty where it does.
static std::string whyNotUsed(OpOperand &use, const Reasons &reasons) {
  Operation *user = use.getOwner();
  auto conv = dyn_cast<Conv2DOp>(user);
  if (!conv)
    return "'" + user->getName().getStringRef().str() + "' uses it";
  if (use.getOperandNumber() == 0) {
    std::string reason = whyNotPacked(conv);
    return reason.empty() ? "" : "a 'top.Conv2D' that reads it " + reason;
  }
  auto result = reasons.find(conv.getResult());
  if (isFullOperand(conv, use) &&
      (isChannelsLast(conv.getType()) ||
       (result != reasons.end() && result->second.empty())))
    return "";
  return "a 'top.Conv2D' that is not channels last takes it as operand #" +
         std::to_string(use.getOperandNumber());
}

static bool isInputOfConvolution(OpOperand &use) {
  return isa<Conv2DOp>(use.getOwner()) && use.getOperandNumber() == 0;
}

void top::assignLayouts(FunctionOpInterface func) {
  Reasons reasons;
  func->walk([&](Conv2DOp op) {
    if (isChannelsLast(op.getType()) ||
        llvm::none_of(op->getUses(), isInputOfConvolution))
      return;
    std::string reason = whyNotPacked(op);
    reasons[op.getResult()] = reason.empty() ? "" : "the op " + reason;
  });
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[value, reason] : reasons)
      for (OpOperand &use : value.getUses())
        if (reason.empty()) {
          reason = whyNotUsed(use, reasons);
          changed |= !reason.empty();
        }
  }
  auto remarkOpts = [&](StringRef name) {
    return remark::RemarkOpts::name(name).category(kCategory).function(
        func.getName());
  };
  for (auto &[value, reason] : reasons) {
    if (!reason.empty()) {
      remark::missed(value.getLoc(), remarkOpts("NotChannelsLast"))
          << remark::reason("the result stays channels first: {0}", reason);
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    value.setType(type.cloneWithEncoding(getChannelsLast(func.getContext())));
    remark::passed(value.getLoc(), remarkOpts("ChannelsLast"))
        << remark::add("the result is channels last for {0} uses",
                       std::distance(value.use_begin(), value.use_end()));
  }
}

namespace {

struct TopAssignLayoutsPass
    : top::impl::TopAssignLayoutsPassBase<TopAssignLayoutsPass> {
  void runOnOperation() override { assignLayouts(getOperation()); }
};

} // namespace
