//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What launches on the simulated GPU moved and computed, for people and as
// JSON.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_EXECUTION_SIMULATIONREPORT_H
#define TOP_EXECUTION_SIMULATIONREPORT_H

#include "top/Simulation/Program.h"
#include "top/Simulation/Statistics.h"
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

} // namespace mlir::top

#endif // TOP_EXECUTION_SIMULATIONREPORT_H
