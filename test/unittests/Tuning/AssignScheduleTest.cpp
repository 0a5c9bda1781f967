//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choices of schedules: each rule in a case of its own, and that what they
// choose can run, for many shapes on every chip.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/AssignSchedule.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::top;

namespace {

GPUTarget target(StringRef chip, StringRef card = "") {
  llvm::Expected<GPUTarget> found = lookupTarget(chip, card);
  EXPECT_TRUE(bool(found));
  return *found;
}

std::string assign(const ProductProblem &problem, const GPUTarget &target) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string reason;
  FailureOr<Assignment> assignment = assignSchedule(problem, target, reason);
  if (failed(assignment))
    return reason;
  assignment->schedule.print(os);
  return text;
}

ScheduleFields fields(const ProductProblem &problem, const GPUTarget &target) {
  std::string reason;
  FailureOr<Assignment> assignment = assignSchedule(problem, target, reason);
  EXPECT_TRUE(succeeded(assignment)) << reason;
  return assignment->schedule;
}

TEST(AssignSchedule, StartsAtTheDefault) {
  // Fits in L2, fills the card: nothing to change. The SM's shared memory is
  // used up by two blocks of 64 KB.
  EXPECT_EQ(
      assign(makeProduct(2048, 2048, 2048, NumericType::f32), target("sm_80")),
      "#top.schedule<engine = simt, block = [128, 128, 32], warp = [32, "
      "64], thread = [8, 8], stages = 2>");
}

TEST(AssignSchedule, SharedMemoryLeftOver) {
  EXPECT_EQ(
      fields(makeProduct(2048, 2048, 2048, NumericType::f32), target("sm_90a"))
          .stages,
      3);
}

//===----------------------------------------------------------------------===//
// mma_sync
//===----------------------------------------------------------------------===//

TEST(AssignSchedule, TensorCoresWhereTheyHaveTheType) {
  ProductProblem product = makeProduct(2048, 2048, 2048, NumericType::f32);
  EXPECT_EQ(fields(product, target("sm_80")).engine, Engine::simt);
  product.allowTF32 = true;
  EXPECT_EQ(fields(product, target("sm_80")).engine, Engine::mma_sync);
  for (NumericType type :
       {NumericType::f16, NumericType::bf16, NumericType::i8})
    EXPECT_EQ(
        fields(makeProduct(2048, 2048, 2048, type), target("sm_80")).engine,
        Engine::mma_sync);
  product = makeProduct(2048, 2048, 2048, NumericType::f8);
  EXPECT_EQ(fields(product, target("sm_80")).engine, Engine::simt);
  EXPECT_EQ(fields(product, target("sm_89")).engine, Engine::mma_sync);
  EXPECT_EQ(
      fields(makeProduct(2048, 2048, 2048, NumericType::f64), target("sm_90a"))
          .engine,
      Engine::simt);
}

TEST(AssignSchedule, LargeSquares) {
  for (int64_t size : {4096, 8192}) {
    ScheduleFields schedule =
        fields(makeProduct(size, size, size, NumericType::f16),
               target("sm_90a", "h200"));
    EXPECT_EQ(ArrayRef<int64_t>(schedule.block),
              ArrayRef<int64_t>({128, 256, 32}));
    EXPECT_EQ(ArrayRef<int64_t>(schedule.warp), ArrayRef<int64_t>({64, 64}));
    EXPECT_EQ(schedule.getNumWarps(), 8);
    EXPECT_GE(schedule.stages, 4);
    EXPECT_EQ(schedule.splitK, 1);
    // 132 blocks at once of 128 x 256: 16 rows of 8 are 2048 x 2048.
    EXPECT_EQ(schedule.order, BlockOrder::grouped);
    EXPECT_EQ(schedule.groupSize, 16);
  }
}

