//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of the simulator against what an H200 has done with the same
// registers.
//
//===----------------------------------------------------------------------===//

#include "Golden.h"
#include "HandWritten.h"
#include "SmallFloats.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::top::sim;
using llvm::StringRef;

namespace {

std::string describe(const GoldenCase &golden) {
  std::string text = golden.site->op;
  for (const auto &attribute : golden.site->attributes)
    text += " " + attribute.first().str() + "=" + attribute.second;
  return text + ", inputs " + golden.name;
}

/// Runs a case; all results are equal to the last bit.
void expectEqual(const GoldenCase &golden) {
  SCOPED_TRACE(describe(golden));
  PreparedSite prepared = prepare(*golden.site);
  if (!prepared.instruction)
    return;
  Bench bench(prepared, golden.operands, golden.lanes, golden.memory);
  std::vector<Register> results = bench.run();
  EXPECT_EQ(bench.faults, std::vector<std::string>());
  ASSERT_EQ(results.size(), golden.results.size());
  for (size_t i = 0; i < results.size(); ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      if (golden.lanes >> lane & 1) {
        EXPECT_EQ(llvm::utohexstr(results[i][lane]),
                  llvm::utohexstr(golden.results[i][lane]))
            << "result " << i << " of lane " << lane;
      }
  if (!golden.after.empty()) {
    EXPECT_EQ(bench.memory, golden.after);
  }
}

void expectAllEqual(StringRef name) {
  GoldenFile file = readGolden(name);
  for (const GoldenCase &golden : file.cases)
    expectEqual(golden);
}

TEST(Golden, Matrices) { expectAllEqual("matrix.txt"); }
TEST(Golden, Shuffles) { expectAllEqual("shuffle.txt"); }
TEST(Golden, Votes) { expectAllEqual("vote.txt"); }
TEST(Golden, Bytes) { expectAllEqual("bytes.txt"); }
TEST(Golden, IntegerProducts) { expectAllEqual("mma-int.txt"); }

TEST(Golden, FloatProducts) { expectAllEqual("mma-float.txt"); }

TEST(Golden, Conversions) {
  GoldenFile file = readGolden("convert.txt");
  unsigned compared = 0;
  for (const GoldenCase &golden : file.cases)
    if (StringRef(golden.site->op).starts_with("nvvm.convert")) {
      ++compared;
      expectEqual(golden);
    }
  EXPECT_GT(compared, 100u);
}

/// Compares, as f32, what `compute` gives: the classes of numbers exactly,
/// others within `units` in the last place.
void expectClose(
    StringRef op, unsigned units,
    llvm::function_ref<uint32_t(const GoldenCase &, unsigned lane)> compute) {
  unsigned compared = 0;
  for (const GoldenCase &golden : readGolden("convert.txt").cases) {
    if (golden.site->op != op)
      continue;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const auto got = uint32_t(compute(golden, lane)),
                 expected = uint32_t(golden.results[0][lane]);
      ++compared;
      // Neighbours differ by one as integers; zeros and infinities have none
      // that these functions may give instead.
      const bool isNumber =
          (expected & 0x7fffffff) != 0 && (expected & 0x7f800000) != 0x7f800000;
      EXPECT_LE(std::abs(int64_t(got) - int64_t(expected)),
                isNumber ? units : 0)
          << op.str() << " of " << llvm::utohexstr(golden.operands[0][lane])
          << ": " << llvm::utohexstr(got) << ", on the GPU "
          << llvm::utohexstr(expected);
    }
  }
  EXPECT_GT(compared, 200u);
}

TEST(Golden, Reciprocals) {
  // The ISA promises one unit.
  expectClose("nvvm.rcp.approx.ftz.f", 1,
              [](const GoldenCase &golden, unsigned lane) {
                PreparedSite prepared = prepare(*golden.site);
                Bench bench(prepared, golden.operands);
                return uint32_t(bench.run()[0][lane]);
              });
}

TEST(Golden, ExponentialsAreThoseOfTheHost) {
  // No op of the dialect is ex2.approx: kernels on the simulated GPU call the
  // host's functions. So much may differ from the hardware then.
  auto compute = [](const GoldenCase &golden, unsigned lane) {
    uint32_t bits = golden.operands[0][lane];
    const bool flushes = golden.site->op == "ex2.approx.ftz";
    const uint32_t exponents = 0x7f800000;
    if (flushes && !(bits & exponents))
      bits &= 0x80000000;
    bits = isNaN(bits) ? kNaN : toBits(std::exp2(toFloat(bits)));
    return flushes && !(bits & exponents) ? 0 : bits;
  };
  expectClose("ex2.approx", 2, compute);
  expectClose("ex2.approx.ftz", 2, compute);
}

TEST(Golden, Truncations) {
  // llvm.fptrunc is no instruction of the simulator, but its numbers are those
  // of `narrow`; for a NaN the host's may have other bits.
  unsigned compared = 0;
  for (const GoldenCase &golden : readGolden("convert.txt").cases)
    for (unsigned lane = 0; lane < 32 && golden.site->op == "llvm.fptrunc";
         ++lane, ++compared)
      EXPECT_EQ(narrow(golden.operands[0][lane],
                       golden.site->resultType == "f16" ? kF16 : kBF16,
                       Rounding::ToEven),
                golden.results[0][lane])
          << llvm::utohexstr(golden.operands[0][lane]);
  EXPECT_GT(compared, 400u);
}

TEST(Golden, Copies) {
  for (const GoldenCase &golden : readGolden("copy.txt").cases) {
    SCOPED_TRACE(describe(golden));
    // Every lane copies once, as on the hardware, into memory of ones.
    HandWritten kernel([](Thread *thread, void **parameters) {
      auto *tile = getShared<uint32_t>(thread);
      auto *operands = getParameter<uint32_t>(parameters, 0);
      auto *from = getParameter<char>(parameters, 1);
      auto *to = getParameter<uint32_t>(parameters, 2);
      const int tid = getTid(thread);
      for (int i = 4 * tid; i < 4 * tid + 4; ++i)
        store(thread, tile + i, ~0u);
      barrier(thread);
      copy(thread, kCopySome,
           reinterpret_cast<char *>(tile) + load(thread, operands + tid),
           from + load(thread, operands + 32 + tid),
           load(thread, operands + 64 + tid));
      execute(thread, kWaitAll);
      barrier(thread);
      for (int i = 4 * tid; i < 4 * tid + 4; ++i)
        store(thread, to + i, load(thread, tile + i));
    });
    kernel.program.sites[kCopySome] = *golden.site;
    std::vector<uint32_t> operands;
    for (const Register &each : golden.operands)
      operands.insert(operands.end(), each.begin(), each.end());
    ASSERT_EQ(golden.memory.size(), 128u);
    const uint64_t at = kernel.addBuffer(operands.size() * 4);
    const uint64_t from = kernel.addBuffer(golden.memory.size() * 4);
    const uint64_t to = kernel.addBuffer(golden.after.size() * 4);
    llvm::cantFail(
        kernel.machine.write(at, operands.data(), operands.size() * 4));
    llvm::cantFail(kernel.machine.write(from, golden.memory.data(),
                                        golden.memory.size() * 4));
    for (const Fault &fault : kernel.run(1, 32))
      ADD_FAILURE() << fault.message;
    EXPECT_EQ(kernel.readBuffer<uint32_t>(to, golden.after.size()),
              golden.after);
  }
}

} // namespace
