//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What golden files do not show of instructions: sites that they refuse, lanes
// that do not take part, and sums of numbers of any magnitude.
//
//===----------------------------------------------------------------------===//

#include "Golden.h"
#include "InstructionTables.h"
#include "SmallFloats.h"
#include "TensorCoreSums.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir::top::sim;
using llvm::StringRef;

namespace {

Site makeSite(StringRef op,
              std::initializer_list<std::pair<StringRef, StringRef>> attributes,
              std::initializer_list<StringRef> operands, StringRef result) {
  Site site;
  site.op = op.str();
  for (auto [name, value] : attributes)
    site.attributes[name] = value.str();
  for (StringRef type : operands)
    site.operandTypes.push_back(type.str());
  site.resultType = result.str();
  return site;
}

/// A site that is accepted, and what was worked out for it.
struct Ready {
  explicit Ready(Site made) : site(std::move(made)), prepared(prepare(site)) {}
  Ready(const Ready &) = delete;
  operator const PreparedSite &() const { return prepared; }

private:
  const Site site;
  const PreparedSite prepared;
};

Site makeMma(StringRef type, StringRef k) {
  const bool isF16 = type == "f16";
  Site site = makeSite("nvvm.mma.sync",
                       {{"layoutA", "row"},
                        {"layoutB", "col"},
                        {"multiplicandAPtxType", type},
                        {"multiplicandBPtxType", type},
                        {"shape", ""}},
                       {}, "!llvm.struct<(f32, f32, f32, f32)>");
  site.attributes["shape"] = ("m = 16, n = 8, k = " + k).str();
  for (unsigned i = 0; i < 6; ++i)
    site.operandTypes.push_back(isF16 ? "vector<2xf16>" : "i32");
  for (unsigned i = 0; i < 4; ++i)
    site.operandTypes.push_back("f32");
  return site;
}

Register splat(uint64_t value) {
  Register result;
  result.fill(value);
  return result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

TEST(Instructions, AreFoundByName) {
  unsigned count = 0;
  for (llvm::ArrayRef<Instruction> part :
       {getMmaInstructions(), getMatrixInstructions(), getLaneInstructions(),
        getConvertInstructions(), getByteInstructions()})
    for (const Instruction &instruction : part) {
      ++count;
      EXPECT_EQ(findInstruction(instruction.name), &instruction)
          << instruction.name.str();
      EXPECT_NE(instruction.execute, nullptr);
      // A site without attributes and operands is refused, or complete.
      Site empty;
      empty.op = instruction.name.str();
      llvm::Expected<PreparedSite> prepared = prepareSite(empty);
      EXPECT_FALSE(bool(prepared)) << instruction.name.str();
      if (!prepared) {
        EXPECT_NE(llvm::toString(prepared.takeError()).find("expected"),
                  std::string::npos);
      }
    }
  EXPECT_EQ(count, 19u);
  EXPECT_EQ(findInstruction("nvvm.barrier0"), nullptr);
  EXPECT_EQ(findInstruction(""), nullptr);
}

std::string getRefusal(const Site &site) {
  llvm::Expected<PreparedSite> prepared = prepareSite(site);
  return prepared ? "" : llvm::toString(prepared.takeError());
}

TEST(Instructions, RefuseWhatTheyDoNotDo) {
  Site site = makeMma("f16", "16");
  EXPECT_EQ(getRefusal(site), "");
  EXPECT_EQ(getRefusal(makeMma("f16", "32")),
            "expected k to be 8 or 16 for these types, got 32");
  EXPECT_EQ(getRefusal(makeMma("f64", "4")),
            "expected 'multiplicandAPtxType' to be 'f16', 'bf16', 'tf32', "
            "'s8', 'u8', got 'f64'");
  site.attributes["multiplicandBPtxType"] = "bf16";
  EXPECT_EQ(getRefusal(site), "expected types of A and B that go together, got "
                              "'f16' and 'bf16'");
  site = makeMma("f16", "16");
  site.attributes["layoutB"] = "row";
  EXPECT_EQ(getRefusal(site), "expected 'layoutB' to be 'col', got 'row'");
  site = makeMma("f16", "16");
  site.attributes["shape"] = "m = 8, n = 8, k = 16";
  EXPECT_EQ(
      getRefusal(site),
      "expected 'shape' with m = 16 and n = 8, got 'm = 8, n = 8, k = 16'");
  site = makeMma("f16", "16");
  site.operandTypes.pop_back();
  EXPECT_NE(getRefusal(site).find("expected (vector<2xf16>, "),
            std::string::npos);

  EXPECT_EQ(
      getRefusal(makeSite("nvvm.ldmatrix", {{"layout", "row"}, {"num", "3"}},
                          {"!llvm.ptr<3>"}, "i32")),
      "expected 1, 2 or 4 matrices, got 3");
  EXPECT_EQ(
      getRefusal(makeSite("nvvm.ldmatrix",
                          {{"layout", "row"}, {"num", "1"}, {"eltType", "b8"}},
                          {"!llvm.ptr<3>"}, "i32")),
      "expected 'eltType' to be 'b16', got 'b8'");
  EXPECT_EQ(getRefusal(makeSite("nvvm.redux.sync", {{"kind", "fmin"}},
                                {"f32", "i32"}, "f32")),
            "expected 'kind' to be 'add', 'and', 'or', 'xor', 'min', 'max', "
            "'umin', 'umax', got 'fmin'");
  EXPECT_EQ(getRefusal(makeSite("nvvm.convert.f32x2.to.f16x2", {{"rnd", "rs"}},
                                {"f32", "f32", "i32"}, "vector<2xf16>")),
            "expected 'rnd' to be 'rn', 'rz', got 'rs'");
}

TEST(Instructions, TakeKeywordsWithAndWithoutTheirName) {
  for (StringRef kind : {"bfly", "shfl_kind bfly"}) {
    const Ready prepared(makeSite("nvvm.shfl.sync", {{"kind", kind}},
                                  {"i32", "f32", "i32", "i32"}, "f32"));
    Register values;
    for (unsigned lane = 0; lane < 32; ++lane)
      values[lane] = toBits(float(lane));
    Bench bench(prepared, {splat(~0u), values, splat(3), splat(31)});
    std::vector<Register> results = bench.run();
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(results[0][lane], toBits(float(lane ^ 3)));
  }
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

TEST(Instructions, OnMatricesNeedTheWholeWarp) {
  const Ready load(makeSite("nvvm.ldmatrix", {{"layout", "row"}, {"num", "1"}},
                            {"!llvm.ptr<3>"}, "i32"));
  const Ready product(makeMma("bf16", "16"));
  Bench loading(load, {splat(0)}, 0x0000fff0, std::vector<uint32_t>(4));
  loading.run();
  EXPECT_EQ(loading.faults,
            std::vector<std::string>{"lane 4: expected all 32 lanes of the "
                                     "warp at 'nvvm.ldmatrix', got those of "
                                     "mask 0x0000fff0"});
  Bench multiplying(product, std::vector<Register>(10), 0x7fffffff);
  multiplying.run();
  EXPECT_EQ(multiplying.faults.size(), 1u);
  EXPECT_EQ(multiplying.multiplyAdds, 0u);
}

TEST(Instructions, LoadsOfMatricesLookOnlyAtTheAddressesTheyNeed) {
  const Ready prepared(makeSite("nvvm.ldmatrix",
                                {{"layout", "row"}, {"num", "1"}},
                                {"!llvm.ptr<3>"}, "i32"));
  Register addresses = splat(0xdead0001);
  for (unsigned lane = 0; lane < 8; ++lane)
    addresses[lane] = 16 * lane;
  std::vector<uint32_t> memory(32);
  for (unsigned i = 0; i < 32; ++i)
    memory[i] = i;
  Bench right(prepared, {addresses}, ~0u, memory);
  Register words = right.run()[0];
  EXPECT_TRUE(right.faults.empty());
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(words[lane], lane);
  addresses[7] = 128;
  Bench wrong(prepared, {addresses}, ~0u, memory);
  wrong.run();
  EXPECT_EQ(wrong.faults, std::vector<std::string>{"lane 7: no such memory"});
}

TEST(Instructions, ShufflesFromLanesThatAreNotThere) {
  const Ready prepared(makeSite("nvvm.shfl.sync", {{"kind", "down"}},
                                {"i32", "i32", "i32", "i32"}, "i32"));
  Bench bench(prepared, {splat(0xffff), splat(1), splat(4), splat(31)}, 0xffff);
  bench.run();
  ASSERT_EQ(bench.faults.size(), 4u);
  EXPECT_EQ(bench.faults[0], "lane 12: takes the value of lane 16, which does "
                             "not take part (lanes 0x0000ffff)");
}

TEST(Instructions, MatchesOf64Bits) {
  const Ready prepared(
      makeSite("nvvm.match.sync", {{"kind", "any"}}, {"i32", "i64"}, "i32"));
  Register values;
  for (unsigned lane = 0; lane < 32; ++lane)
    values[lane] = uint64_t(lane % 2) << 32; // equal in the lower half
  Register masks = Bench(prepared, {splat(~0u), values}).run()[0];
  EXPECT_EQ(masks[0], 0x55555555u);
  EXPECT_EQ(masks[1], 0xaaaaaaaau);
}

TEST(Instructions, ElectionsWithoutMask) {
  const Ready prepared(makeSite("nvvm.elect.sync", {}, {}, "i1"));
  Register elected = Bench(prepared, {}, 0xfffffff0).run()[0];
  for (unsigned lane = 4; lane < 32; ++lane)
    EXPECT_EQ(elected[lane], lane == 4);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST(Instructions, ProductsAreCounted) {
  const Ready prepared(makeMma("tf32", "8"));
  Bench bench(prepared, std::vector<Register>(10));
  bench.run();
  EXPECT_EQ(bench.multiplyAdds, 16u * 8 * 8);
}

/// The rule of TensorCoreSums.h word for word, for one sum of finite numbers.
float sumByRule(const float *a, const float (*b)[kMmaN], unsigned n,
                unsigned count, float c, int minExponent) {
  auto exponentOf = [](float value, int least) {
    return std::max(std::ilogb(value), least);
  };
  int largest = INT_MIN;
  if (c != 0)
    largest = exponentOf(c, -126);
  for (unsigned k = 0; k < count; ++k)
    if (a[k] != 0 && b[k][n] != 0)
      largest = std::max(largest, exponentOf(a[k], minExponent) +
                                      exponentOf(b[k][n], minExponent));
  if (largest == INT_MIN)
    return 0;
  // long double would do on some machines only: integers of 2^(largest - 25).
  auto cut = [&](double value) {
    return int64_t(std::trunc(std::ldexp(value, 25 - largest)));
  };
  int64_t total = cut(c);
  for (unsigned k = 0; k < count; ++k)
    total += cut(double(a[k]) * b[k][n]);
  const bool isNegative = total < 0;
  int shift = 0;
  for (total = std::abs(total); total >> 24 != 0; total >>= 1)
    ++shift;
  // Below the normal numbers fewer bits are left.
  for (; total != 0 && shift + largest - 25 < -149; total >>= 1)
    ++shift;
  const double result = std::ldexp(double(total), shift + largest - 25);
  if (result >= 0x1p128)
    return isNegative ? -INFINITY : INFINITY;
  return total != 0 && isNegative ? float(-result) : float(result);
}

TEST(Instructions, SumsFollowTheRuleAtAnyMagnitude) {
  std::mt19937 random(3);
  // From where f32 holds all products to where it holds few of them.
  for (int spread : {2, 20, 60, 126})
    for (int minExponent : {-14, -126})
      for (unsigned columns : {8, 16})
        for (unsigned repeat = 0; repeat < 20; ++repeat) {
          const int limit = minExponent == -14 ? std::min(spread, 24) : spread;
          auto make = [&](int range, unsigned mantissaBits) {
            std::uniform_int_distribution<int> exponents(
                std::max(-range, minExponent - 7), range);
            const uint32_t mantissa =
                random() & 0x7fffff & ~((1u << (23 - mantissaBits)) - 1);
            const float value =
                std::ldexp(toFloat(0x3f800000 | mantissa), exponents(random));
            return random() % 8 == 0 ? 0 : random() % 2 ? value : -value;
          };
          MmaStep step;
          step.columns = columns;
          for (auto &row : step.a)
            for (float &value : row)
              value = make(std::min(limit, 15), 10);
          for (auto &row : step.b)
            for (float &value : row)
              value = make(limit, 7);
          MmaSums sums, expected;
          for (unsigned m = 0; m < kMmaM; ++m)
            for (unsigned n = 0; n < kMmaN; ++n) {
              sums[m][n] = make(spread, 23);
              expected[m][n] = sumByRule(step.a[m], step.b, n, columns,
                                         sums[m][n], minExponent);
            }
          addProducts(step, {minExponent == -14 ? 0x1p-14f : 0x1p-126f, false},
                      sums);
          for (unsigned m = 0; m < kMmaM; ++m)
            for (unsigned n = 0; n < kMmaN; ++n)
              ASSERT_EQ(toBits(sums[m][n]), toBits(expected[m][n]))
                  << sums[m][n] << " " << expected[m][n] << ", spread "
                  << spread << ", row " << m << ", column " << n;
        }
}

TEST(Instructions, LargestSumsOf32Bits) {
  // Sixteen of the largest products, and C with them, leave 32 bits.
  MmaStep step;
  step.columns = 16;
  const float largest = 2 - 0x1p-10f;
  for (auto &row : step.a)
    std::fill(std::begin(row), std::end(row), largest);
  for (auto &row : step.b)
    std::fill(std::begin(row), std::end(row), -largest);
  for (float c : {0.0f, -1.9f, -3.9f, 3.9f}) {
    MmaSums sums;
    for (auto &row : sums)
      std::fill(std::begin(row), std::end(row), c);
    addProducts(step, {0x1p-14f, false}, sums);
    EXPECT_EQ(sums[5][3], sumByRule(step.a[5], step.b, 3, 16, c, -14)) << c;
  }
}

} // namespace
