//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of small matrices whose elements are spread over the registers of a
// warp: mma.sync, m = 16 and n = 8. What each register holds is one rule for
// all types (PTX ISA, "Matrix fragments for mma.m16n8k..."); lane = 4 g + q,
// and E elements of A or B to a register of 32 bits:
//
//   A, register r, element e   row g + 8 (r mod 2), k = E q + e + 4 E (r / 2)
//   B, register r, element e   column g, k = E q + e + 4 E r
//   C and D, element r of all  row g + 8 (r / 2), column 2 q + r mod 2
//
// Sums of floating-point numbers are those of the tensor cores, bit for bit
// (TensorCoreSums.h); sums of integers are exact.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"
#include "SmallFloats.h"
#include "TensorCoreSums.h"

#include <algorithm>

using namespace mlir::top::sim;

namespace {
enum class Operand { F16, BF16, TF32, S8, U8, E4M3, E5M2 };
enum class Sum { F32, F16, I32Wrapped, I32Saturated };

struct MmaDetails {
  Operand a, b;
  Sum sum;
  unsigned k;
  unsigned registersA, registersB;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static const float *getF8Table(const SmallFloat &format) {
  static const auto make = [](const SmallFloat &format) {
    std::array<float, 256> table;
    for (unsigned i = 0; i < 256; ++i)
      table[i] = widen(i, format);
    return table;
  };
  static const std::array<float, 256> e4m3 = make(kE4M3), e5m2 = make(kE5M2);
  return (format.hasInfinity ? e5m2 : e4m3).data();
}

static constexpr unsigned getElements(Operand type) {
  return type == Operand::TF32                           ? 1
         : type == Operand::F16 || type == Operand::BF16 ? 2
                                                         : 4;
}

namespace {
/// The registers of A and B by where they belong: word q + 4 (r / 2) of each
/// row of A, q + 4 r of each column of B. Words that there are not are zero.
struct Words {
  alignas(16) uint32_t a[kMmaM][8];
  alignas(16) uint32_t b[8][kMmaN];
};
} // namespace

static void gatherWords(const Execution &execution, const MmaDetails &details,
                        Words &words) {
  if (details.registersB == 1)
    words = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned r = 0; r < details.registersA; ++r)
      words.a[g + 8 * (r % 2)][q + 4 * (r / 2)] =
          execution.getOperand<uint32_t>(lane, r);
    for (unsigned r = 0; r < details.registersB; ++r)
      words.b[q + 4 * r][g] =
          execution.getOperand<uint32_t>(lane, details.registersA + r);
  }
}

/// Element `i` of 8 words.
template <Operand Type>
static void widenEight(const uint32_t *words, unsigned i, float *to) {
  constexpr unsigned bits = 32 / getElements(Type);
  const unsigned shift = bits * i;
  for (unsigned w = 0; w < 8; ++w) {
    const uint32_t element = words[w] >> shift & (~0u >> (32 - bits));
    if constexpr (Type == Operand::F16)
      to[w] = widenF16(element);
    else if constexpr (Type == Operand::BF16)
      to[w] = toFloat(element << 16);
    else if constexpr (Type == Operand::TF32)
      to[w] = toFloat(element & 0xffffe000); // the others are not looked at
    else if constexpr (Type == Operand::S8)
      to[w] = float(int32_t(element << 24) >> 24);
    else if constexpr (Type == Operand::U8)
      to[w] = float(int32_t(element));
    else
      to[w] = getF8Table(Type == Operand::E4M3 ? kE4M3 : kE5M2)[element];
  }
}

/// The elements of a step, of each word the same one or two; their order along
/// K does not matter. Of 8-bit floats, the tensor cores of an H200 take the
/// lower two of each word first and then the others.
template <Operand Type>
static void widenA(const Words &words, unsigned step, MmaStep &to) {
  constexpr unsigned taken = std::min(getElements(Type), 2u);
  for (unsigned m = 0; m < kMmaM; ++m)
    for (unsigned i = 0; i < taken; ++i)
      widenEight<Type>(words.a[m], 2 * step + i, &to.a[m][8 * i]);
}

template <Operand Type>
static void widenB(const Words &words, unsigned step, MmaStep &to) {
  constexpr unsigned taken = std::min(getElements(Type), 2u);
  for (unsigned i = 0; i < taken; ++i)
    for (unsigned w = 0; w < 8; ++w)
      widenEight<Type>(words.b[w], 2 * step + i, to.b[8 * i + w]);
  to.columns = 8 * taken;
}

