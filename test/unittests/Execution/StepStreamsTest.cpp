//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes that overlap, compared with sets of bytes, and the streams of steps: a
// step is behind those that it waits for, and beside the others.
//
//===----------------------------------------------------------------------===//

#include "top/Execution/StepStreams.h"
#include "FakeCuda.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir;
using namespace mlir::top;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static std::set<int64_t> getBytes(const PlanBox &box) {
  std::set<int64_t> starts = {box.offset}, bytes;
  for (auto [extent, stride] : llvm::zip(box.shape, box.strides)) {
    std::set<int64_t> next;
    for (int64_t start : starts)
      for (int64_t i = 0; i < extent; ++i)
        next.insert(start + i * stride);
    starts = next;
  }
  for (int64_t start : starts)
    for (int64_t byte = 0; byte < box.elementBytes; ++byte)
      bytes.insert(start + byte);
  return bytes;
}

static bool shareBytes(const PlanBox &lhs, const PlanBox &rhs) {
  std::set<int64_t> bytes = getBytes(lhs);
  return llvm::any_of(getBytes(rhs),
                      [&](int64_t byte) { return bytes.count(byte) != 0; });
}

TEST(PlanBoxTest, Tiles) {
  // Rows 0 to 3 of both images of 2 x 8 x 4 floats, and rows 4 to 7.
  PlanBox upper{0, 0, {2, 4, 4}, {128, 16, 4}, 4};
  PlanBox lower{0, 64, {2, 4, 4}, {128, 16, 4}, 4};
  EXPECT_FALSE(upper.overlaps(lower));
  EXPECT_FALSE(lower.overlaps(upper));
  EXPECT_TRUE(upper.overlaps(upper));
  // One row more.
  PlanBox more{0, 0, {2, 5, 4}, {128, 16, 4}, 4};
  EXPECT_TRUE(more.overlaps(lower));
  // All of it as one row, and another buffer.
  PlanBox all{0, 0, {64}, {4}, 4};
  EXPECT_TRUE(all.overlaps(lower));
  EXPECT_FALSE((PlanBox{1, 0, {64}, {4}, 4}).overlaps(lower));
  // Nothing.
  EXPECT_FALSE((PlanBox{0, 0, {0, 4}, {16, 4}, 4}).overlaps(all));
  // Even and odd columns; every second and every fourth.
  PlanBox even{0, 0, {8, 2}, {16, 8}, 4}, odd{0, 4, {8, 2}, {16, 8}, 4};
  EXPECT_FALSE(even.overlaps(odd));
  EXPECT_FALSE((PlanBox{0, 4, {8}, {16}, 4}).overlaps(even));
  EXPECT_TRUE((PlanBox{0, 8, {8}, {16}, 4}).overlaps(even));
}

TEST(PlanBoxTest, Random) {
  std::mt19937 random(7);
  auto pick = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  // Boxes of one tensor of bytes, of several, and of no order at all.
  int overlapping = 0;
  for (int round = 0; round < 3000; ++round) {
    const int64_t c = pick(1, 5), h = pick(1, 6), w = pick(1, 7);
    auto makeBox = [&]() {
      PlanBox box{0, 0, {}, {}, pick(1, 2)};
      if (round % 3 == 2) {
        for (int64_t rank = pick(0, 3); rank > 0; --rank) {
          box.shape.push_back(pick(0, 4));
          box.strides.push_back(pick(0, 20));
        }
        box.offset = pick(0, 40);
        return box;
      }
      const int64_t extents[] = {c, h, w}, pitches[] = {h * w, w, 1};
      const int64_t unit = round % 3 == 1 ? box.elementBytes : 1;
      box.elementBytes = round % 3 == 1 ? box.elementBytes : 1;
      for (int dim = 0; dim < 3; ++dim) {
        const int64_t step = pick(1, 2), first = pick(0, extents[dim] - 1);
        const int64_t left = (extents[dim] - first + step - 1) / step;
        box.offset += first * pitches[dim] * unit;
        box.shape.push_back(pick(1, left));
        box.strides.push_back(step * pitches[dim] * unit);
      }
      return box;
    };
    PlanBox lhs = makeBox(), rhs = makeBox();
    const bool expected = shareBytes(lhs, rhs);
    overlapping += expected;
    ASSERT_EQ(lhs.overlaps(rhs), expected) << "round " << round;
    ASSERT_EQ(rhs.overlaps(lhs), expected) << "round " << round;
  }
  EXPECT_GT(overlapping, 500);
  EXPECT_LT(overlapping, 2500);
}

