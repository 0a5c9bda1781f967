//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled kernels of the simulated GPU call. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_SIMULATEDSYMBOLS_H
#define TOP_LIB_EXECUTION_SIMULATEDSYMBOLS_H

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace mlir::top {

/// The simulator's functions, and the conversions of 16-bit floats that LLVM
/// calls on a processor without instructions for them.
llvm::orc::SymbolMap getSimulatedSymbols(llvm::orc::MangleAndInterner interner);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_SIMULATEDSYMBOLS_H
