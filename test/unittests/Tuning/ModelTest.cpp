//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model's numbers: those of the design, computed by hand, and each limit a
// schedule can break, at the last value that fits and the first that does not.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/Model.h"

#include "top/Dialect/Top/Utils/PixelBox.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::top;

namespace {

GPUTarget target(StringRef chip, StringRef card = "") {
  llvm::Expected<GPUTarget> found = lookupTarget(chip, card);
  EXPECT_TRUE(bool(found));
  return *found;
}

const ProductProblem kSquareF16 =
    makeProduct(4096, 4096, 4096, NumericType::f16);
const ProductProblem kSquareF32 =
    makeProduct(4096, 4096, 4096, NumericType::f32);
const ProductProblem kSquareF64 =
    makeProduct(4096, 4096, 4096, NumericType::f64);

ScheduleFields mma(int64_t m, int64_t n, int64_t k, int64_t stages,
                   Engine engine = Engine::mma_sync) {
  ScheduleFields schedule(engine);
  schedule.block = {m, n, k};
  schedule.stages = stages;
  return schedule;
}

TEST(Model, SharedBytes) {
  EXPECT_EQ(getTileBytes(128, 128, 32, 2, 2), 32768);
  EXPECT_EQ(getTileBytes(256, 256, 64, 2, 3), 196608);
  // One 256 x 32 tile of A alone.
  EXPECT_EQ(getTileBytes(256, 0, 32, 2, 1), 16384);
  EXPECT_EQ(estimateResources(ScheduleFields(), kSquareF32).sharedBytes, 65536);
  // A row of 32 f16 has 64 bytes, but tiles start at multiples of 128.
  ScheduleFields row;
  row.block = {1, 128, 32};
  EXPECT_EQ(estimateResources(row, kSquareF16).sharedBytes,
            2 * (128 + 128 * 32 * 2));
  // The measured wgmma kernel: 4 stages of 128 x 256 x 64, two buffers of
  // 64 x 64 results for each of two consumers, and 8 barriers.
  EXPECT_EQ(
      estimateResources(ScheduleFields(Engine::wgmma), kSquareF16).sharedBytes,
      196608 + 32768 + 64);
}

TEST(Model, Registers) {
  EXPECT_EQ(estimateRegisters(128, 128, 1024), 48);
  EXPECT_EQ(estimateRegisters(128, 128, 256), 96);
  EXPECT_EQ(estimateRegisters(128, 128, 100), 164 + 32);
  // 8 x 8 accumulators, two steps of 8 + 8 operands.
  EXPECT_EQ(estimateResources(ScheduleFields(), kSquareF32).registers,
            64 + 32 + 32);
  EXPECT_EQ(estimateResources(ScheduleFields(), kSquareF64).registers,
            128 + 64 + 32);
  // Upstream's kernel of this shape has 227 to 236, ours for wgmma 154 to 168.
  EXPECT_EQ(estimateResources(mma(128, 128, 32, 3), kSquareF16).registers, 224);
  EXPECT_EQ(
      estimateResources(ScheduleFields(Engine::wgmma), kSquareF16).registers,
      160);
}

TEST(Model, TilesNest) {
  MLIRContext context;
  context.loadDialect<TopDialect>();
  ScheduleAttr simt = ScheduleAttr::get(&context);
  EXPECT_EQ(simt.getBlockM(), simt.getNumWarpsM() * simt.getWarpM());
  EXPECT_EQ(simt.getBlockN(), simt.getNumWarpsN() * simt.getWarpN());
  EXPECT_EQ(simt.getWarpM(), simt.getNumLanesM() * simt.getThreadM());
  EXPECT_EQ(simt.getWarpN(), simt.getNumLanesN() * simt.getThreadN());
  EXPECT_EQ(simt.getNumLanesM(), 4);
  EXPECT_EQ(simt.getNumLanesN(), 8);
  EXPECT_EQ(simt.getNumWarps(), 8);
  EXPECT_EQ(simt.getNumThreads(), 256);
  EXPECT_EQ(simt.getAccumulatorsPerThread(), 64);
  ScheduleAttr wgmma = ScheduleAttr::get(&context, Engine::wgmma);
  EXPECT_EQ(wgmma.getNumWarpTiles(), 2);
  EXPECT_EQ(wgmma.getNumWarps(), 12);
  EXPECT_EQ(wgmma.getAccumulatorsPerThread(), 128);
  // Fields and back.
  EXPECT_EQ(ScheduleFields(wgmma).get(&context), wgmma);
  ScheduleFields wrong(simt);
  wrong.stages = 0;
  EXPECT_FALSE(wrong.getChecked(nullptr, &context));
}

TEST(Model, Threads) {
  EXPECT_EQ(ScheduleFields().getNumThreads(), 256);
  EXPECT_EQ(mma(128, 128, 32, 2).getNumThreads(), 128);
  EXPECT_EQ(ScheduleFields(Engine::wgmma).getNumThreads(), 384);
}

TEST(Model, BlocksPerSM) {
  const GPUArchitecture sm80 = target("sm_80").arch;
  auto blocks = [&](int64_t threads, int64_t registers, int64_t shared) {
    Occupancy occupancy = computeOccupancy(sm80, threads, registers, shared);
    return std::pair(occupancy.blocksPerSM, occupancy.limit);
  };
  // 164 KB of 32 KB blocks, of which each takes 1 KB more.
  EXPECT_EQ(blocks(128, 32, 32 * 1024),
            std::pair(int64_t(4), OccupancyLimit::SharedMemory));
  EXPECT_EQ(blocks(128, 32, 31 * 1024),
            std::pair(int64_t(5), OccupancyLimit::SharedMemory));
  EXPECT_EQ(blocks(256, 128, 0),
            std::pair(int64_t(2), OccupancyLimit::Registers));
  EXPECT_EQ(blocks(256, 255, 0),
            std::pair(int64_t(1), OccupancyLimit::Registers));
  EXPECT_EQ(blocks(1024, 64, 0),
            std::pair(int64_t(1), OccupancyLimit::Registers));
  EXPECT_EQ(blocks(1024, 65, 0),
            std::pair(int64_t(0), OccupancyLimit::Registers));
  EXPECT_EQ(blocks(1024, 32, 0),
            std::pair(int64_t(2), OccupancyLimit::Registers));
  EXPECT_EQ(blocks(512, 16, 0), std::pair(int64_t(4), OccupancyLimit::Warps));
  EXPECT_EQ(blocks(32, 16, 0), std::pair(int64_t(32), OccupancyLimit::Blocks));
  EXPECT_EQ(blocks(32, 256, 0),
            std::pair(int64_t(0), OccupancyLimit::Registers));
  EXPECT_EQ(blocks(32, 16, 166912),
            std::pair(int64_t(1), OccupancyLimit::SharedMemory));
  EXPECT_EQ(blocks(32, 16, 166913),
            std::pair(int64_t(0), OccupancyLimit::SharedMemory));
  // The block limits of the other architectures.
  EXPECT_EQ(computeOccupancy(target("sm_86").arch, 32, 16, 0).blocksPerSM, 16);
  EXPECT_EQ(computeOccupancy(target("sm_89").arch, 32, 16, 0).blocksPerSM, 24);
  EXPECT_EQ(computeOccupancy(target("sm_90a").arch, 32, 16, 0).blocksPerSM, 32);
}

TEST(Model, OccupancyShare) {
  const GPUArchitecture sm80 = target("sm_80").arch;
  EXPECT_DOUBLE_EQ(computeOccupancy(sm80, 256, 128, 65536).share, 0.25);
  EXPECT_DOUBLE_EQ(computeOccupancy(sm80, 512, 16, 0).share, 1.0);
  EXPECT_DOUBLE_EQ(
      computeOccupancy(target("sm_86").arch, 256, 128, 65536).share, 8.0 / 48);
  EXPECT_LT(8.0 / 48, kLowOccupancy);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void expectFits(const ScheduleFields &schedule, const ProductProblem &problem,
                const GPUTarget &target) {
  std::optional<Infeasible> fault = findBrokenLimit(schedule, problem, target);
  EXPECT_FALSE(fault) << fault->reason;
}

void expectBreaks(Limit limit, const std::string &reason,
                  const ScheduleFields &schedule, const ProductProblem &problem,
                  const GPUTarget &target) {
  std::optional<Infeasible> fault = findBrokenLimit(schedule, problem, target);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, reason);
  EXPECT_EQ(fault->limit, limit);
}

TEST(Limits, SharedMemory) {
  expectFits(mma(256, 128, 64, 2), kSquareF16, target("sm_86"));
  expectBreaks(Limit::SharedMemory,
               "needs 147456 bytes of shared memory, but 'sm_86' allows 101376",
               mma(256, 128, 64, 3), kSquareF16, target("sm_86"));
  expectFits(mma(256, 128, 64, 3), kSquareF16, target("sm_80"));
  // Too many stages is too much shared memory, up to the largest number.
  expectBreaks(
      Limit::SharedMemory,
      "needs 1073741824 bytes of shared memory, but 'sm_80' allows 166912",
      mma(128, 128, 32, 65536), kSquareF16, target("sm_80"));
}

TEST(Limits, Registers) {
  ScheduleFields wide(Engine::mma_sync);
  wide.block = {256, 128, 32};
  wide.warp = {128, 64};
  expectBreaks(Limit::Registers,
               "needs about 384 registers a thread, but 'sm_80' allows 255; "
               "the rest would spill",
               wide, kSquareF16, target("sm_80"));
  // 128 registers for 512 threads are all there are; not for 1024.
  ScheduleFields many;
  many.block = {256, 128, 16};
  expectFits(many, kSquareF32, target("sm_80"));
  many.block = {256, 256, 16};
  expectBreaks(Limit::Registers,
               "needs about 128 registers for each of 1024 threads, but "
               "'sm_80' has 65536 for all",
               many, kSquareF32, target("sm_80"));
  // Three wgmma consumers of 64 x 256 need more than the file.
  expectBreaks(Limit::Registers,
               "needs about 130 registers for each of 512 threads, but "
               "'sm_90a' has 65536 for all",
               mma(192, 256, 64, 3, Engine::wgmma), kSquareF16,
               target("sm_90a"));
}

TEST(Limits, Threads) {
  ScheduleFields many;
  many.block = {512, 256, 8};
  expectBreaks(Limit::Threads,
               "needs 2048 threads in a block, but 'sm_80' allows 1024", many,
               kSquareF32, target("sm_80"));
}

TEST(Limits, MmaShape) {
  expectBreaks(Limit::MmaShape,
               "needs an MMA shape for f32, which the engine 'mma_sync' of "
               "'sm_80' does not have; 'allow_tf32' permits tf32",
               mma(128, 128, 32, 2), kSquareF32, target("sm_80"));
  ProductProblem tf32 = kSquareF32;
  tf32.allowTF32 = true;
  expectFits(mma(128, 128, 32, 2), tf32, target("sm_80"));
  expectFits(mma(128, 128, 8, 2), kSquareF16, target("sm_80"));
  ProductProblem f8 = makeProduct(4096, 4096, 4096, NumericType::f8);
  expectBreaks(Limit::MmaShape,
               "needs an MMA shape for f8, which the engine 'mma_sync' of "
               "'sm_80' does not have",
               mma(128, 128, 32, 2), f8, target("sm_80"));
  expectFits(mma(128, 128, 32, 2), f8, target("sm_89"));
  expectBreaks(
      Limit::MmaShape,
      "needs an MMA shape for f8 that divides 64 x 64 x 16 ('warp' and "
      "the K of 'block'), but the engine 'mma_sync' of 'sm_89' has 16 "
      "x 8 x 32",
      mma(128, 128, 16, 2), f8, target("sm_89"));
  expectBreaks(Limit::MmaShape,
               "needs an MMA shape for f64, which the engine 'wgmma' of "
               "'sm_90a' does not have",
               ScheduleFields(Engine::wgmma), kSquareF64, target("sm_90a"));
}

TEST(Limits, Engine) {
  expectFits(ScheduleFields(Engine::wgmma), kSquareF16, target("sm_90a"));
  for (StringRef chip : {"sm_80", "sm_86", "sm_89", "sm_90"})
    expectBreaks(Limit::Engine,
                 "needs the engine 'wgmma', which '" + chip.str() +
                     "' does not have; 'sm_90a' has",
                 ScheduleFields(Engine::wgmma), kSquareF16, target(chip));
}

TEST(Limits, Alignment) {
  expectBreaks(Limit::Alignment,
               "needs rows of 'lhs' that are a multiple of 16 bytes, for TMA, "
               "but they have 8002",
               ScheduleFields(Engine::wgmma),
               makeProduct(4096, 4096, 4001, NumericType::f16),
               target("sm_90a"));
  expectBreaks(Limit::Alignment,
               "needs rows of 'rhs' that are a multiple of 16 bytes, for TMA, "
               "but they have 8186",
               ScheduleFields(Engine::wgmma),
               makeProduct(4096, 4093, 4096, NumericType::f16),
               target("sm_90a"));
  expectFits(ScheduleFields(Engine::wgmma),
             makeProduct(4095, 4088, 4008, NumericType::f16), target("sm_90a"));
  expectBreaks(Limit::Alignment,
               "needs rows of shared tiles that are a multiple of 128 bytes, "
               "for 'swizzle', but 32 elements have 64",
               mma(128, 256, 32, 4, Engine::wgmma), kSquareF16,
               target("sm_90a"));
  // The other engines load in narrower pieces.
  ProductProblem odd = makeProduct(4095, 4093, 4001, NumericType::f16);
  expectFits(mma(128, 128, 32, 2), odd, target("sm_80"));
  expectFits(ScheduleFields(), odd, target("sm_80"));
}

TEST(Limits, Grid) {
  ScheduleFields small;
  small.block = {4, 8, 8};
  small.warp = {4, 8};
  small.thread = {1, 1};
  // 2^31 - 1 blocks, all on grid x; then one more.
  ProductProblem problem = makeProduct(4, 8, 8, NumericType::f32);
  problem.batch = 2147483647;
  expectFits(small, problem, target("sm_80"));
  problem.batch = 2147483648;
  expectBreaks(Limit::Grid,
               "needs 2147483648 blocks along grid x, but a launch allows "
               "2147483647; enlarge 'block'",
               small, problem, target("sm_80"));
  // No overflow on the way.
  problem.m = problem.n = INT64_MAX;
  std::optional<Infeasible> fault =
      findBrokenLimit(small, problem, target("sm_80"));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->limit, Limit::Grid);
  // Parts of K have blocks of their own.
  problem = makeProduct(128, 128, 8 * 65536, NumericType::f32);
  ScheduleFields split;
  split.block = {128, 128, 8};
  split.splitK = 65536;
  expectFits(split, problem, target("sm_80"));
  problem.batch = 32768;
  expectBreaks(Limit::Grid,
               "needs 2147483648 blocks along grid x, but a launch allows "
               "2147483647; enlarge 'block'",
               split, problem, target("sm_80"));
}

