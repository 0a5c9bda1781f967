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

TEST(Golden, FloatProducts) { expectAllEqual("mma-float.txt"); }

} // namespace
