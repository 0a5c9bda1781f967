//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What top-run says of the results of a run and of their comparison with the
// reference, for people and as JSON. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_OUTCOMEREPORT_H
#define TOP_LIB_EXECUTION_OUTCOMEREPORT_H

#include "top/Execution/Session.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::top {

/// One line: `PASS` and the largest errors, how many elements are wrong, or
/// that nothing was compared. `verification` is null then; `repeats` runs gave
/// the same bits.
void printOutcome(raw_ostream &os, StringRef function, ArrayRef<Tensor> results,
                  const Verification *verification, int64_t repeats);

/// An object a result: shape, type, a digest of its bits, and how it compares.
llvm::json::Array outcomeAsJSON(ArrayRef<Tensor> results,
                                const Verification *verification);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_OUTCOMEREPORT_H