TEST(Parts, CoverKAndNoneIsEmpty) {
  for (int64_t k = 0; k <= 70; ++k)
    for (int64_t depth : {1, 4, 8, 16})
      for (int64_t asked : {1, 2, 3, 5, 8, 64}) {
        ScheduleFields schedule;
        schedule.block = {128, 128, depth};
        schedule.splitK = asked;
        const KParts parts(schedule, k);
        if (k == 0) {
          EXPECT_EQ(parts.count, 1);
          continue;
        }
        EXPECT_LE(parts.count, asked);
        EXPECT_EQ(parts.depth % depth, 0);
        // The last one has something, and it is the last one.
        EXPECT_LT((parts.count - 1) * parts.depth, k);
        EXPECT_GE(parts.count * parts.depth, k);
        // As many as were asked for, where equal ranges allow it.
        const int64_t steps = (k + depth - 1) / depth;
        if (steps % asked == 0) {
          EXPECT_EQ(parts.count, asked);
        }
      }
  ScheduleFields schedule;
  schedule.block = {128, 128, 32};
  schedule.splitK = 5;
  EXPECT_EQ(KParts(schedule, 256).count, 4); // 8 steps: 2, 2, 2, 2
  EXPECT_EQ(KParts(schedule, 256).depth, 64);
}