using Widen = void (*)(const Words &, unsigned step, MmaStep &);

static Widen getWiden(Operand type, bool isA) {
  switch (type) {
  case Operand::F16:
    return isA ? widenA<Operand::F16> : widenB<Operand::F16>;
  case Operand::BF16:
    return isA ? widenA<Operand::BF16> : widenB<Operand::BF16>;
  case Operand::TF32:
    return isA ? widenA<Operand::TF32> : widenB<Operand::TF32>;
  case Operand::S8:
    return isA ? widenA<Operand::S8> : widenB<Operand::S8>;
  case Operand::U8:
    return isA ? widenA<Operand::U8> : widenB<Operand::U8>;
  case Operand::E4M3:
    return isA ? widenA<Operand::E4M3> : widenB<Operand::E4M3>;
  case Operand::E5M2:
    return isA ? widenA<Operand::E5M2> : widenB<Operand::E5M2>;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Row and column of element `r` of a lane's part of C and D.
static float &getSum(MmaSums &sums, unsigned lane, unsigned r) {
  return sums[lane / 4 + 8 * (r / 2)][2 * (lane % 4) + r % 2];
}

static void gatherSums(const Execution &execution, const MmaDetails &details,
                       MmaSums &sums) {
  const unsigned first = details.registersA + details.registersB;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < 4; ++r)
      if (details.sum == Sum::F32)
        getSum(sums, lane, r) = execution.getOperand<float>(lane, first + r);
      else
        getSum(sums, lane, r) =
            widenF16(execution.getOperand<uint32_t>(lane, first + r / 2) >>
                         (16 * (r % 2)) &
                     0xffff);
}

static void scatterSums(Execution &execution, const MmaDetails &details,
                        MmaSums &sums) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < 4; ++r) {
      const float sum = getSum(sums, lane, r);
      if (details.sum == Sum::F32) {
        execution.setResult(lane, r, sum);
        continue;
      }
      const uint32_t bits = narrow(toBits(sum), kF16, Rounding::ToEven);
      // A zero is positive, also what has become too small.
      execution.setResult(lane, r, uint16_t(bits == 0x8000 ? 0 : bits));
    }
}

/// The products alone are exact in f32 (at most 32 * 255 * 255 < 2^24); C is
/// added as an integer.
static void scatterIntegers(Execution &execution, const MmaDetails &details,
                            MmaSums &sums) {
  const unsigned first = details.registersA + details.registersB;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < 4; ++r) {
      int64_t sum = int64_t(execution.getOperand<int32_t>(lane, first + r)) +
                    int64_t(getSum(sums, lane, r));
      if (details.sum == Sum::I32Saturated)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      execution.setResult(lane, r, uint32_t(sum));
    }
}

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

static MmaFormat getFormat(const MmaDetails &details) {
  const bool isWide = details.a == Operand::BF16 || details.a == Operand::TF32;
  // 8-bit floats are multiplied as f16.
  return {isWide ? 0x1p-126f : 0x1p-14f, details.sum == Sum::F16};
}

static void executeMma(Execution &execution) {
  const auto &details = execution.getDetails<MmaDetails>();
  if (!checkWholeWarp(execution))
    return;
  const Widen a = getWiden(details.a, true), b = getWiden(details.b, false);
  const bool isFloat = details.sum == Sum::F32 || details.sum == Sum::F16;
  const bool isF8 = details.a == Operand::E4M3 || details.a == Operand::E5M2;
  Words words;
  gatherWords(execution, details, words);
  MmaSums sums = {};
  if (isFloat && !isF8)
    gatherSums(execution, details, sums);
  MmaStep operands;
  for (unsigned step = 0; 2 * step < getElements(details.a); ++step) {
    a(words, step, operands);
    b(words, step, operands);
    if (isFloat)
      addProducts(operands, getFormat(details), sums);
    else
      addExactProducts(operands, sums);
  }
  if (isF8) { // C comes last, in an addition of f32
    MmaSums last;
    gatherSums(execution, details, last);
    for (unsigned m = 0; m < kMmaM; ++m)
      for (unsigned n = 0; n < kMmaN; ++n) {
        const float sum = sums[m][n] + last[m][n];
        sums[m][n] = sum == sum ? sum : toFloat(kNaN);
      }
  }
  if (isFloat)
    scatterSums(execution, details, sums);
  else
    scatterIntegers(execution, details, sums);
  execution.countMultiplyAdds(uint64_t(kMmaM) * kMmaN * details.k);
}

