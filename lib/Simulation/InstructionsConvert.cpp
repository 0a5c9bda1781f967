//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between floating-point formats (cvt of the PTX ISA), and
// approximations.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"
#include "SmallFloats.h"

using namespace mlir::top::sim;

namespace {
struct ConvertDetails {
  SmallFloat format;
  Rounding rounding;
  bool saturates, clampsNegative;
};
} // namespace

/// Reads 'rnd', 'sat' and 'relu', as far as the op has them.
static llvm::Expected<ConvertDetails>
parseConversion(const Site &site, const SmallFloat &format,
                Keywords<Rounding> roundings) {
  llvm::Expected<Rounding> rounding =
      parseKeyword<Rounding>(site, "rnd", roundings, "none");
  if (!rounding)
    return rounding.takeError();
  llvm::Expected<bool> saturates = parseKeyword<bool>(
      site, "sat", {{"none", false}, {"satfinite", true}}, "none");
  if (!saturates)
    return saturates.takeError();
  llvm::Expected<bool> clamps = parseKeyword<bool>(
      site, "relu", {{"false", false}, {"true", true}}, "false");
  if (!clamps)
    return clamps.takeError();
  return ConvertDetails{format, *rounding, *saturates, *clamps};
}

static llvm::Expected<SmallFloat> parseF8(const Site &site,
                                          llvm::StringRef attribute) {
  return parseKeyword<SmallFloat>(site, attribute,
                                  {{"f8E4M3FN", kE4M3}, {"f8E5M2", kE5M2}});
}

/// Negative numbers become zero, a negative zero too; NaNs stay.
static uint32_t clampNegative(uint32_t bits) {
  return bits >> 31 && !isNaN(bits) ? 0 : bits;
}

static uint32_t convert(const ConvertDetails &details, uint32_t bits) {
  return narrow(details.clampsNegative ? clampNegative(bits) : bits,
                details.format, details.rounding, details.saturates);
}

static llvm::Expected<Details> finish(llvm::Expected<ConvertDetails> details,
                                      llvm::Error types) {
  if (!details) {
    llvm::consumeError(std::move(types));
    return details.takeError();
  }
  if (types)
    return types;
  return std::make_shared<ConvertDetails>(*details);
}

//===----------------------------------------------------------------------===//
// f32 -> tf32
//===----------------------------------------------------------------------===//

static llvm::Expected<Details> prepareToTF32(const Site &site) {
  return finish(parseConversion(site, kTF32,
                                {{"rna", Rounding::AwayFromZero},
                                 {"rn", Rounding::ToEven},
                                 {"rz", Rounding::TowardsZero}}),
                checkTypes(site, {"f32"}, "i32"));
}

static void executeToTF32(Execution &execution) {
  const auto &details = execution.getDetails<ConvertDetails>();
  forEachLane(execution, [&](unsigned lane) {
    const auto bits = execution.getOperand<uint32_t>(lane, 0);
    // tf32 is kept in the upper 19 bits of 32.
    execution.setResult(lane, 0,
                        isNaN(bits) ? kNaN : convert(details, bits) << 13);
  });
}

//===----------------------------------------------------------------------===//
// Pairs of f32
//===----------------------------------------------------------------------===//

template <bool IsBF16>
static llvm::Expected<Details> prepareToPair(const Site &site) {
  // Stochastic rounding, with a third operand, is of sm_100a.
  return finish(parseConversion(
                    site, IsBF16 ? kBF16 : kF16,
                    {{"rn", Rounding::ToEven}, {"rz", Rounding::TowardsZero}}),
                checkTypes(site, {"f32", "f32"},
                           IsBF16 ? "vector<2xbf16>" : "vector<2xf16>"));
}

/// An i16, or the two bytes of it.
static llvm::StringRef getF8PairType(const Site &site) {
  return site.resultType == "vector<2xi8>" ? "vector<2xi8>" : "i16";
}

static llvm::Expected<Details> prepareToF8(const Site &site) {
  llvm::Expected<SmallFloat> format = parseF8(site, "dstTy");
  if (!format)
    return format.takeError();
  llvm::Expected<ConvertDetails> details =
      parseConversion(site, *format, {{"rn", Rounding::ToEven}});
  if (details)
    details->saturates = true; // the ISA has no other form
  return finish(std::move(details),
                checkTypes(site, {"f32", "f32"}, getF8PairType(site)));
}

