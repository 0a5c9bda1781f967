//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// top-assign-schedule and top-verify-schedule.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "top/Tuning/AssignLayouts.h"
#include "top/Tuning/AssignSchedule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::top {
#define GEN_PASS_DEF_TOPASSIGNLAYOUTSPASS
#define GEN_PASS_DEF_TOPASSIGNSCHEDULEPASS
#define GEN_PASS_DEF_TOPVERIFYSCHEDULEPASS
#include "top/Tuning/Passes.h.inc"
} // namespace mlir::top

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

static constexpr StringLiteral kAssign = "top-assign-schedule";
static constexpr StringLiteral kVerify = "top-verify-schedule";

static std::string toText(const ScheduleFields &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  schedule.print(os);
  return text;
}

LogicalResult top::verifySchedule(Operation *op, const ScheduleFields &schedule,
                                  const GPUTarget &target) {
  std::string reason;
  if (!isScheduledOp(op))
    return op->emitOpError("carries a schedule, but kernels exist for matrix "
                           "products only");
  FailureOr<ProductProblem> problem = getProblem(op, reason);
  if (failed(problem))
    return op->emitOpError(reason);
  std::optional<Infeasible> fault = findFault(schedule, *problem, target);
  if (!fault)
    return success();
  InFlightDiagnostic error = op->emitOpError(fault->reason);
  if (std::optional<ScheduleFields> nearest =
          findNearestFitting(schedule, *problem, target))
    error.attachNote() << "the nearest schedule that fits is "
                       << toText(*nearest);
  return error;
}

/// The target that the options ask for, or failure after one error at `op`.
static FailureOr<GPUTarget> getTarget(Operation *op, StringRef chip,
                                      StringRef card) {
  llvm::Expected<GPUTarget> target = lookupTarget(chip, card);
  if (target)
    return *target;
  op->emitError(llvm::toString(target.takeError()));
  return failure();
}

static StringRef getFunctionName(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function ? function.getName() : StringRef();
}

/// "65536 bytes of shared memory, about 128 registers, 2 blocks an SM by
/// registers"
static std::string describeNeeds(const ScheduleFields &schedule,
                                 const ProductProblem &problem,
                                 const GPUTarget &target) {
  const BlockResources needs = estimateResources(schedule, problem);
  const Occupancy occupancy = computeOccupancy(target.arch, schedule, needs);
  return formatv("{0} threads, {1} bytes of shared memory, about {2} "
                 "registers; {3} blocks an SM, by {4}",
                 needs.threads, needs.sharedBytes, needs.registers,
                 occupancy.blocksPerSM,
                 stringifyOccupancyLimit(occupancy.limit));
}

static void remarkLowOccupancy(Operation *op, const ScheduleFields &schedule,
                               const ProductProblem &problem,
                               const GPUTarget &target) {
  const Occupancy occupancy = computeOccupancy(
      target.arch, schedule, estimateResources(schedule, problem));
  if (occupancy.share >= kLowOccupancy)
    return;
  remark::analysis(op->getLoc(), remark::RemarkOpts::name("LowOccupancy")
                                     .category(kAssign)
                                     .function(getFunctionName(op)))
      << remark::add("{0:P0} of the warps of an SM, bounded by {1}",
                     occupancy.share, stringifyOccupancyLimit(occupancy.limit));
}

namespace {

struct TopAssignLayoutsPass
    : top::impl::TopAssignLayoutsPassBase<TopAssignLayoutsPass> {
  using TopAssignLayoutsPassBase::TopAssignLayoutsPassBase;

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getTarget(getOperation(), chip, card);
    if (failed(target))
      return signalPassFailure();
    assignLayouts(getOperation(), *target);
  }
};

struct TopAssignSchedulePass
    : top::impl::TopAssignSchedulePassBase<TopAssignSchedulePass> {
  using TopAssignSchedulePassBase::TopAssignSchedulePassBase;

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getTarget(getOperation(), chip, card);
    if (failed(target))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      return isa<Conv2DOp, MatMulOp>(op) && failed(assign(op, *target))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult assign(Operation *op, const GPUTarget &target) {
    std::string reason;
    FailureOr<ProductProblem> problem = getProblem(op, reason);
    if (ScheduleAttr schedule = ScheduleAttr::getFrom(op)) {
      if (failed(verifySchedule(op, schedule, target)))
        return failure();
      remark::passed(
          op->getLoc(),
          remark::RemarkOpts::name("Kept").category(kAssign).function(
              getFunctionName(op)))
          << remark::add("{0}", describeNeeds(schedule, *problem, target));
      remarkLowOccupancy(op, schedule, *problem, target);
      return success();
    }
    FailureOr<Assignment> assignment = failure();
    if (succeeded(problem))
      assignment = assignSchedule(*problem, target, reason);
    if (failed(assignment)) {
      remark::missed(op->getLoc(), remark::RemarkOpts::name("NotAssigned")
                                       .category(kAssign)
                                       .function(getFunctionName(op)))
          << remark::reason("{0}", reason);
      return success();
    }
    const ScheduleFields &schedule = assignment->schedule;
    schedule.get(op->getContext()).setOn(op);
    remark::passed(op->getLoc(), remark::RemarkOpts::name("Assigned")
                                     .category(kAssign)
                                     .function(getFunctionName(op)))
        << remark::add("{0} ({1}): {2}", toText(schedule),
                       describeNeeds(schedule, *problem, target),
                       assignment->reasons.empty()
                           ? std::string("the default of the engine")
                           : llvm::join(assignment->reasons, "; "));
    remarkLowOccupancy(op, schedule, *problem, target);
    return success();
  }
};

struct TopVerifySchedulePass
    : top::impl::TopVerifySchedulePassBase<TopVerifySchedulePass> {
  using TopVerifySchedulePassBase::TopVerifySchedulePassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    FailureOr<GPUTarget> target = getTarget(getOperation(), chip, card);
    if (failed(target))
      return signalPassFailure();
    // Every wrong one is reported.
    getOperation()->walk([&](Operation *op) {
      ScheduleAttr schedule = ScheduleAttr::getFrom(op);
      // Loops and kernels carry one that was checked when they were made. A
      // pack takes nothing of its schedule but that it becomes a kernel.
      if (!schedule || isa<linalg::PackOp>(op) ||
          !isa<TopDialect, linalg::LinalgDialect>(op->getDialect()))
        return;
      if (failed(verifySchedule(op, schedule, *target)))
        return signalPassFailure();
      std::string reason;
      remark::passed(op->getLoc(), remark::RemarkOpts::name("Verified")
                                       .category(kVerify)
                                       .function(getFunctionName(op)))
          << remark::add("{0}", describeNeeds(schedule, *getProblem(op, reason),
                                              *target));
    });
  }
};

} // namespace
