//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer instructions on the bytes of a register (dp4a, dp2a and prmt of the
// PTX ISA).
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

using namespace mlir::top::sim;

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

namespace {
struct DotDetails {
  bool isSignedA, isSignedB;
  unsigned ways;   ///< 4 bytes times 4 bytes, or 2 halves times 2 bytes
  unsigned firstB; ///< byte of B
};
} // namespace

template <unsigned Ways>
static llvm::Expected<Details> prepareDot(const Site &site) {
  const Keywords<bool> signs = {{"signed", true}, {"unsigned", false}};
  llvm::Expected<bool> a = parseKeyword<bool>(site, "a_type", signs);
  if (!a)
    return a.takeError();
  llvm::Expected<bool> b = parseKeyword<bool>(site, "b_type", signs);
  if (!b)
    return b.takeError();
  llvm::Expected<bool> isHigh = parseKeyword<bool>(
      site, "b_hi", {{"false", false}, {"true", true}}, "false");
  if (!isHigh)
    return isHigh.takeError();
  if (llvm::Error error = checkTypes(
          site,
          {Ways == 4 ? "vector<4xi8>" : "vector<2xi16>", "vector<4xi8>", "i32"},
          "i32"))
    return error;
  return std::make_shared<DotDetails>(
      DotDetails{*a, *b, Ways, *isHigh ? 2u : 0u});
}

/// Element `index` of `bits` bits each.
static uint32_t getElement(uint32_t word, unsigned bits, unsigned index,
                           bool isSigned) {
  word = word >> (bits * index) << (32 - bits);
  return isSigned ? uint32_t(int32_t(word) >> (32 - bits))
                  : word >> (32 - bits);
}

static void executeDot(Execution &execution) {
  const auto &details = execution.getDetails<DotDetails>();
  forEachLane(execution, [&](unsigned lane) {
    const auto a = execution.getOperand<uint32_t>(lane, 0),
               b = execution.getOperand<uint32_t>(lane, 1);
    auto sum = execution.getOperand<uint32_t>(lane, 2);
    for (unsigned i = 0; i < details.ways; ++i)
      sum += getElement(a, 32 / details.ways, i, details.isSignedA) *
             getElement(b, 8, details.firstB + i, details.isSignedB);
    execution.setResult(lane, 0, sum);
  });
}

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// Four bytes, the lowest first, of low (0 to 3) and high (4 to 7), by the
/// lowest two bits of the selector.
using Choices = std::array<std::array<uint8_t, 4>, 4>;

namespace {
struct PermuteDetails {
  /// Null: four bits of the selector choose each byte.
  const Choices *choices;
  bool hasHigh;
};
} // namespace

static llvm::Expected<Details> preparePermute(const Site &site) {
  static constexpr Choices forward = {
      {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}};
  static constexpr Choices backward = {
      {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}};
  static constexpr Choices replicated = {
      {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}};
  static constexpr Choices left = {
      {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}};
  static constexpr Choices right = {
      {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}};
  static constexpr Choices halves = {
      {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}};
  llvm::Expected<const Choices *> choices =
      parseKeyword<const Choices *>(site, "mode",
                                    {{"default", nullptr},
                                     {"f4e", &forward},
                                     {"b4e", &backward},
                                     {"rc8", &replicated},
                                     {"ecl", &left},
                                     {"ecr", &right},
                                     {"rc16", &halves}});
  if (!choices)
    return choices.takeError();
  const bool hasHigh =
      !*choices || *choices == &forward || *choices == &backward;
  llvm::SmallVector<llvm::StringRef> operands(hasHigh ? 3 : 2, "i32");
  if (llvm::Error error = checkTypes(site, operands, "i32"))
    return error;
  return std::make_shared<PermuteDetails>(PermuteDetails{*choices, hasHigh});
}

static void executePermute(Execution &execution) {
  const auto &details = execution.getDetails<PermuteDetails>();
  forEachLane(execution, [&](unsigned lane) {
    uint64_t bytes = execution.getOperand<uint32_t>(lane, 0);
    if (details.hasHigh)
      bytes |= uint64_t(execution.getOperand<uint32_t>(lane, 1)) << 32;
    const auto selector =
        execution.getOperand<uint32_t>(lane, details.hasHigh ? 2 : 1);
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned choice = details.choices
                                  ? (*details.choices)[selector & 3][i]
                                  : selector >> (4 * i) & 15;
      uint32_t byte = bytes >> (8 * (choice & 7)) & 0xff;
      if (choice & 8) // its sign, in all bits
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    execution.setResult(lane, 0, result);
  });
}

llvm::ArrayRef<Instruction> mlir::top::sim::getByteInstructions() {
  static const Instruction table[] = {
      {"nvvm.dot.accumulate.4way", Instruction::Thread, -1, executeDot,
       prepareDot<4>},
      {"nvvm.dot.accumulate.2way", Instruction::Thread, -1, executeDot,
       prepareDot<2>},
      {"nvvm.prmt", Instruction::Thread, -1, executePermute, preparePermute},
  };
  return table;
}