/// The first operand goes to the upper half of the result.
static void executeToPair(Execution &execution) {
  const auto &details = execution.getDetails<ConvertDetails>();
  const int bits = details.format.getBits();
  forEachLane(execution, [&](unsigned lane) {
    const uint32_t high =
        convert(details, execution.getOperand<uint32_t>(lane, 0));
    const uint32_t low =
        convert(details, execution.getOperand<uint32_t>(lane, 1));
    const uint32_t pair = high << bits | low;
    if (bits == 8)
      execution.setResult(lane, 0, uint16_t(pair));
    else
      execution.setResult(lane, 0, pair);
  });
}

//===----------------------------------------------------------------------===//
// f16 <-> 8 bits
//===----------------------------------------------------------------------===//

static llvm::Expected<Details> prepareF16ToF8(const Site &site) {
  llvm::Expected<SmallFloat> format = parseF8(site, "dstTy");
  if (!format)
    return format.takeError();
  llvm::Expected<ConvertDetails> details =
      parseConversion(site, *format, {{"none", Rounding::ToEven}});
  if (details)
    details->saturates = true;
  return finish(std::move(details),
                checkTypes(site, {"vector<2xf16>"}, getF8PairType(site)));
}

static void executeF16ToF8(Execution &execution) {
  const auto &details = execution.getDetails<ConvertDetails>();
  forEachLane(execution, [&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned part : {0, 1}) {
      const auto half = execution.getOperand<uint32_t>(lane, 0) >> (16 * part);
      result |= convert(details, toBits(widenF16(half & 0xffff))) << (8 * part);
    }
    execution.setResult(lane, 0, uint16_t(result));
  });
}

static llvm::Expected<Details> prepareF8ToF16(const Site &site) {
  llvm::Expected<SmallFloat> format = parseF8(site, "srcType");
  if (!format)
    return format.takeError();
  return finish(parseConversion(site, *format, {{"none", Rounding::ToEven}}),
                checkTypes(site, {"vector<2xi8>"}, "vector<2xf16>"));
}

static void executeF8ToF16(Execution &execution) {
  const auto &details = execution.getDetails<ConvertDetails>();
  forEachLane(execution, [&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned part : {0, 1}) {
      const auto pair = execution.getOperand<uint16_t>(lane, 0);
      uint32_t bits = toBits(widen(pair >> (8 * part) & 0xff, details.format));
      if (details.clampsNegative)
        bits = clampNegative(bits);
      result |= narrow(bits, kF16, Rounding::ToEven) << (16 * part);
    }
    execution.setResult(lane, 0, result);
  });
}

//===----------------------------------------------------------------------===//
// Approximations
//===----------------------------------------------------------------------===//

static llvm::Expected<Details> prepareReciprocal(const Site &site) {
  if (llvm::Error error = checkTypes(site, {"f32"}, "f32"))
    return error;
  return Details();
}

static uint32_t flushSubnormal(uint32_t bits) {
  return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/// Rounded to nearest; the hardware's differs by at most one unit in the last
/// place (PTX ISA).
static void executeReciprocal(Execution &execution) {
  forEachLane(execution, [&](unsigned lane) {
    const uint32_t bits =
        flushSubnormal(execution.getOperand<uint32_t>(lane, 0));
    execution.setResult(
        lane, 0,
        isNaN(bits) ? kNaN : flushSubnormal(toBits(1.0f / toFloat(bits))));
  });
}

llvm::ArrayRef<Instruction> mlir::top::sim::getConvertInstructions() {
  static const Instruction table[] = {
      {"nvvm.convert.float.to.tf32", Instruction::Thread, -1, executeToTF32,
       prepareToTF32},
      {"nvvm.convert.f32x2.to.f16x2", Instruction::Thread, -1, executeToPair,
       prepareToPair<false>},
      {"nvvm.convert.f32x2.to.bf16x2", Instruction::Thread, -1, executeToPair,
       prepareToPair<true>},
      {"nvvm.convert.f32x2.to.f8x2", Instruction::Thread, -1, executeToPair,
       prepareToF8},
      {"nvvm.convert.f16x2.to.f8x2", Instruction::Thread, -1, executeF16ToF8,
       prepareF16ToF8},
      {"nvvm.convert.f8x2.to.f16x2", Instruction::Thread, -1, executeF8ToF16,
       prepareF8ToF16},
      {"nvvm.rcp.approx.ftz.f", Instruction::Thread, -1, executeReciprocal,
       prepareReciprocal},
  };
  return table;
}
