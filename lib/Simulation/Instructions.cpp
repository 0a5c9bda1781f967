//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of instructions that compute. Empty as yet.
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"

using namespace mlir::top::sim;

const Instruction *mlir::top::sim::findInstruction(llvm::StringRef name) {
  return nullptr;
}