/// Fills in the registers of A and B, and checks all types.
static llvm::Expected<Details> finishMma(const Site &site, MmaDetails details) {
  // A register of 4 lanes is one row of A, or column of B.
  const unsigned perRegister = 4 * getElements(details.a);
  if (details.k != perRegister && details.k != 2 * perRegister)
    return llvm::createStringError(
        llvm::formatv("expected k to be {0} or {1} for these types, got {2}",
                      perRegister, 2 * perRegister, details.k));
  details.registersB = details.k / perRegister;
  details.registersA = 2 * details.registersB;
  const bool isHalf = details.sum == Sum::F16;
  const llvm::StringRef sum = details.sum == Sum::F32 ? "f32"
                              : isHalf                ? "vector<2xf16>"
                                                      : "i32";
  const unsigned numSums = isHalf ? 2 : 4;
  llvm::SmallVector<llvm::StringRef> operands(
      details.registersA + details.registersB,
      details.a == Operand::F16 ? "vector<2xf16>" : "i32");
  operands.append(numSums, sum);
  std::string result = sum.str();
  for (unsigned i = 1; i < numSums; ++i)
    result += (", " + sum).str();
  if (llvm::Error error =
          checkTypes(site, operands, "!llvm.struct<(" + result + ")>"))
    return error;
  return std::make_shared<MmaDetails>(details);
}

static llvm::Expected<Details> prepareMma(const Site &site) {
  const Keywords<Operand> types = {{"f16", Operand::F16},
                                   {"bf16", Operand::BF16},
                                   {"tf32", Operand::TF32},
                                   {"s8", Operand::S8},
                                   {"u8", Operand::U8}};
  MmaDetails details = {};
  llvm::Expected<Operand> a =
      parseKeyword<Operand>(site, "multiplicandAPtxType", types);
  if (!a)
    return a.takeError();
  llvm::Expected<Operand> b =
      parseKeyword<Operand>(site, "multiplicandBPtxType", types);
  if (!b)
    return b.takeError();
  details.a = *a;
  details.b = *b;
  const bool isInteger = *a == Operand::S8 || *a == Operand::U8;
  if (*a != *b && !(isInteger && (*b == Operand::S8 || *b == Operand::U8)))
    return llvm::createStringError(llvm::formatv(
        "expected types of A and B that go together, got '{0}' and '{1}'",
        getKeyword(site, "multiplicandAPtxType"),
        getKeyword(site, "multiplicandBPtxType")));
  for (auto [name, expected] :
       {std::pair<llvm::StringRef, llvm::StringRef>("layoutA", "row"),
        {"layoutB", "col"}})
    if (auto layout = parseKeyword<bool>(site, name, {{expected, true}});
        !layout)
      return layout.takeError();
  if (getNumber(site, "shape", "m") != kMmaM ||
      getNumber(site, "shape", "n") != kMmaN)
    return llvm::createStringError(
        llvm::formatv("expected 'shape' with m = 16 and n = 8, got '{0}'",
                      site.attributes.lookup("shape")));
  details.k = getNumber(site, "shape", "k");
  details.sum = Sum::F32;
  if (isInteger) {
    // The dialect's default.
    llvm::Expected<Sum> sum = parseKeyword<Sum>(
        site, "intOverflowBehavior",
        {{"wrapped", Sum::I32Wrapped}, {"satfinite", Sum::I32Saturated}},
        "satfinite");
    if (!sum)
      return sum.takeError();
    details.sum = *sum;
  } else if (*a == Operand::F16 && !site.operandTypes.empty() &&
             site.operandTypes.back() == "vector<2xf16>") {
    details.sum = Sum::F16;
  }
  return finishMma(site, details);
}

static llvm::Expected<Details> prepareMmaF8(const Site &site) {
  llvm::Expected<Operand> type = parseKeyword<Operand>(
      site, "elementType",
      {{"f8E4M3FN", Operand::E4M3}, {"f8E5M2", Operand::E5M2}});
  if (!type)
    return type.takeError();
  MmaDetails details = {};
  details.a = details.b = *type;
  details.sum = Sum::F32;
  details.k = 32;
  return finishMma(site, details);
}

llvm::ArrayRef<Instruction> mlir::top::sim::getMmaInstructions() {
  static const Instruction table[] = {
      {"nvvm.mma.sync", Instruction::Warp, -1, executeMma, prepareMma},
      {"mma.f8", Instruction::Warp, -1, executeMma, prepareMmaF8},
  };
  return table;
}
