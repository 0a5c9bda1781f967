//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SearchSpace.h.
//
//===----------------------------------------------------------------------===//

#include "top/Tuning/SearchSpace.h"

#include "top/Tuning/DirectSchedule.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::top;

/// A block of fewer threads cannot keep the four parts of an SM busy.
static constexpr int64_t kMinThreads = 128;
static constexpr int64_t kMaxThreads = 1024;

/// Lanes of a warp along M and N that make its tile of `thread` tiles as
/// square as the block allows, wide rather than high; nullopt where 32 threads
/// do not divide the block.
static std::optional<std::pair<int64_t, int64_t>>
findLanes(ArrayRef<int64_t> block, int64_t threadM, int64_t threadN) {
  std::optional<std::pair<int64_t, int64_t>> best;
  double bestSkew = 0;
  for (int64_t lanesM = 1; lanesM <= kThreadsPerWarp; lanesM *= 2) {
    const int64_t lanesN = kThreadsPerWarp / lanesM;
    if (block[0] % (lanesM * threadM) != 0 ||
        block[1] % (lanesN * threadN) != 0)
      continue;
    const double skew =
        std::abs(std::log2(double(lanesM * threadM) / (lanesN * threadN)));
    if (!best || skew < bestSkew) {
      best = {lanesM, lanesN};
      bestSkew = skew;
    }
  }
  return best;
}

/// Sets the thread tile and the warp tile that follows from it.
static LogicalResult setThreadTile(ScheduleFields &schedule, int64_t threadM,
                                   int64_t threadN) {
  auto lanes = findLanes(schedule.block, threadM, threadN);
  if (!lanes)
    return failure();
  schedule.thread = {threadM, threadN};
  schedule.warp = {lanes->first * threadM, lanes->second * threadN};
  return success();
}

/// Warp tiles (thread tiles for simt), the largest first; of equal ones the
/// squarest, then the widest.
static ArrayRef<std::pair<int64_t, int64_t>> getTileChoices(Engine engine) {
  static constexpr std::pair<int64_t, int64_t> simt[] = {
      {8, 8}, {4, 8}, {8, 4}, {4, 4}, {2, 8}, {8, 2}, {2, 4}, {4, 2},
      {1, 8}, {8, 1}, {2, 2}, {1, 4}, {4, 1}, {1, 2}, {2, 1}, {1, 1}};
  static constexpr std::pair<int64_t, int64_t> mma[] = {
      {64, 64}, {32, 64}, {64, 32}, {32, 32}, {16, 64},
      {64, 16}, {16, 32}, {32, 16}, {16, 16}, {16, 8}};
  // A consumer has the block's whole width: B is read once for 64 rows.
  static constexpr std::pair<int64_t, int64_t> wgmma[] = {
      {64, 256}, {64, 192}, {64, 128}, {64, 96}, {64, 64}, {64, 32}};
  switch (engine) {
  case Engine::direct:
  case Engine::simt:
    return simt;
  case Engine::mma_sync:
    return mma;
  case Engine::wgmma:
    return wgmma;
  }
  llvm_unreachable("an engine without tiles");
}

LogicalResult top::chooseWarpTiles(ScheduleFields &schedule) {
  std::optional<ScheduleFields> best;
  for (auto [tileM, tileN] : getTileChoices(schedule.engine)) {
    ScheduleFields candidate = schedule;
    candidate.warp = {tileM, tileN};
    candidate.thread = {};
    if ((schedule.engine == Engine::simt ||
         schedule.engine == Engine::direct) &&
        failed(setThreadTile(candidate, tileM, tileN)))
      continue;
    if (failed(candidate.verify(nullptr)))
      continue;
    const int64_t threads = candidate.getNumThreads();
    if (!best || threads > best->getNumThreads())
      best = candidate;
    if (threads >= kMinThreads)
      break;
  }
  if (!best)
    return failure();
  schedule = *best;
  return success();
}

