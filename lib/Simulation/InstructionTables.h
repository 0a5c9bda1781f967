//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the table of instructions, one a file, and what they share:
// reading a site's attributes before a launch.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_LIB_SIMULATION_INSTRUCTIONTABLES_H
#define TOP_LIB_SIMULATION_INSTRUCTIONTABLES_H

#include "Instruction.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::top::sim {

/// mma.sync, and what is written by hand for 8-bit floats.
llvm::ArrayRef<Instruction> getMmaInstructions();
/// ldmatrix, stmatrix.
llvm::ArrayRef<Instruction> getMatrixInstructions();
/// Shuffles, votes, reductions: what lanes of a warp tell each other.
llvm::ArrayRef<Instruction> getLaneInstructions();
/// Conversions and approximations.
llvm::ArrayRef<Instruction> getConvertInstructions();
/// Dot products of bytes, permutations of bytes.
llvm::ArrayRef<Instruction> getByteInstructions();

using Details = std::shared_ptr<const void>;

/// Calls `action` with the number of each lane that takes part.
template <typename Action>
void forEachLane(const Execution &execution, Action action) {
  for (uint32_t left = execution.lanes; left != 0; left &= left - 1)
    action(unsigned(llvm::countr_zero(left)));
}

/// False, and a fault, where not all lanes of the warp take part, which
/// instructions on matrices need.
bool checkWholeWarp(Execution &execution);

/// The value of an attribute, without the name that some carry: "bfly" of
/// "shfl_kind bfly". `fallback` where the site has none.
llvm::StringRef getKeyword(const Site &site, llvm::StringRef name,
                           llvm::StringRef fallback = "");

template <typename T>
using Keywords = std::initializer_list<std::pair<llvm::StringRef, T>>;

/// What a keyword stands for; fails where it is not one of `keywords`.
template <typename T>
llvm::Expected<T> parseKeyword(const Site &site, llvm::StringRef name,
                               Keywords<T> keywords,
                               llvm::StringRef fallback = "") {
  const llvm::StringRef found = getKeyword(site, name, fallback);
  std::string expected;
  for (const auto &[text, value] : keywords) {
    if (text == found)
      return value;
    expected += (expected.empty() ? "'" : ", '") + text.str() + "'";
  }
  return llvm::createStringError(llvm::formatv(
      "expected '{0}' to be {1}, got '{2}'", name, expected, found));
}

/// A number of a dictionary in an attribute: 16 for "k" of "m = 8, k = 16"; 0
/// where there is none.
int64_t getNumber(const Site &site, llvm::StringRef name, llvm::StringRef key);

/// Fails where the site's operands or result have other types. "*" stands for
/// any type.
llvm::Error checkTypes(const Site &site,
                       llvm::ArrayRef<llvm::StringRef> operands,
                       llvm::StringRef result);

} // namespace mlir::top::sim

#endif // TOP_LIB_SIMULATION_INSTRUCTIONTABLES_H