TEST(AssignSchedule, FewTilesAndDeepK) {
  const GPUTarget card = target("sm_90a", "h200");
  ScheduleFields schedule =
      fields(makeProduct(256, 256, 16384, NumericType::f16), card);
  EXPECT_GE(schedule.splitK, 8);
  const ProductProblem product = makeProduct(256, 256, 16384, NumericType::f16);
  TileCounts tiles = countTiles(schedule, product);
  EXPECT_GE(tiles.m * tiles.n * schedule.splitK, card.card.numSMs / 2);
  // As many tiles as SMs: the sum of parts would cost more than it brings.
  EXPECT_EQ(
      fields(makeProduct(1024, 1024, 1024, NumericType::f16), card).splitK, 1);
}

TEST(AssignSchedule, FewRows) {
  const GPUTarget card = target("sm_90a", "h200");
  for (int64_t m : {1, 5, 16})
    EXPECT_EQ(
        fields(makeProduct(m, 4096, 4096, NumericType::f16), card).block[0],
        16);
  EXPECT_EQ(
      fields(makeProduct(30, 4096, 4096, NumericType::f16), card).block[0], 32);
  EXPECT_EQ(
      fields(makeProduct(64, 28672, 8192, NumericType::f16), card).block[0],
      64);
  // Columns come in eights.
  EXPECT_EQ(fields(makeProduct(4096, 3, 4096, NumericType::f16), card).block[1],
            8);
}

TEST(AssignSchedule, FewRowsWithoutTensorCores) {
  const GPUTarget card = target("sm_90a", "h200");
  ScheduleFields row =
      fields(makeProduct(1, 4096, 4096, NumericType::f32), card);
  EXPECT_EQ(ArrayRef<int64_t>(row.block), ArrayRef<int64_t>({1, 128, 32}));
  EXPECT_EQ(ArrayRef<int64_t>(row.thread), ArrayRef<int64_t>({1, 1}));
  EXPECT_GT(row.splitK, 1);
  ScheduleFields column =
      fields(makeProduct(4096, 5, 4096, NumericType::f32), card);
  EXPECT_EQ(ArrayRef<int64_t>(column.block), ArrayRef<int64_t>({128, 8, 32}));
  EXPECT_EQ(ArrayRef<int64_t>(column.thread), ArrayRef<int64_t>({1, 8}));
}

TEST(AssignSchedule, NoMoreStagesThanSteps) {
  for (int64_t k : {8, 64, 100, 256}) {
    const ProductProblem product = makeProduct(8192, 8192, k, NumericType::f16);
    ScheduleFields schedule = fields(product, target("sm_90a", "h200"));
    EXPECT_LE(schedule.stages, countTiles(schedule, product).k) << k;
  }
}

TEST(AssignSchedule, UnalignedRowsAreRepacked) {
  const GPUTarget card = target("sm_90a", "h200");
  EXPECT_TRUE(
      fields(makeProduct(4095, 4093, 4001, NumericType::f16), card).repack);
  EXPECT_FALSE(
      fields(makeProduct(1000, 1000, 1000, NumericType::f16), card).repack);
}

