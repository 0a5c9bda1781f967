//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of time against kernels that were measured.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/TimeModel.h"
#include "top/Tuning/SearchSpace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::top;

namespace {

GPUTarget getH200() {
  llvm::Expected<GPUTarget> target = lookupTarget("sm_90a", "h200");
  EXPECT_TRUE(bool(target));
  return *target;
}

std::string readFile(StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile((TOP_BENCH_DIR "/" + name).str());
  EXPECT_TRUE(bool(buffer)) << name.str();
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The products of test/bench/suite.json by name, as f16.
llvm::StringMap<ProductProblem> readSuite() {
  llvm::StringMap<ProductProblem> problems;
  llvm::Expected<llvm::json::Value> suite =
      llvm::json::parse(readFile("suite.json"));
  EXPECT_TRUE(bool(suite));
  for (const llvm::json::Value &row :
       *suite->getAsObject()->getArray("matmul")) {
    const llvm::json::Object &fields = *row.getAsObject();
    ProductProblem problem =
        makeProduct(*fields.getInteger("m"), *fields.getInteger("n"),
                    *fields.getInteger("k"), NumericType::f16);
    problem.batch = *fields.getInteger("b");
    problems[*fields.getString("name")] = problem;
  }
  return problems;
}

struct Measured {
  ScheduleFields schedule{Engine::mma_sync};
  double seconds;
};

llvm::StringMap<std::vector<Measured>> readMeasured() {
  llvm::StringMap<std::vector<Measured>> result;
  const std::string text = readFile("mma-sync-h200.csv");
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.empty() || line.starts_with("#"))
      continue;
    SmallVector<StringRef> cells;
    line.split(cells, ',');
    EXPECT_EQ(cells.size(), 9u) << line.str();
    int64_t numbers[7];
    for (int i = 0; i < 7; ++i)
      EXPECT_FALSE(cells[i + 1].getAsInteger(10, numbers[i]));
    Measured row;
    row.schedule.block = {numbers[0], numbers[1], numbers[2]};
    row.schedule.warp = {numbers[3], numbers[4]};
    row.schedule.stages = numbers[5];
    row.schedule.splitK = numbers[6];
    row.schedule.repack = true;
    EXPECT_FALSE(cells[8].getAsDouble(row.seconds));
    row.seconds *= 1e-6;
    result[cells[0]].push_back(row);
  }
  return result;
}

/// What it would choose among the kernels that were measured is nearly the
/// fastest of them, for every shape and on average.
TEST(TimeModel, ChoosesWellAmongMeasuredKernels) {
  const GPUTarget target = getH200();
  llvm::StringMap<ProductProblem> problems = readSuite();
  double logRegret = 0, error = 0;
  int64_t shapes = 0, kernels = 0;
  for (const auto &entry : readMeasured()) {
    ASSERT_TRUE(problems.count(entry.first())) << entry.first().str();
    const ProductProblem &problem = problems[entry.first()];
    const Measured *chosen = nullptr;
    double predicted = 0, fastest = INFINITY;
    for (const Measured &row : entry.second) {
      if (findFault(row.schedule, problem, target))
        continue; // by the model's count of registers
      const double seconds =
          estimateTime(row.schedule, problem, target).seconds;
      error += std::abs(std::log(seconds / row.seconds));
      ++kernels;
      fastest = std::min(fastest, row.seconds);
      if (!chosen || seconds < predicted) {
        chosen = &row;
        predicted = seconds;
      }
    }
    ASSERT_TRUE(chosen) << entry.first().str();
    EXPECT_LT(chosen->seconds, 1.15 * fastest) << entry.first().str();
    logRegret += std::log(chosen->seconds / fastest);
    ++shapes;
  }
  EXPECT_GE(shapes, 24);
  EXPECT_GE(kernels, 1000);
  EXPECT_LT(std::exp(logRegret / shapes), 1.03);
  EXPECT_LT(error / kernels, 0.15);
}

