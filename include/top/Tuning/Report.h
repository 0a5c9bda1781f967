//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be said of a kernel before it runs: what it needs of the chip, what
// it moves, and the best time that the card allows it.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TUNING_REPORT_H
#define TOP_TUNING_REPORT_H

#include "top/Target/Ptxas.h"
#include "top/Tuning/Model.h"

namespace mlir::top {

/// Elements read from global memory by blocks that each read their own BM x K
/// and K x BN operands, of an M x N result that they divide:
/// M*N*K * (1/BM + 1/BN); 2*M*N*K/T for square tiles of side T.
double getGlobalReads(double m, double n, double k, double blockM,
                      double blockN);

/// FLOP per byte read, for M*N*K that the blocks divide:
/// 2 / ((1/BM + 1/BN) * element bytes); T/2 for square f16 tiles of side T.
double getIntensity(double blockM, double blockN, int64_t elementBytes);

/// FLOP per byte at which the card's arithmetic and its memory take equally
/// long.
double getRidge(double flopsPerSecond, double bytesPerSecond);

/// FLOP/s that a card reaches at best: min(peak, intensity * bandwidth).
double getRoofline(double flopsPerSecond, double bytesPerSecond,
                   double intensity);

/// The block tile (row, column of tiles) that the block of number `index`
/// computes, among tilesM x tilesN of one product. `groupSize` is that of
/// BlockOrder::grouped.
std::pair<int64_t, int64_t> getTileOfBlock(BlockOrder order, int64_t groupSize,
                                           int64_t tilesM, int64_t tilesN,
                                           int64_t index);

/// One kernel of a report.
struct KernelReport {
  std::string name;
  std::string chip, card;
  ProductProblem problem;
  ScheduleFields schedule;
  BlockResources needs;
  /// From ptxas, where there is one.
  std::optional<int64_t> actualRegisters, actualSpillBytes;
  Occupancy occupancy; ///< with the actual registers where they are known
  TileCounts tiles;    ///< of `direct`: blocks of channels, boxes, and steps
  KParts parts;
  int64_t blocks = 0; ///< of the grid: tiles, batch and parts of K
  int64_t waves = 0;  ///< rounds of as many blocks as the card holds at once
  double lastWaveFill = 0; ///< share of the last round that has a block
  double usefulShare = 0;  ///< M*N*K over that of whole tiles
                           ///< (of `direct`: outputs)
  double flops = 0;
  /// Bytes of operands that blocks read. The first counts what each block
  /// reads; the second what a wave's blocks read together, once for each tile
  /// row and column they touch, or the operands once where the L2 holds them.
  /// Windows of a box of pixels overlap: their elements count once.
  double readBytes = 0, readBytesWithL2 = 0;
  double writeBytes = 0;
  /// Sums of parts of K, in the accumulators' type: written once and read once,
  /// and counted in the bytes above. 0 without parts.
  double workspaceBytes = 0;
  double intensity = 0; ///< flops over readBytes
  double peakFlops = 0; ///< of the card for the engine and the type, FLOP/s
  /// Roofline, FLOP/s, without and with reuse in L2 (writes included).
  double bound = 0, boundWithL2 = 0;
  double seconds = 0; ///< flops over boundWithL2
};

/// The report of a schedule that can run on the target (findBrokenLimit finds
/// nothing) and of a problem that is not empty. `actual` is what ptxas says of
/// the kernel, or null.
KernelReport computeReport(StringRef name, const ScheduleFields &schedule,
                           const ProductProblem &problem,
                           const GPUTarget &target,
                           const PtxasKernelInfo *actual = nullptr);

/// Writes the report as one line of `name: key value, key value, ...`.
void printReport(raw_ostream &os, const KernelReport &report);

} // namespace mlir::top

#endif // TOP_TUNING_REPORT_H
