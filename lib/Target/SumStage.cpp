//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SumStage.h.
//
//===----------------------------------------------------------------------===//

#include "top/Target/SumStage.h"
#include "top/Target/GPUTarget.h"
#include "top/Target/MemoryAccess.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::top;

/// Sums of a chunk of 16 bytes, and chunks that the banks give in one turn.
static constexpr int64_t kChunkSums = kWidestAccessBytes / kSumBytes;
static constexpr int64_t kTurnChunks =
    kNumBanks * kBankBytes / kWidestAccessBytes;

SumStage::SumStage(int64_t cols, int64_t width)
    : pieceSums(std::min(width, kChunkSums)), pieces(width / pieceSums),
      rowSums(cols / pieces) {
  const int64_t rowChunks = rowSums / kChunkSums;
  groupRows = kTurnChunks / std::gcd(rowChunks, kTurnChunks);
  groupRuns = groupRows * cols / width;
  const bool isOdd = rowChunks % 2 == 1;
  pieceGap = isOdd ? kTurnChunks / 2 * kChunkSums : kChunkSums;
  // Behind every second piece but at least the last one.
  groupGap = (pieces - 1) * groupRows * rowSums +
             (isOdd ? pieces / 2 * pieceGap : 2 * kChunkSums);
}

int64_t SumStage::getPieceOffset(int64_t piece) const {
  return piece * groupRows * rowSums + (piece + 1) / 2 * pieceGap;
}

int64_t SumStage::getColOffset(int64_t col) const {
  const int64_t width = pieces * pieceSums;
  return col / width * pieceSums + getPieceOffset(col % width / pieceSums) +
         col % pieceSums;
}

int64_t SumStage::getBytes() const {
  return kMmaRows / groupRows * (groupRows * rowSums + groupGap) * kSumBytes;
}
