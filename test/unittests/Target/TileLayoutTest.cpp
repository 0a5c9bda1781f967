//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the layout of a ring costs when a kernel of engine `simt` uses it: bank
// conflicts of the reads of a warp, with the addresses that RingType computes,
// and sectors of global memory of the copies.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Target/MemoryAccess.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <vector>

using namespace mlir;
using namespace mlir::top;

namespace {

/// Lanes of a warp along M and N: 4 x 8, for warp tiles of 32 x 64 and thread
/// tiles of 8 x 8.
constexpr int64_t kLanesM = 4, kLanesN = 8, kWarp = 32;

class TileLayout : public ::testing::Test {
protected:
  TileLayout() { context.loadDialect<TopDialect>(); }

  RingType getRing(int64_t rows, int64_t cols, Type type, bool swizzle) {
    return RingType::get(&context, 2, rows, cols, cast<FloatType>(type),
                         swizzle);
  }

  /// The worst read of one element a lane, over `steps` reads; `getElement`
  /// gives row and column of the read `r` of a lane.
  static int64_t countTurns(
      RingType ring, int64_t steps,
      const std::function<std::pair<int64_t, int64_t>(int64_t lane, int64_t r)>
          &getElement) {
    int64_t worst = 0;
    for (int64_t r = 0; r < steps; ++r) {
      std::vector<int64_t> addresses;
      for (int64_t lane = 0; lane < kWarp; ++lane) {
        auto [row, col] = getElement(lane, r);
        addresses.push_back(ring.getSlotOffset(row, col));
      }
      worst = std::max(
          worst,
          countBankTurns(addresses, getElementBytes(ring.getElementType())));
    }
    return worst;
  }

  /// Lane (i, j) reads row i + 4 r at column k of lhs (M x K), for every row of
  /// its thread tile and every k. The 8 lanes of one i read the same word.
  static int64_t turnsOfLhs(RingType ring, bool transposed) {
    const int64_t depth = transposed ? ring.getRows() : ring.getCols();
    return countTurns(ring, 8 * depth, [=](int64_t lane, int64_t r) {
      const int64_t m = lane / kLanesN + kLanesM * (r % 8), k = r / 8;
      return transposed ? std::pair(k, m) : std::pair(m, k);
    });
  }

  /// And column j + 8 c at row k of rhs (K x N).
  static int64_t turnsOfRhs(RingType ring, bool transposed) {
    const int64_t depth = transposed ? ring.getCols() : ring.getRows();
    return countTurns(ring, 8 * depth, [=](int64_t lane, int64_t r) {
      const int64_t n = lane % kLanesN + kLanesN * (r % 8), k = r / 8;
      return transposed ? std::pair(n, k) : std::pair(k, n);
    });
  }