/// The convolutions of test/bench/suite.json by name, as f16 or tf32.
ProductProblem makeConvolution(const llvm::json::Object &fields, bool isTF32) {
  ProductProblem problem;
  ConvShape &conv = problem.conv;
  const std::pair<StringRef, int64_t *> extents[] = {
      {"n", &conv.n},   {"c", &conv.c},        {"h", &conv.h},
      {"w", &conv.w},   {"f", &conv.f},        {"kh", &conv.kh},
      {"kw", &conv.kw}, {"group", &conv.group}};
  for (auto [name, extent] : extents)
    *extent = *fields.getInteger(name);
  auto readAll = [&](StringRef name, MutableArrayRef<int64_t> values) {
    for (auto [value, item] : llvm::zip_equal(values, *fields.getArray(name)))
      value = *item.getAsInteger();
  };
  readAll("strides", conv.strides);
  readAll("dilations", conv.dilations);
  readAll("pads", conv.pads);
  auto count = [&](int64_t extent, int64_t pads, unsigned axis) {
    return (extent + pads - conv.getSpan(axis, 1)) / conv.strides[axis] + 1;
  };
  conv.oh = count(conv.h, conv.pads[0] + conv.pads[2], 0);
  conv.ow = count(conv.w, conv.pads[1] + conv.pads[3], 1);
  problem.isConvolution = true;
  problem.type = isTF32 ? NumericType::f32 : NumericType::f16;
  problem.allowTF32 = isTF32;
  problem.resultBytes = problem.getElementBytes();
  problem.batch = conv.group;
  problem.m = conv.getGroupOutputs();
  problem.n = conv.n * conv.oh * conv.ow;
  problem.k = conv.getGroupInputs() * conv.kh * conv.kw;
  return problem;
}

struct Regret {
  size_t shapes = 0;
  int64_t kernels = 0;
  double mean = 0;  ///< time of what is chosen over the best, geometric mean
  double worst = 0; ///< the same of one convolution
};

/// Chooses by the model among the kernels of a file of convolutions, in which a
/// column says which of input and result are channels last, or none. What
/// assignSchedule leaves out, for its many accesses to pixels of a thread, is
/// left out.
Regret chooseConvolutions(StringRef file, bool hasLayouts) {
  const GPUTarget target = getH200();
  Regret regret;
  llvm::Expected<llvm::json::Value> suite =
      llvm::json::parse(readFile("suite.json"));
  if (!suite) {
    ADD_FAILURE() << llvm::toString(suite.takeError());
    return regret;
  }
  llvm::StringMap<const llvm::json::Object *> shapes;
  for (const llvm::json::Value &row : *suite->getAsObject()->getArray("conv"))
    shapes[*row.getAsObject()->getString("name")] = row.getAsObject();
  struct Best {
    double chosen = 0, predicted = INFINITY, fastest = INFINITY;
  };
  llvm::StringMap<Best> found;
  const std::string text = readFile(file);
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.empty() || line.starts_with("#"))
      continue;
    SmallVector<StringRef> cells;
    line.split(cells, ',');
    int64_t numbers[10];
    double seconds;
    StringRef layouts;
    if (hasLayouts && cells.size() == 14) {
      layouts = cells[2];
      cells.erase(cells.begin() + 2);
    }
    bool isRow = cells.size() == 13 && shapes.count(cells[0]) &&
                 !cells[12].getAsDouble(seconds);
    for (int i = 0; isRow && i < 10; ++i)
      isRow = !cells[i + 2].getAsInteger(10, numbers[i]);
    if (!isRow) {
      ADD_FAILURE() << "no row of a convolution: " << line.str();
      continue;
    }
    ScheduleFields schedule(Engine::mma_sync);
    schedule.block = {numbers[0], numbers[1], numbers[2]};
    schedule.warp = {numbers[3], numbers[4]};
    schedule.stages = numbers[5];
    schedule.repack = numbers[6] != 0;
    schedule.box = {numbers[7], numbers[8], numbers[9]};
    seconds *= 1e-6;
    ProductProblem problem =
        makeConvolution(*shapes[cells[0]], cells[1] == "tf32");
    problem.isInputChannelsLast = layouts == "both" || layouts == "input";
    problem.isResultChannelsLast = layouts == "both" || layouts == "result";
    if (problem.isResultChannelsLast)
      schedule.pixels = PixelAxis::rows;
    const int64_t pixels = schedule.block[problem.isResultChannelsLast ? 0 : 1];
    if (findFault(schedule, problem, target) ||
        ((schedule.repack || problem.isInputChannelsLast) &&
         pixels * schedule.block[2] * problem.getElementBytes() >
             16 * getWindowBytes(schedule, problem) * schedule.getNumThreads()))
      continue;
    ++regret.kernels;
    Best &best = found[(cells[0] + "-" + cells[1] + "-" + layouts).str()];
    best.fastest = std::min(best.fastest, seconds);
    const double predicted = estimateTime(schedule, problem, target).seconds;
    if (predicted < best.predicted) {
      best.predicted = predicted;
      best.chosen = seconds;
    }
  }
  double logRegret = 0;
  for (const auto &entry : found) {
    const double ratio = entry.second.chosen / entry.second.fastest;
    if (ratio > regret.worst) {
      regret.worst = ratio;
      ::testing::Test::RecordProperty("worst", entry.first().str());
    }
    logRegret += std::log(ratio);
  }
  regret.shapes = found.size();
  regret.mean = std::exp(logRegret / found.size());
  return regret;
}

