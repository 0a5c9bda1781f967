//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the layout of a ring costs when a kernel uses it: bank conflicts of the
// reads of a warp, as engine `simt` and engine `mma_sync` read, with the
// addresses that RingType computes, and sectors of global memory of the copies.
// What the layout of the stage costs through which accumulators of `mma_sync`
// are stored.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "top/Dialect/Top/IR/Top.h"
#include "top/Dialect/Top/IR/TopTiles.h"
#include "top/Target/MemoryAccess.h"
#include "top/Target/SumStage.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <set>
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
    return RingType::get(&context, 2, rows, cols, type, swizzle);
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

  /// The worst ldmatrix of four matrices over a whole tile of 16-bit elements:
  /// lanes 8 i to 8 i + 7 give the rows of matrix i, of 16 bytes each, and each
  /// matrix is a turn of its own without conflicts. Matrices 0 and 1 are one
  /// chunk of 8 rows and the next 8 rows, or else (`chunksFirst`) 8 rows of one
  /// chunk and of the next chunk.
  static int64_t turnsOfLdmatrix(RingType ring, bool chunksFirst) {
    const int64_t perChunk = 16 / getElementBytes(ring.getElementType());
    int64_t worst = 0;
    for (int64_t row = 0; row < ring.getRows(); row += 16)
      for (int64_t col = 0; col < ring.getCols(); col += 2 * perChunk) {
        std::vector<int64_t> addresses;
        for (int64_t lane = 0; lane < kWarp; ++lane) {
          const int64_t low = lane / 8 % 2, high = lane / 16;
          const int64_t group = chunksFirst ? high : low;
          const int64_t chunk = chunksFirst ? low : high;
          addresses.push_back(ring.getSlotOffset(row + group * 8 + lane % 8,
                                                 col + chunk * perChunk));
        }
        worst = std::max(worst, countBankTurns(addresses, 16));
      }
    return worst;
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

// What a warp reads of 16-bit operands for the tensor cores. A row of a matrix
// is 16 bytes along K, or along M or N where K is not contiguous, and the order
// of the matrices is that of the registers that the instruction takes: A wants
// both groups of rows first, B both chunks of K.
TEST_F(TileLayout, OperandsOfMmaSync) {
  struct Row {
    int64_t depth;
    int64_t plain; ///< turns of operands M x K and N x K without the swizzle
  };
  const Row rows[] = {{16, 2}, {32, 4}, {64, 8}};
  for (const Row &row : rows)
    for (bool swizzle : {false, true}) {
      SCOPED_TRACE(testing::Message() << "K " << row.depth << ", " << swizzle);
      RingType kContiguous = getRing(128, row.depth, b.getF16Type(), swizzle);
      RingType kRows = getRing(row.depth, 128, b.getF16Type(), swizzle);
      // A is M x K, B transposed N x K.
      EXPECT_EQ(turnsOfLdmatrix(kContiguous, false), swizzle ? 1 : row.plain);
      EXPECT_EQ(turnsOfLdmatrix(kContiguous, true), swizzle ? 1 : row.plain);
      // A transposed and B are K x 128: rows of 256 bytes.
      EXPECT_EQ(turnsOfLdmatrix(kRows, false), swizzle ? 1 : 8);
      EXPECT_EQ(turnsOfLdmatrix(kRows, true), swizzle ? 1 : 8);
    }
  // Narrow sides: tiles of 16, 32 and 64 along M or N.
  for (int64_t side : {16, 32, 64}) {
    RingType ring = getRing(32, side, b.getBF16Type(), /*swizzle=*/true);
    EXPECT_EQ(turnsOfLdmatrix(ring, false), 1) << side;
    EXPECT_EQ(turnsOfLdmatrix(ring, true), 1) << side;
  }
}

// Copies into those rings.
TEST_F(TileLayout, WritesOfCopiesOf16Bits) {
  for (bool swizzle : {false, true})
    for (int64_t cols : {8, 16, 32, 64, 128, 256}) {
      RingType ring = getRing(128, cols, b.getF16Type(), swizzle);
      std::vector<int64_t> addresses;
      for (int64_t t = 0; t < kWarp; ++t)
        addresses.push_back(
            ring.getSlotOffset(t / (cols / 8), t % (cols / 8) * 8));
      EXPECT_EQ(countBankTurns(addresses, 16), 1) << cols;
    }
}

/// 16 rows of a warp's sums on their way through shared memory.
struct Stage {
  int64_t cols, width;
  SumStage layout{cols, width};

  /// Bytes; by the lane that writes, and of the first sum of a run's piece.
  int64_t getAddress(int64_t row, int64_t col) const {
    return kSumBytes *
           (row * layout.rowSums + row / layout.groupRows * layout.groupGap +
            layout.getColOffset(col));
  }
  int64_t getPieceAddress(int64_t run, int64_t piece) const {
    return kSumBytes *
           (run * layout.pieceSums + run / layout.groupRuns * layout.groupGap +
            layout.getPieceOffset(piece));
  }

  /// Lane l has columns 2 (l % 4) and one more of each 8, in rows l / 4 and l /
  /// 4 + 8, and writes both at once.
  int64_t turnsOfWrites() const {
    int64_t worst = 0;
    for (int64_t tile = 0; tile < cols; tile += 8)
      for (int64_t half : {0, 8}) {
        std::vector<int64_t> addresses;
        for (int64_t lane = 0; lane < kWarp; ++lane)
          addresses.push_back(getAddress(lane / 4 + half, tile + lane % 4 * 2));
        worst = std::max(worst, countBankTurns(addresses, 2 * kSumBytes));
      }
    return worst;
  }

  /// Neighbouring runs by neighbouring lanes, piece by piece.
  int64_t turnsOfReads() const {
    const int64_t runs = 16 * cols / width;
    int64_t worst = 0;
    for (int64_t first = 0; first < runs; first += kWarp)
      for (int64_t piece = 0; piece < layout.pieces; ++piece) {
        std::vector<int64_t> addresses;
        for (int64_t run = first; run < std::min(first + kWarp, runs); ++run)
          addresses.push_back(getPieceAddress(run, piece));
        worst = std::max(
            worst, countBankTurns(addresses, layout.pieceSums * kSumBytes));
      }
    return worst;
  }

  /// What is read is what was written there, each sum has a place of its own,
  /// and all are in the bytes that the stage takes.
  void checkPlaces() const {
    std::set<int64_t> places;
    for (int64_t row = 0; row < 16; ++row)
      for (int64_t col = 0; col < cols; ++col) {
        const int64_t address = getAddress(row, col);
        EXPECT_TRUE(places.insert(address).second) << row << ", " << col;
        EXPECT_LE(address + kSumBytes, layout.getBytes());
        const int64_t inRun = col % width;
        EXPECT_EQ(address, getPieceAddress((row * cols + col) / width,
                                           inRun / layout.pieceSums) +
                               kSumBytes * (inRun % layout.pieceSums));
      }
    // Pieces are read, and bands of 16 rows begin, at multiples of 16 bytes.
    EXPECT_EQ(layout.getBytes() % 16, 0);
    EXPECT_EQ(layout.getPieceOffset(1) % layout.pieceSums, 0);
    EXPECT_EQ(layout.groupGap % layout.pieceSums, 0);
  }
};

// Of every tile of a warp, for every access to the result, the writes and the
// reads of its sums are without conflict.
TEST_F(TileLayout, StageOfSums) {
  for (int64_t cols = 8; cols <= 256; cols += 8)
    for (int64_t width = 1; width <= 16 && cols % width == 0; width *= 2) {
      SCOPED_TRACE(testing::Message()
                   << cols << " columns in runs of " << width);
      Stage stage{cols, width};
      EXPECT_EQ(stage.turnsOfWrites(), 1);
      EXPECT_EQ(stage.turnsOfReads(), 1);
      stage.checkPlaces();
      EXPECT_LE(stage.layout.getBytes(), SumStage::getMostBytes(cols));
    }
}

// What that takes: for 16 rows at most 512 bytes more than the sums.
TEST_F(TileLayout, BytesOfStageOfSums) {
  struct Row {
    int64_t cols, width, bytes;
  };
  const Row rows[] = {{8, 1, 640},    {8, 8, 640},    {16, 4, 1280},
                      {16, 8, 1152},  {16, 16, 1280}, {24, 8, 1664},
                      {32, 4, 2560},  {32, 8, 2304},  {64, 4, 4608},
                      {64, 8, 4608},  {64, 16, 4352}, {128, 8, 8704},
                      {128, 16, 8704}};
  for (const Row &row : rows)
    EXPECT_EQ(SumStage(row.cols, row.width).getBytes(), row.bytes)
        << row.cols << " columns in runs of " << row.width;
}

} // namespace