TEST(Limits, ClusterAndSplitK) {
  ScheduleFields schedule(Engine::wgmma);
  schedule.cluster = {2, 4};
  expectFits(schedule, kSquareF16, target("sm_90a"));
  ScheduleFields simt;
  simt.cluster = {2, 1};
  expectBreaks(Limit::Cluster,
               "needs clusters of 2 blocks, but 'sm_80' allows 1", simt,
               kSquareF32, target("sm_80"));
  ScheduleFields split;
  split.splitK = 128;
  expectFits(split, kSquareF32, target("sm_80"));
  split.splitK = 129;
  expectBreaks(Limit::SplitK,
               "needs 129 parts of K, but K of 4096 has 128 steps of 32", split,
               kSquareF32, target("sm_80"));
}

TEST(Limits, FormIsChecked) {
  ScheduleFields wrong;
  wrong.thread = {4, 8};
  expectBreaks(Limit::Form, "is no valid schedule", wrong, kSquareF32,
               target("sm_80"));
  wrong.warp = {0, 0};
  expectBreaks(Limit::Form, "is no valid schedule", wrong, kSquareF32,
               target("sm_80"));
  wrong.warp = {};
  expectBreaks(Limit::Form, "is no valid schedule", wrong, kSquareF32,
               target("sm_80"));
}

