//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bank conflicts and sectors, on the access patterns that every text on the
// subject begins with, and on layouts whose answer is known.
//
//===----------------------------------------------------------------------===//

#include "top/Target/MemoryAccess.h"

#include "gtest/gtest.h"

#include <functional>
#include <vector>

using namespace mlir::top;

namespace {

/// Addresses of 32 threads.
std::vector<int64_t> warp(const std::function<int64_t(int64_t)> &address) {
  std::vector<int64_t> addresses;
  for (int64_t thread = 0; thread < 32; ++thread)
    addresses.push_back(address(thread));
  return addresses;
}

TEST(MemoryAccess, StridesOfWords) {
  auto turns = [](int64_t stride) {
    return countBankTurns(warp([=](int64_t t) { return 4 * stride * t; }), 4);
  };
  EXPECT_EQ(turns(1), 1);
  EXPECT_EQ(turns(2), 2);
  EXPECT_EQ(turns(32), 32);
  EXPECT_EQ(turns(33), 1); // a padded row
  EXPECT_EQ(turns(0), 1);  // one word for all
  EXPECT_EQ(turns(16), 16);
}

TEST(MemoryAccess, RowXorColumn) {
  // A column of a 32 x 32 tile of words, at column (row xor c) mod 32.
  for (int64_t c = 0; c < 32; ++c) {
    auto swizzled = [=](int64_t row) {
      return 4 * (row * 32 + ((row ^ c) % 32));
    };
    auto plain = [=](int64_t row) { return 4 * (row * 32 + c); };
    EXPECT_EQ(countBankTurns(warp(swizzled), 4), 1);
    EXPECT_EQ(countBankTurns(warp(plain), 4), 32);
  }
}

TEST(MemoryAccess, WideAndNarrowAccesses) {
  // 16 bytes a thread side by side: four quarters, each without conflict.
  EXPECT_EQ(countBankTurns(warp([](int64_t t) { return 16 * t; }), 16), 1);
  EXPECT_EQ(countBankTurns(warp([](int64_t t) { return 8 * t; }), 8), 1);
  // Two halves of a word are one word.
  EXPECT_EQ(countBankTurns(warp([](int64_t t) { return 2 * t; }), 2), 1);
  // Rows of 128 bytes read 16 bytes a thread down a column: all eight threads
  // of a quarter meet in four banks.
  EXPECT_EQ(countBankTurns(warp([](int64_t t) { return 128 * t; }), 16), 8);
  auto swizzled = [](int64_t t) { return 128 * t + 16 * (t % 8); };
  EXPECT_EQ(countBankTurns(warp(swizzled), 16), 1);
}

TEST(MemoryAccess, Sectors) {
  EXPECT_EQ(countSectors(warp([](int64_t t) { return 4 * t; }), 4), 4);
  EXPECT_EQ(countSectors(warp([](int64_t t) { return 16 * t; }), 16), 16);
  EXPECT_EQ(minSectors(32 * 16), 16);
  EXPECT_EQ(minSectors(33), 2);
  // A column of a row-major matrix: a sector each.
  EXPECT_EQ(countSectors(warp([](int64_t t) { return 4096 * t; }), 4), 32);
  // Not aligned to a sector: one more.
  EXPECT_EQ(countSectors(warp([](int64_t t) { return 4 * t + 4; }), 4), 5);
  EXPECT_EQ(countSectors(warp([](int64_t) { return 30; }), 4), 2);
}

} // namespace
