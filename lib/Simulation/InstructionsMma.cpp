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
// MmaSums of floating-point numbers are those of the tensor cores, bit for bit
// (TensorCoreSums.h); sums of integers are exact.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"
#include "SmallFloats.h"
#include "TensorCoreSums.h"

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

/// The elements of a step as they are, one a word. Loops over all of them are
/// vector code.
template <Operand Type, unsigned Count>
static void widenAll(const uint32_t *from, float *to) {
  if constexpr (Type == Operand::F16)
    for (unsigned i = 0; i < Count; ++i)
      to[i] = widenF16(from[i]);
  else if constexpr (Type == Operand::BF16)
    for (unsigned i = 0; i < Count; ++i)
      to[i] = toFloat(from[i] << 16);
  else if constexpr (Type == Operand::TF32)
    for (unsigned i = 0; i < Count; ++i)
      to[i] = toFloat(from[i] & 0xffffe000); // the others are not looked at
  else if constexpr (Type == Operand::S8)
    for (unsigned i = 0; i < Count; ++i)
      to[i] = int32_t(from[i] << 24) >> 24;
  else if constexpr (Type == Operand::U8)
    for (unsigned i = 0; i < Count; ++i)
      to[i] = int32_t(from[i]);
  else {
    const float *table = getF8Table(Type == Operand::E4M3 ? kE4M3 : kE5M2);
    for (unsigned i = 0; i < Count; ++i)
      to[i] = table[from[i]];
  }
}

/// Calls `put(lane, element, column)` for each element of a step, column of A
/// or row of B, in registers `first + stride * half` of all lanes.
template <Operand Type, typename Put>
static void forEachElement(const Execution &execution, unsigned registers,
                           unsigned first, unsigned stride, unsigned step,
                           Put put) {
  constexpr unsigned e = getElements(Type), bits = 32 / e;
  constexpr bool isF8 = Type == Operand::E4M3 || Type == Operand::E5M2;
  // Which halves of K, and which elements of a register, the step has.
  const unsigned begin = e == 4 && !isF8 ? step : 0;
  const unsigned end = e == 4 && !isF8 ? step + 1 : registers;
  constexpr unsigned taken = isF8 ? 2 : e;
  for (unsigned half = begin; half < end; ++half)
    for (unsigned lane = 0; lane < 32; ++lane) {
      auto word = execution.getOperand<uint32_t>(lane, first + stride * half);
      if (isF8)
        word >>= 16 * step;
      for (unsigned i = 0; i < taken; ++i)
        put(lane, word >> (bits * i) & (~0u >> (32 - bits)),
            4 * taken * (half - begin) + taken * (lane % 4) + i);
    }
}

/// Elements of A and B to a step: 16 columns, or less where K is. Of 8-bit
/// floats, the tensor cores of an H200 take the lower two of each register in
/// the first step and the others in the second.
template <Operand Type>
static void gatherA(const Execution &execution, const MmaDetails &details,
                    unsigned step, MmaStep &to) {
  alignas(16) uint32_t raw[kMmaM][kMmaStep] = {};
  for (unsigned r : {0, 1})
    forEachElement<Type>(execution, details.registersA / 2, r, 2, step,
                         [&](unsigned lane, uint32_t word, unsigned column) {
                           raw[lane / 4 + 8 * r][column] = word;
                         });
  widenAll<Type, kMmaM * kMmaStep>(raw[0], to.a[0]);
}

template <Operand Type>
static void gatherB(const Execution &execution, const MmaDetails &details,
                    unsigned step, MmaStep &to) {
  alignas(16) uint32_t raw[kMmaStep][kMmaN] = {};
  forEachElement<Type>(execution, details.registersB, details.registersA, 1,
                       step, [&](unsigned lane, uint32_t word, unsigned row) {
                         raw[row][lane / 4] = word;
                       });
  widenAll<Type, kMmaStep * kMmaN>(raw[0], to.b[0]);
}

using Gather = void (*)(const Execution &, const MmaDetails &, unsigned step,
                        MmaStep &);

static Gather getGather(Operand type, bool isA) {
  switch (type) {
  case Operand::F16:
    return isA ? gatherA<Operand::F16> : gatherB<Operand::F16>;
  case Operand::BF16:
    return isA ? gatherA<Operand::BF16> : gatherB<Operand::BF16>;
  case Operand::TF32:
    return isA ? gatherA<Operand::TF32> : gatherB<Operand::TF32>;
  case Operand::S8:
    return isA ? gatherA<Operand::S8> : gatherB<Operand::S8>;
  case Operand::U8:
    return isA ? gatherA<Operand::U8> : gatherB<Operand::U8>;
  case Operand::E4M3:
    return isA ? gatherA<Operand::E4M3> : gatherB<Operand::E4M3>;
  case Operand::E5M2:
    return isA ? gatherA<Operand::E5M2> : gatherB<Operand::E5M2>;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// MmaSums
//===----------------------------------------------------------------------===//

/// Row and column of element `r` of a lane's part of C and D.
static float &getSum(MmaSums &sums, unsigned lane, unsigned r) {
  return sums[lane / 4 + 8 * (r / 2)][2 * (lane % 4) + r % 2];
}

/// sums += a * b, which is exact in f32 for integers. Four rows at a time:
/// their sums stay in registers, and none waits for the one before.
static void addIntegers(const MmaStep &step, MmaSums &sums) {
  constexpr unsigned rows = 4;
  for (unsigned first = 0; first < kMmaM; first += rows) {
    float block[rows][kMmaN];
    std::memcpy(block, sums[first], sizeof(block));
    for (unsigned k = 0; k < kMmaStep; ++k)
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < kMmaN; ++column)
          block[row][column] += step.a[first + row][k] * step.b[k][column];
    std::memcpy(sums[first], block, sizeof(block));
  }
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
  if (details.sum == Sum::F32) {
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned r = 0; r < 4; ++r) {
        const float sum = getSum(sums, lane, r);
        execution.setResult(lane, r, sum == sum ? toBits(sum) : kNaN);
      }
    return;
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < 4; ++r) {
      const uint32_t bits =
          narrow(toBits(getSum(sums, lane, r)), kF16, Rounding::ToEven);
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
  const Gather a = getGather(details.a, true), b = getGather(details.b, false);
  const bool isFloat = details.sum == Sum::F32 || details.sum == Sum::F16;
  const bool isF8 = details.a == Operand::E4M3 || details.a == Operand::E5M2;
  MmaSums sums = {};
  if (isFloat && !isF8)
    gatherSums(execution, details, sums);
  MmaStep step;
  for (unsigned k = 0; k < details.k; k += kMmaStep) {
    a(execution, details, k / kMmaStep, step);
    b(execution, details, k / kMmaStep, step);
    if (isFloat)
      addProducts(step, getFormat(details), sums);
    else
      addIntegers(step, sums);
  }
  if (isF8) { // C comes last, in an addition of f32
    MmaSums last;
    gatherSums(execution, details, last);
    for (unsigned m = 0; m < kMmaM; ++m)
      for (unsigned n = 0; n < kMmaN; ++n)
        sums[m][n] += last[m][n];
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
