//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The space holds each schedule once, what is said to fit does, and a schedule
// that cannot run is led to a near one that can.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/SearchSpace.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir;
using namespace mlir::top;

namespace {

GPUTarget target(StringRef chip) {
  llvm::Expected<GPUTarget> found = lookupTarget(chip);
  EXPECT_TRUE(bool(found));
  return *found;
}

std::string toText(const ScheduleFields &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  schedule.print(os);
  return text;
}

const ProductProblem kSquareF32 =
    makeProduct(4096, 4096, 4096, NumericType::f32);

TEST(SearchSpace, EachOnce) {
  for (Engine engine : {Engine::simt, Engine::mma_sync, Engine::wgmma}) {
    std::set<std::string> texts;
    SmallVector<ScheduleFields> space = enumerateSchedules(engine);
    for (const ScheduleFields &schedule : space) {
      EXPECT_EQ(schedule.engine, engine);
      texts.insert(toText(schedule));
    }
    EXPECT_EQ(texts.size(), space.size());
    EXPECT_GT(space.size(), 100u);
    // The engine's default is in it.
    EXPECT_EQ(texts.count(toText(ScheduleFields(engine))), 1u);
  }
}

TEST(SearchSpace, EveryReasonOccurs) {
  // The largest space has an example of each reason that the issue names.
  std::set<Limit> limits;
  auto collect = [&](const ProductProblem &problem, StringRef chip) {
    for (Engine engine : {Engine::simt, Engine::mma_sync, Engine::wgmma})
      for (const ScheduleFields &schedule : enumerateSchedules(engine))
        if (std::optional<Infeasible> fault =
                findBrokenLimit(schedule, problem, target(chip))) {
          EXPECT_FALSE(fault->reason.empty());
          // The attribute itself is never the reason, but for its threads.
          EXPECT_NE(fault->limit, Limit::Form) << toText(schedule);
          limits.insert(fault->limit);
        }
  };
  collect(kSquareF32, "sm_86");
  collect(makeProduct(4096, 4093, 4001, NumericType::f16), "sm_90a");
  ProductProblem many = makeProduct(64, 64, 64, NumericType::f32);
  many.batch = int64_t(1) << 31;
  collect(many, "sm_80");
  EXPECT_EQ(limits,
            (std::set<Limit>{Limit::Engine, Limit::Threads, Limit::MmaShape,
                             Limit::Alignment, Limit::SharedMemory,
                             Limit::Registers, Limit::Grid}));
}

TEST(SearchSpace, WarpTiles) {
  auto choose = [](Engine engine, int64_t m, int64_t n) {
    ScheduleFields schedule(engine);
    schedule.block = {m, n, 32};
    return succeeded(chooseWarpTiles(schedule)) ? toText(schedule) : "none";
  };
  EXPECT_EQ(choose(Engine::simt, 128, 128), toText(ScheduleFields()));
  EXPECT_EQ(choose(Engine::simt, 64, 64),
            "#top.schedule<engine = simt, block = [64, 64, 32], warp = [32, "
            "32], thread = [4, 8], stages = 2>");
  // Too small for 128 threads, but not for a warp.
  EXPECT_EQ(choose(Engine::simt, 8, 8),
            "#top.schedule<engine = simt, block = [8, 8, 32], warp = [4, 8], "
            "thread = [1, 1], stages = 2>");
  EXPECT_EQ(choose(Engine::simt, 1, 128),
            "#top.schedule<engine = simt, block = [1, 128, 32], warp = [1, "
            "32], thread = [1, 1], stages = 2>");
  EXPECT_EQ(choose(Engine::simt, 3, 5), "none");
  EXPECT_EQ(choose(Engine::mma_sync, 128, 128),
            toText(ScheduleFields(Engine::mma_sync)));
  EXPECT_EQ(choose(Engine::mma_sync, 16, 8),
            "#top.schedule<engine = mma_sync, block = [16, 8, 32], warp = [16, "
            "8], stages = 2>");
  EXPECT_EQ(choose(Engine::mma_sync, 8, 8), "none");
}

TEST(Nearest, FittingStays) {
  ScheduleFields schedule;
  schedule.order = BlockOrder::grouped;
  schedule.groupSize = 3;
  std::optional<ScheduleFields> nearest =
      findNearestFitting(schedule, kSquareF32, target("sm_80"));
  ASSERT_TRUE(nearest);
  EXPECT_EQ(toText(*nearest), toText(schedule));
}

TEST(Nearest, FewerStagesFirst) {
  ScheduleFields schedule;
  schedule.stages = 6;
  std::optional<ScheduleFields> nearest =
      findNearestFitting(schedule, kSquareF32, target("sm_80"));
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->stages, 5); // 163840 of 166912 bytes
  EXPECT_EQ(nearest->block, schedule.block);
  EXPECT_EQ(nearest->warp, schedule.warp);
  nearest = findNearestFitting(schedule, kSquareF32, target("sm_86"));
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->block[2], 32);
  EXPECT_EQ(nearest->stages, 3); // 98304 of 101376
  // Nothing left to lower but K steps.
  schedule.block = {128, 128, 512};
  schedule.stages = 1;
  nearest = findNearestFitting(schedule, kSquareF32, target("sm_80"));
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->block, (SmallVector<int64_t, 3>{128, 128, 128}));
}

TEST(Nearest, OtherEngine) {
  std::optional<ScheduleFields> nearest = findNearestFitting(
      ScheduleFields(Engine::wgmma),
      makeProduct(4096, 4096, 4096, NumericType::f64), target("sm_80"));
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->engine, Engine::simt); // wgmma knows no f64
}

TEST(Nearest, AlwaysFits) {
  std::mt19937 random(1);
  auto pick = [&](std::initializer_list<int64_t> values) {
    return *(values.begin() + random() % values.size());
  };
  for (int i = 0; i < 60; ++i) {
    ScheduleFields schedule(Engine(pick({0, 1, 2})));
    schedule.block = {pick({0, 1, 24, 48, 128, 512, 65536}),
                      pick({0, 8, 100, 256, 512, 1000}),
                      pick({0, 1, 7, 32, 128, 4096})};
    schedule.stages = pick({-1, 1, 2, 9, 65536});
    schedule.cluster = {pick({1, 4}), pick({1, 2})};
    schedule.splitK = pick({1, 7, 100000});
    const ProductProblem problem =
        makeProduct(pick({1, 100, 4096}), pick({1, 77, 4096}),
                    pick({1, 50, 4096}), NumericType(pick({0, 1, 3, 4})));
    for (StringRef chip : {"sm_80", "sm_86", "sm_90a"}) {
      std::optional<ScheduleFields> nearest =
          findNearestFitting(schedule, problem, target(chip));
      ASSERT_TRUE(nearest) << toText(schedule);
      EXPECT_FALSE(findFault(*nearest, problem, target(chip)))
          << toText(*nearest);
    }
  }
}

} // namespace
