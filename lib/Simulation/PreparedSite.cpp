//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is worked out for a site before a launch: where its operands lie.
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::top::sim;

namespace {
/// Bytes and alignment of a type in memory.
struct TypeSize {
  uint64_t bytes, alignment;
};
} // namespace

/// Reads a type from the front of `text`; bytes = 0 where it is none.
static TypeSize parseType(llvm::StringRef &text) {
  text = text.ltrim();
  unsigned number;
  if (text.consume_front("!llvm.")) {
    // Fall through to the dialect's own types.
  }
  if (text.consume_front("ptr")) {
    if (text.consume_front("<"))
      text = text.drop_front(std::min(text.find('>') + 1, text.size()));
    return {8, 8};
  }
  if (text.consume_front("struct<")) {
    if (text.consume_front("packed"))
      return {0, 0};
    text = text.ltrim();
    TypeSize size = {0, 1};
    if (!text.consume_front("("))
      return {0, 0};
    do {
      const TypeSize element = parseType(text);
      if (!element.bytes)
        return {0, 0};
      size.bytes = llvm::alignTo(size.bytes, element.alignment) + element.bytes;
      size.alignment = std::max(size.alignment, element.alignment);
    } while (text.consume_front(","));
    if (!text.consume_front(")>"))
      return {0, 0};
    return {llvm::alignTo(size.bytes, size.alignment), size.alignment};
  }
  if (text.consume_front("vector<")) {
    if (text.consumeInteger(10, number) || !text.consume_front("x"))
      return {0, 0};
    const TypeSize element = parseType(text);
    if (!text.consume_front(">"))
      return {0, 0};
    const uint64_t bytes = llvm::PowerOf2Ceil(number * element.bytes);
    return {bytes, bytes};
  }
  if (text.consume_front("bf16"))
    return {2, 2};
  const bool isFloat8 = text.starts_with("f8");
  if (text.consume_front("i") || text.consume_front("f")) {
    if (isFloat8) {
      text = text.drop_while([](char c) { return llvm::isAlnum(c); });
      return {1, 1};
    }
    if (text.consumeInteger(10, number) || number == 0 || number > 128)
      return {0, 0};
    const uint64_t bytes = llvm::PowerOf2Ceil((number + 7) / 8);
    return {bytes, bytes};
  }
  return {0, 0};
}

llvm::Expected<uint32_t> mlir::top::sim::getSlotBytes(llvm::StringRef type) {
  llvm::StringRef rest = type;
  const TypeSize size = parseType(rest);
  if (!size.bytes || !rest.trim().empty())
    return llvm::createStringError(llvm::formatv(
        "expected an operand of integer, float, pointer, vector or struct "
        "type, got '{0}'",
        type));
  return llvm::alignTo(size.bytes, 8);
}

llvm::Expected<PreparedSite> mlir::top::sim::prepareSite(const Site &site) {
  PreparedSite prepared;
  prepared.site = &site;
  prepared.instruction = findInstruction(site.op);
  uint32_t offset = 0;
  for (const std::string &type : site.operandTypes) {
    llvm::Expected<uint32_t> bytes = getSlotBytes(type);
    if (!bytes)
      return bytes.takeError();
    prepared.slots.push_back(offset);
    offset += *bytes;
  }
  if (prepared.instruction && prepared.instruction->prepare) {
    llvm::Expected<std::shared_ptr<const void>> details =
        prepared.instruction->prepare(site);
    if (!details)
      return details.takeError();
    prepared.details = std::move(*details);
  }
  return prepared;
}
