//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The listing of `top-tune --list`.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "top/Tuning/AssignSchedule.h"
#include "top/Tuning/DirectSchedule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::top;
using llvm::formatv;

/// "65536 bytes shared, about 128 registers, 2 blocks/SM, occupancy 25%"
static void printNeeds(raw_ostream &os, const ScheduleFields &schedule,
                       const ProductProblem &problem, const GPUTarget &target) {
  const BlockResources needs = estimateResources(schedule, problem);
  const Occupancy occupancy = computeOccupancy(target.arch, schedule, needs);
  os << formatv("{0} threads, {1} bytes shared, about {2} registers, {3} "
                "blocks/SM, occupancy {4:P0}",
                needs.threads, needs.sharedBytes, needs.registers,
                occupancy.blocksPerSM, occupancy.share);
}

LogicalResult top::listSchedules(Operation *op, const GPUTarget &target,
                                 raw_ostream &os) {
  std::string reason;
  FailureOr<ProductProblem> problem = getProblem(op, reason);
  if (failed(problem))
    return op->emitOpError(reason);

  auto printVerdict = [&](raw_ostream &line, const ScheduleFields &schedule,
                          const std::optional<Infeasible> &fault) {
    line << (fault ? "cannot run " : "fits ");
    schedule.print(line);
    line << ": ";
    if (fault)
      line << stringifyLimit(fault->limit) << ": " << fault->reason;
    else
      printNeeds(line, schedule, *problem, target);
    line << "\n";
  };
  std::string fitting, others;
  llvm::raw_string_ostream fittingStream(fitting), othersStream(others);
  int64_t numFitting = 0, numOthers = 0;
  for (Engine engine : {Engine::simt, Engine::mma_sync, Engine::wgmma})
    for (const ScheduleFields &schedule : enumerateSchedules(engine)) {
      std::optional<Infeasible> fault = findFault(schedule, *problem, target);
      printVerdict(fault ? othersStream : fittingStream, schedule, fault);
      ++(fault ? numOthers : numFitting);
    }
  // Of these there are too many that do not fit to list them.
  if (problem->isConvolution)
    for (const ScheduleFields &schedule :
         enumerateDirectSchedules(*problem, target)) {
      printVerdict(fittingStream, schedule, std::nullopt);
      ++numFitting;
    }

  auto function = op->getParentOfType<FunctionOpInterface>();
  os << op->getName();
  if (function)
    os << " in '" << function.getName() << "'";
  os << ": ";
  if (problem->batch != 1)
    os << problem->batch << " x ";
  os << formatv("{0} x {1} x {2} {3} on {4} ({5}): {6} schedules fit, {7} "
                "cannot run\n",
                problem->m, problem->n, problem->k,
                stringifyNumericType(problem->type), target.arch.chip,
                target.card.name, numFitting, numOthers);
  if (ScheduleAttr own = ScheduleAttr::getFrom(op)) {
    os << "its own ";
    printVerdict(os, own, findFault(own, *problem, target));
  }
  FailureOr<Assignment> assignment = assignSchedule(*problem, target, reason);
  if (succeeded(assignment)) {
    os << "chosen ";
    assignment->schedule.print(os);
    os << ": "
       << (assignment->reasons.empty()
               ? std::string("the default of the engine")
               : llvm::join(assignment->reasons, "; "))
       << "\n";
  } else {
    os << "none chosen: " << reason << "\n";
  }
  os << fitting << others;
  return success();
}