/// Packs of the images count, and whether there is one is a choice like any
/// other.
TEST(TimeModel, ChoosesWellAmongMeasuredConvolutions) {
  const Regret regret =
      chooseConvolutions("conv-h200.csv", /*hasLayouts=*/false);
  EXPECT_GE(regret.shapes, 32u);
  EXPECT_GE(regret.kernels, 700);
  EXPECT_LT(regret.worst, 1.3);
  EXPECT_LT(regret.mean, 1.09); // 1.089
}

/// Three have channels that are not filled up, and no kernel here of so few
/// pixels a thread that assignSchedule would look at it.
TEST(TimeModel, ChoosesWellAmongConvolutionsChannelsLast) {
  const Regret regret = chooseConvolutions("conv-channels-last-h200.csv",
                                           /*hasLayouts=*/true);
  EXPECT_EQ(regret.shapes, 33u);
  EXPECT_GE(regret.kernels, 160);
  EXPECT_LT(regret.worst, 1.25);
  EXPECT_LT(regret.mean, 1.04); // 1.034
}

ScheduleFields makeSchedule(int64_t m, int64_t n, int64_t k, int64_t warpM,
                            int64_t warpN, int64_t stages, int64_t parts = 1) {
  ScheduleFields schedule(Engine::mma_sync);
  schedule.block = {m, n, k};
  schedule.warp = {warpM, warpN};
  schedule.stages = stages;
  schedule.splitK = parts;
  return schedule;
}

TEST(TimeModel, NamesWhatBounds) {
  const GPUTarget target = getH200();
  const ScheduleFields large = makeSchedule(128, 256, 32, 64, 64, 4);
  EXPECT_EQ(estimateTime(large, makeProduct(8192, 8192, 8192, NumericType::f16),
                         target)
                .bound,
            TimeBound::TensorCores);
  // Two copies under way do not hide the latency of a small step.
  EXPECT_EQ(estimateTime(makeSchedule(16, 32, 64, 16, 8, 2),
                         makeProduct(16, 4096, 4096, NumericType::f16), target)
                .bound,
            TimeBound::Latency);
  // Never faster than the bytes.
  ProductProblem product = makeProduct(64, 28672, 8192, NumericType::f16);
  const TimeEstimate decode =
      estimateTime(makeSchedule(64, 256, 64, 64, 64, 4), product, target);
  EXPECT_EQ(decode.bound, TimeBound::GlobalMemory);
  EXPECT_GE(decode.seconds, 2.0 * 28672 * 8192 / target.card.bytesPerSecond);
}

TEST(TimeModel, PartsOfKPayForFewBlocks) {
  const GPUTarget target = getH200();
  const ProductProblem deep = makeProduct(256, 256, 16384, NumericType::f16);
  auto seconds = [&](int64_t parts) {
    return estimateTime(makeSchedule(64, 128, 64, 32, 64, 4, parts), deep,
                        target)
        .seconds;
  };
  EXPECT_LT(seconds(16), seconds(4));
  EXPECT_LT(seconds(4), seconds(1));
  // The sum of very many costs more than it saves.
  EXPECT_GT(seconds(64), seconds(16));
}

TEST(TimeModel, CountsCopiesOfOperands) {
  const GPUTarget target = getH200();
  ScheduleFields schedule = makeSchedule(128, 256, 32, 64, 64, 4);
  const ProductProblem odd = makeProduct(4096, 4093, 4001, NumericType::f16);
  const double without = estimateTime(schedule, odd, target).seconds;
  schedule.repack = true;
  EXPECT_GT(estimateTime(schedule, odd, target).seconds, without + 4e-6);
}

} // namespace