  MLIRContext context;
  Builder b{&context};
};

// The rows that every text on the subject begins with, on a ring of 32 words a
// row: lanes that read side by side, every second word, and down a column.
TEST_F(TileLayout, Strides) {
  auto turns = [&](bool swizzle, auto getElement) {
    return countTurns(getRing(64, 32, b.getF32Type(), swizzle), 1, getElement);
  };
  auto along = [](int64_t lane, int64_t) {
    return std::pair(int64_t(0), lane);
  };
  auto second = [](int64_t lane, int64_t) {
    return std::pair(lane / 16, lane % 16 * 2);
  };
  auto down = [](int64_t lane, int64_t) { return std::pair(lane, int64_t(0)); };
  EXPECT_EQ(turns(false, along), 1);
  EXPECT_EQ(turns(false, second), 2);
  EXPECT_EQ(turns(false, down), 32);
  EXPECT_EQ(turns(true, along), 1);
  // The swizzle moves chunks of 16 bytes, 8 to a row: a column of single words
  // has 8 places to go, so that 32 lanes take 4 turns. No kernel reads that.
  EXPECT_EQ(turns(true, down), 4);
}

// What a warp reads for one product: with the swizzle nothing conflicts.
TEST_F(TileLayout, OperandsOfSimt) {
  struct Row {
    Type type;
    int64_t depth;
    /// Turns without the swizzle: of lhs M x K, and of rhs N x K.
    int64_t plainLhs, plainTransposedRhs;
  };
  const Row rows[] = {
      {b.getF64Type(), 8, 1, 4},  {b.getF64Type(), 16, 2, 8},
      {b.getF64Type(), 32, 2, 8}, {b.getF32Type(), 8, 1, 2},
      {b.getF32Type(), 16, 2, 4}, {b.getF32Type(), 32, 4, 8},
      {b.getF16Type(), 16, 1, 2}, {b.getF16Type(), 32, 2, 4},
      {b.getF16Type(), 64, 4, 8}, {b.getBF16Type(), 32, 2, 4},
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(testing::Message()
                 << getElementBytes(row.type) << " bytes, K " << row.depth);
    for (bool swizzle : {false, true}) {
      RingType lhs = getRing(128, row.depth, row.type, swizzle);
      RingType lhsT = getRing(row.depth, 128, row.type, swizzle);
      RingType rhs = getRing(row.depth, 128, row.type, swizzle);
      RingType rhsT = getRing(128, row.depth, row.type, swizzle);
      // Neighbouring lanes read neighbouring elements in any layout.
      EXPECT_EQ(turnsOfLhs(lhsT, true), 1);
      EXPECT_EQ(turnsOfRhs(rhs, false), 1);
      EXPECT_EQ(turnsOfLhs(lhs, false), swizzle ? 1 : row.plainLhs);
      EXPECT_EQ(turnsOfRhs(rhsT, true), swizzle ? 1 : row.plainTransposedRhs);
    }
  }
}

// The swizzle is a permutation of each row that keeps chunks of 16 bytes whole:
// a copy may move 16 bytes, and nothing is written twice.
TEST_F(TileLayout, SwizzleIsAPermutation) {
  for (int64_t cols : {8, 16, 32, 64, 128}) {
    RingType ring = getRing(32, cols, b.getF16Type(), /*swizzle=*/true);
    for (int64_t row = 0; row < 32; ++row) {
      std::vector<bool> taken(cols);
      for (int64_t col = 0; col < cols; ++col) {
        const int64_t inRow = ring.getSlotOffset(row, col) - row * 2 * cols;
        ASSERT_GE(inRow, 0);
        ASSERT_LT(inRow, 2 * cols);
        EXPECT_FALSE(taken[inRow / 2]);
        taken[inRow / 2] = true;
        EXPECT_EQ(inRow % 16, 2 * col % 16);
      }
    }
  }
}

// A warp's part of a copy: thread t moves piece t of `bytes`, row by row. As
// many sectors are touched as hold the bytes: every one is used in full.
TEST_F(TileLayout, CopiesAreCoalesced) {
  auto sectors = [](int64_t rowBytes, int64_t pitch, int64_t bytes) {
    std::vector<int64_t> addresses;
    for (int64_t t = 0; t < kWarp; ++t) {
      const int64_t perRow = rowBytes / bytes;
      addresses.push_back(t / perRow * pitch + t % perRow * bytes);
    }
    return countSectors(addresses, bytes);
  };
  // Tiles of 32 f32, 16 f32 and 32 f16 a row, out of rows of 4096 bytes.
  EXPECT_EQ(sectors(128, 4096, 16), minSectors(32 * 16));
  EXPECT_EQ(sectors(64, 4096, 16), minSectors(32 * 16));
  EXPECT_EQ(sectors(32, 4096, 16), minSectors(32 * 16));
  // Narrow copies move less at a time, in as many sectors as that takes.
  EXPECT_EQ(sectors(128, 4096, 4), minSectors(32 * 4));
  EXPECT_EQ(sectors(64, 4096, 2), minSectors(32 * 2));
  // Rows of 4097 elements of f16 do not begin at sectors: one more a row.
  EXPECT_EQ(sectors(64, 8194, 2), 2);
  EXPECT_EQ(sectors(32, 8194, 2), 2 + 1);
  // What it would be with a thread a row: a sector for each.
  std::vector<int64_t> column;
  for (int64_t t = 0; t < kWarp; ++t)
    column.push_back(t * 4096);
  EXPECT_EQ(countSectors(column, 16), 32);
}

// The shared side of a copy has no conflicts either: 16 bytes a thread into
// consecutive chunks, permuted or not.
TEST_F(TileLayout, WritesOfCopies) {
  for (bool swizzle : {false, true})
    for (int64_t cols : {8, 16, 32, 64, 128}) {
      RingType ring = getRing(128, cols, b.getF32Type(), swizzle);
      std::vector<int64_t> addresses;
      for (int64_t t = 0; t < kWarp; ++t)
        addresses.push_back(
            ring.getSlotOffset(t / (cols / 4), t % (cols / 4) * 4));
      EXPECT_EQ(countBankTurns(addresses, 16), 1) << cols;
    }
}

} // namespace