TEST(Limits, Unimplemented) {
  EXPECT_FALSE(findUnimplemented(ScheduleFields(), kSquareF32));
  for (Engine engine : {Engine::simt, Engine::mma_sync, Engine::wgmma})
    EXPECT_EQ(bool(findUnimplemented(ScheduleFields(engine), kSquareF16)),
              !llvm::is_contained(getImplementedEngines(), engine));
}

/// Boxes of output pixels: whole rows, then whole images, and the fewest.
TEST(PixelBox, CoversTheResultWithTheFewest) {
  auto shape = [](int64_t n, int64_t oh, int64_t ow) {
    ConvShape conv;
    conv.n = n;
    conv.oh = oh;
    conv.ow = ow;
    return conv;
  };
  using Box = SmallVector<int64_t, 3>;
  EXPECT_EQ(choosePixelBox(shape(64, 7, 7), 104), Box({2, 7, 7}));
  EXPECT_EQ(choosePixelBox(shape(64, 14, 14), 128), Box({1, 7, 14}));
  EXPECT_EQ(choosePixelBox(shape(64, 56, 56), 224), Box({1, 4, 56}));
  EXPECT_EQ(choosePixelBox(shape(1, 1, 1000), 256), Box({1, 1, 250}));
  EXPECT_EQ(choosePixelBox(shape(0, 0, 0), 8), Box({1, 1, 1}));
  for (int64_t n : {1, 3, 64})
    for (int64_t oh : {1, 5, 17, 33})
      for (int64_t ow : {1, 7, 59, 341})
        for (int64_t pixels : {1, 8, 104, 256}) {
          const ConvShape conv = shape(n, oh, ow);
          const Box box = choosePixelBox(conv, pixels);
          EXPECT_LE(box[0] * box[1] * box[2], pixels);
          EXPECT_GE(countBoxes(conv, box) * pixels, n * oh * ow);
        }
}

} // namespace
