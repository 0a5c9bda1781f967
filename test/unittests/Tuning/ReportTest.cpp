//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report's numbers: those of the design, block orders against the order
// they are defined by, and bytes against counting blocks one by one.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Report.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace mlir::top;

namespace {

GPUTarget target(StringRef chip, StringRef card = "") {
  llvm::Expected<GPUTarget> found = lookupTarget(chip, card);
  EXPECT_TRUE(bool(found));
  return *found;
}

TEST(Roofline, ReadsOfTiles) {
  // Elements read for each of the result: 2K for T = 1, then K/2, K/4, K/16.
  const double k = 4096;
  auto readsPerElement = [&](double t) {
    return getGlobalReads(4096, 4096, k, t, t) / (4096.0 * 4096.0);
  };
  EXPECT_DOUBLE_EQ(readsPerElement(1), 2 * k);
  EXPECT_DOUBLE_EQ(readsPerElement(4), k / 2);
  EXPECT_DOUBLE_EQ(readsPerElement(8), k / 4);
  EXPECT_DOUBLE_EQ(readsPerElement(32), k / 16);
  // 2*M*N*K/T.
  EXPECT_DOUBLE_EQ(getGlobalReads(512, 256, 128, 64, 64),
                   2.0 * 512 * 256 * 128 / 64);
}

TEST(Roofline, Intensity) {
  EXPECT_DOUBLE_EQ(getIntensity(1, 1, 2), 0.5); // naive f16
  EXPECT_DOUBLE_EQ(getIntensity(128, 128, 2), 64);
  EXPECT_DOUBLE_EQ(getIntensity(128, 128, 2) / getIntensity(1, 1, 2), 128);
  for (double t : {16.0, 32.0, 590.0})
    EXPECT_DOUBLE_EQ(getIntensity(t, t, 2), t / 2);
}

TEST(Roofline, H100) {
  // The figures of the design are of 989 TFLOP/s and 3.35 TB/s.
  const double peak = 989e12, bandwidth = 3.35e12;
  const double bytes = 2 * getGlobalReads(4096, 4096, 4096, 1, 1);
  EXPECT_NEAR(bytes / 1e9, 275, 0.5);
  EXPECT_NEAR(bytes / bandwidth * 1e3, 82, 0.5);
  const double flops = 2 * 4096.0 * 4096.0 * 4096.0;
  EXPECT_NEAR(flops / peak * 1e3, 0.14, 0.005);
  const double ridge = getRidge(peak, bandwidth);
  EXPECT_NEAR(ridge, 295, 0.5);
  EXPECT_NEAR(2 * ridge, 590, 0.5); // the T of intensity T/2
  EXPECT_NEAR(getRoofline(peak, bandwidth, getIntensity(128, 128, 2)) / 1e12,
              214, 0.5);
  EXPECT_DOUBLE_EQ(getRoofline(peak, bandwidth, 600), peak);
  // The table's card is that one, to the last digit shown.
  const GPUCard card = target("", "h100-sxm").card;
  EXPECT_NEAR(card.getTensorPeak(NumericType::f16), peak, 0.5e12);
  EXPECT_DOUBLE_EQ(card.bytesPerSecond, bandwidth);
}

TEST(BlockOrder, Orders) {
  auto list = [](BlockOrder order, int64_t group, int64_t m, int64_t n) {
    std::vector<std::pair<int64_t, int64_t>> tiles;
    for (int64_t i = 0; i < m * n; ++i)
      tiles.push_back(getTileOfBlock(order, group, m, n, i));
    return tiles;
  };
  using Tiles = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(list(BlockOrder::row, 1, 2, 3),
            (Tiles{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(list(BlockOrder::column, 1, 2, 3),
            (Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}));
  // Three rows in bands of two: the last band has one.
  EXPECT_EQ(list(BlockOrder::grouped, 2, 3, 2),
            (Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
  // Every order computes every tile once.
  for (BlockOrder order :
       {BlockOrder::row, BlockOrder::column, BlockOrder::grouped})
    for (int64_t group : {1, 2, 5, 8, 100})
      for (int64_t m : {1, 3, 8, 17})
        for (int64_t n : {1, 4, 9}) {
          Tiles tiles = list(order, group, m, n);
          std::set<std::pair<int64_t, int64_t>> unique(tiles.begin(),
                                                       tiles.end());
          EXPECT_EQ(unique.size(), size_t(m * n));
          EXPECT_EQ(*unique.rbegin(), std::pair(m - 1, n - 1));
        }
}

TEST(Report, Square) {
  const ProductProblem problem =
      makeProduct(4096, 4096, 4096, NumericType::f32);
  KernelReport report =
      computeReport("gemm", ScheduleFields(), problem, target("sm_80"));
  EXPECT_EQ(report.blocks, 1024);
  EXPECT_EQ(report.occupancy.blocksPerSM, 2);
  EXPECT_EQ(report.waves, 5); // 216 at once
  EXPECT_DOUBLE_EQ(report.lastWaveFill, (1024 - 4 * 216) / 216.0);
  EXPECT_DOUBLE_EQ(report.usefulShare, 1);
  EXPECT_DOUBLE_EQ(report.flops, 2.0 * 4096 * 4096 * 4096);
  EXPECT_DOUBLE_EQ(report.readBytes,
                   4 * getGlobalReads(4096, 4096, 4096, 128, 128));
  EXPECT_DOUBLE_EQ(report.intensity, getIntensity(128, 128, 4));
  EXPECT_DOUBLE_EQ(report.writeBytes, 4.0 * 4096 * 4096);
  EXPECT_DOUBLE_EQ(report.peakFlops, 19.5e12);
  // 32 FLOP a byte times 2 TB/s is far above the peak of the CUDA cores.
  EXPECT_DOUBLE_EQ(report.bound, 19.5e12);
  EXPECT_FALSE(report.actualRegisters);
}

TEST(Report, OddSizesReadNothingOutside) {
  // 3 x 2 tiles of 128; the last ones are cut off.
  const ProductProblem problem = makeProduct(257, 129, 33, NumericType::f32);
  KernelReport report =
      computeReport("odd", ScheduleFields(), problem, target("sm_80"));
  EXPECT_EQ(report.blocks, 6);
  EXPECT_EQ(report.waves, 1);
  EXPECT_DOUBLE_EQ(report.lastWaveFill, 6 / 216.0);
  EXPECT_NEAR(report.usefulShare, 257.0 * 129 * 33 / (384.0 * 256 * 64), 1e-12);
  // Each of the blocks: its rows of A and its columns of B, K deep.
  double elements = 0;
  for (int64_t rows : {128, 128, 1})
    for (int64_t columns : {128, 1})
      elements += (rows + columns) * 33;
  EXPECT_DOUBLE_EQ(report.readBytes, 4 * elements);
  // All of it stays in L2: each operand is read once.
  EXPECT_DOUBLE_EQ(report.readBytesWithL2, 4.0 * (257 * 33 + 33 * 129));
}

TEST(Report, BatchSharesRhs) {
  ProductProblem problem = makeProduct(128, 128, 64, NumericType::f32);
  problem.batch = 4;
  const KernelReport apart =
      computeReport("b", ScheduleFields(), problem, target("sm_80"));
  problem.isRhsShared = true;
  const KernelReport shared =
      computeReport("b", ScheduleFields(), problem, target("sm_80"));
  EXPECT_EQ(apart.blocks, 4);
  EXPECT_DOUBLE_EQ(apart.readBytesWithL2, 4.0 * 4 * 2 * 128 * 64);
  EXPECT_DOUBLE_EQ(shared.readBytesWithL2, 4.0 * 5 * 128 * 64);
  EXPECT_DOUBLE_EQ(shared.readBytes, apart.readBytes);
}

TEST(Report, GroupsReadLess) {
  // 16384^3: operands of 2 GB, far more than L2; 128 x 128 tiles, 216 blocks
  // at once.
  const ProductProblem problem =
      makeProduct(16384, 16384, 16384, NumericType::f32);
  auto reads = [&](BlockOrder order, int64_t group) {
    ScheduleFields schedule;
    schedule.order = order;
    schedule.groupSize = group;
    return computeReport("g", schedule, problem, target("sm_80"))
        .readBytesWithL2;
  };
  const double tile = 128.0 * 16384 * 4;
  const double waves = 16384.0 / 216; // 75.9
  const double row = reads(BlockOrder::row, 1);
  // A wave in row order: 2 tile rows and all 128 columns.
  EXPECT_NEAR(row, waves * (2 + 128) * tile, 0.02 * row);
  // Groups of 16: 16 rows and 14 columns.
  const double grouped = reads(BlockOrder::grouped, 16);
  EXPECT_NEAR(grouped, waves * (16 + 14) * tile, 0.02 * grouped);
  EXPECT_LT(grouped, row / 4);
  EXPECT_DOUBLE_EQ(reads(BlockOrder::column, 1), row);
}

TEST(Report, ActualRegistersCount) {
  const ProductProblem problem =
      makeProduct(4096, 4096, 4096, NumericType::f32);
  PtxasKernelInfo actual;
  actual.registers = 200;
  actual.spillStoreBytes = 4;
  actual.spillLoadBytes = 8;
  KernelReport report = computeReport("gemm", ScheduleFields(), problem,
                                      target("sm_80"), &actual);
  EXPECT_EQ(report.occupancy.blocksPerSM, 1);
  EXPECT_EQ(report.actualRegisters, 200);
  EXPECT_EQ(report.actualSpillBytes, 12);
  EXPECT_EQ(report.needs.registers, 128);
}

TEST(Report, PeaksOfEngines) {
  const GPUTarget h200 = target("sm_90a", "h200");
  const ProductProblem problem =
      makeProduct(4096, 4096, 4096, NumericType::f16);
  auto peak = [&](Engine engine) {
    return computeReport("p", ScheduleFields(engine), problem, h200).peakFlops;
  };
  EXPECT_DOUBLE_EQ(peak(Engine::simt), 67e12);
  EXPECT_DOUBLE_EQ(peak(Engine::wgmma), 989.4e12);
  // mma.sync issues at 62 to 65 % of that on Hopper.
  EXPECT_NEAR(peak(Engine::mma_sync), 640e12, 5e12);
}

// Of 32 x 32 tiles, 216 at once: four waves of 7 tile rows and 32 columns and
// one of 5 and 32, 2 MiB each, are 404.8 MB.
TEST(Report, Line) {
  std::string text;
  llvm::raw_string_ostream os(text);
  PtxasKernelInfo actual;
  actual.registers = 122;
  printReport(os, computeReport("gemm", ScheduleFields(),
                                makeProduct(4096, 4096, 4096, NumericType::f32),
                                target("sm_80"), &actual));
  EXPECT_EQ(text,
            "gemm: 4096 x 4096 x 4096 f32 on sm_80 (a100), engine simt, block "
            "128x128x32, warp 32x64, thread 8x8, stages 2, threads 256, shared "
            "65536 B, registers 128 predicted 122 actual, spills 0 B, 2 "
            "blocks/SM (by shared memory), occupancy 25%, intensity 32.0 "
            "FLOP/B, reads 4295.0 MB (404.8 MB with L2), writes 67.1 MB, "
            "useful 100.0%, blocks 1024 in 5 waves, last 74% full, bound 19.5 "
            "TFLOP/s (19.5 without L2, peak 19.5), 7048.2 us\n");
}

TEST(Report, PartsOfK) {
  const ProductProblem problem = makeProduct(128, 256, 4096, NumericType::f16);
  const GPUTarget a100 = target("sm_80", "a100");
  ScheduleFields schedule;
  schedule.block = {128, 128, 32};
  const KernelReport whole = computeReport("f", schedule, problem, a100);
  EXPECT_EQ(whole.parts.count, 1);
  EXPECT_EQ(whole.workspaceBytes, 0);
  EXPECT_EQ(whole.blocks, 2);

  schedule.splitK = 8;
  const KernelReport split = computeReport("f", schedule, problem, a100);
  EXPECT_EQ(split.parts.count, 8);
  EXPECT_EQ(split.blocks, 16);
  // Sums are f32, written once and read once. All else is as before.
  EXPECT_EQ(split.workspaceBytes, 8.0 * 128 * 256 * 4);
  EXPECT_EQ(split.writeBytes, whole.writeBytes + split.workspaceBytes);
  EXPECT_EQ(split.readBytes, whole.readBytes + split.workspaceBytes);
  EXPECT_EQ(split.readBytesWithL2,
            whole.readBytesWithL2 + split.workspaceBytes);

  std::string text;
  llvm::raw_string_ostream os(text);
  printReport(os, split);
  EXPECT_NE(text.find(" (8 parts of K, workspace 1.0 MB)"), std::string::npos)
      << text;
  // Ranges of 26 steps: 5 of them cover 128.
  schedule.splitK = 5;
  EXPECT_EQ(computeReport("f", schedule, problem, a100).parts.depth, 26 * 32);
  const ProductProblem f64 = makeProduct(128, 256, 4096, NumericType::f64);
  EXPECT_EQ(computeReport("f", schedule, f64, a100).workspaceBytes,
            5.0 * 128 * 256 * 8);
}

} // namespace
