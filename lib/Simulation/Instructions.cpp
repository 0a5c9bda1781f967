//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of instructions that compute, and the reading of attributes.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir::top::sim;
using llvm::ArrayRef;
using llvm::StringRef;

const Instruction *mlir::top::sim::findInstruction(StringRef name) {
  static const llvm::StringMap<const Instruction *> table = [] {
    llvm::StringMap<const Instruction *> result;
    for (ArrayRef<Instruction> part :
         {getMmaInstructions(), getMatrixInstructions(), getLaneInstructions(),
          getConvertInstructions(), getByteInstructions()})
      for (const Instruction &instruction : part)
        result[instruction.name] = &instruction;
    return result;
  }();
  return table.lookup(name);
}

bool mlir::top::sim::checkWholeWarp(Execution &execution) {
  if (execution.lanes == ~0u)
    return true;
  execution.fault(llvm::countr_zero(execution.lanes), Fault::Kind::Divergence,
                  llvm::formatv("expected all 32 lanes of the warp at '{0}', "
                                "got those of mask {1:x8}",
                                execution.site.op, execution.lanes)
                      .str());
  return false;
}

StringRef mlir::top::sim::getKeyword(const Site &site, StringRef name,
                                     StringRef fallback) {
  auto found = site.attributes.find(name);
  if (found == site.attributes.end())
    return fallback;
  const StringRef text = StringRef(found->second).trim();
  return text.substr(text.rfind(' ') + 1);
}

int64_t mlir::top::sim::getNumber(const Site &site, StringRef name,
                                  StringRef key) {
  auto found = site.attributes.find(name);
  if (found == site.attributes.end())
    return 0;
  StringRef rest = found->second;
  while (!rest.empty()) {
    auto [entry, others] = rest.split(',');
    auto [left, right] = entry.split('=');
    int64_t number;
    if (left.trim() == key && !right.trim().getAsInteger(10, number))
      return number;
    rest = others;
  }
  return 0;
}

llvm::Error mlir::top::sim::checkTypes(const Site &site,
                                       ArrayRef<StringRef> operands,
                                       StringRef result) {
  auto matches = [](StringRef expected, StringRef got) {
    return expected == "*" || expected == got;
  };
  bool isRight = operands.size() == site.operandTypes.size() &&
                 matches(result, site.resultType);
  for (size_t i = 0; isRight && i < operands.size(); ++i)
    isRight = matches(operands[i], site.operandTypes[i]);
  if (isRight)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "expected ({0}) -> ({1}), got ({2}) -> ({3})", llvm::join(operands, ", "),
      result, llvm::join(site.operandTypes, ", "), site.resultType));
}
