//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Golden.h.
//
//===----------------------------------------------------------------------===//

#include "Golden.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir::top::sim;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// Hexadecimal numbers; "=N" stands for 32 times N.
static std::vector<uint64_t> parseWords(StringRef text) {
  std::vector<uint64_t> words;
  if (text.consume_front("=")) {
    words.assign(32, 0);
    EXPECT_FALSE(text.getAsInteger(16, words[0])) << text.str();
    words.assign(32, words[0]);
    return words;
  }
  SmallVector<StringRef> parts;
  text.split(parts, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    words.emplace_back();
    EXPECT_FALSE(part.getAsInteger(16, words.back())) << part.str();
  }
  return words;
}

static Register parseRegister(StringRef text) {
  Register result = {};
  std::vector<uint64_t> words = parseWords(text);
  EXPECT_EQ(words.size(), 32u);
  std::copy_n(words.begin(), std::min<size_t>(words.size(), 32),
              result.begin());
  return result;
}

GoldenFile mlir::top::sim::readGolden(StringRef name) {
  GoldenFile file;
  auto buffer = llvm::MemoryBuffer::getFile(
      (llvm::Twine(TOP_GOLDEN_DIR) + "/" + name).str());
  if (!buffer) {
    ADD_FAILURE() << "cannot read '" << name.str()
                  << "': " << buffer.getError().message();
    return file;
  }
  llvm::StringMap<GoldenCase> inputs;
  GoldenCase *input = nullptr;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [word, rest] = line.split(' ');
    Site *site = file.sites.empty() ? nullptr : file.sites.back().get();
    GoldenCase *output = file.cases.empty() ? nullptr : &file.cases.back();
    if (word == "#") {
    } else if (word == "inputs") {
      input = &inputs[rest];
      input->name = rest.str();
    } else if (word == "in" && input) {
      input->operands.push_back(parseRegister(rest));
    } else if (word == "memory" && input) {
      for (uint64_t each : parseWords(rest))
        input->memory.push_back(each);
    } else if (word == "op") {
      file.sites.push_back(std::make_unique<Site>());
      file.sites.back()->op = rest.str();
    } else if (word == "with" && site) {
      auto [attribute, value] = rest.split(' ');
      site->attributes[attribute] = value.str();
    } else if (word == "segments" && site) {
      for (StringRef part : llvm::split(rest, ' '))
        site->operandSegments.push_back(std::stoi(part.str()));
    } else if (word == "operands" && site) {
      for (StringRef part : llvm::split(rest, ';'))
        site->operandTypes.push_back(part.trim().str());
    } else if (word == "result" && site) {
      site->resultType = rest.str();
    } else if (word == "case" && site && inputs.count(rest)) {
      file.cases.push_back(inputs[rest]);
      file.cases.back().site = site;
    } else if (word == "lanes" && output) {
      output->lanes = parseWords(rest).at(0);
    } else if (word == "out" && output) {
      output->results.push_back(parseRegister(rest));
    } else if (word == "after" && output) {
      for (uint64_t each : parseWords(rest))
        output->after.push_back(each);
    } else {
      ADD_FAILURE() << "unexpected line in '" << name.str()
                    << "': " << line.str();
    }
  }
  EXPECT_FALSE(file.cases.empty()) << name.str();
  return file;
}

SmallVector<StringRef> mlir::top::sim::getResultTypes(const Site &site) {
  SmallVector<StringRef> types;
  StringRef text = site.resultType;
  if (text.consume_front("!llvm.struct<("))
    text.consume_back(")>");
  if (!text.empty())
    text.split(types, ", ");
  return types;
}

static unsigned getBytes(StringRef type) {
  if (type == "i1")
    return 1;
  return type == "i16" || type == "f16" || type == "bf16" ? 2 : 4;
}

Bench::Bench(const PreparedSite &prepared, ArrayRef<Register> operands,
             uint32_t lanes, ArrayRef<uint32_t> memory)
    : Execution(prepared), memory(memory.begin(), memory.end()),
      prepared(prepared) {
  this->lanes = lanes;
  this->operands = {};
  results = {};
  EXPECT_EQ(operands.size(), prepared.slots.size());
  const size_t inBytes = 8 * operands.size(),
               outBytes = 4 * std::max<size_t>(getResultTypes(site).size(), 1);
  // What is not defined, of slots and of results, is not zero.
  in.assign(32 * inBytes, char(0xa5));
  out.assign(32 * outBytes, char(0xa5));
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    this->operands[lane] = in.data() + lane * inBytes;
    results[lane] = out.data() + lane * outBytes;
    for (auto [i, each] : llvm::enumerate(operands)) {
      const StringRef type = site.operandTypes[i];
      const unsigned bytes = type == "i64" || type == "!llvm.ptr<3>" ? 8
                             : type == "vector<2xi8>"                ? 2
                                                      : getBytes(type);
      std::memcpy(in.data() + lane * inBytes + prepared.slots[i], &each[lane],
                  bytes);
    }
  }
}

std::vector<Register> Bench::run() {
  prepared.instruction->execute(*this);
  std::vector<Register> registers;
  for (auto [i, type] : llvm::enumerate(getResultTypes(site))) {
    registers.emplace_back();
    for (unsigned lane = 0; lane < 32; ++lane)
      if (results[lane])
        std::memcpy(&registers[i][lane], results[lane] + 4 * i,
                    getBytes(type));
  }
  return registers;
}

const void *Bench::read(unsigned lane, uint64_t address, int64_t bytes) {
  return write(lane, address, bytes);
}

void *Bench::write(unsigned lane, uint64_t address, int64_t bytes) {
  if (address % bytes == 0 && address + bytes <= 4 * memory.size())
    return reinterpret_cast<char *>(memory.data()) + address;
  fault(lane, Fault::Kind::OutOfBounds, "no such memory");
  return nullptr;
}

void Bench::fault(unsigned lane, Fault::Kind kind, const llvm::Twine &text) {
  faults.push_back(("lane " + llvm::Twine(lane) + ": " + text).str());
}

PreparedSite mlir::top::sim::prepare(const Site &site) {
  llvm::Expected<PreparedSite> prepared = prepareSite(site);
  if (prepared && prepared->instruction)
    return std::move(*prepared);
  ADD_FAILURE() << "'" << site.op << "': "
                << (prepared ? "no such instruction"
                             : llvm::toString(prepared.takeError()));
  return PreparedSite();
}