TEST(PlanBoxTest, Large) {
  // Tiles of 64 x 512 x 56 x 56 halves need no row to be looked at; where it
  // would take long, boxes are taken to overlap.
  PlanBox tile{0, 0, {64, 512, 8, 56}, {3211264, 6272, 112, 2}, 2};
  PlanBox next = tile;
  next.offset = 896;
  EXPECT_FALSE(tile.overlaps(next));
  PlanBox odd{0, 1, {100000, 1}, {14, 1}, 1},
      even{0, 0, {150000, 1}, {10, 1}, 1};
  EXPECT_TRUE(odd.overlaps(even));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static LaunchPlan makePlan(std::vector<SmallVector<unsigned>> after) {
  LaunchPlan plan;
  for (size_t i = 0; i < after.size(); ++i)
    plan.steps.push_back(PlanLaunch{"k", {1, 1, 1}, {32, 1, 1}, 0, {}});
  plan.after = std::move(after);
  return plan;
}

static SmallVector<unsigned> getStreams(const LaunchPlan &plan) {
  return llvm::map_to_vector(
      placeSteps(plan), [](const StepPlace &place) { return place.stream; });
}

TEST(StepStreamsTest, Places) {
  // A chain, and a plan that says nothing.
  EXPECT_EQ(getStreams(makePlan({{}, {0}, {1}})),
            ArrayRef<unsigned>({0, 0, 0}));
  LaunchPlan inOrder = makePlan({{}, {}});
  inOrder.after.clear();
  EXPECT_EQ(getStreams(inOrder), ArrayRef<unsigned>({0, 0}));
  // Three tiles, and what needs all of them.
  LaunchPlan tiles = makePlan({{}, {}, {}, {0, 1, 2}});
  EXPECT_EQ(getStreams(tiles), ArrayRef<unsigned>({0, 1, 2, 0}));
  std::vector<StepPlace> places = placeSteps(tiles);
  EXPECT_FALSE(places[0].isRecorded);
  EXPECT_TRUE(places[1].isRecorded && places[2].isRecorded);
  EXPECT_EQ(places[3].waits, ArrayRef<unsigned>({1, 2}));
  // Two that need one: one goes on in its stream.
  EXPECT_EQ(getStreams(makePlan({{}, {0}, {0}})),
            ArrayRef<unsigned>({0, 0, 1}));
  // No more streams than there may be.
  SmallVector<unsigned> streams = getStreams(
      makePlan(std::vector<SmallVector<unsigned>>(5 * kMaxStepStreams)));
  EXPECT_EQ(*llvm::max_element(streams), kMaxStepStreams - 1);
  EXPECT_EQ(llvm::count(streams, 0u), 5);
}

TEST(StepStreamsTest, Order) {
  FakeCuda fake;
  fake.tracksOrder = true;
  fake.kernels["k"] = {0, [](const std::vector<uint64_t> &) {}};
  {
    auto context = CudaContext::create(fake.getFunctions());
    ASSERT_TRUE(bool(context)) << llvm::toString(context.takeError());
    CudaContext &cuda = **context;
    auto module = cuda.load("ptx");
    ASSERT_TRUE(bool(module));
    auto kernel = cuda.getKernel(*module, "k");
    ASSERT_TRUE(bool(kernel));
    std::mt19937 random(3);
    for (int round = 0; round < 60; ++round) {
      const unsigned count = 1 + random() % 40;
      std::vector<SmallVector<unsigned>> after(count);
      std::vector<std::set<unsigned>> all(count);
      for (unsigned i = 0; i < count; ++i)
        for (unsigned j = 0; j < i; ++j)
          if (random() % 20 == 0) {
            after[i].push_back(j);
            all[i].insert(j);
            all[i].insert(all[j].begin(), all[j].end());
          }
      LaunchPlan plan = makePlan(after);
      auto streams = StepStreams::create(cuda, plan);
      ASSERT_TRUE(bool(streams));
      auto stream = cuda.createStream();
      ASSERT_TRUE(bool(stream));
      fake.launches.clear();
      auto launch = [&](const CudaStream &own) {
        return cuda.launch(*kernel, {{1, 1, 1}, {32, 1, 1}, 0}, {}, own);
      };
      // Twice, with a launch in between.
      for (int run = 0; run < 2; ++run) {
        ASSERT_FALSE(
            streams->run(*stream, [&](unsigned, const CudaStream &own) {
              return launch(own);
            }));
        ASSERT_FALSE(launch(*stream));
      }
      ASSERT_EQ(fake.launches.size(), 2 * (count + 1));
      const unsigned first = fake.launches.front().number;
      bool someBeside = false;
      for (unsigned i = 0; i < count; ++i) {
        const std::set<unsigned> &before = fake.launches[i].before;
        for (unsigned j = 0; j < i; ++j) {
          if (all[i].count(j))
            EXPECT_TRUE(before.count(first + j)) << i << " behind " << j;
          someBeside |= !before.count(first + j);
        }
        // The one between is behind all of the first run, all of the second
        // behind it.
        EXPECT_TRUE(fake.launches[count].before.count(first + i));
        EXPECT_TRUE(fake.launches[count + 1 + i].before.count(first + count));
      }
      if (count > 20)
        EXPECT_TRUE(someBeside);
    }
  }
  EXPECT_EQ(fake.numLive(), 0);
}
