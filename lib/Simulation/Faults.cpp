//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of faults, and the error that holds those of a launch.
//
//===----------------------------------------------------------------------===//

#include "top/Simulation/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::top::sim;

llvm::StringRef mlir::top::sim::getName(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::OutOfBounds:
    return "out-of-bounds";
  case Fault::Kind::ReadOnly:
    return "read-only";
  case Fault::Kind::Misaligned:
    return "misaligned";
  case Fault::Kind::Uninitialized:
    return "uninitialized";
  case Fault::Kind::InFlight:
    return "in-flight";
  case Fault::Kind::SharedRace:
    return "shared-race";
  case Fault::Kind::GlobalRace:
    return "global-race";
  case Fault::Kind::Divergence:
    return "divergence";
  case Fault::Kind::Barrier:
    return "barrier";
  case Fault::Kind::InvalidOperand:
    return "invalid-operand";
  case Fault::Kind::Unfinished:
    return "unfinished";
  case Fault::Kind::Deadlock:
    return "deadlock";
  case Fault::Kind::StepLimit:
    return "step-limit";
  case Fault::Kind::Unsupported:
    return "unsupported";
  }
  llvm_unreachable("all kinds are named");
}

char FaultError::ID = 0;

void FaultError::log(llvm::raw_ostream &os) const {
  llvm::interleave(
      faults, os,
      [&](const Fault &fault) {
        os << getName(fault.kind) << ": " << fault.message;
      },
      "\n");
  if (total > faults.size())
    os << "\nand " << total - faults.size() << " more";
}

std::error_code FaultError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}