SmallVector<ScheduleFields> top::enumerateSchedules(Engine engine) {
  struct Space {
    SmallVector<int64_t> blockM, blockN, blockK, stages;
    SmallVector<std::pair<int64_t, int64_t>> tiles;
  };
  Space space;
  switch (engine) {
  case Engine::direct: // depends on the convolution alone
    return {ScheduleFields(engine)};
  case Engine::simt:
    space = {{16, 32, 64, 128, 256},
             {16, 32, 64, 128, 256},
             {8, 16, 32, 64},
             {1, 2, 3, 4},
             {{8, 8}, {4, 8}, {4, 4}, {2, 2}}};
    break;
  case Engine::mma_sync:
    space = {{32, 64, 128, 256},
             {32, 64, 128, 256},
             {16, 32, 64},
             {1, 2, 3, 4, 5},
             {{64, 64}, {32, 64}, {64, 32}, {32, 32}}};
    break;
  case Engine::wgmma:
    space = {{64, 128, 192, 256},
             {64, 128, 192, 256},
             {32, 64, 128},
             {2, 3, 4, 5, 6},
             {{64, 64}, {64, 128}, {64, 192}, {64, 256}}};
    break;
  }
  SmallVector<ScheduleFields> result;
  for (int64_t blockM : space.blockM)
    for (int64_t blockN : space.blockN)
      for (int64_t blockK : space.blockK)
        for (auto [tileM, tileN] : space.tiles)
          for (int64_t stages : space.stages) {
            ScheduleFields schedule(engine);
            schedule.block = {blockM, blockN, blockK};
            schedule.stages = stages;
            schedule.warp = {tileM, tileN};
            if (engine == Engine::simt &&
                failed(setThreadTile(schedule, tileM, tileN)))
              continue;
            if (engine == Engine::wgmma && tileN != blockN)
              continue; // see getTileChoices
            if (blockM % schedule.warp[0] == 0 &&
                blockN % schedule.warp[1] == 0)
              result.push_back(schedule);
          }
  return result;
}

std::optional<Infeasible> top::findFault(const ScheduleFields &schedule,
                                         const ProductProblem &problem,
                                         const GPUTarget &target) {
  if (std::optional<Infeasible> broken =
          findBrokenLimit(schedule, problem, target))
    return broken;
  return findUnimplemented(schedule, problem);
}

/// No field of a schedule is larger.
static constexpr int64_t largestValue = 65536;

/// `value` times and over powers of two, up to 256 times as small and 16 times
/// as large. Extents that are no multiple of anything shrink to powers of two.
static SmallVector<int64_t> getNeighbours(int64_t value) {
  value = std::clamp<int64_t>(value, 1, largestValue);
  SmallVector<int64_t> result = {value};
  for (int64_t factor = 2; factor <= 256; factor *= 2) {
    if (value % factor == 0)
      result.push_back(value / factor);
    if (factor <= 16 && value * factor <= largestValue)
      result.push_back(value * factor);
  }
  if (!llvm::isPowerOf2_64(value))
    for (int64_t power = 8; power < value && power <= 256; power *= 2)
      result.push_back(power);
  return result;
}

static double getLogRatio(int64_t a, int64_t b) {
  return std::abs(std::log2(double(std::max<int64_t>(a, 1)) /
                            double(std::max<int64_t>(b, 1))));
}

std::optional<ScheduleFields>
top::findNearestFitting(const ScheduleFields &wrong,
                        const ProductProblem &problem,
                        const GPUTarget &target) {
  // A change of the block costs more reuse than one of K, which costs more
  // than fewer buffers.
  constexpr double stageWeight = 1, depthWeight = 1.2, blockWeight = 1.5;
  SmallVector<int64_t, 3> block = wrong.block;
  block.resize(3, 32);
  SmallVector<int64_t> stages;
  for (int64_t i = std::clamp<int64_t>(wrong.stages, 1, 16); i >= 1; --i)
    stages.push_back(i);

  if (wrong.engine == Engine::direct && problem.isConvolution)
    if (std::optional<Assignment> assignment = assignDirect(problem, target))
      return assignment->schedule;
  SmallVector<Engine> engines = {wrong.engine};
  llvm::append_range(engines, llvm::reverse(getImplementedEngines()));
  for (Engine engine : engines) {
    // Engine `direct` chooses for a convolution as a whole, above.
    if (engine == Engine::direct ||
        !llvm::is_contained(getImplementedEngines(), engine))
      continue;
    std::optional<ScheduleFields> best;
    double bestDistance = 0;
    for (int64_t blockM : getNeighbours(block[0]))
      for (int64_t blockN : getNeighbours(block[1]))
        for (int64_t blockK : getNeighbours(block[2]))
          for (int64_t numStages : stages) {
            const double distance =
                blockWeight * (getLogRatio(blockM, block[0]) +
                               getLogRatio(blockN, block[1])) +
                depthWeight * getLogRatio(blockK, block[2]) +
                stageWeight * getLogRatio(numStages, wrong.stages);
            if (best && distance >= bestDistance)
              continue;
            ScheduleFields candidate = wrong;
            candidate.engine = engine;
            candidate.block = {blockM, blockN, blockK};
            candidate.stages = numStages;
            candidate.cluster = {1, 1};
            // As many parts as there are steps, at most.
            candidate.splitK = std::clamp<int64_t>(
                wrong.splitK, 1,
                std::clamp<int64_t>(countTiles(candidate, problem).k, 1,
                                    largestValue));
            // Warp tiles stay where they can.
            if (findFault(candidate, problem, target) &&
                (failed(chooseWarpTiles(candidate)) ||
                 findFault(candidate, problem, target)))
              continue;
            best = candidate;
            bestDistance = distance;
          }
    if (best)
      return best;
  }
  return std::nullopt;
}