TEST(AssignSchedule, SaysWhy) {
  std::string reason;
  FailureOr<Assignment> assignment =
      assignSchedule(makeProduct(256, 256, 16384, NumericType::f16),
                     target("sm_90a", "h200"), reason);
  ASSERT_TRUE(succeeded(assignment));
  ASSERT_GE(assignment->reasons.size(), 2u);
  EXPECT_NE(assignment->reasons[0].find("by the model"), std::string::npos);
  EXPECT_NE(assignment->reasons[1].find("parts of K, since"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// simt
//===----------------------------------------------------------------------===//

TEST(AssignSchedule, OccupancyTooLow) {
  // One block of 8 warps of 48 would be 17 %.
  ScheduleFields schedule =
      fields(makeProduct(2048, 2048, 2048, NumericType::f32), target("sm_86"));
  EXPECT_EQ(schedule.block[2], 16);
  const Occupancy occupancy = computeOccupancy(
      target("sm_86").arch, schedule,
      estimateResources(schedule,
                        makeProduct(2048, 2048, 2048, NumericType::f32)));
  EXPECT_EQ(occupancy.blocksPerSM, 2);
}

TEST(AssignSchedule, SmallSides) {
  ScheduleFields row =
      fields(makeProduct(12, 65536, 1024, NumericType::f32), target("sm_80"));
  EXPECT_EQ(row.block[0], 16);
  ScheduleFields column =
      fields(makeProduct(65536, 20, 1024, NumericType::f32), target("sm_80"));
  EXPECT_EQ(column.block[1], 32);
  EXPECT_GE(column.getNumThreads(), 128);
}

TEST(AssignSchedule, FewTiles) {
  // 16 blocks of 128 x 128 would leave most of 108 SMs idle.
  ScheduleFields schedule =
      fields(makeProduct(512, 512, 4096, NumericType::f32), target("sm_80"));
  TileCounts tiles =
      countTiles(schedule, makeProduct(512, 512, 4096, NumericType::f32));
  EXPECT_GE(tiles.m * tiles.n, 108);
  // A batch fills it as it is.
  ProductProblem batch = makeProduct(512, 512, 4096, NumericType::f32);
  batch.batch = 64;
  EXPECT_EQ(fields(batch, target("sm_80")).block[0], 128);
}

TEST(AssignSchedule, SmallDepth) {
  ScheduleFields shallow =
      fields(makeProduct(4096, 4096, 16, NumericType::f32), target("sm_80"));
  EXPECT_EQ(shallow.block[2], 16);
  EXPECT_EQ(shallow.stages, 1);
  ScheduleFields one =
      fields(makeProduct(4096, 4096, 1, NumericType::f32), target("sm_80"));
  EXPECT_EQ(one.block[2], 8);
  EXPECT_EQ(one.stages, 1);
}

TEST(AssignSchedule, DoublesFit) {
  ScheduleFields schedule =
      fields(makeProduct(4096, 4096, 4096, NumericType::f64), target("sm_86"));
  EXPECT_LE(estimateResources(schedule,
                              makeProduct(4096, 4096, 4096, NumericType::f64))
                .registers,
            255);
}

TEST(AssignSchedule, GroupsBeyondL2) {
  EXPECT_EQ(
      fields(makeProduct(2048, 2048, 2048, NumericType::f32), target("sm_80"))
          .order,
      BlockOrder::row);
  ScheduleFields large =
      fields(makeProduct(8192, 8192, 8192, NumericType::f32), target("sm_80"));
  EXPECT_EQ(large.order, BlockOrder::grouped);
  EXPECT_EQ(large.groupSize, 8);
}

TEST(AssignSchedule, NothingToMultiply) {
  // A kernel that stores the bias, or none at all: any that fits.
  for (auto [m, k] : {std::pair<int64_t, int64_t>(0, 8), {8, 0}}) {
    std::string text =
        assign(makeProduct(m, 8, k, NumericType::f32), target("sm_80"));
    EXPECT_NE(text.find("block ="), std::string::npos) << text;
  }
}

TEST(AssignSchedule, OnlyImplementedEngines) {
  ScheduleFields schedule =
      fields(makeProduct(4096, 4096, 4096, NumericType::f16), target("sm_90a"));
  EXPECT_TRUE(llvm::is_contained(getImplementedEngines(), schedule.engine));
}

TEST(AssignSchedule, AlwaysFits) {
  for (const GPUCard &card : getCards())
    for (NumericType type :
         {NumericType::f64, NumericType::f32, NumericType::f16,
          NumericType::bf16, NumericType::i8, NumericType::f8})
      for (int64_t m : {1, 2, 7, 31, 64, 129, 1000, 4096, 100000})
        for (int64_t n : {1, 3, 8, 33, 127, 1024, 4093})
          for (int64_t k : {1, 2, 9, 31, 64, 1000, 4001})
            for (int64_t batch : {1, 5, 70000}) {
              ProductProblem problem = makeProduct(m, n, k, type);
              problem.batch = batch;
              const GPUTarget on = target("", card.name);
              std::string reason;
              FailureOr<Assignment> assignment =
                  assignSchedule(problem, on, reason);
              ASSERT_TRUE(succeeded(assignment)) << reason;
              std::optional<Infeasible> fault =
                  findFault(assignment->schedule, problem, on);
              ASSERT_FALSE(fault) << fault->reason;
              EXPECT_GE(assignment->schedule.getNumThreads(), 32);
            }
}

} // namespace
