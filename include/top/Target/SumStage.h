//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How sums of the tensor cores lie in shared memory on their way to the result.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TARGET_SUMSTAGE_H
#define TOP_TARGET_SUMSTAGE_H

#include <cstdint>

namespace mlir::top {

/// Bytes of a sum of the tensor cores, f32 or i32.
inline constexpr int64_t kSumBytes = 4;

/// The places of 16 rows of a warp's sums in shared memory, such that neither
/// their writes nor their reads have bank conflicts. Offsets and sizes are in
/// sums unless they say otherwise.
///
/// A lane writes two sums side by side, 8 bytes; half a warp, which is served
/// together, writes 8 columns of 4 rows (PTX ISA, "Matrix Fragments for
/// mma.m16n8k16"; BankTurns has how a warp is served). A lane reads runs of
/// `width` columns, each of which it stores to the result at once, and
/// neighbouring lanes read neighbouring runs, row by row, in pieces of at most
/// 16 bytes. A turn of the 32 banks is 8 chunks of 16 bytes: what counts of a
/// chunk's place is its remainder by 8.
///
/// Reads: pieces number p of all runs lie side by side, in the order of the
/// runs, so that the lanes that are served together read 128 bytes in a row.
/// For that rows form groups of R = 8 / gcd(C, 8) where C chunks of a row are
/// side by side, so that the R C chunks of a group are whole turns. A group has
/// the pieces 0 of all its runs, behind these the pieces 1, and so on.
///
/// Writes: 4 rows, two chunks in each, must be 8 remainders. If C is even,
/// groups are 2 mod 8 apart and the rows of one are C apart: 4 rows are at 0,
/// 2, 4 and 6 in some order, whatever R is. The second chunk is an odd number
/// away: the next place where a run is one piece; else R C + 1, by a gap of one
/// chunk in front of each odd piece. If C is odd, 4 rows of a group differ
/// modulo 4, and the second chunk is 4 mod 8 away, by a gap of 4.
///
///     Chunks of a row of 64 columns in runs of 8: C = 8, R = 1, rows 18 apart.
///     0 2 4 6 8 10 12 14 - 1 3 5 7 9 11 13 15 -
struct SumStage {
  /// Of `cols` columns, a multiple of 8, in runs of `width`, a power of two up
  /// to 16 that divides it.
  SumStage(int64_t cols, int64_t width);

  /// What a lane reads at once; a run has `pieces` of these.
  int64_t pieceSums, pieces;
  /// Sums of a row that are side by side.
  int64_t rowSums;
  /// Rows of a group, 1, 2, 4 or 8, and its runs.
  int64_t groupRows, groupRuns;
  /// What the places of sums jump by from group to group: row r begins at r *
  /// rowSums + r / groupRows * groupGap, and run n, over all rows, at n *
  /// pieceSums + n / groupRuns * groupGap.
  int64_t groupGap;
  /// In front of each odd piece.
  int64_t pieceGap;

  /// From the first sum of a run to that of its piece number `piece`.
  int64_t getPieceOffset(int64_t piece) const;
  /// From the first sum of a row to that of column `col`.
  int64_t getColOffset(int64_t col) const;
  /// Of all 16 rows.
  int64_t getBytes() const;
  /// The most for any width.
  static int64_t getMostBytes(int64_t cols) {
    return SumStage(cols, /*width=*/1).getBytes();
  }
};

} // namespace mlir::top

#endif // TOP_TARGET_SUMSTAGE_H
