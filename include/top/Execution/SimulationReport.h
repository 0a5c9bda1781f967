//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What launches on the simulated GPU moved and computed, for people and as
// JSON, and what they did wrong.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_SIMULATIONREPORT_H
#define TOP_EXECUTION_SIMULATIONREPORT_H

#include "top/Simulation/Machine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::top {

/// Totals, then a line for what accesses memory in `program`, the last
/// launch's, most transactions first. Sites of one op and location (copies of a
/// loop that was unrolled) are one line.
void printSimulation(llvm::raw_ostream &os, const sim::Statistics &statistics,
                     const sim::Program &program);

/// The same numbers; the lines are in the array "sites".
llvm::json::Object simulationAsJSON(const sim::Statistics &statistics,
                                    const sim::Program &program);

/// What an error that has said the first line of the first fault leaves out:
/// its further lines, the other faults, and how many more of `total` there
/// were; a line each, as notes of top-run.
void printFaultNotes(llvm::raw_ostream &os, llvm::ArrayRef<sim::Fault> faults,
                     uint64_t total);

} // namespace mlir::top

#endif // TOP_EXECUTION_SIMULATIONREPORT_H
