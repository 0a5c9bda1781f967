//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This machine as a target of the JIT. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_EXECUTION_HOSTMACHINE_H
#define TOP_LIB_EXECUTION_HOSTMACHINE_H

#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir::top {

/// For code of this machine; for the processor `cpu` without further features
/// where that is not empty.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine(llvm::StringRef cpu, llvm::CodeGenOptLevel level);

} // namespace mlir::top

#endif // TOP_LIB_EXECUTION_HOSTMACHINE_H
